"""Bytes as text: half characters wait, and bytes that are no UTF-8 become U+FFFD."""

from __future__ import annotations

import codecs


class Utf8Decoder:
    """Decodes bytes as they come. What it gave out is never taken back."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def decode(self, data: bytes) -> str:
        return self._decoder.decode(data)

    def finish(self) -> str:
        """The rest: an incomplete character at the end becomes one U+FFFD."""
        return self._decoder.decode(b"", final=True)
