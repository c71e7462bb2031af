"""`cutaway chat`: a conversation in the terminal, through the same workbench as the window."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from cutaway.cli.engine import model_path
from cutaway.cli.main import CommandError
from cutaway.store.error import StoreError
from cutaway.tools.definition import ToolError
from cutaway.workbench.bench import Workbench
from cutaway.workbench.change import Change, TurnChanged
from cutaway.workbench.exchange import ExchangeError
from cutaway.workbench.exchanging import Form
from cutaway.workbench.library import MessageError
from cutaway.workbench.settings import NAMES, SettingError
from cutaway.workbench.turn import Node, Turn
from cutaway.workbench.turns import TurnError

FORMS: dict[str, Form] = {".md": "markdown", ".markdown": "markdown", ".jsonl": "jsonl"}


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", metavar="FILE", help="a GGUF; the default model without it")
    parser.add_argument("--system", metavar="TEXT", help="the system prompt")
    parser.add_argument("--once", metavar="TEXT", help="send one message, print the answer, end; - reads it from stdin")
    parser.add_argument("--tools", metavar="FILE", help="tools as OpenAI JSON or as signatures; you enter the results")
    parser.add_argument("--save", metavar="FILE", help="write the conversation: .md, .jsonl, or OpenAI JSON")
    parser.add_argument("--template", metavar="FILE|chatml", help="use this template instead of the model's")
    parser.add_argument("--no-jinja", action="store_true", help="let llama.cpp render, without Jinja")
    parser.add_argument("--thinking", metavar="WORD", help="on, off, auto or an effort level, as the template offers")
    parser.add_argument("--max", type=int, metavar="N", help="at most so many tokens a reply")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=JSON", help="any setting, e.g. seed=1")
    parser.add_argument("--json", action="store_true", help="print one JSON object a reply")


def run(arguments: argparse.Namespace) -> int:
    try:
        return asyncio.run(_chat(arguments))
    except (ExchangeError, MessageError, SettingError, StoreError, ToolError, TurnError) as error:
        raise CommandError(str(error)) from error


async def _chat(arguments: argparse.Namespace) -> int:
    path = model_path(arguments.model)
    bench = Workbench(":memory:")
    await bench.open()
    try:
        conversation = (await bench.create_conversation()).id
        await _settle_settings(bench, conversation, arguments)
        await bench.load_model(path)
        model = await bench.model_ready()
        if model.facts is None:
            raise CommandError(model.message)
        talk = _Talk(bench, conversation, as_json=arguments.json)
        if arguments.once is not None:
            text = sys.stdin.read() if arguments.once == "-" else arguments.once
            await talk.say(text)
        else:
            await talk.listen()
        if arguments.save:
            target = Path(arguments.save)
            await bench.export(conversation, target, FORMS.get(target.suffix.lower(), "openai"))
        return 0
    finally:
        await bench.close()


async def _settle_settings(bench: Workbench, conversation: str, arguments: argparse.Namespace) -> None:
    values: dict[str, Any] = {"overflow": "stop", "idle_prefill": arguments.once is None}
    if arguments.system:
        values["system"] = arguments.system
    if arguments.template:
        values["template"] = arguments.template
    if arguments.no_jinja:
        values["jinja"] = False
    if arguments.thinking:
        values["thinking"] = arguments.thinking
    if arguments.max is not None:
        values["max_tokens"] = arguments.max
    if arguments.tools:
        values["tools"] = [dict(tool.raw) for tool in bench.read_tools(_read(Path(arguments.tools)))]
    values |= dict(_assignment(text) for text in arguments.set)
    for name, value in values.items():
        await bench.set(name, value, conversation=conversation)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is no UTF-8 text.") from error


def _assignment(text: str) -> tuple[str, Any]:
    """`temperature=0.2`; a value that is no JSON is text. Sampling settings go by their short names."""
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set takes NAME=VALUE, not {text!r}.", 2)
    full = name if name in NAMES or f"sampling.{name}" not in NAMES else f"sampling.{name}"
    try:
        return full, json.loads(value)
    except ValueError:
        return full, value


class _Talk:
    """Prints a conversation as it goes on."""

    def __init__(self, bench: Workbench, conversation: str, *, as_json: bool) -> None:
        self._bench = bench
        self._conversation = conversation
        self._json = as_json
        self._tasks: set[asyncio.Task[None]] = set()
        self._printer = _Printer(sys.stdout)
        bench.subscribe(self._hear)

    async def listen(self) -> None:
        """Messages line by line, until the input ends or says /quit."""
        if sys.stdin.isatty():
            print("Type a message; an empty line or /quit ends. Ctrl-C stops a reply.", file=sys.stderr)
        while (line := await _line("> ")) is not None and line.strip() not in ("", "/quit", "/exit"):
            try:
                await self.say(line)
            except CommandError as error:
                if not sys.stdin.isatty():
                    raise
                print(f"cutaway: {error}", file=sys.stderr)

    async def say(self, text: str) -> None:
        """Send a message, print the reply, and ask for the results of its calls. Raises CommandError."""
        with self._stops_at_interrupt():
            await self._bench.send(self._conversation, text)
            await self._bench.settled()
        while (node := await self._told()) is not None and await self._answer_calls(node):
            with self._stops_at_interrupt():
                await self._bench.settled()

    async def _told(self) -> Node | None:
        """The reply that has ended, once printed."""
        node = (await self._bench.messages(self._conversation))[-1]
        turn = await self._bench.turn(node.id)
        if turn is None:
            return None
        self._printer.end()
        if turn.state == "failed":
            raise CommandError(turn.error)
        if self._json:
            print(json.dumps(answer_of(node, turn), ensure_ascii=False), flush=True)
        return node

    async def _answer_calls(self, node: Node) -> bool:
        """Results from the person; False when there are no calls, or nobody who could enter them."""
        if not node.message.tool_calls or not sys.stdin.isatty():
            return False
        for index, call in enumerate(await self._bench.calls(node.id)):
            for fault in call.faults:
                print(f"  {fault.path or 'arguments'}: {fault.message}", file=sys.stderr)
            result = await _line(f"{call.call.name}({call.call.arguments}) = ")
            if result is None:
                return False
            await self._bench.respond_to_call(node.id, call.call.id or str(index), result)
        return True

    def _hear(self, change: Change) -> None:
        if isinstance(change, TurnChanged) and not self._json:
            self._printer.show(change.turn)

    @contextlib.contextmanager
    def _stops_at_interrupt(self) -> Iterator[None]:
        """While a reply is made Ctrl-C ends the reply, not the program."""
        loop = asyncio.get_running_loop()

        def stop() -> None:
            self._tasks.add(task := loop.create_task(self._bench.stop()))
            task.add_done_callback(self._tasks.discard)

        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(signal.SIGINT, stop)
        try:
            yield
        finally:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(signal.SIGINT)


class _Printer:
    """Writes what a turn gained; reasoning is dim on a terminal."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._turn = ""
        self._content = 0
        self._reasoning = 0
        self._colours = out.isatty()

    def show(self, turn: Turn) -> None:
        if turn.id != self._turn:
            self.end()
            self._turn, self._content, self._reasoning = turn.id, 0, 0
        if len(turn.reasoning) > self._reasoning:
            text = turn.reasoning[self._reasoning :]
            self._out.write(f"\x1b[2m{text}\x1b[0m" if self._colours else text)
            self._reasoning = len(turn.reasoning)
        if len(turn.content) > self._content:
            if self._reasoning and not self._content:
                self._out.write("\n\n")
            self._out.write(turn.content[self._content :])
            self._content = len(turn.content)
        self._out.flush()

    def end(self) -> None:
        if self._content or self._reasoning:
            self._out.write("\n")
            self._out.flush()
        self._turn, self._content, self._reasoning = "", 0, 0


