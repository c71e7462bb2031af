"""Sampling for one reply: the chain chooses, the constraint may refuse, and every choice is described."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutaway.engine.backend import Awakening
from cutaway.engine.command import Constraint
from cutaway.engine.event import Alternative, Token
from cutaway.engine.llama.candidates import Candidates
from cutaway.engine.llama.chain import Chain
from cutaway.engine.llama.constraint import Gate
from cutaway.engine.llama.statistics import Logits, Statistics
from cutaway.engine.llama.vocabulary import LlamaVocabulary
from cutaway.engine.sampling import Sampling

RESAMPLES = 64
"""Tokens that may be refused one after another before a constraint is given up as unsatisfiable."""

NO_NUMBERS = (
    "The model's last output is not numbers (NaN), so no token can be chosen. The file may be damaged, or its weights "
    "overflow the KV type or the device: load it with other settings, or fetch it again."
)

NONE_LEFT = "The sampler chain chose no token: its stages leave none. Loosen its settings."


class Workspace:
    """Memory for the work on a row of logits, made once for a model."""

    def __init__(self, vocabulary: LlamaVocabulary, vocab: Any, context: int) -> None:
        self.vocabulary = vocabulary
        self.vocab = vocab
        self.context = context
        self.candidates = Candidates(vocabulary.size)
        self.statistics = Statistics(vocabulary.size)
        vocabulary.pieces()  # the table is made here, not at the first token


class Sampler:
    """Made for one reply. Raises ValueError with a sentence when a setting or the grammar is refused."""

    def __init__(
        self, work: Workspace, sampling: Sampling, constraint: Constraint | None, seed: int, prompt: Sequence[int]
    ) -> None:
        self._work = work
        self._sampling = sampling
        self._gate: Gate | None = None
        self._asleep = False
        self._written = 0
        self.awakening: Awakening | None = None
        """Of the last token: how the constraint came to hold."""
        self._removed: dict[int, str] = {}
        self._best: list[int] = []
        self._refused: set[int] = set()
        self._masked: int | None = None
        self._chain = Chain(work.vocab, work.vocabulary.size, work.context, sampling, seed)
        self._shortlist = self._shortlisted()
        try:
            self._chain.take_prompt(prompt)
            if constraint is not None and constraint.grammar:
                self._gate = Gate(work.vocab, work.vocabulary, constraint)
        except BaseException:
            self.free()
            raise

    def _shortlisted(self) -> int:
        """How many of the likeliest the chain needs, where it begins by leaving no others; 0 where it needs all."""
        least = {"top_k": self._sampling.top_k, "greedy": 1}.get(self._chain.stages[0][0], 0)
        return max(least, self._sampling.alternatives) if least else 0

    def free(self) -> None:
        self._chain.free()
        if self._gate is not None:
            self._gate.close()
            self._gate = None

    def sample(self, index: int, logits: Logits, *, constrained: bool) -> Token:
        """Choose and accept. Raises ValueError when the constraint or the chain leaves nothing."""
        self.awakening = None
        gate = self._awake_gate(index, constrained)
        self._masked = self._count_masked(logits, gate) if self._sampling.trace else None
        chosen = self._choose(logits, gate)
        token = self._describe(index, chosen, logits, forced=False)
        self._accept(index, chosen)
        return token

    def force(self, index: int, token: int, logits: Logits) -> Token:
        self.awakening = None
        described = self._describe(index, token, logits, forced=True)
        self._accept(index, token)
        return described

    # -- Choosing ------------------------------------------------------------------------------

    def _awake_gate(self, index: int, constrained: bool) -> Gate | None:
        if self._gate is None:
            return None
        was_asleep, self._asleep = self._asleep, not constrained
        if self._asleep:
            return None
        if was_asleep:
            self._note(index - 1, self._gate.wake())
        return self._gate

    def _accept(self, index: int, token: int) -> None:
        self._chain.accept(token)
        if self._gate is not None:
            self._written += len(self._work.vocabulary.piece(token))
            self._note(index, self._gate.accept(token, asleep=self._asleep))

    def _note(self, index: int, woke: tuple[int, str] | None) -> None:
        if woke is not None:
            read, trigger = woke
            self.awakening = Awakening(index, self._written - read, trigger)

    def _choose(self, logits: Logits, gate: Gate | None) -> int:
        """Let the chain choose; what the constraint refuses is chosen again with the constraint first."""
        self._fill(logits)
        self._refused = set(gate.refused(self._best)) if gate is not None and self._best else set()
        chosen = self._apply()
        if gate is None or (chosen >= 0 and gate.allows(chosen)):
            if chosen < 0:
                raise ValueError(NO_NUMBERS if np.isnan(logits).any() else NONE_LEFT)
            return chosen
        return self._choose_within(logits, gate, {chosen} - {-1})

    def _fill(self, logits: Logits) -> None:
        """All tokens; only the likeliest where the chain begins by leaving no others."""
        shown = self._sampling.alternatives
        if not self._shortlist:
            self._work.candidates.fill(logits)
            self._best = self._likeliest(logits, shown)[0].tolist() if shown else []
            return
        found, values = self._likeliest(logits, self._shortlist)
        self._best = found[:shown].tolist()
        self._work.candidates.fill_sorted(found, values)

    def _likeliest(self, logits: Logits, count: int) -> tuple[NDArray[np.int64], Logits]:
        """Ids and logits, likeliest first. Raises ValueError where there are no numbers to compare."""
        found = self._work.statistics.likeliest(logits, count)
        values = logits[found]
        if not len(found) or values[0] != values[0]:
            raise ValueError(NO_NUMBERS)
        return found, values

    def _choose_within(self, logits: Logits, gate: Gate, refused: set[int]) -> int:
        candidates = self._work.candidates
        for _ in range(RESAMPLES):
            candidates.fill(logits)
            candidates.forbid(refused)
            self._refused |= refused
            gate.mask(candidates)
            if not candidates.any_left():
                break
            chosen = self._apply()
            if chosen < 0:
                break
            if gate.allows(chosen):
                return chosen
            refused.add(chosen)
        raise ValueError("The grammar allows none of the tokens that the model could go on with. The reply ends here.")

    def _count_masked(self, logits: Logits, gate: Gate | None) -> int | None:
        if gate is None or not gate.masks:
            return None
        candidates = self._work.candidates
        candidates.fill(logits)
        gate.mask(candidates)
        return candidates.size - sum(candidates.left())

    def _apply(self) -> int:
        candidates = self._work.candidates
        self._removed = {}
        if not self._sampling.trace:
            self._chain.apply(candidates.reference)
            return candidates.selected()
        watched = np.array(self._best, dtype=np.int64)
        for name in self._chain.apply_by_stage(candidates.reference):
            view = candidates.view()
            left = view["id"][np.isfinite(view["logit"])]
            for token in watched[~np.isin(watched, left)].tolist():
                self._removed.setdefault(token, name)
        return candidates.selected()

    # -- Describing ----------------------------------------------------------------------------

    def _describe(self, index: int, token: int, logits: Logits, *, forced: bool) -> Token:
        work = self._work
        piece, control = work.vocabulary.piece(token), work.vocabulary.is_control(token)
        if not self._sampling.alternatives:
            return Token(index, token, piece, 0.0, 0, (), 0.0, 0.0, control, forced)
        if forced:
            self._best = self._likeliest(logits, self._sampling.alternatives)[0].tolist()
        best = self._best
        spread = work.statistics.distribution(logits, float(logits[best[0]]))
        chances = {} if forced else {token: 1.0} if self._chain.greedy else work.candidates.chances([*best, token])
        removed = {} if forced else self._removed
        for other in () if forced else self._refused:
            chances[other], removed[other] = 0.0, "grammar"
        piece_of, probability = work.vocabulary.piece, spread.probability
        values, own = logits[best].tolist(), float(logits[token])
        alternatives = tuple(
            Alternative(other, piece_of(other), probability(value), chances.get(other, 0.0), removed.get(other, ""))
            for other, value in zip(best, values, strict=True)
        )
        return Token(
            index=index,
            id=token,
            piece=piece,
            probability=probability(own),
            rank=values.index(own) if own >= values[-1] else work.statistics.rank(logits, token),
            alternatives=alternatives,
            entropy=spread.entropy,
            ms=0.0,
            control=control,
            forced=forced,
            chosen_probability=chances.get(token, 0.0),
            masked=None if forced else self._masked,
        )
