"""The text of an argument between tags: up to the closing tag that what follows it proves to be one.

Values stand there unescaped, so a closing tag may be part of one. It closes only where another argument,
the call's own end or the end of the output follows.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Literal

from cutaway.chat.reading.context import Context
from cutaway.chat.reading.source import Scan, Source, follows, scan_for, skip_blanks

Verdict = Literal["close", "missing", "text", "wait"]


@dataclass(frozen=True, slots=True)
class Ends:
    """How a value ends."""

    close: str
    """The closing tag, trimmed."""
    blanks_before: str
    """Blanks that the template writes between value and tag."""
    follows: tuple[str, ...]
    """What may come after the closing tag."""
    chain: tuple[str, ...]
    """The closers of the whole call, in order: without the closing tag, all of them end the value too."""
    after_chain: tuple[str, ...]
    """What may come after the call."""
    next_arguments: tuple[str, ...] = ()
    """Whole openers of the declared arguments, each on a line of its own: they end a value that lacks its tag."""
    given: tuple[str, ...] = ()
    """Those of the arguments that have come: text."""

    @property
    def scan(self) -> Scan:
        markers = (self.close, *self.chain)
        framed = tuple(self.blanks_before + marker for marker in markers)
        return scan_for((*markers, *self.next_arguments), framed)


class TextValue:
    """One value: `pieces()` consumes it and hands on its text, framing left out."""

    def __init__(self, context: Context, ends: Ends) -> None:
        self._context = context
        self._ends = ends
        self.missing_closer = False
        self.truncated = False

    def read(self, put: Callable[[str], None]) -> Generator[None, None, None]:
        """Consumes the value and its closing tag. `put` gets each consumed piece of the value's text."""
        source, scan = self._context.source, self._ends.scan
        while True:
            found, end = scan.find(source)
            if found is None:
                self._release(put, end)
                if source.ended:
                    self.truncated = True
                    return
                yield
                continue
            verdict = self._verdict(source, found.start(), found[0])
            if verdict == "wait":
                self._release(put, self._without_framing(found.start()))
                yield
            elif verdict == "text":
                self._release(put, found.start() + 1)
            else:
                self._close(put, found.start(), verdict, len(found[0]))
                return

    def _release(self, put: Callable[[str], None], end: int) -> None:
        source = self._context.source
        if end > source.at:
            raw = source.text[source.at : end]
            source.at = end
            put(raw)

    def _without_framing(self, end: int) -> int:
        blanks = self._ends.blanks_before
        source = self._context.source
        for size in range(len(blanks), 0, -1):
            if end - size >= source.at and source.text.startswith(blanks[-size:], end - size):
                return end - size
        return end

    def _close(self, put: Callable[[str], None], at: int, verdict: Verdict, size: int) -> None:
        framed = self._without_framing(at)
        self._release(put, framed)
        self._context.take("space", at - framed)
        if verdict == "close":
            self._context.take("markup", size)
        else:
            self.missing_closer = True

    def _verdict(self, source: Source, at: int, marker: str) -> Verdict:
        if marker == self._ends.close:
            fits = follows(source, at + len(marker), self._ends.follows)
            return "wait" if fits is None else "close" if fits else "text"
        if marker in self._ends.next_arguments:
            return "text" if marker in self._ends.given else "missing"
        return self._chain(source, at, self._ends.chain.index(marker))

    def _chain(self, source: Source, at: int, first: int) -> Verdict:
        """Whether the call's closers stand here one after the other, with nothing but blanks between.

        Where the first of them is missing too, nothing but the end of the output may follow.
        """
        for number, marker in enumerate(self._ends.chain[first:]):
            if number:
                at = skip_blanks(source.text, at)
            if not source.text.startswith(marker, at):
                short = marker.startswith(source.text[at:]) and not source.ended
                return "wait" if short else "text"
            at += len(marker)
        fits = follows(source, at, self._ends.after_chain if not first else ())
        return "wait" if fits is None else "missing" if fits else "text"
