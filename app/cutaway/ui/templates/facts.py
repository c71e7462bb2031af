"""What is known of a template, as a tree: origin, capabilities with evidence, knobs, the thinking truth table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from cutaway.ui.look.style import look
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.workbench.templates import TemplateView

Row = tuple[str, str, str]


class Facts(QTreeWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setColumnCount(3)
        self.setWordWrap(True)
        self.setIndentation(12)
        self.setColumnWidth(0, 170)
        self.setColumnWidth(1, 70)
        say(self, "setAccessibleName", "Facts about the template")

    def show_view(self, view: TemplateView, *, kwargs: dict[str, Any]) -> None:
        self.clear()
        self.setHeaderLabels([tr("What"), tr("Value"), tr("Evidence")])
        info = view.info
        self._group(
            tr("Where from"),
            [
                (tr("Origin"), info.origin, ""),
                (tr("Variant"), info.variant or tr("default"), ""),
                (tr("SHA-256"), info.sha256[:16], info.sha256),
                (tr("Format"), info.handler or tr("none found"), ""),
                *((tr("Warning"), warning, "") for warning in view.warnings),
            ],
        )
        observed = {one.flag: one.observed for one in getattr(view.prepared, "evidence", ()) if hasattr(one, "flag")}
        self._group(
            tr("Capabilities"),
            [
                (name.replace("_", " "), tr("yes") if on else tr("no"), observed.get(name, ""))
                for name, on in view.caps.items()
            ],
        )
        self._group(
            tr("Knobs: variables it reads"),
            [
                (name, repr(kwargs[name]) if name in kwargs else tr("not set"),
                 tr("compared with {0}", ", ".join(map(repr, values))) if values else "")
                for name, values in view.knobs
            ],
        )  # fmt: skip
        self._group(
            tr("Thinking"),
            [
                (
                    str(_of(row, "thinking")),
                    tr("generation prompt: {0}", _of(row, "prefill")),
                    " ".join(f"{k}={v!r}" for k, v in dict(_of(row, "kwargs") or {}).items())
                    + (" · " + tr("changes the prompt before it, too") if _of(row, "changes_prompt") else ""),
                )
                for row in view.thinking_table
            ],
        )
        self.expandAll()

    def _group(self, title: str, rows: list[Row]) -> None:
        if not rows:
            return
        group = QTreeWidgetItem([title])
        group.setForeground(0, QColor(look.theme.quiet))
        for row in rows:
            item = QTreeWidgetItem(list(row))
            for column, text in enumerate(row):
                item.setToolTip(column, text)
            group.addChild(item)
        self.addTopLevelItem(group)
        group.setFirstColumnSpanned(True)


def _of(row: Any, name: str) -> Any:
    return row.get(name) if hasattr(row, "get") else getattr(row, name, None)
