"""A grammar that is never fed what it would die of.

llama.cpp's grammar ends the process when it is made to accept a token that it does not allow. So
every token is asked about before it is told, and the trigger of a lazy grammar is looked for here:
when it fires, the text from the trigger on is fed to a fresh grammar, checked token by token.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from cutaway.engine.backend import Vocabulary
from cutaway.engine.command import Constraint
from cutaway.engine.llama.candidates import Candidates
from cutaway.engine.llama.library import forget_errors, lib, reason

NESTING_LIMIT = 500
WATCHED = 4096
"""Characters before the end of the output in which a trigger may begin."""
WATCHED_WHOLE = 65_536
"""Characters of output after which a pattern for the whole output is given up."""
GATE_TAIL = 64
"""Bytes before the end of the reasoning that may already belong to a trigger."""

_Find: TypeAlias = Callable[[str], int | None]
"""Finds where in a text the constrained part begins."""


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
    return Grammar(sampler, Candidates(1))


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
        self._pristine = compile_grammar(vocab, constraint.grammar)
        self._awake: Grammar | None = None
        self._pending: tuple[int, Grammar] | None = None
        self._lazy = constraint.lazy
        self._triggers: _Triggers | None = None
        self._gated: list[int] = []
        self._text = bytearray()
        self._tokens: list[tuple[int, int]] = []
        if constraint.lazy:
            self._triggers = _Triggers(vocabulary, constraint)
        else:
            self._awake = self._begin(constraint.generation_prompt)

    def _begin(self, seen: str) -> Grammar:
        """An eager grammar after the text that the prompt already holds, where it covers that text."""
        grammar = self._pristine.copy()
        if seen and not self._replay(grammar, self._vocabulary.encode(seen, special=True)):
            grammar.free()
            grammar = self._pristine.copy()
        return grammar

    def _replay(self, grammar: Grammar, tokens: Sequence[int]) -> bool:
        return all(map(grammar.accept, tokens))

    def close(self) -> None:
        for grammar in (self._pristine, self._awake, self._pending[1] if self._pending else None):
            if grammar is not None:
                grammar.free()
        self._awake = self._pending = None

    # -- Before a token is chosen --------------------------------------------------------------

    def wake(self) -> None:
        """Reasoning is over: what was generated meanwhile counts now."""
        if self._gated:
            gated, self._gated = self._gated, []
            if self._lazy:
                self._remember_tail(gated)
            else:
                self._catch_up(gated)

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
        """The end of the reasoning may itself be the trigger, or its first part."""
        assert self._triggers is not None
        tail: list[int] = []
        length = 0
        for token in reversed(gated):
            piece = self._vocabulary.piece(token)
            if length + len(piece) > GATE_TAIL and tail:
                break
            tail.insert(0, token)
            length += len(piece)
        for token in tail[:-1]:
            self._append(token)
        fired = self._fired(tail[-1])
        if fired is not None:
            self._awake = fired
        self._append(tail[-1])

    def allows(self, token: int) -> bool:
        """Whether the constraint lets the token pass; for a lazy one, whether its trigger can be gone on from."""
        self._drop_pending()
        if self._awake is not None:
            return self._awake.allows(token)
        start = self._trigger_start(token)
        if start is None:
            return True
        grammar = self._from_trigger(start, token)
        if grammar is None:
            return False
        self._pending = (token, grammar)
        return True

    @property
    def masks(self) -> bool:
        return self._awake is not None

    def mask(self, candidates: Candidates) -> None:
        if self._awake is not None:
            self._awake.mask(candidates)

    # -- After it was chosen -------------------------------------------------------------------

    def accept(self, token: int, *, asleep: bool) -> None:
        if asleep:
            self._gated.append(token)
        elif self._awake is not None:
            self._awake.accept(token)
        else:
            if self._pending is None or self._pending[0] != token:
                self._drop_pending()
                fired = self._fired(token)
                self._pending = (token, fired) if fired is not None else None
            if self._pending is not None:
                self._awake, self._pending = self._pending[1], None
            self._append(token)

    def _append(self, token: int) -> None:
        self._tokens.append((token, len(self._text)))
        self._text += self._vocabulary.piece(token)

    def _drop_pending(self) -> None:
        if self._pending is not None:
            self._pending[1].free()
            self._pending = None

    # -- Triggers ------------------------------------------------------------------------------

    def _fired(self, token: int) -> Grammar | None:
        start = self._trigger_start(token)
        return None if start is None else self._from_trigger(start, token)

    def _trigger_start(self, token: int) -> int | None:
        """Byte of the output where the constrained text begins, if `token` fires a trigger."""
        assert self._triggers is not None
        if token in self._triggers.tokens:
            return len(self._text)
        return self._triggers.find(self._text, self._vocabulary.piece(token))

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


class _Triggers:
    """What wakes a lazy grammar. A word that is one added token counts only as that token."""

    def __init__(self, vocabulary: Vocabulary, constraint: Constraint) -> None:
        self.tokens: set[int] = set()
        self._anywhere: list[_Find] = []
        self._whole: list[_Find] = []
        added = {text: token for text, token, _ in vocabulary.added()}
        for kind, value in constraint.triggers:
            self._add(kind, value, added, vocabulary)
        if not (self.tokens or self._anywhere or self._whole):
            raise ValueError("The grammar is to wait for a trigger, but it was given none.")

    def _add(self, kind: str, value: str, added: dict[str, int], vocabulary: Vocabulary) -> None:
        if kind == "token":
            self.tokens.add(int(value) if value.isdigit() and value not in added else self._token(value, added))
        elif kind == "word" and value in added:
            self.tokens.add(added[value])
        elif kind == "word":
            self._anywhere.append(lambda text: at if (at := text.find(value)) >= 0 else None)
        elif kind == "pattern_full" or (value.startswith("^") and value.endswith("$")):
            self._whole.append(_matcher(value, whole=True))
        else:
            self._anywhere.append(_matcher(value, whole=False))

    def _token(self, value: str, added: dict[str, int]) -> int:
        if value not in added:
            raise ValueError(f"The grammar is to wait for the token {value!r}, which this model does not have.")
        return added[value]

    def find(self, text: bytearray, piece: bytes) -> int | None:
        """Byte where the constrained text begins once `piece` follows `text`; None while nothing matches."""
        starts = [*self._starts(text, piece, self._anywhere, WATCHED)]
        if self._whole and len(text) <= WATCHED_WHOLE:
            starts += self._starts(text, piece, self._whole, WATCHED_WHOLE)
        return min(starts, default=None)

    def _starts(self, text: bytearray, piece: bytes, finders: Sequence[_Find], most: int) -> list[int]:
        if not finders:
            return []
        cut = max(0, len(text) - most)
        decoded = (bytes(text[cut:]) + piece).decode("utf-8", "surrogateescape")
        found = [start for find in finders if (start := find(decoded)) is not None]
        return [cut + len(decoded[:start].encode("utf-8", "surrogateescape")) for start in found]


def _matcher(pattern: str, *, whole: bool) -> Callable[[str], int | None]:
    """Finds where a pattern's first group that is not empty begins, else its match."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"A trigger of the grammar is no valid pattern: {error}.") from error

    def find(text: str) -> int | None:
        match = compiled.fullmatch(text) if whole else compiled.search(text)
        if match is None:
            return None
        groups = (match.start(at) for at in range(1, (compiled.groups or 0) + 1) if match.group(at))
        return next(groups, match.start())

    return find
