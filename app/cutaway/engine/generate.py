"""One reply, token by token: sample, let the reader hear it, tell the world, decode."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from cutaway.engine.backend import Backend, DecodeError, InterruptedDecodeError
from cutaway.engine.command import Generate, Verdict
from cutaway.engine.event import Event, Finished, GrammarWoke, Sampled, Timings, Token
from cutaway.engine.held import Held
from cutaway.engine.threads import ThreadGovernor

_QUIET = Verdict()


@dataclass(slots=True)
class Generation:
    """The state of one reply. `run` is called once, after the prompt was fed with logits."""

    command: Generate
    backend: Backend
    held: Held
    governor: ThreadGovernor
    emit: Callable[[Event], None]
    stopped: Callable[[], bool]
    """Whether the person, or a command that cannot wait, wants it to end."""
    answer_now: Callable[[], bool]
    began: float
    """`time.perf_counter` when the job began."""
    seed: int
    prompt_tokens: int
    reused: int
    fed: int
    prefill_ms: float
    generated: int = 0
    first_ms: float = 0.0
    last_ms: float = 0.0
    reasoning_tokens: int = 0
    verdict: Verdict = _QUIET
    raw_stop: str = ""
    forced: deque[int] = field(default_factory=deque)
    cut_short: bool = False
    """The end of the reasoning that is open was written: it is not written twice."""
    pending_utf8: int = 0
    written: bytearray = field(default_factory=bytearray)
    """The output so far, where a constraint may ask for its characters."""

    def run(self) -> Finished:
        """Sample until the reply is over. Raises ValueError when the constraint leaves no token."""
        if self.command.reader is not None:
            self.verdict = Verdict(reasoning_open=self.command.reader.reasoning_open)
        reason = self._loop()
        return self.finish(reason)

    def _loop(self) -> str:
        context = self.backend.traits().context
        limit = self.command.max_tokens
        while True:
            if self.stopped():
                return "cancelled"
            if limit is not None and self.generated >= limit:
                return "length"
            if len(self.held.tokens) >= context:
                return "context"
            token = self._next()
            if self._ends(token):
                return self.verdict.finish_reason
            if self.verdict.stop:
                return self.verdict.finish_reason
            began = time.perf_counter()
            try:
                self._decode(token.id)
            except InterruptedDecodeError:
                return "cancelled"
            except DecodeError as error:
                if error.full:
                    return "context"
                raise
            self.governor.decoded((time.perf_counter() - began) * 1000, self.backend.set_threads)

    def _decode(self, token: int) -> None:
        """Raises InterruptedDecodeError only when this job was meant."""
        while True:
            try:
                return self.held.add(token)
            except InterruptedDecodeError:
                if self.stopped():
                    raise
                self.backend.resume()

    def _next(self) -> Token:
        self._force_where_due()
        if self.forced:
            return self.backend.force(self.generated, self.forced.popleft())
        return self.backend.sample(self.generated, constrained=not self._asleep())

    def _asleep(self) -> bool:
        return self.verdict.reasoning_open and self.command.constraint is not None

    def _ends(self, token: Token) -> bool:
        """Let everyone hear the token; answers whether it is one that ends the turn."""
        ends = not token.forced and self._is_end(token.id)
        ms = (time.perf_counter() - self.began) * 1000
        token = _stamped(token, ms, ends)
        events: tuple[object, ...] = ()
        if ends:
            self.raw_stop = token.piece.decode("utf-8", "replace")
        elif self.command.reader is not None:
            self.verdict = self.command.reader.feed(token.piece, token.id)
            events = self.verdict.events
        self.generated += 1
        self.first_ms, self.last_ms = self.first_ms or ms, ms
        self.pending_utf8 = _pending_utf8(token.piece, self.pending_utf8)
        if self.verdict.reasoning_open:
            self.reasoning_tokens += 1
        self.emit(Sampled(self.command.job, token, events))
        if self.command.constraint is not None:
            self._tell_awakening(token.piece)
        return ends

    def _tell_awakening(self, piece: bytes) -> None:
        self.written += piece
        woke = self.backend.awakening()
        if woke is not None:
            character = len(self.written[: woke.byte].decode("utf-8", "replace"))
            self.emit(GrammarWoke(self.command.job, woke.index, character, woke.trigger))

    def _is_end(self, token: int) -> bool:
        is_end = self.backend.vocabulary().is_end(token) or token in self.command.stop_tokens
        return is_end and not self.command.ignore_end

    def _force_where_due(self) -> None:
        """Write the end of the reasoning when its budget is used up or the person asks, after whole characters."""
        if not self.verdict.reasoning_open:
            self.cut_short = False
            return
        if self.cut_short or self.forced or self.pending_utf8:
            return
        budget = self.command.reasoning_budget
        used_up = budget is not None and self.reasoning_tokens >= budget
        if (used_up or self.answer_now()) and self.command.reasoning_end:
            self.forced.extend(self.command.reasoning_end)
            self.cut_short = True

    def finish(self, reason: str) -> Finished:
        """The last event, with what the reader had held back."""
        events: tuple[object, ...] = ()
        if self.command.reader is not None:
            last = self.command.reader.finish()
            events = last.events
            if reason == "stop":
                reason = last.finish_reason
        timings = Timings(
            prompt_tokens=self.prompt_tokens,
            reused=self.reused,
            fed=self.fed,
            generated=self.generated,
            prefill_ms=self.prefill_ms,
            first_token_ms=self.first_ms,
            decode_ms=self.last_ms - self.first_ms,
        )
        return Finished(self.command.job, reason, timings, self.seed, events, self.raw_stop)


def _stamped(token: Token, ms: float, ends: bool) -> Token:
    """`dataclasses.replace`, at a third of its time: this runs for every token."""
    return Token(
        token.index,
        token.id,
        token.piece,
        token.probability,
        token.rank,
        token.alternatives,
        token.entropy,
        ms,
        token.control,
        token.forced,
        ends,
        token.chosen_probability,
        token.masked,
    )


def _pending_utf8(piece: bytes, pending: int) -> int:
    """How many bytes are still to come of the character that `piece` leaves open."""
    for byte in piece:
        if pending and 0x80 <= byte < 0xC0:
            pending -= 1
        elif byte >= 0xF0:
            pending = 3
        elif byte >= 0xE0:
            pending = 2
        elif byte >= 0xC0:
            pending = 1
        else:
            pending = 0
    return pending
