"""Puts a template's own word for thinking (`/no_think`) into the message that the template searches for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cutaway.chat.draft import Draft, Notes, between, plain, text_part
from cutaway.chat.message import Message
from cutaway.chat.template.thinking_words import Word, word_in
from cutaway.chat.template.values import Sourced

FIELD = "thinking"
"""The request's field that asked for it: the word counts as its text."""


def put_word(drafts: list[Draft], word: Word, notes: Notes) -> list[Draft]:
    """The drafts with the word at the end of the last question, or of the system message, which is made for it.

    A message that has such a word already keeps it: it is the person's own.
    """
    draft = next((one for one in _places(drafts, word) if one.role == word.role), None)
    if draft is None and word.role == "user":
        return drafts
    if draft is None:
        notes.add("thinking-word-added", f"A system message was made that says {word.text}: {_WHY}", FIELD)
        return [Draft(-1, Message("system"), "system", (Sourced(word.text, FIELD, None),)), *drafts]
    own = word_in(plain(draft.text()))
    if own is not None:
        notes.add("thinking-word-given", f"{draft.path}.content says {own} itself; it stays as it is.", draft.path)
        return drafts
    _append(draft, word.text)
    notes.add(
        "thinking-word-added", f"{word.text} was put behind {draft.path}.content: {_WHY}", f"{draft.path}.content"
    )
    return drafts


_WHY = "this template looks for its thinking switch in the text."


def _places(drafts: Sequence[Draft], word: Word) -> Sequence[Draft]:
    return drafts[::-1] if word.role == "user" else drafts


def _append(draft: Draft, text: str) -> None:
    content: Any = draft.content
    if isinstance(content, list):
        draft.content = [*content, text_part((between(text, FIELD),))]
    else:
        draft.content = (*(content or ()), between(f" {text}" if content else text, FIELD))
