"""The variables that a template is rendered with: the request's, the switches, the dates, and what the user adds."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cutaway.chat.message import Request
from cutaway.chat.prompt import Warning
from cutaway.chat.template.history import HistoryReasoning
from cutaway.chat.template.reads import Reads
from cutaway.chat.template.values import Sourced, Vouched

RESERVED = frozenset({"messages", "tools", "bos_token", "eos_token", "add_generation_prompt"})
"""`chat_template_kwargs` never replace these: other keys of the request say them."""

KEEP_REASONING = ("preserve_thinking",)
DROP_REASONING = ("clear_thinking", "truncate_history_thinking", "drop_thinking")
"""What `preserve_reasoning` sets, to true and to false, as llama.cpp does."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def assemble(
    request: Request,
    messages: Sequence[Sourced],
    tools: Sequence[Mapping[str, Any]] | None,
    reads: Reads,
    history: HistoryReasoning,
    *,
    thinking: Mapping[str, Any],
    add_generation_prompt: bool | None,
    bos_token: str,
    eos_token: str,
    now: datetime,
) -> dict[str, Any]:
    """Name to value. `thinking` are the switches that the wish of the request was translated to."""
    variables: dict[str, Any] = {
        "messages": list(messages),
        "bos_token": Vouched(bos_token),
        "eos_token": Vouched(eos_token),
        **_switches(request, thinking),
        **_dates(now),
        **_asked_by_template(request, reads),
    }
    if tools is None:
        variables["tools"] = None
    elif tools:
        variables["tools"] = [Sourced(tool, f"tools[{i}]") for i, tool in enumerate(tools)]
    variables |= _followers(request.kwargs, history)
    for name, value in request.kwargs.items():
        if name not in RESERVED:
            variables[name] = Sourced(value, f"chat_template_kwargs.{name}")
    if add_generation_prompt is not None:
        variables["add_generation_prompt"] = add_generation_prompt
    return variables


def _switches(request: Request, thinking: Mapping[str, Any]) -> dict[str, Any]:
    """A wish (`thinking`) replaces the plain switch; the values are the application's own words."""
    if request.thinking is not None:
        return {name: Vouched(value) if isinstance(value, str) else value for name, value in thinking.items()}
    return {} if request.enable_thinking is None else {"enable_thinking": request.enable_thinking}


def _dates(now: datetime) -> dict[str, Any]:
    month = _MONTHS[now.month - 1]
    return {
        "datetime": Vouched(f"{month} {now.day:02d} {now.year}"),
        "date_string": Vouched(f"{now.day:02d} {month} {now.year}"),
    }


def _asked_by_template(request: Request, reads: Reads) -> dict[str, Any]:
    """Parts of the request that only some templates write out."""
    variables: dict[str, Any] = {}
    if "response_format" in reads.variables:
        value = _response_format(request, reads)
        if value is not None:
            variables["response_format"] = value
    if "tool_choice" in reads.variables and request.tool_choice.mode != "auto":
        mode = request.tool_choice.mode
        variables["tool_choice"] = Vouched("required" if mode == "named" else mode)
    if "parallel_tool_calls" in reads.variables:
        variables["parallel_tool_calls"] = request.parallel_tool_calls
    return variables


def _response_format(request: Request, reads: Reads) -> Sourced | None:
    """The whole object for templates that look into it; the schema for those that write it out."""
    given = request.response_format
    if given is None or given.get("type") == "text":
        return None
    if "json_schema" in reads.keys or "json_schema" in reads.constants:
        return Sourced(given, "response_format")
    schema = response_schema(request)
    if schema is None:
        return None
    path = "response_format.json_schema.schema"
    if reads.variables["response_format"].printed:
        return Sourced(json.dumps(schema, ensure_ascii=False), path, None)
    return Sourced(schema, path)


def response_schema(request: Request) -> Any:
    """The JSON Schema that the answer must satisfy, or None."""
    given = request.response_format
    if given is None or given.get("type") != "json_schema":
        return None
    return given["json_schema"]["schema"]


def _followers(kwargs: Mapping[str, Any], history: HistoryReasoning) -> dict[str, Any]:
    """Variables that follow a general one under the names of single families."""
    variables: dict[str, Any] = {}
    keep = kwargs.get("preserve_reasoning")
    if isinstance(keep, bool):
        variables |= dict.fromkeys(KEEP_REASONING, keep) | dict.fromkeys(DROP_REASONING, not keep)
        variables |= (history.keep if keep else history.drop) or {}
    effort = kwargs.get("reasoning_effort")
    if isinstance(effort, str) and effort:
        variables["reasoning_strength"] = Sourced(effort, "chat_template_kwargs.reasoning_effort")
    return variables


def kwargs_warnings(kwargs: Mapping[str, Any], reads: Reads, history: HistoryReasoning) -> list[Warning]:
    """What of the user's variables has no effect, and why."""
    found = (_kwarg_warning(name, value, reads, history) for name, value in kwargs.items())
    return [warning for warning in found if warning is not None]


def _kwarg_warning(name: str, value: Any, reads: Reads, history: HistoryReasoning) -> Warning | None:
    field = f"chat_template_kwargs.{name}"
    if name in RESERVED:
        return Warning("reserved-kwarg", f"{field} is ignored: the request's own {name} is used.", field)
    if name in reads.variables:
        if name == "enable_thinking" and not isinstance(value, bool):
            return Warning("kwarg-not-boolean", f"{field} is no boolean; the template tests it as it is.", field)
        return None
    if name == "preserve_reasoning" and value in (True, False):
        return _preserve_warning(bool(value), field, history)
    if name == "reasoning_effort" and "reasoning_strength" in reads.variables:
        return None
    known = sorted(set(reads.variables) - RESERVED)
    close = difflib.get_close_matches(name, known, 1)
    hint = f" Did you mean {close[0]}?" if close else ""
    listed = f"It reads {', '.join(known)}." if known else "It reads no other variables."
    return Warning("unknown-kwarg", f"This template does not read {name}. {listed}{hint}", field)


def _preserve_warning(keep: bool, field: str, history: HistoryReasoning) -> Warning | None:
    if (history.keep if keep else history.drop) is not None:
        return None
    what = "keep" if keep else "leave out"
    return Warning("history-reasoning-fixed", f"This template can't {what} the reasoning of earlier turns.", field)
