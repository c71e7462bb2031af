"""A grammar that is never fed what it would die of.

llama.cpp's grammar ends the process when it is made to accept a token that it does not allow. So
every token is asked about before it is told, and the trigger of a lazy grammar is looked for here:
when it fires, the text from the trigger on is fed to a fresh grammar, checked token by token.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from cutaway.engine.backend import Vocabulary
from cutaway.engine.command import Constraint
from cutaway.engine.grammar_tokens import demand_tokens, marker_tokens
from cutaway.engine.llama.candidates import Candidates
from cutaway.engine.llama.library import forget_errors, lib, reason
from cutaway.engine.triggers import Found, Triggers

NESTING_LIMIT = 500
CHECKED = 1000
"""Tokens that can be asked about in one call: as many as a token may have alternatives."""
GATE_TAIL = 64
"""Bytes before the end of the reasoning that may already belong to a trigger."""


class Grammar:
    """A compiled grammar and how far it has been read."""

    def __init__(self, sampler: Any, check: Candidates) -> None:
        self._sampler = sampler
        self._check = check

    def allows(self, token: int) -> bool:
        self._check.fill_one(token)
        lib().llama_sampler_apply(self._sampler, self._check.reference)
        return self._check.any_left()

    def accept(self, token: int) -> bool:
        """Read a token; False, and nothing read, when the grammar does not allow it."""
        if not self.allows(token):
            return False
        lib().llama_sampler_accept(self._sampler, token)
        return True

    def allowed(self, tokens: Sequence[int]) -> list[bool]:
        """For each token, whether it may follow; asked in one call."""
        self._check.fill_tokens(tokens)
        self.mask(self._check)
        return self._check.left()

    def mask(self, candidates: Candidates) -> None:
        lib().llama_sampler_apply(self._sampler, candidates.reference)

    def copy(self) -> Grammar:
        return Grammar(lib().llama_sampler_clone(self._sampler), self._check)

    def free(self) -> None:
        if self._sampler is not None:
            lib().llama_sampler_free(self._sampler)
            self._sampler = None


def compile_grammar(vocab: Any, text: str) -> Grammar:
    """Raises ValueError with llama.cpp's own complaint when the grammar cannot be used."""
    if _nesting(text) > NESTING_LIMIT:
        raise ValueError(f"The grammar is nested more than {NESTING_LIMIT} brackets deep, which llama.cpp cannot read.")
    if "\0" in text:
        raise ValueError("The grammar holds a NUL character, which llama.cpp cannot read.")
    forget_errors()
    sampler = lib().llama_sampler_init_grammar(vocab, text.encode("utf-8", "replace"), b"root")
    if not sampler:
        raise ValueError(f"The grammar cannot be compiled: {reason('it is not valid GBNF or refers to itself first')}.")
    return Grammar(sampler, Candidates(CHECKED))


