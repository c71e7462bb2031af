"""`cutaway bench turns`: what each turn of a conversation feeds and reuses, and why where it reuses little."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cutaway.cli.engine import model_path
from cutaway.cli.main import CommandError
from cutaway.workbench.bench import Workbench
from cutaway.workbench.settings import SettingError
from cutaway.workbench.turn import Node, Turn

SYSTEM = "You are a careful assistant. Answer in one or two short sentences."
QUESTIONS = (
    "What is a river?",
    "Name three rivers of Europe and where they end.",
    "Which of them is the longest?",
    "How could a child measure how fast a river flows?",
    "What else would one need to know how much water it carries?",
    "Put the whole of it into one sentence.",
)
EDITED = "Name two rivers of Africa, and the sea that each of them reaches."
ELSEWHERE = "Write a line about a lighthouse in winter."
BACK = "Thank you. Which of your answers are you least sure of?"
REPLY_TOKENS = 40
THOUGHT_TOKENS = 12
EDITED_AT = 1
"""Which of the person's messages is edited, from 0."""


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", metavar="FILE", help="a GGUF; the default model without it")
    parser.add_argument("--chat", metavar="FILE", help="take the person's messages from this chat request")
    parser.add_argument("--think", choices=("on", "off"), help="without it as the template has it")
    parser.add_argument("--idle-prefill", choices=("on", "off"), default="on")
    parser.add_argument("--template", metavar="FILE|chatml", help="use this template instead of the model's")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    script = script_of(options.chat)
    try:
        turns = asyncio.run(play(options, script))
    except SettingError as error:
        raise CommandError(str(error)) from error
    sys.stdout.write(json.dumps({"turns": turns}, ensure_ascii=False) + "\n" if options.json else _for_people(turns))
    return 0


@dataclass(frozen=True, slots=True)
class Script:
    system: str = SYSTEM
    questions: tuple[str, ...] = QUESTIONS


