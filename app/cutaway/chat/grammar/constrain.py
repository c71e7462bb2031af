"""What the sampler gets for a request: a grammar made from the format, when it wakes, what it must see.

A grammar begins right after the generation prompt, in the state that it leaves the reasoning in. Lazy ones wait for
a trigger; the engine keeps them from looking while reasoning is open.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, Messages, NamedCall, PythonCall
from cutaway.chat.grammar import gbnf
from cutaway.chat.grammar.bodies import CallWriter
from cutaway.chat.grammar.expression import (
    EMPTY,
    Expression,
    Grammar,
    Rules,
    chars,
    choice,
    optional,
    repeat,
    sequence,
)
from cutaway.chat.grammar.finite import SchemaError, prune
from cutaway.chat.grammar.schema import Coverage, SchemaReader
from cutaway.chat.grammar.until import without
from cutaway.chat.message import Request, Tool
from cutaway.chat.plain import RequestError

Start: TypeAlias = Literal["none", "open", "closed", "bare closer"]

MANY_TOOLS = 24
"""With more tools than this, arguments are written in the schema's order: any order would multiply the rules."""

TriggerType: TypeAlias = Literal["word", "pattern", "pattern_full", "token"]


class ConstraintError(RequestError):
    """What was asked for cannot be enforced. The message says what and why; nothing is left unenforced in silence."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(field, message)


@dataclass(frozen=True, slots=True)
class Constraint:
    grammar: Grammar
    text: str
    """The grammar in GBNF."""
    lazy: bool = False
    triggers: tuple[tuple[TriggerType, str], ...] = ()
    preserved: tuple[str, ...] = ()
    """Texts that must reach the grammar as one token where they are one."""
    coverage: Mapping[str, tuple[Coverage, ...]] = field(default_factory=dict)
    """By tool name, and `response_format`: what became of each keyword of its schema."""


def constrain(
    request: Request, format: Format, start: Start = "none", end_tokens: Collection[str] = ()
) -> Constraint | None:
    """The constraint that a request asks for; None when it asks for none. Raises ConstraintError.

    `end_tokens` are the texts of the vocabulary's tokens that end a generation by themselves. A finished grammar
    allows them anyway; written out, a model could spell one in ordinary tokens, and it would be read as text.
    """
    tools = _wanted_tools(request)
    schema = _response_schema(request)
    if request.grammar:
        return _own_grammar(request, tools, schema)
    if not tools and schema is None:
        return None
    if tools and format.calls is None:
        if request.tool_choice.mode == "auto" and schema is None:
            return None
        if request.tool_choice.mode != "auto":
            raise ConstraintError(
                "A tool call was demanded, but how this template writes calls is not known. "
                "Choose a format by name, a simpler template, or tool choice none."
            )
        tools = ()
    writer = _Writer(request, format, start, tools, end_tokens)
    try:
        return writer.constraint(schema)
    except SchemaError as error:
        raise ConstraintError(str(error)) from None


def preserved(format: Format) -> tuple[str, ...]:
    """Every marker of the format: as tokens they must be shown as text, and input must not spell them."""
    found: list[str] = []
    if format.reasoning:
        found += [format.reasoning.open.text, format.reasoning.close.text]
    for wrapper in format.content:
        found += [wrapper.open.text, wrapper.close.text]
    if format.calls:
        calls = format.calls
        found += [m.text for m in (calls.section_open, calls.call_open, calls.call_close, calls.section_close)]
    if format.messages:
        found += [format.messages.start, format.messages.body, format.messages.channel, format.messages.constrain]
        found += list(format.messages.ends)
    return tuple(dict.fromkeys(text.strip() for text in found if text.strip()))


def _wanted_tools(request: Request) -> tuple[Tool, ...]:
    choice_ = request.tool_choice
    if choice_.mode == "none":
        return ()
    if choice_.mode == "named":
        found = tuple(tool for tool in request.tools if tool.name == choice_.name)
        if not found:
            raise ConstraintError(f"The tool choice names {choice_.name!r}, which is not among the tools.")
        return found
    if choice_.mode == "required" and not request.tools:
        raise ConstraintError("A tool call was demanded, but no tools were given.")
    return request.tools


def _response_schema(request: Request) -> Any:
    """The schema of the response format; None when it asks for plain text."""
    wanted = request.response_format
    if not wanted or wanted.get("type") in (None, "text"):
        return None
    if wanted["type"] == "json_object":
        return wanted.get("schema") or {"type": "object"}
    if wanted["type"] == "json_schema":
        inner = wanted.get("json_schema")
        schema = inner.get("schema") if isinstance(inner, Mapping) else None
        schema = wanted.get("schema") if schema is None else schema
        if schema is None:
            raise ConstraintError("The response format is json_schema, but it holds no json_schema.schema.")
        return schema
    raise ConstraintError(f"The response format {wanted['type']!r} is none of text, json_object and json_schema.")


def _own_grammar(request: Request, tools: Sequence[Tool], schema: Any) -> Constraint:
    if tools:
        raise ConstraintError("A grammar and tools cannot be enforced together: set the tool choice to none.")
    if schema is not None:
        raise ConstraintError("A grammar and a response format cannot be enforced together: give one of them.")
    assert request.grammar is not None
    try:
        return Constraint(gbnf.read(request.grammar), request.grammar)
    except gbnf.GrammarError as error:
        raise ConstraintError(str(error)) from None


class _Writer:
    def __init__(
        self, request: Request, format: Format, start: Start, tools: tuple[Tool, ...], end_tokens: Collection[str]
    ) -> None:
        self.request = request
        self.format = format
        self.start = start
        self.tools = tools
        self.end_tokens = frozenset(end_tokens)
        self.rules = Rules()
        self.coverage: dict[str, tuple[Coverage, ...]] = {}
        self.gap = self.rules.add("gap", repeat(chars(" ", "\t", "\n"), 0, 8))

    def constraint(self, schema: Any) -> Constraint:
        lazy = schema is None and self.request.tool_choice.mode == "auto"
        calls = self.calls() if self.tools else None
        if lazy:
            assert calls is not None
            triggers = triggers_of(self.format, [tool.name for tool in self.tools])
            return self._finished(sequence(calls, self.end()), lazy=True, triggers=triggers)
        answer = self.answer(schema) if schema is not None else None
        if self.format.messages:
            return self._finished(self.turn(self.format.messages, calls, answer))
        body = calls
        if answer is not None:
            wanted = calls is not None and self.request.tool_choice.mode == "auto"
            body = choice(calls, answer) if wanted and calls is not None else (calls if calls is not None else answer)
        assert body is not None
        # A demanded call comes first: were text allowed before it, a small model would talk to its last token.
        return self._finished(sequence(self.reasoning(), body, self.end()))

    def _finished(
        self, root: Expression, *, lazy: bool = False, triggers: tuple[tuple[TriggerType, str], ...] = ()
    ) -> Constraint:
        everything = self.rules.grammar(root).rules
        rules = prune({name: rule for name, rule in everything.items() if name != "root"}, root, "What was asked for")
        grammar = Grammar(rules)
        return Constraint(grammar, gbnf.write(grammar), lazy, triggers, preserved(self.format), self.coverage)

    # -- the parts of a turn ---------------------------------------------------------------------

    def reasoning(self) -> Expression:
        """What is left of the reasoning after the generation prompt, and the gap behind it."""
        given = self.format.reasoning
        if given is None or self.start in ("closed", "bare closer") or not given.close:
            return self.gap
        closers = [given.close.text, *given.other_closes]
        opener = self._opener()
        text = without(self.rules, [*closers, *([opener] if opener else [])], hint="thought")
        closed = sequence(text, choice(*closers), self.gap)
        if self.start == "open" or given.forced:
            return closed
        opened = [given.open.text] if given.open else []
        return sequence(self.gap, optional(choice(*opened), closed) if opened else EMPTY)

    def answer(self, schema: Any) -> Expression:
        reader = SchemaReader(schema, self.rules, hint="answer")
        value = reader.value(schema)
        self.coverage["response_format"] = tuple(reader.coverage.values())
        if self.format.content:
            wrapper = self.format.content[0]
            return sequence(optional(wrapper.open.text, self.gap), value, optional(self.gap, wrapper.close.text))
        return value

    def end(self) -> Expression:
        """The end of the turn, where the template writes it as text."""
        return sequence(self.gap, self._last(self.format.ends))

    def _last(self, ends: Sequence[str]) -> Expression:
        spelled = [text for text in ends if text and text.strip() not in self.end_tokens]
        return optional(choice(*spelled)) if spelled else EMPTY

    def calls(self) -> Expression:
        calls = self.format.calls
        assert calls is not None
        headed = self.format.messages is not None and isinstance(calls.body, NamedCall)
        writer = CallWriter(self.rules, calls, any_order=len(self.tools) <= MANY_TOOLS, named_in_header=headed)
        bodies = [self._wrapped(calls, tool, writer.body(tool, index)) for index, tool in enumerate(self.tools)]
        self.coverage.update({name: tuple(reader.coverage.values()) for name, reader in writer.readers.items()})
        one = self.rules.add("call", choice(*bodies))
        return self._section(calls, one)

    def _wrapped(self, calls: Calls, tool: Tool, body: Expression) -> Expression:
        if self.format.messages:
            return self._message(self.format.messages, tool, body)
        return sequence(_opened(calls.call_open, self.gap), body, _closed(calls.call_close, self.gap))

    def _section(self, calls: Calls, one: Expression) -> Expression:
        single = not (self.request.parallel_tool_calls and calls.parallel)
        between = calls.separator.strip()
        if self.format.messages:
            more = sequence(self._next_message(self.format.messages), one)
            return one if single else sequence(one, repeat(more))
        further = sequence(self.gap, between, self.gap, one) if between else sequence(self.gap, one)
        several = one if single else sequence(one, repeat(further))
        if isinstance(calls.body, PythonCall):
            several = sequence(calls.body.list_open, several, calls.body.list_close)
        elif calls.array:
            several = sequence("[", self.gap, several, self.gap, "]")
        return sequence(_opened(calls.section_open, self.gap), several, _closed(calls.section_close, self.gap))

    # -- formats of messages -----------------------------------------------------------------------

    def turn(self, messages: Messages, calls: Expression | None, answer: Expression | None) -> Expression:
        """Reasoning messages, then the calls or the answer."""
        thoughts = [
            self._headed(messages, name, self._text(messages), messages.reasoning_end) for name in messages.reasoning
        ]
        before: Expression = EMPTY
        if thoughts and self.start in ("none", "open"):
            following = self._next_message(messages)
            if self.start == "open":
                inside = sequence(self._text(messages), messages.reasoning_end, following)
                before = sequence(inside, repeat(sequence(choice(*thoughts), following)))
            else:
                before = repeat(sequence(choice(*thoughts), following))
        options = [calls] if calls is not None else []
        if answer is not None and (calls is None or self.request.tool_choice.mode == "auto"):
            options.append(self._headed(messages, messages.content[0], answer, ""))
        return sequence(before, choice(*options), self._last(messages.ends))

    def _text(self, messages: Messages) -> Expression:
        return without(self.rules, [*messages.ends, messages.start], hint="thought")

    def _headed(self, messages: Messages, name: str, body: Expression, end: str) -> Expression:
        if messages.header == "channel":
            return sequence(messages.channel, name, messages.body, body, end)
        if messages.header == "recipient":
            return sequence(f" to={name}", messages.body, body, end)
        return sequence(name, messages.body, body, end)

    def _next_message(self, messages: Messages) -> Expression:
        return sequence(optional(choice(*messages.ends)), messages.start)

    def _message(self, messages: Messages, tool: Tool, body: Expression) -> Expression:
        calls = self.format.calls
        assert calls is not None
        inner = sequence(
            _opened(calls.section_open, self.gap),
            _opened(calls.call_open, self.gap),
            body,
            _closed(calls.call_close, self.gap),
            _closed(calls.section_close, self.gap),
        )
        name = messages.tool_prefix + tool.name
        if messages.header == "channel":
            kind = optional(" ", optional(messages.constrain), "json") if messages.constrain else optional(" json")
            channel = sequence(messages.channel, messages.call)
            first = sequence(f" to={name}", channel, kind, messages.body, inner)
            second = sequence(channel, f" to={name}", kind, messages.body, inner)
            return choice(first, second)
        if messages.header == "recipient":
            return sequence(f" to={name}", messages.body, inner)
        return sequence(name, messages.body, inner)

    def _opener(self) -> str:
        return opener_of(self.format) if self.tools else ""


def opener_of(format: Format) -> str:
    """The marker that begins a turn's calls; empty where only their own syntax does."""
    calls = format.calls
    if calls is None:
        return ""
    return calls.section_open.text or calls.call_open.text


