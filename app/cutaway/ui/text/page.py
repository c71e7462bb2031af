"""A prompt as a self-contained web page: the same colours, underlines and tags as on screen."""

from __future__ import annotations

import html
from collections.abc import Sequence

from cutaway.ui.look.marks import MARKS, Mark, Underline
from cutaway.ui.look.theme import DARK, LIGHT, Theme
from cutaway.ui.text.runs import Run

_DECORATION = {
    Underline.NONE: "none",
    Underline.SOLID: "underline solid 1px",
    Underline.THICK: "underline solid 2px",
    Underline.DOTTED: "underline dotted 1px",
    Underline.DASHED: "underline dashed 1px",
    Underline.WAVY: "underline wavy 1px",
    Underline.DASH_DOT: "underline dashed 2px",
    Underline.DOUBLE: "underline double 1px",
    Underline.BOX: "none",
}


def page(title: str, text: str, runs: Sequence[Run], notes: Sequence[str] = (), titles: Sequence[str] = ()) -> str:
    """HTML without scripts and without anything that is loaded from elsewhere. `titles` say what each run is."""
    said = titles or [run.kind for run in runs]
    body = "".join(
        f'<span class="{run.kind}" title="{html.escape(what)}">{html.escape(text[run.start : run.end])}</span>'
        for run, what in zip(runs, said, strict=True)
    )
    kinds = {run.kind for run in runs}
    legend = " ".join(
        f'<span class="{mark.kind}">{html.escape(mark.tag)} {html.escape(mark.name)}</span>'
        for mark in MARKS
        if mark.kind in kinds
    )
    listed = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        f"<style>{_css()}</style></head>\n<body><h1>{html.escape(title)}</h1><p>{legend}</p>"
        f"<ul>{listed}</ul><pre>{body}</pre></body></html>\n"
    )


def _css() -> str:
    return "\n".join([_rules(LIGHT), "@media (prefers-color-scheme: dark) {", _rules(DARK), "}"])


def _rules(theme: Theme) -> str:
    base = (
        f"body {{ font: 15px/1.4 system-ui, sans-serif; background: {theme.window}; color: {theme.text}; "
        "margin: 2em auto; max-width: 60em; }\n"
        "pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.4 ui-monospace, monospace; }\n"
        "span { text-underline-offset: 3px; }\n"
    )
    return base + "\n".join(_rule(mark, theme) for mark in MARKS)


def _rule(mark: Mark, theme: Theme) -> str:
    return (
        f".{mark.kind} {{ background: {theme.behind(mark)}; text-decoration: {_DECORATION[mark.underline]}; "
        f"text-decoration-color: {theme.mark(mark)}; }}"
    )
