"""The chat layer's reader as the engine's: hears each token before the next decode and says when to stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from cutaway.chat.reading.bytes import Utf8Decoder
from cutaway.chat.reading.reader import Reader as ChatReader
from cutaway.chat.reply import CallEnded, CallStarted, ContentText, ReasoningText
from cutaway.chat.session import Prepared, open_reader
from cutaway.engine.backend import Vocabulary
from cutaway.engine.command import Verdict

SNAPSHOT_SECONDS = 0.25
"""How often the reply as parsed so far goes with the events."""


def listen(
    prepared: Prepared,
    vocabulary: Vocabulary,
    stops: Sequence[str] = (),
    *,
    clock: Callable[[], float] = time.monotonic,
) -> ReplyListener:
    """What the worker is given for one reply. `stops` are the person's: their text is not part of the reply."""
    markers = {token: text for text, token, _ in vocabulary.added()}
    reader = open_reader(prepared, profile=prepared.request.profile, marker_tokens=markers)
    # A turn's end that is a token counts as that token only: the worker stops there.
    spelled = frozenset(markers.values())
    turn_ends = tuple(stop for stop in prepared.stops if stop and stop not in spelled)
    return ReplyListener(reader, prepared, stops, turn_ends, clock)


class ReplyListener:
    def __init__(
        self,
        reader: ChatReader,
        prepared: Prepared,
        stops: Sequence[str],
        turn_ends: tuple[str, ...],
        clock: Callable[[], float],
    ) -> None:
        self._reader = reader
        self._decoder = Utf8Decoder()
        self._clock = clock
        self._shown = clock()
        self._stops = tuple(stop for stop in stops if stop)
        self._turn_ends = turn_ends
        self._longest = max((len(stop) for stop in (*self._stops, *self._turn_ends)), default=0)
        request = prepared.request
        self._single_call = not request.parallel_tool_calls and bool(request.tools)
        self._ends = tuple(end.strip() for end in prepared.format.thinking_ends if end.strip())
        self._open = _starts_in_reasoning(prepared)
        self._tail = ""
        self._waiting: list[tuple[str, tuple[int, ...]]] = []
        self._ids: tuple[int, ...] = ()
        self._calls = False

    @property
    def reasoning_open(self) -> bool:
        return self._open

    def feed(self, piece: bytes, token: int) -> Verdict:
        text = self._decoder.decode(piece)
        self._ids = (*self._ids, token)
        if not text:
            return Verdict(reasoning_open=self._open)
        self._waiting.append((text, self._ids))
        self._ids = ()
        self._tail = (self._tail + text)[-max(64, 2 * self._longest + len(text)) :]
        if (found := self._first_stop()) is not None:
            return self._stop_at(found)
        events = self._release(self._may_begin_a_stop())
        return self._verdict(events)

    def finish(self) -> Verdict:
        events: list[object] = list(self._release(0))
        events += self._reader.feed(self._decoder.finish())
        events += self._reader.finish()
        self._note(events)
        return Verdict(
            stop=True,
            finish_reason="tool_calls" if self._calls else "stop",
            events=(*events, self._reader.reply()),
        )

    # -- Stops --------------------------------------------------------------------------------------

    def _first_stop(self) -> tuple[int, int] | None:
        """(characters before the end where a stop's text begins, characters of it that are part of the reply)."""
        found = []
        for stops, kept in ((self._stops, False), (self._turn_ends, True)):
            for stop in stops:
                at = self._tail.find(stop)
                if at >= 0:
                    found.append((len(self._tail) - at, len(stop) if kept else 0))
        return max(found, default=None)

    def _stop_at(self, found: tuple[int, int]) -> Verdict:
        before_end, kept = found
        drop = before_end - kept
        events = self._release(drop, split=True)
        self._waiting = []
        self._note(events)
        return Verdict(stop=True, reasoning_open=False, events=tuple(events))

    def _may_begin_a_stop(self) -> int:
        """Characters at the end that may be the beginning of one of the person's stops: they wait."""
        for size in range(min(self._longest - 1, len(self._tail)), 0, -1):
            end = self._tail[-size:]
            if any(stop.startswith(end) for stop in self._stops):
                return size
        return 0

    def _release(self, keep: int, *, split: bool = False) -> list[object]:
        """Give the reader all but the last `keep` characters that wait.

        Part of a token is given only where nothing comes after it (`split`): a marker is one as a whole token.
        """
        events: list[object] = []
        total = sum(len(text) for text, _ in self._waiting)
        give = total - keep
        while self._waiting and give > 0:
            text, ids = self._waiting[0]
            if len(text) <= give:
                self._waiting.pop(0)
                events += self._reader.feed(text, ids)
            else:
                events += self._reader.feed(text[:give]) if split else ()
                break
            give -= len(text)
        return events

    # -- What is known ------------------------------------------------------------------------------

    def _verdict(self, events: list[object]) -> Verdict:
        call_ended = self._note(events)
        if self._clock() - self._shown >= SNAPSHOT_SECONDS:
            self._shown = self._clock()
            events = [*events, self._reader.reply()]
        if call_ended and self._single_call:
            return Verdict(stop=True, finish_reason="tool_calls", events=tuple(events))
        return Verdict(reasoning_open=self._open, events=tuple(events))

    def _note(self, events: Sequence[object]) -> bool:
        """Follow what the events say of the reasoning; answers whether a call ended."""
        ended = False
        for event in events:
            match event:
                case ReasoningText():
                    self._open = True
                case ContentText() | CallStarted():
                    self._open = False
                case CallEnded():
                    ended = True
            self._calls = self._calls or isinstance(event, CallStarted)
        if self._open and self._tail.rstrip().endswith(self._ends) and self._ends:
            self._open = False
        return ended


def _starts_in_reasoning(prepared: Prepared) -> bool:
    reasoning = prepared.format.reasoning
    if reasoning is None and prepared.format.messages is None:
        return False
    forced = reasoning is not None and reasoning.forced and prepared.prefill == "none" and not prepared.continued
    return prepared.prefill == "open" or prepared.continued == "reasoning_content" or forced
