"""A template's round trip is made once and kept by the template's text, BOS and EOS."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cutaway.workbench import verifications
from cutaway.workbench.verifications import verification
from support.scripts import HERMES, bench_on


async def test_a_round_trip_is_made_once_for_each_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTAWAY_HOME", str(tmp_path))
    async with bench_on(load=False) as bench:
        view = await bench.prepare_template(HERMES)
    first = verification(view)
    assert first.passed > 0
    (kept,) = (tmp_path / "cache" / "verified").iterdir()

    with monkeypatch.context() as without:
        without.delattr(verifications, "verify_formats")
        assert verification(view) == first
        with pytest.raises(NameError):
            verification(replace(view, eos_token="<|im_end|>"))

    kept.write_text('{"cases": [1]}')
    assert verification(view) == first
