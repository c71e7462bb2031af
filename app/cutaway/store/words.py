"""Text for the full-text index, and a person's query for it.

SQLite's tokenizer takes a run of Chinese, Japanese or Korean characters for one word. Each such character is set
apart here, in what is indexed and in what is asked, so that any part of a sentence is found.
"""

from __future__ import annotations

import re

_WIDE = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3040-\u30ff\u3130-\u318f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_WIDE_CHARACTER = re.compile(f"([{_WIDE}])")
_WORD = re.compile(r"\w+")
_LONGEST = 200_000
"""Characters of one message that are indexed: a pasted megabyte is found by its beginning."""


def indexed(text: str) -> str:
    return _WIDE_CHARACTER.sub(r" \1 ", text[:_LONGEST].replace("\x00", " "))


def query(text: str) -> str:
    """An FTS5 expression for messages that hold all the words, the last one as a beginning; empty for none.

    A single letter is no beginning: half of all words would have it.
    """
    phrases = []
    for word in text.split():
        terms = _WORD.findall(indexed(word))
        if terms:
            phrases.append('"' + " ".join(terms) + '"')
    typing = text[-2:]
    if phrases and len(typing.strip()) == 2 and not _WIDE_CHARACTER.search(typing):
        phrases[-1] += " *"
    return " AND ".join(phrases)


def excerpt(text: str, asked: str, width: int = 120) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A line of the text around the first match, and where the words match in it."""
    words = [re.escape(word) for word in _WORD.findall(asked)]
    pattern = re.compile("|".join(sorted(words, key=len, reverse=True)), re.IGNORECASE) if words else None
    found = pattern.search(text) if pattern else None
    start = max(0, found.start() - width // 3) if found else 0
    line = text[start : start + width].replace("\n", " ")
    matches = tuple(match.span() for match in pattern.finditer(line)) if pattern else ()
    return line, matches
