"""How far a prompt can be read ahead while its last message is still being typed. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from cutaway.workbench.prompting import Made, Stable, beginning

_LAST_WORD = re.compile(r"\s*\S*\s*\Z")
LONGEST_WORD = 24
"""Characters; a longer run without blanks is of a script that writes none."""
UNSURE = 12
"""Characters at the end of such a run that may yet be cut into other tokens."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What the prompt will begin with, whatever is typed next."""

    stable: Stable
    draft: int
    """Tokens before the message that is being typed."""


def read_ahead(made: Made) -> Ahead | None:
    """As far as the draft's last whole word: typing on changes only the tokens after it. None without a draft."""
    tokens, prompt = made.tokens, made.prepared.prompt
    place = _place_of(made, len(made.prepared.request.messages) - 1)
    if tokens is None or place is None:
        return None
    start, end = place
    sure = start + whole_words(prompt.text[start:end])
    before, length = np.searchsorted(tokens.ends, [start, sure], side="right").tolist()
    if length <= before:
        length = before
    text_end = int(tokens.ends[length - 1]) if length else 0
    ids, starts = tokens.ids[:length].tolist(), tokens.starts[:length].tolist()
    return Ahead(Stable(ids, starts, beginning(prompt, text_end), made.info.sha256), before) if length else None


def whole_words(text: str) -> int:
    """How many of the characters belong to words that are surely over."""
    found = _LAST_WORD.search(text)
    last = found.start() if found is not None else len(text)
    return max(last, len(text) - UNSURE) if len(text) - last > LONGEST_WORD else last


def _place_of(made: Made, message: int) -> tuple[int, int] | None:
    """The characters of the prompt that are a message's."""
    source, at = f"messages[{message}]", 0
    places: list[tuple[int, int]] = []
    for span in made.prepared.prompt.spans:
        owner = (span.origin.source or "").partition(".")[0]
        if span.is_input and span.text and owner == source:
            places.append((at, at + len(span.text)))
        at += len(span.text)
    return (places[0][0], places[-1][1]) if places else None
