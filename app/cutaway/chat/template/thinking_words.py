"""Thinking switched by a word in a message, such as `/no_think` at the end of a question.

Some templates have no variable for it: they search the messages' text. Which words are worth a trial the template's own
constants say; that one is a switch only a trial tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

_WORD = re.compile(r"/(?:no_?)?think(?:ing)?(?:_on|_off)?")
_ALONE = re.compile(rf"(?<!\S){_WORD.pattern}(?!\S)")
_OFF = re.compile(r"/no|_off$")


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    """As the template searches for it; empty in the trial that others are held against."""
    role: Literal["user", "system"]
    """Whose text it stands in: the last question's, or the system message's."""

    @property
    def wish(self) -> Literal["on", "off"]:
        return "off" if _OFF.search(self.text) else "on"


def words_of(constants: Iterable[str]) -> list[str]:
    """The words among a template's constants that could be such switches."""
    return sorted({constant.strip() for constant in constants if _WORD.fullmatch(constant.strip())})


def word_in(text: str) -> str | None:
    """The last such word that a text says on its own."""
    found = _ALONE.findall(text)
    return found[-1] if found else None


def with_word(messages: Sequence[dict[str, Any]], word: Word) -> list[dict[str, Any]]:
    """Trial messages with a word at the end of a text; a system message is made for it."""
    if word.role == "system":
        return [{"role": "system", "content": f"Be kind. {word.text}".rstrip()}, *messages]
    last = messages[-1]
    return [*messages[:-1], {**last, "content": f"{last['content']} {word.text}".rstrip()}]


def without(text: str, word: Word) -> str:
    """A rendering without the word itself and without blanks: what it says beyond the word."""
    return "".join(text.replace(word.text, "").split()) if word.text else "".join(text.split())
