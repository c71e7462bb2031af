"""Checks a format by a round trip: known messages rendered with the template, read back, rendered again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from cutaway.chat.formats.format import NO_ID, Format, PythonCall, TaggedCall
from cutaway.chat.generation import generation_start
from cutaway.chat.message import Message, Request, Tool
from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Span
from cutaway.chat.reply import CallBlock, Reply
from cutaway.chat.template.error import TemplateError

from .cases import TOOLS, Case, cases, quick_cases
from .probes import Render, assistant
from .split import common_prefix, common_suffix
from .turn import Said, SaidCall
from .verification import Outcome, Verification, VerifyCase

USER = Message("user", "When does the next train leave?")
LATER = Message("user", "Thank you.")


class Read(Protocol):
    """Reads a whole output that follows a generation prompt."""

    def __call__(self, format: Format, text: str, *, generation_prompt: str, tools: Sequence[Tool]) -> Reply: ...


def verify(
    render: Render, read: Read, format: Format, *, bos: str = "", eos: str = "", quick: bool = False
) -> Verification:
    """Every case, each with its outcome. `quick`: only those that tell two formats apart.

    Total: what a template raises becomes an outcome.
    """
    checker = _Checker(render, read, format, bos, eos)
    results = [checker.check(case) for case in (quick_cases() if quick else cases(_closers(format)))]
    return Verification(tuple(results), checker.append_only())


def verify_case(render: Render, read: Read, format: Format, case: Case, *, bos: str = "", eos: str = "") -> VerifyCase:
    """One case. Total."""
    return _Checker(render, read, format, bos, eos).check(case)


def _closers(format: Format) -> tuple[str, ...]:
    """The markers that end something, as text that a value may hold."""
    found = [format.reasoning.close.text] if format.reasoning else []
    if format.calls:
        calls = format.calls
        found += [calls.call_close.text, calls.section_close.text]
        if isinstance(calls.body, TaggedCall):
            found += [calls.body.value_suffix.strip(), calls.body.close.strip()]
    return tuple(dict.fromkeys(filter(None, found)))


@dataclass(frozen=True, slots=True)
class _Turn:
    """An assistant turn in history, and what a model would have written of it."""

    history: str
    generation_prompt: str
    output: str
    inputs: frozenset[str]
    """The texts that the template took over from the message."""
    thinking: bool
    breaks: bool
    """The turn does not begin as the prompt ends."""
    detail: str = ""


class _Checker:
    def __init__(self, render: Render, read: Read, format: Format, bos: str, eos: str) -> None:
        self._render = render
        self._read = read
        self._format = format
        self._bos, self._eos = bos, eos
        self._prompts: dict[bool, tuple[str, int]] = {}

    # -- one case ------------------------------------------------------------------------------------

    def check(self, case: Case) -> VerifyCase:
        try:
            turn = self._turn(case)
        except (TemplateError, RequestError) as error:
            refused = isinstance(error, RequestError) or error.kind in ("raised", "undefined", "runtime")
            return VerifyCase(case.name, "not applicable" if refused else "error", f"The template fails: {error}")
        if case.said.calls and not _mentions(turn, case.said.calls[0].name):
            return VerifyCase(case.name, "template drops data", "The template writes nothing of a tool call.")
        if case.said.calls and self._format.calls is None:
            why = self._format.notes[0] if self._format.notes else "The format has no tool calls."
            return VerifyCase(case.name, "not applicable", f"{why} Tools are off.")
        outcome, detail = self._compared(case, turn)
        if turn.breaks:
            read_back = "It is read back all the same." if outcome != "parsed wrongly" else detail
            return VerifyCase(case.name, "prefix break", f"{turn.detail} {read_back}")
        return VerifyCase(case.name, outcome, detail)

    def _compared(self, case: Case, turn: _Turn) -> tuple[Outcome, str]:
        reply = self._read(self._format, turn.output, generation_prompt=turn.generation_prompt, tools=TOOLS)
        kept, lost = _kept(case.said, turn)
        wrong = _difference(kept, reply, self._format)
        parsed = _said(reply, kept)
        if not wrong:
            again = self._history(parsed, turn.thinking)
            if again != turn.history and not lost:
                return "parsed wrongly", "What was read back renders to another text."
            return ("template drops data", lost) if lost else ("ok", "")
        same = self._history(parsed, turn.thinking) == turn.history
        if same and lost and len(parsed.calls) == len(kept.calls):
            return "template drops data", f"The template changes the message: {wrong}"
        if same and _alike(kept, parsed):
            return "template drops data", f"The template writes two different messages alike: {wrong}"
        blurred = _blurred(case.said, self._format, turn)
        if blurred:
            return "template drops data", blurred
        return "parsed wrongly", wrong

    # -- renders -------------------------------------------------------------------------------------

    def _turn(self, case: Case) -> _Turn:
        """The turn after the prompt of the same thinking state; of the other where only that one fits."""
        states = [case.thinking] if case.said.reasoning or not case.thinking else [True, False]
        broken = None
        for thinking in states:
            spans = self._spans([USER, assistant(case.said)], thinking)
            text = _text(spans)
            prompt, start = self._prompt(thinking)
            if text.startswith(prompt):
                return self._cut(spans, len(prompt), prompt[start:], thinking, breaks=False)
            broken = broken or (spans, text, prompt, start, thinking)
        assert broken is not None  # there is at least one state
        spans, text, prompt, start, thinking = broken
        shared = len(common_prefix((text, prompt)))
        seen = self._cut(spans, shared, prompt[min(start, shared) : shared], thinking, breaks=True)
        after = prompt[shared : shared + 40]
        return replace(seen, detail=f"In history the turn goes on with {text[shared : shared + 40]!r}, not {after!r}.")

    def _cut(self, spans: Sequence[Span], start: int, generation_prompt: str, thinking: bool, *, breaks: bool) -> _Turn:
        text = _text(spans)
        at = last = 0
        inputs = set()
        for span in spans:
            at += len(span.text)
            if span.is_input and at > start:
                inputs.add(span.text)
                last = at
        last = max(last, start)
        end = self._end(text, last)
        return _Turn(text, generation_prompt, text[start:end], frozenset(inputs), thinking, breaks)

    def _end(self, text: str, last: int) -> int:
        """Where the model would stop: behind the first end that follows the turn's last own character."""
        ends = [text.find(end, last) + len(end) for end in self._format.ends if text.find(end, last) >= 0]
        if ends:
            return min(ends)
        end = len(text) - len(common_suffix((text[last:], _text(self._spans([USER], True)))))
        return end if text[last:end].strip() else last

    def _prompt(self, thinking: bool) -> tuple[str, int]:
        if thinking not in self._prompts:
            spans = self._spans([USER], thinking, prompt=True)
            start = generation_start(spans, self._spans([USER], thinking))
            self._prompts[thinking] = _text(spans), start
        return self._prompts[thinking]

    def _history(self, said: Said, thinking: bool) -> str:
        try:
            return _text(self._spans([USER, assistant(said)], thinking))
        except (TemplateError, RequestError):
            return ""

    def _spans(self, messages: Sequence[Message], thinking: bool, prompt: bool = False) -> Sequence[Span]:
        request = Request(messages=tuple(messages), tools=TOOLS, add_generation_prompt=prompt, enable_thinking=thinking)
        return self._render(request, bos=self._bos, eos=self._eos)

    # -- the conversation as a whole -------------------------------------------------------------------

    def append_only(self) -> bool:
        """Whether the prompt, the turn and the next user's words each go on where the last ended."""
        for case in cases(()):
            if case.name not in ("content", "reasoning and content", "one call"):
                continue
            try:
                turn = self._turn(case)
                spans = self._spans([USER, assistant(case.said), *_answers(case.said), LATER], case.thinking)
            except (TemplateError, RequestError):
                continue
            end = turn.history.find(turn.output) + len(turn.output.rstrip()) if turn.output else len(turn.history)
            if turn.breaks or not _text(spans).startswith(turn.history[:end]):
                return False
        return True


