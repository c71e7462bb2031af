"""What every reading function works with, and the small steps they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from cutaway.chat.formats.format import Calls
from cutaway.chat.message import Tool
from cutaway.chat.reading.leniency import ABSENCES, Leniency
from cutaway.chat.reading.record import Record
from cutaway.chat.reading.source import BLANKS, MOST_HEAD, Source, follows, scan_for
from cutaway.chat.reply import SpanKind

_BRACES = re.compile(r"[}\s]*")

Outcome: TypeAlias = Literal["no", "done", "broken", "truncated"]
"""How the reading of a call ended: it was none; it is whole; it has a part that fits nowhere; the text ended in it."""

Reading: TypeAlias = Generator[None, None, Outcome]


@dataclass(slots=True)
class Context:
    source: Source
    record: Record
    leniency: Leniency
    tools: Mapping[str, Tool]
    make_id: Callable[[str, int], str]
    """The id of a call that has none: from its name and its place in this reply."""
    call_start: int = 0
    """Where the call's first marker begins."""
    calls_begun: int = 0
    bare: bool = False
    """No marker stood before the call: only a head without a doubt makes it one."""
    pending: list[str] = field(default_factory=list)
    """Leniencies about what stands before the name. They count only for a declared tool."""
    unknown: tuple[str, int, int] | None = None
    """A tool that was called and is not declared, with the span of its name."""

    # -- consuming ---------------------------------------------------------------------------------

    def take(self, kind: SpanKind, size: int) -> str:
        """Consumes the next characters, which nobody is shown, and returns them."""
        source = self.source
        text = source.text[source.at : source.at + size]
        source.at += size
        self.record.mark(kind, text)
        return text

    def take_blanks(self) -> Generator[None, None, int]:
        """Consumes blanks as framing; returns how many. They are none of the call's text."""
        source, count = self.source, 0
        while True:
            at, text = source.at, source.text
            end = at
            while end < len(text) and text[end] in BLANKS:
                end += 1
            if end > at:
                count += end - at
                self.take("space", end - at)
            if source.at < len(text) or source.ended:
                return count
            yield

    def starts_with(self, marker: str) -> Generator[None, None, bool]:
        """Whether the text goes on with the marker; waits while it may."""
        source = self.source
        while True:
            have = len(source.text) - source.at
            if have >= len(marker) or source.ended:
                return source.text.startswith(marker, source.at)
            if not marker.startswith(source.text[source.at :]):
                return False
            yield

    def take_marker(self, marker: str) -> Generator[None, None, bool]:
        """Consumes the marker, trimmed, and blanks in front of it, if it comes next."""
        core = marker.strip()
        if not core:
            yield from self.take_blanks()
            return True
        yield from self.take_blanks()
        if not (yield from self.starts_with(core)):
            return False
        self.take("markup", len(core))
        return True

    def until(self, markers: tuple[str, ...], most: int = MOST_HEAD) -> Generator[None, None, tuple[str, str] | None]:
        """The text before the first of the markers, and the marker; nothing is consumed.

        None where it does not come within `most` characters. At the end of the text the marker is empty.
        """
        source, scan = self.source, scan_for(markers)
        while True:
            found, end = scan.find(source)
            if end - source.at > most:
                return None
            if found is not None:
                return source.text[source.at : end], found[0]
            if source.ended:
                return source.text[source.at :], ""
            yield

    def followed(self, size: int, markers: tuple[str, ...]) -> Generator[None, None, bool]:
        """Whether one of the markers, or the end, comes behind the next `size` characters and blanks."""
        while True:
            fits = follows(self.source, self.source.at + size, markers)
            if fits is not None:
                return fits
            yield

    def take_stray_braces(self, markers: tuple[str, ...]) -> Generator[None, None, None]:
        """Consumes braces too many that stand between a call's end and a marker, or the end of the output."""
        source = self.source
        while True:
            braces = _BRACES.match(source.text, source.at)
            size = braces.end() - source.at if braces else 0
            if size < len(source.text) - source.at or source.ended or size > MOST_HEAD:
                break
            yield
        stray = braces is not None and braces[0].strip()
        if stray and (yield from self.followed(size, markers)) and self.allows_here("stray-bracket", stray):
            self.take("markup", size)

    # -- calls -------------------------------------------------------------------------------------

    def is_declared(self, name: str, start: int) -> bool:
        """Whether such a tool exists and what stands before its name is forgiven; another name is remembered."""
        if name in self.tools:
            return all(self.leniency.allows(code, self.call_start, self.call_start) for code in self.pending)
        self.unknown = (name, start, start + len(name))
        return False

    def note_unknown(self) -> None:
        """Says that a call of an undeclared tool was read as text."""
        if self.unknown is not None:
            name, start, end = self.unknown
            self.unknown = None
            self.leniency.notes("undeclared-tool", start, end, name)

    def allows_here(self, code: str, detail: str) -> bool:
        """Whether a leniency about the text at hand may be used."""
        at = self.record.at
        size = 0 if code in ABSENCES else len(detail)
        return self.leniency.allows(code, at, at + size, detail.strip())

    def python_allows(self, code: str, detail: str) -> bool:
        """As `allows_here`, where Python's literals are the format's own."""
        return code == "python-literal" or self.allows_here(code, detail)

    def begin_call(self, name: str, id: str = "") -> None:
        """From here on it is a call: what was held back about it is said."""
        self.record.keep_draft()
        self.record.start_call(name, id or self.make_id(name, self.calls_begun), self.call_start)
        self.calls_begun += 1


def cores(*markers: str) -> tuple[str, ...]:
    """The markers trimmed, empty ones left out."""
    return tuple(marker.strip() for marker in markers if marker.strip())


def closing_markers(calls: Calls) -> tuple[str, ...]:
    """The texts that can follow a call's body."""
    return cores(calls.call_close.text, calls.section_close.text, *calls.other_closes)
