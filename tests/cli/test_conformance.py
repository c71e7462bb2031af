"""The case files of the folder that CUTAWAY_CONFORMANCE names, where it is at hand."""

from __future__ import annotations

import json
import os
import runpy
from pathlib import Path
from typing import Any

import pytest

from cutaway.cli.batch import answer
from cutaway.cli.desk import Desk

FOLDER = os.environ.get("CUTAWAY_CONFORMANCE")

CONTRADICTED = {
    # What explicit true adds begins with "<"; the case wants it without, as a comparison of characters gives it.
    "render/microsoft-Phi-3.5-mini-instruct.jinja/content_parts",
}

UNKEPT = {
    # A message to a tool that was not declared is text; the case wants it dropped.
    "parse/openai-gpt-oss-120b.jinja/13",
    # Where reasoning stays in the content, so does the opener that the prompt holds; the case drops it.
    "parse/inclusionai-ling-3.0-flash.jinja/06",
}

pytestmark = pytest.mark.skipif(not FOLDER, reason="CUTAWAY_CONFORMANCE is not set")


def cases(name: str) -> list[dict[str, Any]]:
    lines = (Path(FOLDER or "") / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def answered(case: dict[str, Any], desk: Desk) -> dict[str, Any]:
    template = Path(FOLDER or "") / "templates" / case["request"]["template"]
    return answer({**case["request"], "template": template.read_text(encoding="utf-8")}, desk)


def test_renders() -> None:
    desk = Desk()
    wrong = set()
    for case in cases("render.jsonl"):
        given, wanted = answered(case, desk), case["expect"]
        if any(given.get(key) != wanted[key] for key in ("prompt", "generation_prompt") if key in wanted):
            wrong.add(case["id"])
    assert wrong == CONTRADICTED


def test_capabilities() -> None:
    desk = Desk()
    wrong = [case["id"] for case in cases("caps.jsonl") if answered(case, desk).get("caps") != case["expect"]["caps"]]
    assert wrong == []


def test_outputs() -> None:
    """With the folder's own judge: whole and streamed, arguments as JSON."""
    judge = runpy.run_path(str(Path(FOLDER or "") / "check.py"))["judge"]
    desk = Desk()
    wrong = {case["id"] for case in cases("parse.jsonl") if judge(case, answered(case, desk))}
    assert wrong == UNKEPT
