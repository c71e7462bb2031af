"""Which widget each kind of item is shown by."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from cutaway.ui.conversation.card import Card, Host
from cutaway.ui.conversation.code_card import CodeCard
from cutaway.ui.conversation.editor_card import EditorCard
from cutaway.ui.conversation.head_card import HeadCard
from cutaway.ui.conversation.small_cards import FoldCard, NoteCard
from cutaway.ui.conversation.text_card import TextCard
from cutaway.ui.conversation.tool_cards import CallCard, ResultCard

__all__ = ["CARDS", "CallCard", "Card", "CodeCard", "FoldCard", "HeadCard", "Host", "NoteCard", "TextCard"]

CARDS: dict[str, Callable[[Host, QWidget], Card]] = {
    "head": HeadCard,
    "fold": FoldCard,
    "text": TextCard,
    "code": CodeCard,
    "call": CallCard,
    "result": ResultCard,
    "note": NoteCard,
    "editor": EditorCard,
}