def _nesting(text: str) -> int:
    deepest = depth = 0
    for bracket in re.findall(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[()]', text):
        depth += {"(": 1, ")": -1}.get(bracket, 0)
        deepest = max(deepest, depth)
    return deepest


class Gate:
    """When the grammar of a constraint speaks: at once, or from its trigger on, and never inside reasoning."""

    def __init__(self, vocab: Any, vocabulary: Vocabulary, constraint: Constraint) -> None:
        """Raises ValueError with a sentence when the constraint cannot be enforced."""
        self._vocabulary = vocabulary
        tokens = marker_tokens(constraint.preserved_tokens, vocabulary)
        self._pristine = compile_grammar(vocab, demand_tokens(constraint.grammar, tokens))
        self._awake: Grammar | None = None
        self._pending: tuple[int, Grammar] | None = None
        self._found: Found | None = None
        self._lazy = constraint.lazy
        self._triggers: Triggers | None = None
        self._gated: list[int] = []
        self._text = bytearray()
        self._tokens: list[tuple[int, int]] = []
        if constraint.lazy:
            self._triggers = Triggers(vocabulary, constraint)
            self._overhear(constraint.generation_prompt)
        else:
            self._awake = self._begin(constraint.generation_prompt)

    def _begin(self, seen: str) -> Grammar:
        """An eager grammar after the text that the prompt already holds, where it covers that text."""
        grammar = self._pristine.copy()
        if seen and not self._replay(grammar, self._vocabulary.encode(seen, special=True)):
            grammar.free()
            grammar = self._pristine.copy()
        return grammar

    def _overhear(self, seen: str) -> None:
        """A lazy grammar may have its trigger in the text that the prompt already holds, and a part of what follows."""
        for token in self._vocabulary.encode(seen, special=True):
            if self._awake is not None and not self._awake.accept(token):
                self._awake.free()
                self._awake = None
                self._forget()
            elif self._awake is None:
                self._awake = self._fired(token)
                self._append(token)
                if self._awake is None and self._found is not None:
                    self._forget()  # a mere mention

    def _replay(self, grammar: Grammar, tokens: Sequence[int]) -> bool:
        return all(map(grammar.accept, tokens))

    def close(self) -> None:
        for grammar in (self._pristine, self._awake, self._pending[1] if self._pending else None):
            if grammar is not None:
                grammar.free()
        self._awake = self._pending = None

    # -- Before a token is chosen --------------------------------------------------------------

    def wake(self) -> tuple[int, str] | None:
        """Reasoning is over: what was generated meanwhile counts now.

        Where the grammar holds from here on: the bytes at the output's end that it has read, and its trigger.
        """
        gated, self._gated = self._gated, []
        if self._lazy:
            if gated:
                self._remember_tail(gated)
            return self._since() if self._awake is not None else None
        self._catch_up(gated)
        return 0, ""

    def _catch_up(self, gated: Sequence[int]) -> None:
        """A grammar that covers the reasoning reads it now; one that does not begins after it."""
        assert self._awake is not None
        trial = self._awake.copy()
        if self._replay(trial, gated):
            self._awake.free()
            self._awake = trial
        else:
            trial.free()

    def _remember_tail(self, gated: Sequence[int]) -> None:
        """The end of the reasoning may itself be the trigger, or its first part.

        A trigger in it that the grammar cannot go on from was a mention: what holds it is forgotten.
        """
        tail = self._tail(gated)
        while tail and self._awake is None:
            self._forget()
            for token in tail[:-1]:
                self._append(token)
            self._awake = self._fired(tail[-1])
            if self._found is None or self._awake is not None:
                return self._append(tail[-1])
            tail = tail[1:]
        self._forget()

    def _tail(self, gated: Sequence[int]) -> Sequence[int]:
        length = 0
        for count, token in enumerate(reversed(gated)):
            length += len(self._vocabulary.piece(token))
            if length > GATE_TAIL and count:
                return gated[-count:]
        return gated

    def allows(self, token: int) -> bool:
        """Whether the constraint lets the token pass; for a lazy one, whether its trigger can be gone on from."""
        self._drop_pending()
        if self._awake is not None:
            return self._awake.allows(token)
        found = self._find(token)
        if found is None:
            return True
        grammar = self._from_trigger(found.start, token)
        if grammar is None:
            return False
        self._pending = (token, grammar)
        return True

    @property
    def masks(self) -> bool:
        """Whether the grammar holds now."""
        return self._awake is not None

    def mask(self, candidates: Candidates) -> None:
        if self._awake is not None:
            self._awake.mask(candidates)

    def refused(self, tokens: Sequence[int]) -> list[int]:
        """Those of some tokens that the grammar does not allow next; none while it sleeps."""
        if self._awake is None:
            return []
        allowed = self._awake.allowed(tokens)
        return [token for token, free in zip(tokens, allowed, strict=True) if not free]

    # -- After it was chosen -------------------------------------------------------------------

    def accept(self, token: int, *, asleep: bool) -> tuple[int, str] | None:
        """Where this token wakes the grammar: the bytes at the output's end that it has read, and its trigger."""
        if asleep:
            self._gated.append(token)
            return None
        if self._awake is not None:
            self._awake.accept(token)
            return None
        if self._pending is None or self._pending[0] != token:
            self._drop_pending()
            fired = self._fired(token)
            self._pending = (token, fired) if fired is not None else None
        if self._pending is None and self._found is not None:
            self._forget()  # it was forced, so nothing could be asked: it must not be found again
            return None
        if self._pending is not None:
            self._awake, self._pending = self._pending[1], None
        self._append(token)
        return self._since() if self._awake is not None else None

    def _since(self) -> tuple[int, str]:
        assert self._found is not None
        return len(self._text) - self._found.start, self._found.trigger

    def _forget(self) -> None:
        self._text.clear()
        self._tokens.clear()

    def _append(self, token: int) -> None:
        self._tokens.append((token, len(self._text)))
        self._text += self._vocabulary.piece(token)

    def _drop_pending(self) -> None:
        if self._pending is not None:
            self._pending[1].free()
            self._pending = None

    # -- Triggers ------------------------------------------------------------------------------

    def _fired(self, token: int) -> Grammar | None:
        found = self._find(token)
        return None if found is None else self._from_trigger(found.start, token)

    def _find(self, token: int) -> Found | None:
        """The trigger that `token` fires, if it does."""
        assert self._triggers is not None
        self._found = self._triggers.find(self._text, token)
        return self._found

    def _from_trigger(self, start: int, token: int) -> Grammar | None:
        """A grammar that has read the output from byte `start` on and then `token`; None where it refuses."""
        grammar = self._pristine.copy()
        for held, at in [*self._tokens, (token, len(self._text))]:
            piece = self._vocabulary.piece(held)
            if at + len(piece) <= start and not (at == start and held == token):
                continue
            parts = [held] if at >= start else self._spell(piece[start - at :])
            if not self._replay(grammar, parts):
                grammar.free()
                return None
        return grammar

    def _spell(self, text: bytes) -> list[int]:
        """Tokens for the part of a token that lies behind the start of a trigger."""
        spelled = self._vocabulary.encode(text.decode("utf-8", "replace"), special=False)
        return spelled if b"".join(map(self._vocabulary.piece, spelled)) == text else [-1]
