"""A prompt taken away: as JSON with each run's origin, as token ids, as a web page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cutaway.ui.look.marks import BY_KIND
from cutaway.ui.sentences import told
from cutaway.ui.text.page import page
from cutaway.ui.text.where import where
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.chat.prompt import Prompt
    from cutaway.ui.text.columns import Columns
    from cutaway.ui.text.runs import Run
    from cutaway.workbench.turn import Turn

_PLACES = ("kind", "source", "start", "end", "line", "column")


def ids_json(columns: Columns, start: int, end: int) -> str:
    """The ids of the tokens that hold these characters; of all where the range is empty."""
    if start == end:
        return json.dumps(columns.ids)
    pairs = zip(columns.ids, columns.starts, columns.ends, strict=True)
    return json.dumps([token for token, low, high in pairs if low < end and high > start])


def spans_json(runs: Sequence[Run], prompt: Prompt) -> str:
    made: list[dict[str, object]] = []
    for run in runs:
        origin = prompt.spans[run.source].origin
        known = {name: getattr(origin, name) for name in _PLACES if getattr(origin, name) is not None}
        made.append({"text": prompt.text[run.start : run.end], "kind": run.kind, "origin": known})
    return json.dumps(made, ensure_ascii=False, indent=1)


def save_page(path: Path, turn: Turn, runs: Sequence[Run]) -> None:
    """Raises OSError."""
    assert turn.prompt is not None
    spans = turn.prompt.spans
    titles = [f"{tr(BY_KIND[run.kind].name)}: {where(spans[run.source])}" for run in runs]
    notes = [told(warning.message) for warning in turn.warnings]
    path.write_text(page(tr("Prompt"), turn.prompt.text, runs, notes, titles), encoding="utf-8", errors="replace")
