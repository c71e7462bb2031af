"""Flash attention where the person leaves it open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutaway.engine.attention import TOKENS, on_processor
from cutaway.engine.command import ModelSettings

AUTO = ModelSettings()


def test_on_the_processor_it_is_off_and_micro_batches_are_short() -> None:
    used = on_processor(AUTO, 8192, 32)

    assert used == replace(AUTO, flash_attention="off", micro_batch=TOKENS)


def test_a_shorter_micro_batch_stays() -> None:
    assert on_processor(ModelSettings(micro_batch=32), 8192, 32).micro_batch == 32


@pytest.mark.parametrize(
    ("settings", "context"),
    [
        (ModelSettings(flash_attention="on"), 8192),
        (ModelSettings(flash_attention="off"), 8192),
        (ModelSettings(kv_type_v="q8_0"), 8192),
        (AUTO, 131_072),
    ],
    ids=["asked for on", "asked for off", "values that need it", "scores that take too much memory"],
)
def test_what_was_asked_for_or_cannot_be_stays(settings: ModelSettings, context: int) -> None:
    assert on_processor(settings, context, 32) == settings
