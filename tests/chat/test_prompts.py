"""The cases of tests/data/prompts.toml: one request each, and what its prompt must be."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cutaway.cli.batch import answer
from cutaway.cli.desk import Desk
from support import assets

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "prompts.toml").read_text(encoding="utf-8")
)["case"]
DESK = Desk()
LEFT_OUT = {"content-left-out", "calls-left-out", "tools-left-out"}
"""Many a short template of a case writes only what the case is about."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_prompt(case: dict[str, Any]) -> None:
    template = case["template"]
    source = assets.template(template.removeprefix("of:")) if template.startswith("of:") else template
    request = {"now": "2026-11-29T12:00:00", **json.loads(case["request"]), "template": source}

    answered = answer(request, DESK)

    if "error" in case:
        assert case["error"] in answered["error"]["message"]
        assert answered["error"].get("field") == case.get("field")
        return
    assert "error" not in answered, answered["error"]
    prompt = answered["prompt"]
    assert prompt == case.get("prompt", prompt)
    assert prompt.endswith(case.get("ends", ""))
    assert [part for part in case.get("has", []) if part not in prompt] == []
    assert [part for part in case.get("lacks", []) if part in prompt] == []
    assert "".join(span["text"] for span in answered["spans"]) == prompt
    if "warns" in case:
        codes = [one["code"] for one in answered["warnings"]]
        aside = {"tools-off", *(LEFT_OUT - set(case["warns"]))}
        assert [code for code in codes if code not in aside] == case["warns"]