def _answers(said: Said) -> list[Message]:
    return [Message("tool", "7:15", tool_call_id=call.id, name=call.name) for call in said.calls]


def _text(spans: Sequence[Span]) -> str:
    return "".join(span.text for span in spans)


# -- Comparing ---------------------------------------------------------------------------------------------


def _mentions(turn: _Turn, text: str) -> bool:
    return text.strip() in turn.output


def _kept(said: Said, turn: _Turn) -> tuple[Said, str]:
    """What of the message the template wrote at all, and a sentence about the rest."""
    lost: list[str] = []
    kept = said
    if said.content and not _mentions(turn, said.content):
        kept, lost = replace(kept, content=""), [*lost, "the content"]
    if said.reasoning and not _mentions(turn, said.reasoning):
        kept, lost = replace(kept, reasoning=""), [*lost, "the reasoning"]
    written = 0
    while written < len(said.calls) and turn.output.count(said.calls[written].name) >= _times(said, written):
        written += 1
    if written < len(said.calls):
        kept, lost = replace(kept, calls=said.calls[:written]), [*lost, f"all calls after the first {written}"]
    return kept, f"The template leaves out {' and '.join(lost)}." if lost else ""


def _times(said: Said, index: int) -> int:
    return sum(call.name == said.calls[index].name for call in said.calls[: index + 1])


