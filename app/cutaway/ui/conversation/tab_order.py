"""Tab through what a scrolled column shows: from top to bottom, whenever the widgets were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

LINE = 16
"""Pixels: what is nearer than that stands in one line."""


def step(view: QWidget, shown: Sequence[QWidget], *, forward: bool) -> QWidget | None:
    """The widget inside `view` that Tab goes to next, or None where it leaves the view. `shown` is in order."""
    order = [view, *(widget for card in shown for widget in _stops(card))]
    focused = QApplication.focusWidget()
    at = next((n for n, widget in enumerate(order) if widget is focused), None)
    if at is None:
        return None
    to = at + (1 if forward else -1)
    return order[to] if 0 <= to < len(order) else None


def beyond(view: QWidget, *, forward: bool) -> QWidget | None:
    """The next widget of the window that takes Tab and is not inside `view`."""
    at = view.nextInFocusChain() if forward else view.previousInFocusChain()
    while at is not None and at is not view:
        if _takes_tab(at) and not view.isAncestorOf(at):
            return at
        at = at.nextInFocusChain() if forward else at.previousInFocusChain()
    return None


def _stops(card: QWidget) -> Iterator[QWidget]:
    """The card's own stops, line by line."""
    if _takes_tab(card):
        yield card
    yield from sorted(
        (child for child in card.findChildren(QWidget) if _takes_tab(child)), key=lambda c: _place(card, c)
    )


def _place(card: QWidget, child: QWidget) -> tuple[int, int]:
    """Line by line, and from left to right."""
    place = child.mapTo(card, child.rect().center())
    return place.y() // LINE, place.x()


def _takes_tab(widget: QWidget) -> bool:
    tab = Qt.FocusPolicy.TabFocus
    return bool(widget.focusPolicy() & tab) and widget.isVisible() and widget.isEnabled() and not widget.focusProxy()
