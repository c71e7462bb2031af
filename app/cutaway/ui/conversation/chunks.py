"""A message's markdown cut into chunks that can be laid out one by one. Incremental; no Qt.

Once a chunk is closed it never changes, so that while a reply streams only its last chunk is rendered again,
however long the reply is. Cuts fall at blank lines that part paragraphs, at code fences, and, where neither
comes for long, at the end of a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

ENOUGH = 500
"""A text chunk of at least so many characters is closed at the next safe place."""
MOST = 3000
"""A text chunk is closed at the next line's end from here on; a longer line is cut itself."""
CODE_LINES = 60

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$")


@dataclass(frozen=True, slots=True)
class Chunk:
    kind: Literal["text", "code"]
    text: str
    """Markdown source, or the code itself, without its fences."""
    language: str = ""
    continued: bool = False
    """The code goes on from the chunk before."""
    goes_on: bool = False
    """The code goes on in the chunk after it."""
    joint: str = "\n\n"
    """What stands between it and the chunk before, in the text as it is read."""
    closed: bool = True
    """No more text will come into it."""


class Chunker:
    """Feed it the text so far; `chunks` is what it makes: those in `closed`, which only grow, and `tail`."""

    def __init__(self) -> None:
        self._restart()

    def _restart(self) -> None:
        self.closed: list[Chunk] = []
        """Another list each time that a text did not begin with what was fed before."""
        self._done = 0
        """Characters of the text that closed chunks and fences took."""
        self._fence = ""
        self._language = ""
        self._continued = False
        self._joint = "\n\n"
        """Of the next chunk."""
        self._text = ""

    def feed(self, text: str) -> None:
        """`text` is the whole text; it must begin with what was fed before, else everything is cut anew."""
        if not text.startswith(self._text[-256:], max(len(self._text) - 256, 0)) or len(text) < len(self._text):
            self._restart()
        self._text = text
        while self._step():
            pass

    @property
    def tail(self) -> Chunk | None:
        """What may still change."""
        rest = self._text[self._done :]
        if self._fence:
            code = rest.removesuffix("\n")
            return Chunk("code", code, self._language, self._continued, joint=self._joint, closed=False)
        return Chunk("text", rest, joint=self._joint, closed=False) if rest.strip() else None

    @property
    def chunks(self) -> list[Chunk]:
        tail = self.tail
        return [*self.closed, tail] if tail is not None else list(self.closed)

    def _step(self) -> bool:
        """Close one chunk if the text has come far enough."""
        return self._code() if self._fence else self._words()

    def _words(self) -> bool:
        text, start, at = self._text, self._done, self._done
        blank = False
        while True:
            newline = text.find("\n", at, start + 2 * MOST)
            if newline < 0:
                break
            line = text[at:newline]
            fence = _FENCE.match(line)
            if fence:
                self._close(start, at)
                self._fence, self._language = fence[1], fence[2].strip().split(" ")[0].lower()
                self._done = newline + 1
                return True
            if blank and line.strip() and not line[0].isspace() and at - start >= ENOUGH:
                self._close(start, at)
                return True
            if newline + 1 - start >= MOST:
                self._close(start, newline + 1, "\n")
                return True
            blank = not line.strip()
            at = newline + 1
        if len(text) - start >= 2 * MOST:
            cut = text.rfind(" ", start + MOST, start + 2 * MOST) + 1
            self._close(start, cut or start + 2 * MOST, " " if cut else "")
            return True
        return False

    def _close(self, start: int, end: int, joint: str = "\n\n") -> None:
        """`joint` is what parts the chunk from the next one."""
        piece = self._text[start:end]
        if piece.strip():
            self.closed.append(Chunk("text", piece, joint=self._joint))
            self._joint = joint
        self._done = end

    def _code(self) -> bool:
        text, start, at, lines = self._text, self._done, self._done, 0
        closing = re.compile(rf" {{0,3}}{re.escape(self._fence[0])}{{{len(self._fence)},}}[ \t]*$")
        while True:
            newline = text.find("\n", at, start + 4 * MOST)
            if newline < 0:
                return self._long_code(start)
            if closing.match(text[at:newline]):
                self._add_code(text[start:at].removesuffix("\n"), "\n\n", goes_on=False)
                self._fence, self._continued, self._done = "", False, newline + 1
                return True
            at, lines = newline + 1, lines + 1
            if lines >= CODE_LINES or at - start >= 2 * MOST:
                self._cut_code(start, at, "\n")
                return True

    def _long_code(self, start: int) -> bool:
        if len(self._text) - start < 4 * MOST:
            return False
        self._cut_code(start, start + 4 * MOST, "")
        return True

    def _cut_code(self, start: int, end: int, joint: str) -> None:
        self._add_code(self._text[start:end].removesuffix(joint), joint, goes_on=True)
        self._continued, self._done = True, end

    def _add_code(self, code: str, joint: str, *, goes_on: bool) -> None:
        self.closed.append(Chunk("code", code, self._language, self._continued, goes_on, self._joint))
        self._joint = joint


def chunks_of(text: str) -> list[Chunk]:
    """The chunks of a whole text, each of them closed; a fence that was left open ends with the text."""
    chunker = Chunker()
    chunker.feed(text if text.endswith("\n") else text + "\n")
    return chunker.chunks