def script_of(chat: str | None) -> Script:
    """The person's messages of a chat request, filled up to six from our own. Raises CommandError."""
    if chat is None:
        return Script()
    try:
        body = json.loads(Path(chat).read_text(encoding="utf-8"))
        messages = body["messages"]
        texts = [str(message["content"]) for message in messages if message["role"] == "user"]
        systems = [str(message["content"]) for message in messages if message["role"] == "system"]
    except OSError as error:
        raise CommandError(f"{chat} cannot be read: {error.strerror or error}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise CommandError(f"{chat} is no chat completion request: it needs a list of messages.") from error
    return Script(systems[0] if systems else "", (*texts, *QUESTIONS[len(texts) :]))


@dataclass
class Player:
    """Plays the conversation and notes each turn."""

    bench: Workbench
    options: argparse.Namespace
    script: Script
    turns: list[dict[str, Any]] = field(default_factory=list)

    async def play(self) -> list[dict[str, Any]]:
        first, second = await self._conversation(), await self._conversation()
        for question in self.script.questions:
            await self._send("send", first, question)
        asked = [node for node in await self.bench.messages(first) if node.message.role == "user"]
        await self._edit(first, asked[EDITED_AT])
        await self._send("switch away", second, ELSEWHERE)
        await self._send("switch back", first, BACK)
        return self.turns

    async def _conversation(self) -> str:
        conversation = (await self.bench.create_conversation()).id
        values: dict[str, Any] = {
            "system": self.script.system,
            "overflow": "stop",
            "idle_prefill": self.options.idle_prefill == "on",
            "max_tokens": REPLY_TOKENS,
            "sampling.seed": 1,
        }
        if self.options.template:
            values["template"] = self.options.template
        if self.options.think:
            values["thinking"] = self.options.think
        if self.options.think == "on":
            values["reasoning_budget"] = THOUGHT_TOKENS
        for name, value in values.items():
            await self.bench.set(name, value, conversation=conversation)
        return conversation

    async def _send(self, action: str, conversation: str, text: str) -> None:
        before = self.bench.idle_fed(conversation)
        await self.bench.send(conversation, text)
        await self._note(action, conversation, before)

    async def _edit(self, conversation: str, node: Node) -> None:
        before = self.bench.idle_fed(conversation)
        edited = await self.bench.edit(node.id, EDITED)
        await self.bench.regenerate(edited.id)
        await self._note("edit", conversation, before)

    async def _note(self, action: str, conversation: str, fed_before: int) -> None:
        await self.bench.rested()
        leaf = (await self.bench.messages(conversation))[-1]
        turn = await self.bench.turn(leaf.id)
        if turn is None or turn.plan is None or turn.timings is None or turn.error:
            raise CommandError(turn.error if turn is not None and turn.error else "A turn did not come to its end.")
        message, generation = await self._new_tokens(conversation, turn)
        self.turns.append(_noted(action, turn, fed_before, message, generation))

    async def _new_tokens(self, conversation: str, turn: Turn) -> tuple[int, int]:
        """Tokens of the newest message, from where it differs from any other message, and of the generation prompt.

        The same request with another text there is rendered: what both have in common was known before.
        """
        assert turn.prompt is not None
        messages = turn.request.messages
        other = replace(messages[-1], content="?" if not str(messages[-1].content).startswith("?") else "!")
        view = await self.bench.template(conversation)
        assert view is not None
        prompt, _ = await self.bench.render(view, replace(turn.request, messages=(*messages[:-1], other)))
        known = _common(turn.prompt.text, prompt.text)
        tokens = list(turn.prompt_tokens)
        generation = sum(token.start >= turn.prompt.generation_start for token in tokens)
        framed = sum(token.end <= known for token in tokens)
        return len(tokens) - generation - framed, generation


async def play(
    options: argparse.Namespace,
    script: Script,
    player: Callable[[Workbench, argparse.Namespace, Script], Player] = Player,
) -> list[dict[str, Any]]:
    """The turns of a whole conversation, with a store in memory. Raises CommandError or SettingError."""
    path = model_path(options.model)
    bench = Workbench(":memory:")
    await bench.open()
    try:
        await bench.load_model(path)
        model = await bench.model_ready()
        if model.facts is None:
            raise CommandError(model.message)
        return await player(bench, options, script).play()
    finally:
        await bench.close()


def _common(first: str, second: str) -> int:
    shortest = min(len(first), len(second))
    return next((at for at in range(shortest) if first[at] != second[at]), shortest)


def _noted(action: str, turn: Turn, fed_before: int, message: int, generation: int) -> dict[str, Any]:
    assert turn.plan is not None
    assert turn.timings is not None
    return {
        "action": action,
        "prompt_tokens": turn.plan.prompt_tokens,
        "held": turn.plan.held,
        "reused": turn.plan.reused,
        "message_tokens": message,
        "generation_prompt_tokens": generation,
        "fed_before_send": fed_before,
        "fed_after_send": turn.timings.fed,
        "first_token_ms": round(turn.timings.first_token_ms, 1),
        "restored_from": turn.plan.restored_from,
        "breaks": [
            {
                "at_token": one.at_token,
                "reason": one.reason,
                "detail": one.detail,
                "lost": one.lost,
                "fed": one.fed,
                "seconds": one.seconds,
                "held": [one.held_place, one.held_text],
                "wanted": [one.wanted_place, one.wanted_text],
                "avoidable_by": one.avoidable_by,
                "departs": one.departs,
            }
            for one in turn.plan.breaks
        ],
    }


def _for_people(turns: list[dict[str, Any]]) -> str:
    columns = "{:<12} {:>7} {:>6} {:>7} {:>8} {:>11} {:>11} {:>9}\n"
    text = columns.format("action", "prompt", "held", "reused", "message", "fed before", "fed after", "first ms")
    for turn in turns:
        text += columns.format(
            turn["action"],
            turn["prompt_tokens"],
            turn["held"],
            turn["reused"],
            turn["message_tokens"] + turn["generation_prompt_tokens"],
            turn["fed_before_send"],
            turn["fed_after_send"],
            turn["first_token_ms"],
        )
        text += "".join(f"    {one['reason']} at token {one['at_token']}: {one['detail']}\n" for one in turn["breaks"])
    return text
