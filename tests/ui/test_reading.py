"""The Reply pane on a turn with tools: its calls, the grammar and when it woke, strings tried, output pasted."""

from __future__ import annotations

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from support import assets
from support.window import Journey

CALL = '<tool_call>\n{"name": "weather", "arguments": {"city": "Paris", "days": 2}}\n</tool_call>'
SCRIPT = Script(replies=(CALL, "It is 21 degrees in Paris."), template=assets.template("Qwen-Qwen3-0.6B"))
SIGNATURE = "def weather(city: str, days: int) -> str"


def test_the_grammar_says_when_it_woke_and_what_it_covers(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("tools", SIGNATURE, None)
        turn = await drive.ask("What is the weather in Paris?")
        assert turn.grammar_lazy
        pane = await drive.pane("reply")
        pane.tabs.setCurrentWidget(pane.grammar)
        page = pane.grammar
        assert page.source.text == turn.grammar
        assert "Woken by '<tool_call>' at token 0, character 0" in page.state.text()
        assert page.coverage.topLevelItem(0).text(0).startswith("weather · 5 of 5 enforced")
        assert {row[2] for row in page.coverage.rows()} == {"enforced"}
        page.own.click()
        await drive.until(lambda: page.said.text(), "the result")
        assert "may end here" in page.said.text()

    journey(story, SCRIPT)


def test_a_string_is_tried_against_the_grammar(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("grammar", 'root ::= "yes" | "no"', None)
        await drive.ask("Well?")
        pane = await drive.pane("reply")
        pane.tabs.setCurrentWidget(pane.grammar)
        page = pane.grammar
        assert "from the first token" in page.state.text()
        page.tried.setPlainText("ye")
        await drive.until(lambda: '"s"' in page.said.text(), "what may come next")
        page.tried.setPlainText("yep")
        await drive.until(lambda: "up to character 2" in page.said.text(), "where it stops")

    journey(story, SCRIPT)


def test_without_a_grammar_the_page_says_so(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        pane = await drive.pane("reply")
        pane.tabs.setCurrentWidget(pane.grammar)
        assert "No grammar" in pane.grammar.state.text()
        assert not pane.grammar.trying.isVisible()

    journey(story, SCRIPT)


def test_the_candidates_say_what_the_grammar_allows(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("grammar", "root ::= [a-z ]+", None)
        await drive.ask("Well?")
        pane = await drive.pane("tokens")
        pane.table.selectRow(0)
        seen = pane.alternatives.candidates
        await drive.until(lambda: seen[0].allowed is not None, "the grammar's mask")
        shown = [one for one in seen if not one.isHidden()]
        assert {one.allowed for one in shown} == {
            all(chr(byte).islower() or byte == 32 for byte in one.alternative.piece) for one in shown
        }
        assert "by the grammar" in seen[0].accessibleName()

    journey(story, Script(replies=("yes it is",), template=assets.template("Qwen-Qwen3-0.6B")))


def test_pasted_output_is_read_by_another_named_format_and_strictly(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("tools", SIGNATURE, None)
        await drive.ask("What is the weather in Paris?")
        pane = await drive.pane("reply")
        pane.tabs.setCurrentWidget(pane.attempt)
        attempt = pane.attempt
        attempt.source.setPlainText('{"name": "weather", "parameters": {"city": "Oslo", "days": 1}}')

        def kinds() -> list[str]:
            blocks = attempt.view.blocks
            return [blocks.topLevelItem(n).text(0) for n in range(blocks.topLevelItemCount())]

        await drive.until(lambda: "Repair" in kinds(), "the model's own format reads it with leniency")
        attempt.format.setCurrentIndex(attempt.format.findData("llama3-json"))
        await drive.until(lambda: kinds() == ["Tool call"], "another format reads it as it is")
        attempt.format.setCurrentIndex(0)
        attempt.source.setPlainText(
            "<tool_call>\n{'name': 'weather', 'arguments': {'city': 'Oslo', 'days': 1}}\n</tool_call>"
        )
        await drive.until(lambda: "Repair" in kinds(), "the leniency that reading needed")
        attempt.profile.setCurrentIndex(1)
        await drive.until(lambda: "Tool call" not in kinds(), "the strict reading")

    journey(story, SCRIPT)