def answer_of(node: Node, turn: Turn) -> dict[str, Any]:
    """One reply as the JSON that `--json` prints."""
    timings = turn.timings
    message = node.message
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in message.tool_calls
    ]
    prompt = timings.prompt_tokens if timings else 0
    generated = timings.generated if timings else 0
    return {
        "content": message.text,
        "reasoning_content": message.reasoning_content,
        "tool_calls": calls,
        "finish_reason": turn.finish_reason,
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": generated,
            "total_tokens": prompt + generated,
            "prompt_tokens_details": {"cached_tokens": timings.reused if timings else 0},
        },
        "timings": {
            "prompt_ms": round(timings.prefill_ms, 3),
            "first_token_ms": round(timings.first_token_ms, 3),
            "decode_ms": round(timings.decode_ms, 3),
            "decode_tok_s": round(timings.decode_tok_s, 3),
            "fed_tokens": timings.fed,
            "reused_tokens": timings.reused,
        }
        if timings
        else {},
        "seed": turn.seed,
    }


async def _line(prompt: str) -> str | None:
    """A line of the input, read on another thread; None at its end."""

    def read() -> str | None:
        try:
            return input(prompt if sys.stdin.isatty() else "")
        except EOFError:
            return None

    return await asyncio.to_thread(read)
