"""Renders the conversations that the analysis compares, each once, and keeps what failed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cutaway.chat.message import Message, Request, Tool, ToolCall
from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Span
from cutaway.chat.template.error import TemplateError

from .evidence import Probe
from .split import split
from .turn import Said, SaidCall, Turn, turn_after
from .values import ProbeValues


class Render(Protocol):
    """Renders a request with one template. Raises `TemplateError` or `RequestError`."""

    def __call__(self, request: Request, *, bos: str, eos: str) -> Sequence[Span]: ...


@dataclass(slots=True)
class Prober:
    render: Render
    values: ProbeValues
    probes: list[Probe] = field(default_factory=list)
    _turns: dict[tuple[Said, bool, bool], Turn | None] = field(default_factory=dict)
    _refusals: dict[Said, str] = field(default_factory=dict)
    _last_refusal: str = ""
    limit: str = ""
    """The limit that a rendering ran into: from then on nothing more is rendered."""

    # -- values ------------------------------------------------------------------------------------

    @property
    def tools(self) -> tuple[Tool, ...]:
        keys = self.values.keys[::-1] if self.values.reversed_schema else self.values.keys
        return tuple(_tool(name, keys) for name in self.values.names)

    def call(self, index: int, arguments: int | None = None) -> SaidCall:
        """Call number `index`, with that many string arguments."""
        values = self.values
        count = values.arguments if arguments is None else arguments
        given = dict(zip(values.keys[:count], values.strings[:count], strict=True))
        return SaidCall(values.names[index], json.dumps(given), values.ids[index])

    # -- renders -----------------------------------------------------------------------------------

    def turn(self, said: Said, *, thinking: bool = True, tools: bool = True) -> Turn | None:
        """The turn in which the assistant says this; None where the template refuses or loses it."""
        key = (said, thinking, tools)
        if key not in self._turns:
            spans = self._spans([self.user, assistant(said)], thinking=thinking, tools=tools)
            if spans is None:
                self._refusals[said] = self._last_refusal
            self._turns[key] = None if spans is None else turn_after(spans, self.values.user, said)
        return self._turns[key]

    def refusal(self, said: Said) -> str:
        """Why the template would not render a turn that was asked for; empty where it did."""
        return self._refusals.get(said, "")

    def old_turn(self, said: Said, *, thinking: bool = True, tools: bool = False) -> Turn | None:
        """The same, followed by another exchange: the turn's text runs on to the conversation's end."""
        values = self.values
        later = [Message("user", values.next_user), Message("assistant", values.next_content)]
        spans = self._spans([self.user, assistant(said), *later], thinking=thinking, tools=tools)
        return None if spans is None else turn_after(spans, values.user, said)

    def answered_turn(self, said: Said) -> Turn | None:
        """The same, followed by the first call's result."""
        call = said.calls[0]
        result = Message("tool", self.values.result, tool_call_id=call.id, name=call.name)
        spans = self._spans([self.user, assistant(said), result], thinking=True, tools=True)
        return None if spans is None else turn_after(spans, self.values.user, said)

    def generation(self, *, thinking: bool, prompt: bool = True, tools: bool = True) -> str | None:
        """What stands after the user's words when it is the assistant's turn to speak."""
        spans = self._spans([self.user], thinking=thinking, tools=tools, prompt=prompt)
        found = None if spans is None else turn_after(spans, self.values.user, Said())
        return None if found is None else found.text

    def opening(self) -> str | None:
        """What stands before the user's first words, without tools."""
        spans = self._spans([self.user], thinking=True, tools=False)
        text = "" if spans is None else "".join(span.text for span in spans)
        at = text.find(self.values.user)
        return text[:at] if at >= 0 else None

    @property
    def user(self) -> Message:
        return Message("user", self.values.user)

    def _spans(
        self, messages: Sequence[Message], *, thinking: bool, tools: bool, prompt: bool = False
    ) -> Sequence[Span] | None:
        request = Request(
            messages=tuple(messages),
            tools=self.tools if tools else (),
            add_generation_prompt=prompt,
            enable_thinking=thinking,
        )
        if self.limit:
            return None
        try:
            return self.render(request, bos=self.values.bos, eos=self.values.eos)
        except (TemplateError, RequestError) as error:
            self._last_refusal = str(error)
            if isinstance(error, TemplateError) and error.kind == "limit":
                self.limit = str(error)
            return None

    # -- evidence ----------------------------------------------------------------------------------

    def conclude(self, name: str, question: str, left: str | None, right: str | None, conclusion: str) -> None:
        """Keeps the two renders of one question, how they split, and what follows from it."""
        prefix, left_diff, right_diff, suffix = split(left or "", right or "")
        self.probes.append(
            Probe(name, question, left or "", right or "", prefix, left_diff, right_diff, suffix, conclusion)
        )


def assistant(said: Said) -> Message:
    calls = tuple(ToolCall(call.name, call.arguments, call.id) for call in said.calls)
    return Message("assistant", said.content or (None if calls else ""), said.reasoning or None, calls)


def _tool(name: str, keys: Sequence[str]) -> Tool:
    properties = {key: {"type": "string", "description": "A value."} for key in keys}
    parameters = {"type": "object", "properties": properties, "required": list(keys[:1])}
    function = {"name": name, "description": f"Does {name}.", "parameters": parameters}
    return Tool(name, f"Does {name}.", parameters, {"type": "function", "function": function})
