"""Tokens that `bench turns` feeds after Send, beside what `llama-server` feeds on the very same conversation.

    python tests/bench/compare_llama_server.py [--model FILE] [--template FILE] [--think on|off]

Cutaway plays the scripted conversation without idle work. Then llama-server is sent the same messages turn by turn, and
a grammar makes it write the same replies, so that its cache holds the same text. Exits 1 where we feed more, 2 without
llama-server on PATH.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from cutaway.chat.message import Message
from cutaway.cli.bench_turns import Player, Script, play
from cutaway.cli.engine import model_path
from cutaway.workbench.turn import Turn


@dataclass
class Recorder(Player):
    """Plays the conversation and keeps what was sent and written."""

    played: list[Turn] = field(default_factory=list)

    async def _new_tokens(self, conversation: str, turn: Turn) -> tuple[int, int]:
        self.played.append(turn)
        return await super()._new_tokens(conversation, turn)


def record(options: argparse.Namespace) -> tuple[list[Turn], list[dict[str, Any]]]:
    recorders: list[Recorder] = []

    def make(*words: Any) -> Recorder:
        recorders.append(Recorder(*words))
        return recorders[0]

    turns = asyncio.run(play(options, Script(), make))
    return recorders[0].played, turns


def as_json(message: Message) -> dict[str, str]:
    found = {"role": message.role, "content": message.text}
    if message.reasoning_content:
        found["reasoning_content"] = message.reasoning_content
    return found


class Server:
    def __init__(self, program: str, options: argparse.Namespace) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self._port = found.getsockname()[1]
        words = [program, "-m", model_path(options.model), "--port", str(self._port), "-np", "1", "--jinja", "--no-ui"]
        if options.template:
            words += ["--chat-template-file", options.template]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self) -> Server:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self._port}/health", timeout=2)
                return self
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        raise SystemExit("llama-server did not start within two minutes.")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(30)

    def fed(self, turn: Turn, think: str | None) -> tuple[int, bool]:
        """Tokens that the server fed for a turn, and whether it then wrote what we did."""
        body: dict[str, Any] = {
            "messages": [as_json(message) for message in turn.request.messages],
            "grammar": f"root ::= {json.dumps(turn.raw, ensure_ascii=False)}",
            "max_tokens": 4 * len(turn.tokens) + 16,
            "temperature": 0,
            "cache_prompt": True,
        }
        if think:
            body["chat_template_kwargs"] = {"enable_thinking": think == "on"}
        answer = self._post(body)
        said = answer["choices"][0]["message"]
        wrote = (said.get("reasoning_content") or "") + (said.get("content") or "")
        same = _letters(wrote) == _letters(turn.reasoning + turn.content)
        return int(answer["timings"]["prompt_n"]), same

    def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/v1/chat/completions", data=json.dumps(body).encode()
        )
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            raise SystemExit(f"llama-server refused the request: {error.read().decode('utf-8', 'replace')}") from error


def _letters(text: str) -> str:
    return "".join(text.split())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--model")
    parser.add_argument("--template")
    parser.add_argument("--think", choices=("on", "off"))
    options = parser.parse_args()
    options.idle_prefill = "off"
    program = shutil.which("llama-server")
    if program is None:
        print("llama-server is not on PATH, so there is nothing to compare with.")
        return 2
    played, turns = record(options)
    good = True
    print(f"{'action':<12} llama-server   cutaway")
    with Server(program, options) as server:
        for turn, told in zip(played, turns, strict=True):
            theirs, same = server.fed(turn, options.think)
            good = good and told["fed_after_send"] <= theirs
            note = "" if same else "   (its reply was another)"
            print(f"{told['action']:<12} {theirs:12}   {told['fed_after_send']:7}{note}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
