"""Which characters of a growing reply each token stands for. Incremental; no Qt."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from collections.abc import Sequence

from cutaway.engine.event import Token


class Places:
    """`ends[i]` is the end, in characters of the output, of token i."""

    def __init__(self) -> None:
        self.ends: list[int] = []
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._at = 0

    def extend(self, tokens: Sequence[Token], raw: str) -> None:
        """Take in the tokens that were not known yet. Control tokens count where the output spells them."""
        for token in tokens[len(self.ends) :]:
            if token.control:
                text = token.piece.decode("utf-8", "replace")
                self._at += len(text) if text and raw.startswith(text, self._at) else 0
            else:
                self._at += len(self._decoder.decode(token.piece))
            self.ends.append(self._at)

    def span(self, index: int) -> tuple[int, int]:
        return (self.ends[index - 1] if index > 0 else 0, self.ends[index])

    def token_at(self, char: int) -> int:
        """The token that holds a character, or -1."""
        index = bisect_right(self.ends, char)
        return index if index < len(self.ends) else -1
