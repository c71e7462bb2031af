"""A workbench on the scripted engine, and conversations for it to play."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from cutaway.engine.scripted import Script, ScriptedBackend
from cutaway.workbench.bench import Workbench
from cutaway.workbench.change import Change

NOW = datetime(2026, 7, 26, 12, 0, 0)

THINKING = (
    "{%- for m in messages -%}"
    "{{- '<|im_start|>' + m.role + '\\n' -}}"
    "{%- if m.role == 'assistant' and m.reasoning_content and loop.last -%}"
    "{{- '<think>\\n' + m.reasoning_content + '\\n</think>\\n\\n' -}}"
    "{%- endif -%}"
    "{{- m.content + '<|im_end|>\\n' -}}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}"
)
"""Keeps the reasoning of the last message only, as many thinking models' templates do."""

HERMES = (
    "{%- if tools -%}<|im_start|>system\n# Tools\n<tools>"
    "{%- for tool in tools %}\n{{ tool | tojson }}{%- endfor %}\n</tools>"
    '\nFor each call answer <tool_call>\n{"name": ..., "arguments": ...}\n</tool_call><|im_end|>\n{%- endif -%}'
    "{%- for m in messages -%}"
    "{%- if m.role == 'tool' -%}<|im_start|>user\n<tool_response>\n{{ m.content }}\n</tool_response><|im_end|>\n"
    "{%- elif m.role == 'assistant' -%}<|im_start|>assistant\n{{ m.content or '' }}"
    "{%- for call in m.tool_calls or [] %}\n<tool_call>\n"
    '{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}\n</tool_call>'
    "{%- endfor -%}<|im_end|>\n"
    "{%- else -%}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{%- endif -%}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}<|im_start|>assistant\n{%- endif -%}"
)

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def call(name: str, arguments: str) -> str:
    return f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call>'


@asynccontextmanager
async def bench_on(
    script: Script | Sequence[str] = ("Hello! This is a scripted reply.",),
    store: Path | str = ":memory:",
    *,
    load: bool = True,
    heard: Callable[[Change], None] | None = None,
) -> AsyncIterator[Workbench]:
    """An open workbench whose model plays the script (or the replies one after another)."""
    played = script if isinstance(script, Script) else Script(replies=tuple(script))
    bench = Workbench(store, lambda: ScriptedBackend(played), now=lambda: NOW)
    if heard is not None:
        bench.subscribe(heard)
    await bench.open()
    try:
        if load:
            await bench.load_model("scripted.gguf")
            await bench.model_ready()
        yield bench
    finally:
        await bench.close()


async def texts(bench: Workbench, conversation: str) -> list[str]:
    """The current branch, as `role: text`."""
    return [f"{node.message.role}: {node.message.text}" for node in await bench.messages(conversation)]
