"""Checks a format by a round trip: known messages rendered with the template, read back, rendered again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from cutaway.chat.formats.format import Format
from cutaway.chat.generation import generation_start
from cutaway.chat.message import Message, Request, Tool
from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Span
from cutaway.chat.reply import Reply
from cutaway.chat.template.error import TemplateError

from .cases import TOOLS, Case, cases, quick_cases
from .compare import WrittenTurn, alike, blurred, closers, difference, kept, mentions, said_in
from .probes import Render, assistant
from .split import common_prefix, common_suffix
from .turn import Said
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
    results = [checker.check(case) for case in (quick_cases() if quick else cases(closers(format)))]
    return Verification(tuple(results), checker.append_only())


def verify_case(render: Render, read: Read, format: Format, case: Case, *, bos: str = "", eos: str = "") -> VerifyCase:
    """One case. Total."""
    return _Checker(render, read, format, bos, eos).check(case)


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
        if case.said.calls and not mentions(turn, case.said.calls[0].name):
            return VerifyCase(case.name, "template drops data", "The template writes nothing of a tool call.")
        if case.said.calls and self._format.calls is None:
            why = self._format.notes[0] if self._format.notes else "The format has no tool calls."
            return VerifyCase(case.name, "not applicable", f"{why} Tools are off.")
        outcome, detail = self._compared(case, turn)
        if turn.breaks:
            read_back = "It is read back all the same." if outcome != "parsed wrongly" else detail
            return VerifyCase(case.name, "prefix break", f"{turn.detail} {read_back}")
        return VerifyCase(case.name, outcome, detail)

    def _compared(self, case: Case, turn: WrittenTurn) -> tuple[Outcome, str]:
        reply = self._read(self._format, turn.output, generation_prompt=turn.generation_prompt, tools=TOOLS)
        wanted, lost = kept(case.said, turn)
        wrong = difference(wanted, reply, self._format)
        parsed = said_in(reply, wanted)
        if not wrong:
            again = self._history(parsed, turn.thinking)
            if again != turn.history and not lost:
                return "parsed wrongly", "What was read back renders to another text."
            return ("template drops data", lost) if lost else ("ok", "")
        same = self._history(parsed, turn.thinking) == turn.history
        if same and lost and len(parsed.calls) == len(wanted.calls):
            return "template drops data", f"The template changes the message: {wrong}"
        if same and alike(wanted, parsed):
            return "template drops data", f"The template writes two different messages alike: {wrong}"
        own_doing = blurred(case.said, self._format, turn)
        if own_doing:
            return "template drops data", own_doing
        return "parsed wrongly", wrong

    # -- renders -------------------------------------------------------------------------------------

    def _turn(self, case: Case) -> WrittenTurn:
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

    def _cut(
        self, spans: Sequence[Span], start: int, generation_prompt: str, thinking: bool, *, breaks: bool
    ) -> WrittenTurn:
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
        return WrittenTurn(text, generation_prompt, text[start:end], frozenset(inputs), thinking, breaks)

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
