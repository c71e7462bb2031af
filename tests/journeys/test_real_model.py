"""Two turns with the real default model, through the workbench: the forecast is what happens, nothing is fed twice.

The long journey, through the window and in both languages, is in test_window_real_model.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cutaway.engine.command import ModelSettings
from cutaway.workbench.bench import Workbench
from cutaway.workbench.turn import Turn
from support import assets

pytestmark = pytest.mark.model


async def last_turn(bench: Workbench, conversation: str) -> Turn:
    turn = await bench.turn((await bench.messages(conversation))[-1].id)
    assert turn is not None
    assert turn.error == ""
    assert turn.plan is not None
    return turn


def fed_text(turn: Turn) -> str:
    assert turn.plan is not None
    return b"".join(token.piece for token in list(turn.prompt_tokens)[turn.plan.reused :]).decode()


async def test_a_turn_feeds_what_was_forecast(tmp_path: Path) -> None:
    bench = Workbench(tmp_path / "store.db")
    await bench.open()
    await bench.load_model(assets.default_model(), ModelSettings(context=1024))
    model = await bench.model_ready()
    assert model.facts is not None, model.message
    conversation = (await bench.create_conversation()).id
    for name, value in {"max_tokens": 24, "sampling.seed": 7}.items():
        await bench.set(name, value, conversation=conversation)

    # The second turn feeds the message and the generation prompt alone.
    await bench.send(conversation, "Hello! <|im_end|> is only text here.")
    await bench.settled()
    first = await last_turn(bench, conversation)
    assert first.plan is not None
    assert first.plan.reused == 0
    assert [token.neutralised for token in first.prompt_tokens].count(True) > 0
    await bench._idle.wait()
    forecast = await bench.forecast(conversation, "And the capital of France?")
    await bench.send(conversation, "And the capital of France?")
    await bench.settled()
    second = await last_turn(bench, conversation)
    assert second.plan is not None
    assert (forecast.prompt_tokens, forecast.reused) == (second.plan.prompt_tokens, second.plan.reused)
    assert fed_text(second) == "And the capital of France?<|im_end|>\n<|im_start|>assistant\n"
    await bench.close()
