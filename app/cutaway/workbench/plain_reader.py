"""A reader for replies that have no format: all text is content. Completion mode uses it."""

from __future__ import annotations

import codecs

from cutaway.chat.reply import ContentBlock, ContentText, Reply, ReplySpan
from cutaway.engine.command import Verdict


class PlainReader:
    """Ends at the first of the stop strings, which is not part of the reply."""

    def __init__(self, stops: tuple[str, ...] = ()) -> None:
        self._stops = stops
        self._hold = max((len(stop) for stop in stops), default=1) - 1
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self._told: list[str] = []

    @property
    def reasoning_open(self) -> bool:
        return False

    def feed(self, piece: bytes, token: int) -> Verdict:
        self._held += self._decoder.decode(piece)
        found = [at for stop in self._stops if (at := self._held.find(stop)) >= 0]
        if found:
            told, self._held = self._held[: min(found)], ""
            return Verdict(stop=True, events=self._tell(told))
        keep = min(self._hold, len(self._held))
        told, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return Verdict(events=self._tell(told))

    def finish(self) -> Verdict:
        told, self._held = self._held + self._decoder.decode(b"", final=True), ""
        events = self._tell(told)
        text = "".join(self._told)
        reply = Reply(
            text,
            (ContentBlock(text, 0, len(text)),) if text else (),
            (ReplySpan(0, len(text), "content"),) if text else (),
        )
        return Verdict(events=(*events, reply))

    def _tell(self, text: str) -> tuple[object, ...]:
        if not text:
            return ()
        self._told.append(text)
        return (ContentText(text),)
