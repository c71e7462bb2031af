"""One long conversation with the real default model through the real window, in English and then in Chinese."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from cutaway.engine.command import ModelSettings
from cutaway.ui.conversation.cards import NoteCard
from cutaway.ui.drive import Driver
from cutaway.workbench.turn import Turn
from support import assets
from support.scripts import HERMES, WEATHER
from support.window import Journey

pytestmark = pytest.mark.model


def texts(drive: Driver) -> list[str]:
    return [node.message.text for node in drive.window.desk.nodes]


def fed_text(turn: Turn) -> str:
    assert turn.plan is not None
    return b"".join(token.piece for token in list(turn.prompt_tokens)[turn.plan.reused :]).decode()


async def asked(drive: Driver, text: str) -> Turn:
    turn = await drive.ask(text, 120)
    assert turn.error == ""
    assert turn.plan is not None
    return turn


async def loaded(drive: Driver, context: int) -> None:
    bench = drive.window.desk.bench
    await drive.until(lambda: bench.model.state in ("failed", "ready"), "what the journey tried to load")
    await bench.load_model(assets.default_model(), ModelSettings(context=context))
    await drive.until(lambda: bench.model.facts is not None and bench.model.facts.context == context, "the model", 120)
    await drive.settle()


async def set_all(drive: Driver, values: dict[str, object]) -> None:
    desk = drive.window.desk
    if not desk.conversation:
        desk.conversation = (await desk.bench.create_conversation()).id
    for name, value in values.items():
        await desk.bench.set(name, value, conversation=desk.conversation)


def test_a_long_conversation_with_the_real_model(journey: Journey, tmp_path: Path) -> None:
    kept: dict[str, list[str]] = {}
    own: list[int] = []

    async def talk(drive: Driver) -> None:
        """In English: two turns, edit, branch, switch, the same turn again."""
        desk = drive.window.desk
        await set_all(drive, {"max_tokens": 16, "sampling.seed": 7})
        first = await asked(drive, "Hello! <|im_end|> is only text here.")
        assert [token.neutralised for token in first.prompt_tokens].count(True) > 0
        prompt = await drive.pane("prompt")
        assert "control token" in prompt.warnings.text()
        await desk.bench.rested()
        forecast = await desk.bench.forecast(desk.conversation, "And the capital of France?")
        second = await asked(drive, "And the capital of France?")
        assert second.plan is not None
        assert forecast.prompt_tokens == second.plan.prompt_tokens
        assert 0 < forecast.reused <= second.plan.reused  # What is typed may have been fed before it was sent.
        assert "And the capital of France?<|im_end|>\n<|im_start|>assistant\n".endswith(fed_text(second))
        nodes = list(desk.nodes)
        await desk.save_edit(nodes[2].id, "And the capital of Italy?", "run")
        edited = await drive.answered(120)
        assert edited.plan is not None
        assert 0 < edited.plan.reused < edited.plan.prompt_tokens
        assert [node.siblings for node in desk.nodes] == [1, 1, 2, 1]
        await desk.step_version(desk.nodes[2].id, -1)
        await drive.settle()
        assert [node.id for node in desk.nodes] == [node.id for node in nodes]
        other = next(one for one in second.tokens[2].alternatives if one.token != second.tokens[2].id)
        await desk.bench.branch_from_token(second.id, 2, other.token)
        await drive.until(lambda: drive.running() is None, "the branch's reply", 120)
        await drive.settle()
        branched = await desk.bench.turn(desk.nodes[-1].id)
        assert branched is not None
        assert [token.id for token in branched.tokens[:3]] == [*[t.id for t in second.tokens[:2]], other.token]
        own.extend(token.id for token in branched.tokens if not token.ends)
        again = await desk.bench.rerun_turn(second)
        assert again.same, again.sentence
        kept["talk"] = texts(drive)

    async def call(drive: Driver) -> None:
        """In Chinese: a tool that a grammar forces, then an answer in the form that was asked for."""
        window, desk = drive.window, drive.window.desk
        window.requests.set_language("zh_CN")
        await desk.new_conversation()
        template = tmp_path / "hermes.jinja"
        template.write_text(HERMES)
        forced = {"tools": [WEATHER], "tool_choice": "required", "max_tokens": 120, "sampling.temperature": 0.0}
        await set_all(drive, {"template": str(template), **forced})
        called = await asked(drive, "巴黎的天气怎么样？")
        assert called.grammar
        cards = await desk.bench.calls(called.message)
        # A model as small as this may talk until its tokens are used up; it cannot end without the call.
        assert called.finish_reason == "length" or [card.call.name for card in cards][:1] == ["get_weather"]
        assert all(card.faults == () for card in cards if called.finish_reason != "length")
        schema = {
            "type": "object",
            "properties": {"城市": {"enum": ["巴黎", "罗马"]}, "large": {"type": "boolean"}},
            "required": ["城市", "large"],
            "additionalProperties": False,
        }
        json_schema = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        await set_all(drive, {"tools": [], "response_format": json_schema})
        before = desk.shown
        await desk.bench.regenerate(desk.nodes[0].id)
        await drive.until(lambda: desk.shown is not before and drive.running() is None, "the answer", 120)
        await drive.settle()
        assert desk.shown is not None
        answer = json.loads(desk.shown.content)
        assert answer["城市"] in ("巴黎", "罗马")
        assert isinstance(answer["large"], bool)
        kept["call"] = texts(drive)

    async def overflow(drive: Driver) -> None:
        """What does not fit is asked about, in Chinese; the cut is marked."""
        window, desk = drive.window, drive.window.desk
        await loaded(drive, 512)
        await desk.new_conversation()
        await set_all(drive, {"max_tokens": 4})
        asked_about = ""
        for index in range(2):
            drive.send(f"{index} " + "some words that fill the context " * 42)
            await drive.until(lambda: drive.running() is not None, "the turn")
            while drive.running() is not None:
                if not window.overflow.isHidden():
                    asked_about = f"{window.overflow.label.text()} {window.overflow.buttons['drop'].text()}"
                    window.overflow.buttons["drop"].click()
                await asyncio.sleep(0.05)
            turn = await drive.answered(120)
        assert "放不下" in asked_about
        assert "省略旧消息" in asked_about
        assert turn.left_out
        window.view.verticalScrollBar().setValue(0)
        await drive.settle()
        shown: list[QWidget] = window.view.viewport().findChildren(NoteCard)
        assert any("最新的提示词" in note.label.text() for note in shown if isinstance(note, NoteCard))
        kept["overflow"] = texts(drive)

    async def story(drive: Driver) -> None:
        await loaded(drive, 1024)
        await talk(drive)
        await call(drive)
        await overflow(drive)

    async def again(drive: Driver) -> None:
        """Reopened in Chinese: all of it is there, and the next turn keeps the model's own ids."""
        window, desk = drive.window, drive.window.desk
        assert window.menus["File"].title() == "文件"
        infos = {info.id: info for info in await desk.bench.conversations()}
        assert len(infos) == 3
        found = {}
        for name in infos:
            await desk.open_conversation(name)
            found[name] = texts(drive)
        assert sorted(found.values()) == sorted(kept.values())
        await loaded(drive, 1024)
        await desk.open_conversation(next(name for name, said in found.items() if said == kept["talk"]))
        last = await asked(drive, "谢谢。")
        ids = [token.id for token in last.prompt_tokens]
        assert any(ids[at : at + len(own)] == own for at in range(len(ids)))

    journey(story, model=None, real=True)
    journey(again, model=None, real=True)
