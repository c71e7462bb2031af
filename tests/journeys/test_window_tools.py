"""Tools by hand: a call is a card, its result is entered there, and the model goes on."""

from __future__ import annotations

import json

from cutaway.engine.scripted import Script
from cutaway.ui.conversation.cards import CallCard, NoteCard
from cutaway.ui.conversation.tool_cards import ResultCard
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


def cards(drive: Driver) -> list[CallCard]:
    found = [c for c in drive.window.view.viewport().findChildren(CallCard) if c.isVisible()]
    return sorted(found, key=lambda one: one.y())


def notes(drive: Driver) -> list[str]:
    shown: list[NoteCard] = drive.window.view.viewport().findChildren(NoteCard)
    return [note.label.text() for note in shown if note.isVisible()]


CLOCK = '<tool_call>\n{"name": "clock", "arguments": {"timezone": "UTC"}}\n</tool_call>'
AGAIN = Script(replies=(CLOCK, CLOCK, "Late."), template=assets.template("Qwen-Qwen3-0.6B"))


def test_a_built_in_is_off_until_it_is_offered_and_asks_before_it_runs(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        desk = drive.window.desk
        assert desk.bench.settings().built_ins == ()
        drive.window.requests.call("conversation.steering")
        await drive.settle()
        approvals = drive.window.steering.approvals
        assert not any(offer.isChecked() for offer in approvals.offers.values())
        approvals.offers["clock"].click()
        await drive.settle()
        await drive.ask("What time is it?")
        made = card(drive)
        assert desk.nodes[-1].message.role == "assistant", "it waits to be asked"
        assert [button.text() for button in made.buttons if button.isVisible()][2:] == [
            "Run the built-in",
            "Always run it",
            "Deny",
        ]
        made.buttons[2].click()
        await drive.until(lambda: len(cards(drive)) == 2 and drive.running() is None, "the next call")
        assert "UTC" in desk.nodes[2].message.text or "+00:00" in desk.nodes[2].message.text
        cards(drive)[1].buttons[3].click()
        await drive.until(lambda: desk.nodes[-1].message.text == "Late.", "the answer")
        await drive.settle()
        assert approvals.boxes["clock"].currentData() == "always"
        before = len(desk.nodes)
        await drive.ask("And now?")
        await drive.until(lambda: desk.nodes[-1].message.text == "Late." and len(desk.nodes) > before + 4, "the answer")
        assert not any(made.entry.isVisible() for made in cards(drive)), "nothing asks any more"

    journey(story, AGAIN)


def test_a_denied_call_is_answered_with_that(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("built_ins", ("clock",), None)
        await drive.ask("What time is it?")
        card(drive).buttons[4].click()
        await drive.until(lambda: len(drive.window.desk.nodes) >= 4 and drive.running() is None, "the next turn")
        await drive.settle()
        assert "did not allow" in drive.window.desk.nodes[2].message.text
        assert "Given to the model as an error." in notes(drive)

    journey(story, AGAIN)


def test_the_loop_ends_where_it_was_set_and_goes_on_when_told(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        desk, window = drive.window.desk, drive.window
        for name, value in (("built_ins", ("clock",)), ("tool_rounds", 1)):
            await desk.set(name, value, None)
        await desk.bench.set_approval("clock", "always")
        await drive.ask("What time is it?")
        await drive.until(lambda: window.notice.isVisible(), "the limit")
        assert "1 times in a row" in window.notice.label.text()
        assert [node.message.role for node in desk.nodes] == ["user", "assistant", "tool"]
        (go_on,) = window.notice._buttons
        assert go_on.text() == "Let it go on"
        go_on.click()
        await drive.until(lambda: len(desk.nodes) >= 5 and drive.running() is None, "one more round")
        assert [node.message.role for node in desk.nodes] == ["user", "assistant", "tool", "assistant", "tool"]

    journey(story, AGAIN)


def test_a_result_of_a_megabyte_is_kept_whole_and_shortened_for_the_prompt(journey: Journey) -> None:
    big = "\n".join(f"line {number} of a long result" for number in range(40_000))
    script = Script(replies=(CALL, "Too much."), template=assets.template("Qwen-Qwen3-0.6B"), context=900)

    async def story(drive: Driver) -> None:
        desk = drive.window.desk
        await desk.set("tools", SIGNATURE, None)
        await desk.set("overflow", "shorten", None)
        await drive.ask("What is the weather in Paris?")
        made = card(drive)
        made.entry.setPlainText(big)
        made.buttons[0].click()
        await drive.until(lambda: len(desk.nodes) >= 4 and drive.running() is None, "the model's answer")
        await drive.settle()
        assert desk.nodes[2].message.text == big
        assert desk.nodes[3].message.text == "Too much."
        assert "Shortened in the newest prompt: it did not fit." in notes(drive)
        assert len(desk.shown.prompt_tokens) < 900
        assert "shortened to fit" in desk.shown.prompt.text
        (result,) = [c for c in drive.window.view.viewport().findChildren(ResultCard) if c.isVisible()]
        assert len(result.text.text()) < 2000
        assert f"{len(big):,}" in result.more.text()

    journey(story, script)


def test_one_tool_is_demanded_and_only_one_call_allowed(journey: Journey) -> None:
    two = CALL.replace('"two"', "2") + "\n" + CALL
    script = Script(replies=(two,), template=assets.template("Qwen-Qwen3-0.6B"))

    async def story(drive: Driver) -> None:
        desk = drive.window.desk
        await desk.set("tools", SIGNATURE + "\ndef other() -> str", None)
        await desk.set("tool_choice", "function:weather", None)
        await desk.set("parallel_tool_calls", False, None)
        turn = await drive.ask("What is the weather in Paris?")
        assert not turn.grammar_lazy, "a demanded call is enforced from the first token on"
        assert "other" not in turn.grammar
        assert [call.name for call in turn.reply.calls] == ["weather"]
        assert len(cards(drive)) == 1

    journey(story, script)
