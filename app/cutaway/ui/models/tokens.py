"""The tokens of a reply, or of a prompt, as rows that are made only when they are seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from cutaway.engine.event import Token
from cutaway.ui.look.style import look
from cutaway.ui.words import tr
from cutaway.workbench.turn import PromptToken

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()

REPLY_COLUMNS = ("#", "Piece", "Prob.", "Rank", "After", "Bits", "ms", "Block", "Grammar", "Id", "Others", "Bytes")
GRAMMAR = REPLY_COLUMNS.index("Grammar")
HEATED = (1, 2)
"""Columns of a reply that have a background: the piece, and its probability."""
MOST_OTHERS = 3
CONTROL = "◆"
"""Before the origin of a control token."""
PROMPT_COLUMNS = ("#", "Piece", "Id", "Origin", "Characters", "Bytes")
_DISPLAY, _ALIGN, _BEHIND, _TIP, _SPOKEN = (
    int(role)
    for role in (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.TextAlignmentRole,
        Qt.ItemDataRole.BackgroundRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.AccessibleTextRole,
    )
)
"""As plain numbers: a table asks for them some thousand times a second while tokens stream."""
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def piece_text(piece: bytes) -> str:
    """A token's bytes as one visible line: blanks and newlines as signs, broken characters as bytes."""
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError:
        return " ".join(f"{byte:02X}" for byte in piece)
    return text.replace(" ", "·").replace("\n", "↵").replace("\t", "→").replace("\r", "␍")


@cache
def _colour(code: str) -> QColor:
    return QColor(code)


def hex_bytes(piece: bytes) -> str:
    return piece[:24].hex(" ") + (" …" if len(piece) > 24 else "")


def mask_text(hold: str, token: Token) -> str:
    """What the grammar did where a token was chosen; how many it barred where that was counted."""
    if token.masked is not None:
        return tr("barred {0}", f"{token.masked:,}")
    return tr(hold)


def others_text(token: Token) -> str:
    """The likeliest of the others that were considered."""
    others = [one for one in token.alternatives if one.token != token.id][:MOST_OTHERS]
    return "  ".join(f"{piece_text(one.piece)} {one.probability:.2f}" for one in others)


def after_text(token: Token) -> str:
    """What the chain made of the chosen token; nothing where the engine wrote it, or counted nothing."""
    return f"{token.chosen_probability:.3f}" if token.alternatives and not token.forced else ""


HEAD_TIPS: Mapping[str, str] = {
    "Prob.": "Probability in the model's own distribution, before the sampler",
    "Rank": "0 is the likeliest, before the sampler",
    "After": "Probability after the sampler: what the dice saw",
    "Bits": "Entropy of the distribution: how unsure the model was",
    "ms": "Since the turn began",
    "Grammar": "Whether the grammar restricted this token; how many it barred is counted where the settings ask which "
    "stage decided",
    "Others": "The likeliest of the others",
    "Origin": "◆ marks a control token",
}


def _head(names: Sequence[str], right: frozenset[int], section: int, role: int) -> Any:
    if role == _DISPLAY:
        return tr(names[section])
    if role == _ALIGN:
        return _RIGHT if section in right else _LEFT
    if role == _TIP:
        tip = HEAD_TIPS.get(names[section])
        return tr(tip) if tip else None
    return None


class TokenRows(QAbstractTableModel):
    """Tokens as rows that never change once they are there. A table may ask for a row's texts without indices."""

    right: frozenset[int] = frozenset()
    """Columns that stand at the right."""

    def cell_text(self, row: int, column: int) -> str:
        raise NotImplementedError

    def heat_of(self, row: int) -> QColor | None:
        """The colour behind the row's heated columns."""
        return None


