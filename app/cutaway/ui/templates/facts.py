"""What is known of a template, as a sheet: origin, capabilities with evidence, knobs, the thinking truth table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cutaway.ui.sentences import told
from cutaway.ui.widgets.sheet import Sheet
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.workbench.templates import TemplateView

Row = tuple[str, str, str]

PREFILLS: Mapping[str, str] = {
    "none": "left to the model",
    "open": "begun by the prompt",
    "closed": "begun and ended by the prompt",
    "bare closer": "ended by the prompt",
}
"""What the generation prompt does with the reasoning, by `chat.template.prefill`'s words."""


class Facts(Sheet):
    def __init__(self) -> None:
        super().__init__("", 3)
        say(self, "setAccessibleName", "Facts about the template")

    def show_view(self, view: TemplateView, *, kwargs: Mapping[str, Any]) -> None:
        self.clear()
        self.set_heads([tr("What"), tr("Value"), tr("Evidence")])
        self._group(tr("Where from"), _origin(view))
        self._group(tr("Capabilities: what it supports"), _capabilities(view))
        self._group(tr("Knobs: variables it reads"), _knobs(view, kwargs))
        self._group(tr("Thinking: what each wish writes"), _thinking(view))

    def _group(self, title: str, rows: list[Row]) -> None:
        if rows:
            heading = self.heading(title)
            for name, value, evidence in rows:
                tips = {1: evidence} if evidence.startswith(value) and value else None
                self.put((name, value, "" if tips else evidence), heading, tones={2: "quiet"}, tips=tips)


def _origin(view: TemplateView) -> list[Row]:
    info = view.info
    return [
        (tr("Origin"), info.origin, ""),
        (tr("Variant"), info.variant or tr("default"), ""),
        (tr("SHA-256"), info.sha256[:12], info.sha256),
        (tr("Format"), info.handler or tr("none found"), ""),
        *((tr("Warning"), "⚠", told(warning)) for warning in view.warnings),
    ]


def _capabilities(view: TemplateView) -> list[Row]:
    observed = {one.flag: one.observed for one in view.prepared.evidence}
    return [
        (
            tr(name.removeprefix("supports_").replace("_", " ")),
            tr("yes") if on else tr("no"),
            told(observed.get(name, "")),
        )
        for name, on in view.caps.items()
    ]


def _knobs(view: TemplateView, kwargs: Mapping[str, Any]) -> list[Row]:
    return [
        (
            name,
            repr(kwargs[name]) if name in kwargs else tr("not set"),
            tr("compared with {0}", ", ".join(map(repr, values))) if values else "",
        )
        for name, values in view.knobs
    ]


def _thinking(view: TemplateView) -> list[Row]:
    found = []
    for row in view.thinking_table:
        variables = ", ".join(f"{name}={value!r}" for name, value in dict(row["kwargs"]).items()) or str(
            row.get("word", "")
        )
        changes = tr("changes the prompt before it, too") if row["changes_prompt"] else ""
        prefill = str(row["prefill"])
        said = tr("reasoning is {0}", tr(PREFILLS.get(prefill, prefill)))
        found.append((str(row["thinking"]), said, " · ".join(part for part in (variables, changes) if part)))
    return found