def triggers_of(format: Format, names: Sequence[str]) -> tuple[tuple[TriggerType, str], ...]:
    """What wakes a lazy grammar: the opener, or where there is none the head of a call at the start of the answer."""
    if format.messages:
        return (("pattern", _message_pattern(format.messages, names)),)
    opener = opener_of(format)
    if opener:
        return (("word", opener),)
    assert format.calls is not None
    known = "|".join(re.escape(name) for name in names)
    match format.calls.body:
        case JsonCall() as body if not body.name_is_key:
            keys = [key for key, _ in body.constants] + [body.wrapper_key or body.name_key]
            head = r"\{\s*\"(?:" + "|".join(map(re.escape, keys)) + r")\"\s*:"
        case JsonCall():
            head = r"\{\s*\"(?:" + known + r")\"\s*:"
        case PythonCall() as body:
            head = re.escape(body.list_open) + r"(?:" + known + r")\("
        case NamedCall() as body:
            head = re.escape(body.name_prefix) + r"(?:" + known + r")" + re.escape(body.name_suffix)
        case body:
            head = re.escape(getattr(body, "name_prefix", "")) + r"(?:" + known + r")"
    bracket = r"\[\s*" if format.calls.array else ""
    return (("pattern", r"^\s*(" + bracket + head + r")"),)


def _message_pattern(messages: Messages, names: Sequence[str]) -> str:
    begin = r"(?:^|" + re.escape(messages.start) + r")"
    if messages.header == "channel":
        channel = re.escape(messages.channel) + r"(?:" + re.escape(messages.call) + r")"
        return begin + r"((?:" + channel + r")? to=" + re.escape(messages.tool_prefix) + r")"
    known = "|".join(re.escape(messages.tool_prefix + name) for name in names)
    if messages.header == "recipient":
        return begin + r"( to=(?:" + known + r")" + re.escape(messages.body) + r")"
    return begin + r"((?:" + known + r")" + re.escape(messages.body) + r")"


def _opened(marker: Marker, gap: Expression) -> Expression:
    return sequence(marker.text, gap) if marker else EMPTY


def _closed(marker: Marker, gap: Expression) -> Expression:
    return sequence(gap, marker.text) if marker else EMPTY
