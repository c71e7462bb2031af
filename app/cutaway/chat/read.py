"""Reads an OpenAI-style chat completion request into values, and names the field of whatever is wrong with it.

Only what no template could make sense of is an error. Shapes that clients really send (null content, arguments given
as an object, `reasoning` or `thinking` for `reasoning_content`) are read; what that changed is in `Request.warnings`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from cutaway.chat.message import Content, Message, Part, Request, Tool, ToolCall, ToolChoice
from cutaway.chat.plain import Plainly, RequestError, kind_of
from cutaway.chat.prompt import Warning

__all__ = ["RequestError", "read_request"]

REASONING_KEYS = ("reasoning_content", "reasoning", "thinking")
"""The names that clients use for a message's reasoning; the first one given as a string counts."""

TEXT_PARTS = frozenset({"input_text", "output_text"})
"""What another API of the same maker calls parts that are text."""

EMPTY_PARAMETERS = {"type": "object", "properties": {}}


def read_request(body: object) -> Request:
    """The request in `body`, an object as `json.loads` gives it. Keys that no prompt depends on are ignored.

    Raises `RequestError`.
    """
    if not isinstance(body, Mapping):
        raise RequestError("", f"A request is an object, not {kind_of(body)}.")
    return _Reader().request(body)


class _Reader:
    def __init__(self) -> None:
        self.warnings: list[Warning] = []
        self.plainly = Plainly(self._surrogate)

    def _surrogate(self, path: str) -> None:
        self._warn("unpaired-surrogate", f"{path} held half of a character; it is shown as U+FFFD.", path)

    def _warn(self, code: str, message: str, field: str) -> None:
        self.warnings.append(Warning(code, message, field))

    # -- The request ------------------------------------------------------------------------------------------

    def request(self, body: Mapping[str, Any]) -> Request:
        messages = tuple(
            self.message(one, f"messages[{i}]") for i, one in enumerate(_list(body, "messages", "messages"))
        )
        body = self.newer(body)
        tools = tuple(self.tool(one, f"tools[{i}]") for i, one in enumerate(_list(body, "tools", "tools")))
        _no_tool_twice(tools)
        choice = _tool_choice(body.get("tool_choice"), tools)
        response_format = self.response_format(body.get("response_format"))
        return Request(
            messages=messages,
            tools=tools,
            tool_choice=choice,
            parallel_tool_calls=_flag(body, "parallel_tool_calls", True),
            response_format=response_format,
            grammar=self.grammar(body.get("grammar"), tools, choice, response_format),
            kwargs=self.kwargs(body),
            add_generation_prompt=_switch(body, "add_generation_prompt"),
            continue_final=_continuation(body.get("continue_final_message"), messages),
            enable_thinking=_switch(body, "enable_thinking"),
            thinking=self.thinking(body),
            reasoning_format=_reasoning_format(body.get("reasoning_format")),
            profile=_one_of(body, "profile", "tolerant", "strict"),
            control_tokens=_one_of(body, "control_tokens", "neutral", "compatible"),
            format=self.optional_text(body.get("format"), "format"),
            warnings=tuple(self.warnings),
        )

    def newer(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """`functions` and `function_call`, the API's older form, as `tools` and `tool_choice`, unless those are given."""
        functions = _list(body, "functions", "functions")
        if not functions:
            return body
        if body.get("tools"):
            self._warn(
                "functions-ignored", "functions is left out: tools says the same in the newer form.", "functions"
            )
            return body
        self._warn("functions-as-tools", "functions, the older form, was read as tools.", "functions")
        choice = body.get("function_call")
        if isinstance(choice, Mapping):
            choice = {"type": "function", "function": choice}
        tools = [{"type": "function", "function": function} for function in functions]
        return {**body, "tools": tools, "tool_choice": body.get("tool_choice") or choice}

    def optional_text(self, value: object, path: str) -> str | None:
        return None if value is None else self.plainly.text(_text(value, path), path)

    def kwargs(self, body: Mapping[str, Any]) -> dict[str, Any]:
        given = body.get("chat_template_kwargs")
        if given is None:
            return {}
        path = "chat_template_kwargs"
        if not isinstance(given, Mapping):
            raise RequestError(path, f"{path} must be an object, not {kind_of(given)}.")
        copied: dict[str, Any] = self.plainly.value(given, path)
        return copied

    def thinking(self, body: Mapping[str, Any]) -> str | None:
        """`thinking`, else OpenAI's `reasoning_effort`, where `none` means off."""
        asked = self.optional_text(body.get("thinking"), "thinking")
        if asked is not None:
            if not asked:
                raise RequestError("thinking", "thinking must be on, off, auto or an effort level, not empty.")
            return asked
        effort = self.optional_text(body.get("reasoning_effort"), "reasoning_effort")
        return "off" if effort == "none" else effort or None

    def grammar(
        self, value: object, tools: tuple[Tool, ...], choice: ToolChoice, response_format: Mapping[str, Any] | None
    ) -> str | None:
        text = self.optional_text(value, "grammar")
        if not text:
            return None
        if tools and choice.mode != "none":
            raise RequestError(
                "grammar", "A grammar can't be combined with tools: remove one, or set tool_choice to none."
            )
        if response_format and response_format.get("type") != "text":
            raise RequestError("grammar", "A grammar can't be combined with response_format: remove one of them.")
        return text

    def response_format(self, value: object) -> dict[str, Any] | None:
        path = "response_format"
        if value is None:
            return None
        copied: dict[str, Any] = self.plainly.value(_object(value, path), path)
        kind = _text(copied.get("type"), f"{path}.type")
        if kind == "json_schema":
            wrapper = _object(copied.get("json_schema"), f"{path}.json_schema")
            if not isinstance(wrapper.get("schema"), bool):
                _object(wrapper.get("schema"), f"{path}.json_schema.schema")
        elif kind not in ("text", "json_object"):
            raise RequestError(f"{path}.type", f"{path}.type is {kind!r}; it can be text, json_object or json_schema.")
        return copied

    # -- Messages ---------------------------------------------------------------------------------------------

    def message(self, value: object, path: str) -> Message:
        given = _object(value, path)
        calls = self.calls(given.get("tool_calls"), f"{path}.tool_calls")
        calls = self.older_call(given.get("function_call"), f"{path}.function_call", calls)
        reasoning_key, reasoning = self.reasoning(given, path)
        known = {"role", "content", "tool_calls", "function_call", "tool_call_id", "name", reasoning_key}
        return Message(
            role=self.plainly.text(_filled(given.get("role"), f"{path}.role"), f"{path}.role"),
            content=self.content(given, path, optional=bool(calls) or reasoning is not None),
            reasoning_content=reasoning,
            tool_calls=calls,
            tool_call_id=self.optional_text(given.get("tool_call_id"), f"{path}.tool_call_id"),
            name=self.optional_text(given.get("name"), f"{path}.name"),
            extra=self.rest(given, known, path),
            reasoning_key=reasoning_key,
            keys=tuple(given),
        )

    def rest(self, given: Mapping[str, Any], known: set[str], path: str) -> dict[str, Any]:
        kept = {key: value for key, value in given.items() if key not in known}
        copied: dict[str, Any] = self.plainly.value(kept, path) if kept else {}
        return copied

    def reasoning(self, given: Mapping[str, Any], path: str) -> tuple[str, str | None]:
        named = given.get("reasoning_content")
        if named is not None and not isinstance(named, str):
            raise RequestError(
                f"{path}.reasoning_content", f"{path}.reasoning_content must be a string, not {kind_of(named)}."
            )
        for key in REASONING_KEYS:
            if isinstance(given.get(key), str):
                return key, self.plainly.text(given[key], f"{path}.{key}")
        return "reasoning_content", None

    def content(self, given: Mapping[str, Any], path: str, *, optional: bool) -> Content:
        path = f"{path}.content"
        content = given.get("content")
        if content is None:
            if "content" not in given and not optional:
                raise RequestError(path, f"{path} is missing.")
            return None
        if isinstance(content, str):
            return self.plainly.text(content, path)
        if isinstance(content, list | tuple):
            return tuple(self.part(one, f"{path}[{i}]") for i, one in enumerate(content))
        raise RequestError(path, f"{path} must be a string, a list of parts or null, not {kind_of(content)}.")

    def part(self, value: object, path: str) -> Part:
        given = _object(value, path)
        kind = self.plainly.text(_filled(given.get("type"), f"{path}.type"), f"{path}.type")
        if kind in TEXT_PARTS and isinstance(given.get("text"), str):
            self._warn("part-as-text", f"{path} is of type {kind!r}; it was read as text.", path)
            kind = "text"
        if kind != "text":
            return Part(type=kind, extra=self.rest(given, {"type"}, path))
        text = self.plainly.text(_text(given.get("text"), f"{path}.text"), f"{path}.text")
        return Part(type=kind, text=text, extra=self.rest(given, {"type", "text"}, path))

    def calls(self, value: object, path: str) -> tuple[ToolCall, ...]:
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            raise RequestError(path, f"{path} must be a list, not {kind_of(value)}.")
        return tuple(self.call(one, f"{path}[{i}]") for i, one in enumerate(value))

    def call(self, value: object, path: str) -> ToolCall:
        given = _object(value, path)
        if given.get("type", "function") != "function":
            raise RequestError(f"{path}.type", f"{path}.type must be function, the only kind of call there is.")
        function = _object(given.get("function"), f"{path}.function")
        inside = f"{path}.function"
        return ToolCall(
            name=self.plainly.text(_filled(function.get("name"), f"{inside}.name"), f"{inside}.name"),
            arguments=self.arguments(function.get("arguments"), f"{inside}.arguments"),
            id=self.optional_text(given.get("id"), f"{path}.id") or "",
            extra=self.rest(given, {"id", "type", "function"}, path),
            keys=tuple(given),
        )

    def older_call(self, value: object, path: str, calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
        """A message's `function_call`, the older form of its only call, where it has no newer ones."""
        if value is None:
            return calls
        if calls:
            self._warn("function-call-ignored", f"{path} is left out: tool_calls says it in the newer form.", path)
            return calls
        function = _object(value, path)
        self._warn("function-call-as-tool-call", f"{path}, the older form, was read as a tool call.", path)
        name = self.plainly.text(_filled(function.get("name"), f"{path}.name"), f"{path}.name")
        arguments = self.arguments(function.get("arguments"), f"{path}.arguments")
        return (ToolCall(name, arguments, older=True),)

    def arguments(self, value: object, path: str) -> str:
        if isinstance(value, str):
            return self.plainly.text(value, path)
        if not isinstance(value, Mapping):
            what = "is missing" if value is None else f"must be a string of JSON or an object, not {kind_of(value)}"
            raise RequestError(path, f"{path} {what}.")
        self._warn("arguments-as-object", f"{path} came as an object; the API has a string of JSON there.", path)
        return json.dumps(self.plainly.value(value, path), ensure_ascii=False)

    # -- Tools ------------------------------------------------------------------------------------------------

    def tool(self, value: object, path: str) -> Tool:
        raw: dict[str, Any] = self.plainly.value(_object(value, path), path)
        kind = _text(raw.get("type"), f"{path}.type")
        if kind != "function":
            raise RequestError(f"{path}.type", f"{path}.type is {kind!r}; only function tools can be offered.")
        function = raw["function"] = dict(_object(raw.get("function"), f"{path}.function"))
        path = f"{path}.function"
        name = _filled(function.get("name"), f"{path}.name")
        description = function.get("description")
        if description is not None:
            _text(description, f"{path}.description")
        if "parameters" in function and function["parameters"] is None:
            function["parameters"] = dict(EMPTY_PARAMETERS)
            self._warn("tool-without-parameters", f"{path}.parameters is null: read as no parameters.", path)
        parameters = _object(function.get("parameters", EMPTY_PARAMETERS), f"{path}.parameters")
        return Tool(name=name, description=description or "", parameters=parameters, raw=raw)


# -- Single fields --------------------------------------------------------------------------------------------


def _object(value: object, path: str) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    raise RequestError(path, f"{path} is missing." if value is None else _expected(path, "an object", value))


def _text(value: object, path: str) -> str:
    if isinstance(value, str):
        return value
    raise RequestError(path, f"{path} is missing." if value is None else _expected(path, "a string", value))


def _filled(value: object, path: str) -> str:
    text = _text(value, path)
    if not text:
        raise RequestError(path, f"{path} is empty.")
    return text


def _expected(path: str, what: str, value: object) -> str:
    return f"{path} must be {what}, not {kind_of(value)}."


def _list(body: Mapping[str, Any], key: str, path: str) -> list[object]:
    value = body.get(key)
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise RequestError(path, _expected(path, "a list", value))
    return list(value)


def _flag(body: Mapping[str, Any], key: str, default: bool) -> bool:
    value = body.get(key, default)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise RequestError(key, _expected(key, "true or false", value))
    return value


def _switch(body: Mapping[str, Any], key: str) -> bool | None:
    """True unless given; an explicit null leaves the variable undefined."""
    value = body.get(key, True)
    if value is not None and not isinstance(value, bool):
        raise RequestError(key, _expected(key, "true, false or null", value))
    return value


def _one_of(body: Mapping[str, Any], key: str, default: Any, *others: str) -> Any:
    value = body.get(key)
    if value is None:
        return default
    if not isinstance(value, str) or value not in (default, *others):
        raise RequestError(key, f"{key} must be {' or '.join((default, *others))}.")
    return value


def _reasoning_format(value: object) -> Literal["auto", "none"]:
    if value is None or value in ("auto", "deepseek"):
        return "auto"
    if value == "none":
        return "none"
    raise RequestError("reasoning_format", "reasoning_format must be auto, deepseek or none.")


def _continuation(value: object, messages: tuple[Message, ...]) -> Literal["", "auto", "content", "reasoning_content"]:
    field = "continue_final_message"
    if value is None or value is False:
        return ""
    if value is not True and value not in ("content", "reasoning_content"):
        raise RequestError(field, f'{field} must be true, false, "content" or "reasoning_content".')
    if not messages or messages[-1].role != "assistant":
        raise RequestError(field, f"{field} needs an assistant message at the end of messages.")
    if messages[-1].tool_calls:
        raise RequestError(field, f"{field} can't go on after tool calls; continue a message that has none.")
    if value == "reasoning_content" and messages[-1].reasoning_content is None:
        raise RequestError(f"messages[{len(messages) - 1}].reasoning_content", "There is no reasoning to continue.")
    return "auto" if value is True else value


def _tool_choice(value: object, tools: tuple[Tool, ...]) -> ToolChoice:
    if value is None:
        return ToolChoice()
    if value in ("auto", "none", "required"):
        if value == "required" and not tools:
            raise RequestError("tool_choice", "tool_choice is required, but no tools are given.")
        return ToolChoice(value)
    if not isinstance(value, Mapping):
        raise RequestError("tool_choice", "tool_choice must be auto, none, required or a named function.")
    if value.get("type") != "function":
        raise RequestError("tool_choice.type", "tool_choice.type must be function.")
    name = _filled(_object(value.get("function"), "tool_choice.function").get("name"), "tool_choice.function.name")
    if all(tool.name != name for tool in tools):
        raise RequestError("tool_choice.function.name", f"tool_choice names {name!r}, which is not among the tools.")
    return ToolChoice("named", name)


def _no_tool_twice(tools: tuple[Tool, ...]) -> None:
    seen: set[str] = set()
    for i, tool in enumerate(tools):
        if tool.name in seen:
            raise RequestError(f"tools[{i}].function.name", f"Two tools are called {tool.name!r}; names must differ.")
        seen.add(tool.name)