class ReplyTokens(TokenRows):
    """Follows a list that only grows. `block_of` answers the name of the block that a token belongs to."""

    right = frozenset((0, 2, 3, 4, 5, 6, 9))

    def __init__(self) -> None:
        super().__init__()
        self.tokens: Sequence[Token] = ()
        self._shown = 0
        self.heat = "probability"
        self.block_of: Callable[[int], str] = lambda index: ""
        self.hold_of: Callable[[int], str] = lambda index: ""
        """Answers whether the grammar restricted a token: `holds`, `asleep`, or nothing."""

    def set_tokens(self, tokens: Sequence[Token]) -> None:
        self.beginResetModel()
        self.tokens, self._shown = tokens, len(tokens)
        self.endResetModel()

    def take_new(self) -> int:
        """Show the tokens that came since; answers how many."""
        new = len(self.tokens) - self._shown
        if new > 0:
            self.beginInsertRows(QModelIndex(), self._shown, self._shown + new - 1)
            self._shown += new
            self.endInsertRows()
        return new

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else self._shown

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(REPLY_COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        return _head(REPLY_COLUMNS, self.right, section, role) if orientation is Qt.Orientation.Horizontal else None

    def data(self, index: Index, role: int = 0) -> Any:
        if role == _DISPLAY:
            return self.cell_text(index.row(), index.column())
        if role == _ALIGN:
            return _RIGHT if index.column() in self.right else None
        if role == _BEHIND:
            return self.heat_of(index.row()) if index.column() in HEATED else None
        if role == _TIP or (role == _SPOKEN and index.column() == 1):
            return self.spoken(index.row())
        return None

    def cell_text(self, row: int, column: int) -> str:
        return _TEXTS[column](self, self.tokens[row])

    def heat_of(self, row: int) -> QColor | None:
        token = self.tokens[row]
        if self.heat == "time":
            gap = token.ms - (self.tokens[row - 1].ms if row else 0.0)
            sure = 1.0 - min(gap / 200.0, 1.0)
        else:
            sure = token.probability
        colour = look.theme.heat_step(sure)
        return _colour(colour) if colour and not token.forced else None

    def spoken(self, row: int) -> str:
        token = self.tokens[row]
        return tr(
            "Token {0}: {1}, id {2}, probability {3}, rank {4}, entropy {5} bits, {6} ms",
            token.index,
            repr(token.piece.decode("utf-8", "replace")),
            token.id,
            f"{token.probability:.4f}",
            token.rank,
            f"{token.entropy:.2f}",
            f"{token.ms:.0f}",
        )


_TEXTS: tuple[Callable[[ReplyTokens, Token], str], ...] = (
    lambda rows, token: str(token.index),
    lambda rows, token: piece_text(token.piece),
    lambda rows, token: tr("forced") if token.forced else f"{token.probability:.3f}",
    lambda rows, token: str(token.rank),
    lambda rows, token: after_text(token),
    lambda rows, token: f"{token.entropy:.2f}",
    lambda rows, token: f"{token.ms:,.0f}",
    lambda rows, token: tr(rows.block_of(token.index)),
    lambda rows, token: mask_text(rows.hold_of(token.index), token),
    lambda rows, token: str(token.id),
    lambda rows, token: others_text(token),
    lambda rows, token: hex_bytes(token.piece),
)
"""By column; a row's cells are made some thousand times a second while tokens stream."""


class PromptTokens(TokenRows):
    """The prompt's tokens; each value is asked for when its row is painted."""

    right = frozenset((0, 2))

    def __init__(self) -> None:
        super().__init__()
        self.tokens: Sequence[PromptToken] = ()
        self.origin_of: Any = lambda token: ""

    def set_tokens(self, tokens: Sequence[PromptToken]) -> None:
        self.beginResetModel()
        self.tokens = tokens
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.tokens)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(PROMPT_COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        return _head(PROMPT_COLUMNS, self.right, section, role) if orientation is Qt.Orientation.Horizontal else None

    def data(self, index: Index, role: int = 0) -> Any:
        if role == _DISPLAY:
            return self.cell_text(index.row(), index.column())
        if role == _ALIGN:
            return _RIGHT if index.column() in self.right else None
        if role == _TIP or (role == _SPOKEN and index.column() == 1):
            return self.spoken(index.row())
        return None

    def spoken(self, row: int) -> str:
        token = self.tokens[row]
        text = repr(token.piece.decode("utf-8", "replace"))
        said = [tr("Token {0}: {1}, id {2}, {3}", row, text, token.id, tr(self.origin_of(token)))]
        said += [tr("control token")] if token.control else []
        said += [tr("spells a control token; encoded as plain text, so it has no effect")] if token.neutralised else []
        return ", ".join(said)

    def cell_text(self, row: int, column: int) -> str:
        token = self.tokens[row]
        if column == 0:
            return str(row)
        if column == 1:
            return piece_text(token.piece)
        if column == 2:
            return str(token.id)
        if column == 3:
            kind = tr(self.origin_of(token))
            return f"{CONTROL} {kind}" if token.control else kind
        if column == 4:
            return f"{token.start}–{token.end}"
        return hex_bytes(token.piece)
