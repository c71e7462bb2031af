"""Tools by hand: a call is a card, its result is entered there, and the model goes on."""

from __future__ import annotations

import json

from cutaway.engine.scripted import Script
from cutaway.ui.conversation.cards import CallCard
from cutaway.ui.drive import Driver
from support import assets
from support.window import Journey

CALL = '<tool_call>\n{"name": "weather", "arguments": {"city": "Paris", "days": "two"}}\n</tool_call>'
SCRIPT = Script(replies=(CALL, "It is 21 degrees in Paris."), template=assets.template("Qwen-Qwen3-0.6B"))
SIGNATURE = "def weather(city: str, days: int) -> str"


def card(drive: Driver) -> CallCard:
    found = [c for c in drive.window.view.viewport().findChildren(CallCard) if c.isVisible()]
    assert len(found) == 1
    return found[0]


def test_a_call_is_a_card_and_its_result_goes_to_the_model(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("tools", SIGNATURE, None)
        turn = await drive.ask("What is the weather in Paris?")
        assert [call.name for call in turn.reply.calls] == ["weather"]
        await drive.settle()
        made = card(drive)
        assert "weather" in made.title.text()
        assert json.loads(made.arguments.text())["city"] == "Paris"
        made.entry.setPlainText("21 degrees")
        made.buttons[0].click()
        await drive.until(lambda: len(drive.window.view.entries) >= 4 and drive.running() is None, "the model's answer")
        await drive.settle()
        texts = [entry.node.message.text for entry in drive.window.view.entries]
        assert texts[-2:] == ["21 degrees", "It is 21 degrees in Paris."]
        assert not card(drive).entry.isVisible(), "an answered call asks for nothing more"

    journey(story, SCRIPT)


def test_the_card_says_what_is_wrong_with_the_arguments_and_lets_them_be_changed(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("tools", SIGNATURE, None)
        await drive.ask("What is the weather in Paris?")
        made = card(drive)
        assert "days" in made.faults.text()
        assert not made.editor.isVisible()
        made.change.click()
        assert made.editor.isVisible()
        assert not made.arguments.isVisible()
        made.editor.setPlainText('{"city": "Oslo", "days": 2}')
        made.save.click()
        await drive.settle()
        made = card(drive)
        assert json.loads(made.arguments.text()) == {"city": "Oslo", "days": 2}
        assert not made.faults.isVisible()
        node = drive.window.desk.nodes[-1]
        assert json.loads(node.message.tool_calls[0].arguments)["city"] == "Oslo"
        made.entry.setPlainText("3 degrees")
        made.buttons[0].click()
        await drive.until(lambda: len(drive.window.view.entries) >= 4 and drive.running() is None, "the model's answer")
        await drive.settle()
        assert drive.window.desk.shown is not None
        assert "Oslo" in drive.window.desk.shown.prompt.text, "the model is told of the arguments that were used"

    journey(story, SCRIPT)


def test_a_result_is_given_as_an_error(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("tools", SIGNATURE, None)
        await drive.ask("What is the weather in Paris?")
        made = card(drive)
        made.entry.setPlainText("no such city")
        made.buttons[1].click()
        await drive.until(lambda: len(drive.window.view.entries) >= 4 and drive.running() is None, "the model's answer")
        assert drive.window.desk.nodes[2].note == "error"

    journey(story, SCRIPT)


def test_the_reply_pane_checks_the_arguments(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("tools", SIGNATURE, None)
        await drive.ask("What is the weather in Paris?")
        pane = await drive.pane("reply")
        pane.tabs.setCurrentWidget(pane.calls)
        await drive.settle()
        checks = {row[0]: row[3] for row in pane.calls.rows()}
        assert checks["city"] == "ok"
        assert "integer" in checks["days"]

    journey(story, SCRIPT)


def test_a_malformed_tool_is_a_sentence(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        drive.window.desk.start(drive.window.desk.set("tools", '{"type": "function"', None))
        await drive.until(lambda: drive.window.notice.isVisible(), "a sentence")
        assert "Traceback" not in drive.window.notice.label.text()
        assert drive.window.notice._buttons == [], "our own error is a sentence, not a fault to report"

    journey(story, SCRIPT)