def _difference(said: Said, reply: Reply, format: Format) -> str:
    """How what was read differs from what was said; empty when it doesn't. Blanks at the ends of texts count."""
    if reply.reasoning_content != said.reasoning:
        return f"The reasoning was read as {_short(reply.reasoning_content)}."
    if reply.content != said.content:
        return f"The content was read as {_short(reply.content)}."
    calls = reply.calls
    if len(calls) != len(said.calls):
        return f"{len(calls)} calls were read, not {len(said.calls)}."
    for wanted, got in zip(said.calls, calls, strict=True):
        wrong = _call_difference(wanted, got, format)
        if wrong:
            return wrong
    return ""


def _call_difference(wanted: SaidCall, got: CallBlock, format: Format) -> str:
    if got.name != wanted.name:
        return f"The name was read as {_short(got.name)}."
    if not _same(_loaded(got.arguments), json.loads(wanted.arguments)):
        return f"The arguments were read as {_short(got.arguments)}."
    id = format.calls.id if format.calls else NO_ID
    if id.place != "nowhere" and id.kind in ("model", "nine") and got.id != wanted.id:
        return f"The id was read as {_short(got.id)}."
    return ""


def _same(one: object, other: object) -> bool:
    """Equal as JSON: true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _said(reply: Reply, said: Said) -> Said:
    """The reply as a message, with the ids of the message that it should be."""
    ids = [call.id for call in said.calls]
    calls = tuple(
        SaidCall(call.name, call.arguments, ids[index] if index < len(ids) else call.id)
        for index, call in enumerate(reply.calls)
    )
    return Said(reply.content, reply.reasoning_content, calls)


def _alike(said: Said, parsed: Said) -> bool:
    """Whether two messages are so alike that the template may be the one that blurs them.

    The same number of calls, arguments of the declared types (a reader that knows the tools has no excuse
    otherwise), and no blanks taken for text. The answer may have become reasoning as a whole.
    """
    if len(said.calls) != len(parsed.calls) or not _fits(parsed):
        return False
    texts = ((said.content, parsed.content), (said.reasoning, parsed.reasoning))
    if (said.content, said.reasoning) == (parsed.reasoning, parsed.content):
        return True
    return all(one == other or one != one.strip() for one, other in texts)


def _fits(said: Said) -> bool:
    """Whether the arguments are of the declared types."""
    declared = {tool.name: tool.parameters["properties"] for tool in TOOLS}
    for call in said.calls:
        arguments = _loaded(call.arguments)
        properties = declared.get(call.name)
        if not isinstance(arguments, dict) or properties is None or not set(arguments) <= set(properties):
            return False
        if not all(_is_of(value, properties[key]) for key, value in arguments.items()):
            return False
    return True


_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def _is_of(value: object, schema: Mapping[str, Any]) -> bool:
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, _TYPES[name]) for name in names if name != "boolean")


def _blurred(said: Said, format: Format, turn: _Turn) -> str:
    """How the template itself makes the message unreadable; empty where it does not."""
    return (
        _as_reasoning(said, format, turn)
        or _unmarked(said, format, turn)
        or _unclosed(said, format, turn)
        or _verbatim_marker(said, format, turn)
        or _unescaped(said, format, turn)
    )


def _as_reasoning(said: Said, format: Format, turn: _Turn) -> str:
    if not said.content:
        return ""
    before, found, _ = turn.output.partition(said.content)
    if found and format.thinking_start and before.rstrip().endswith(format.thinking_start):
        return "The template writes the answer where reasoning stands."
    return ""


def _unmarked(said: Said, format: Format, turn: _Turn) -> str:
    if not (said.reasoning and said.content):
        return ""
    _, found, after = turn.output.partition(said.reasoning)
    if found and not after.partition(said.content)[0].strip():
        return "The template writes reasoning and answer without a marker between them."
    return ""


def _unclosed(said: Said, format: Format, turn: _Turn) -> str:
    if format.reasoning is None or not said.content:
        return ""
    opened = turn.generation_prompt.rfind(format.reasoning.open.text)
    closed = turn.generation_prompt.rfind(format.reasoning.close.text)
    if opened > closed and format.reasoning.close.text not in turn.output:
        return "The template writes the answer inside an open reasoning block."
    return ""


def _verbatim_marker(said: Said, format: Format, turn: _Turn) -> str:
    """A marker that the message itself holds and the template took over unchanged: text that only ids tell apart."""
    texts = [said.content, said.reasoning, *(call.arguments for call in said.calls)]
    for marker in _closers(format):
        if any(marker in text for text in texts) and any(marker in text for text in turn.inputs):
            return f"The template writes {marker!r} in a value as it writes its own marker."
    return ""


def _unescaped(said: Said, format: Format, turn: _Turn) -> str:
    """A string between quotes that holds a quote, a backslash or a line end, taken over as it is."""
    if format.calls is None or not isinstance(format.calls.body, PythonCall):
        return ""
    for call in said.calls:
        for value in json.loads(call.arguments).values():
            if isinstance(value, str) and set(value) & set("'\"\\\n") and value in turn.output:
                return "The template writes a string between quotes without escaping what is in it."
    return ""
