"""The assistant mask holds what the model would have written, and nothing else, for every template.

Each turn begins where its generation prompt ends, holds all that the message says and nothing that others say, and
ends with what the template writes there whatever comes next.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from cutaway.chat.prompt import Span
from cutaway.chat.read import read_request
from cutaway.chat.session import prepare
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.prepared import PreparedTemplate
from cutaway.chat.training import TrainingView, training_view
from support import assets
from support.prepared import prepared

NOW = datetime(2026, 11, 29)
Messages = list[dict[str, Any]]
IDS = {"sea": "abcdefgh1", "bay": "abcdefgh2"}


def called(*places: str, **more: Any) -> dict[str, Any]:
    calls = [
        {"id": IDS[place], "type": "function", "function": {"name": "look", "arguments": f'{{"at": "{place}"}}'}}
        for place in places
    ]
    return {"role": "assistant", "content": "", "tool_calls": calls, **more}


def seen(place: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": IDS[place], "content": "ⴰ"}


def asked() -> dict[str, Any]:
    return {"role": "user", "content": "ⴱ"}


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


TALKS: dict[str, Messages] = {
    "plain": [asked(), said("One."), asked(), said("Two."), asked(), said("Three.", reasoning_content="Hm.")],
    "calls": [
        *(asked(), called("sea", reasoning_content="Hm."), seen("sea"), said("One.", reasoning_content="So.")),
        *(asked(), called("bay"), seen("bay"), said("Two."), asked(), said("Three.")),
    ],
    "a call last": [asked(), called("sea")],
}
HEADLESS = {
    ("Apertus-8B-Instruct", "calls"): "the answer goes on in the turn that has the call and its result",
    ("deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", "calls"): "it opens the calls of the first turn only",
}
"""Where a template writes a turn without the header that the model gets."""


def view_of(template: PreparedTemplate, messages: Messages) -> TrainingView | None:
    return training_view(read_request({"messages": messages}), template, now=NOW, bos_token="<s>", eos_token="</s>")


@pytest.mark.parametrize("talk", TALKS)
@pytest.mark.parametrize("path", assets.templates(), ids=lambda path: str(path.stem))
def test_a_turn_is_what_the_model_would_have_written(path: Path, talk: str) -> None:
    template = prepared(path.read_text(encoding="utf-8"))
    messages = TALKS[talk]
    view = view_of(template, messages)
    if view is None or view.found_by == "generation blocks":
        return
    _holds_its_own_text_only(view)
    turns = _turns(view, messages)
    for index, (start, end) in turns.items():
        if (path.stem, talk) not in HEADLESS:
            _begins_behind_its_prompt(view, template, messages[:index], start)
        ending = view.text[_end_of_own(view, start, end) : end]
        assert ending == ending.rstrip() or not ending.strip(), ending
        if not view.text.rstrip().endswith(view.text[start:end]):
            _ends_so_whatever_follows(template, messages[: index + 1], ending)


def _holds_its_own_text_only(view: TrainingView) -> None:
    at = 0
    for span in view.spans:
        inside = [(a, b) for a, b in view.assistant_spans if a < at + len(span.text) and at < b]
        if "ⴰ" in span.text or "ⴱ" in span.text:
            assert not inside, span
        if _is_said(span):
            assert any(a <= at and at + len(span.text) <= b for a, b in inside), span
        at += len(span.text)


def _is_said(span: Span) -> bool:
    return span.is_input and any(word in span.text for word in ("One.", "Two.", "Three.", "Hm.", "So.", "sea", "bay"))


def _turns(view: TrainingView, messages: Messages) -> dict[int, tuple[int, int]]:
    """Index of an assistant's message to its range, for those that have one of their own."""
    found: dict[int, tuple[int, int]] = {}
    at = 0
    for span in view.spans:
        source = span.origin.source or ""
        if _is_said(span) and source.startswith("messages["):
            index = int(source[len("messages[") : source.index("]")])
            ranges = [(a, b) for a, b in view.assistant_spans if a <= at < b]
            if ranges and messages[index]["role"] == "assistant":
                found.setdefault(index, ranges[0])
        at += len(span.text)
    return found


def _begins_behind_its_prompt(view: TrainingView, template: PreparedTemplate, before: Messages, start: int) -> None:
    request = read_request({"messages": before})
    prompt = prepare(request, template, now=NOW, bos_token="<s>", eos_token="</s>").prompt.generation_prompt
    had = next(size for size in range(len(prompt), -1, -1) if view.text[:start].endswith(prompt[:size]))
    assert had or not prompt.strip() or prompt.lstrip().startswith("<think>"), (prompt, view.text[:start][-60:])
    rest = prompt[had:]
    assert not rest or not view.text[start:].startswith(rest), (prompt, view.text[start : start + 60])


def _end_of_own(view: TrainingView, start: int, end: int) -> int:
    """Where the last character that the message itself says has been written."""
    at = last = 0
    for span in view.spans:
        if start <= at < end and _is_said(span):
            last = at + len(span.text)
        at += len(span.text)
    return last


def _ends_so_whatever_follows(template: PreparedTemplate, messages: Messages, ending: str) -> None:
    """The same is written when a question comes next."""
    own = messages[-1]["content"] or f"{messages[-1]['tool_calls'][-1]['function']['arguments'][8:-2]}"
    request = read_request({"messages": [*messages, asked()], "add_generation_prompt": False})
    try:
        text = prepare(request, template, now=NOW, bos_token="<s>", eos_token="</s>").prompt.text
    except TemplateError:
        return
    assert ending in text[text.rindex(own) :], ending
