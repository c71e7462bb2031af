"""The built-in tools: they need no server and can do no harm. Off until a person offers them to the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cutaway.chat.message import Tool
from cutaway.tools.calculate import CalculationError, calculate
from cutaway.tools.definition import read_tools


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a built-in tool may see."""

    now: datetime
    """Local time, with its offset."""
    messages: Sequence[tuple[str, str]] = ()
    """(role, text) of this conversation's messages."""


@dataclass(frozen=True, slots=True)
class Result:
    text: str
    failed: bool = False


_SIGNATURES = '''
def clock(timezone: str = "local") -> str:
    """The current date and time.

    Args:
        timezone: an IANA name such as Europe/Paris, an offset such as +02:00, UTC, or local
    """

def calculator(expression: str) -> str:
    """The exact value of an arithmetic expression.

    Args:
        expression: numbers, + - * / // % **, parentheses, and functions such as sqrt, sin, log, round, min, max
    """

def search_conversation(text: str, limit: int = 5) -> str:
    """Finds earlier messages of this conversation that hold a text.

    Args:
        text: what to look for; upper and lower case are the same
        limit: how many messages to answer with at most
    """
'''

BUILT_INS: Mapping[str, Tool] = {tool.name: tool for tool in read_tools(_SIGNATURES)}


def run_built_in(name: str, arguments: str, around: Surroundings) -> Result:
    """The answer of a built-in tool; what cannot be answered is a failed result with a sentence."""
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return Result("The arguments are no valid JSON.", failed=True)
    if not isinstance(given, dict):
        return Result("The arguments must be a JSON object.", failed=True)
    return _RUN[name](given, around)


def _clock(given: Mapping[str, Any], around: Surroundings) -> Result:
    wanted = str(given.get("timezone", "local")).strip() or "local"
    try:
        moment = around.now if wanted.lower() == "local" else around.now.astimezone(_zone(wanted))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return Result(f"There is no time zone {wanted!r}.", failed=True)
    return Result(moment.isoformat(timespec="seconds") + moment.strftime(" (%A)"))


def _zone(name: str) -> timezone | ZoneInfo:
    if name.upper() in ("UTC", "Z"):
        return UTC
    if name[0] in "+-":
        hours, _, minutes = name[1:].partition(":")
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        return timezone(-offset if name[0] == "-" else offset)
    return ZoneInfo(name)


def _calculator(given: Mapping[str, Any], around: Surroundings) -> Result:
    try:
        return Result(calculate(str(given.get("expression", ""))))
    except CalculationError as error:
        return Result(str(error), failed=True)


def _search(given: Mapping[str, Any], around: Surroundings) -> Result:
    wanted = str(given.get("text", "")).casefold().strip()
    limit = given.get("limit", 5)
    if not wanted:
        return Result("There is nothing to look for.", failed=True)
    most = min(max(limit, 1), 50) if isinstance(limit, int) else 5
    found = []
    for role, text in around.messages:
        at = text.casefold().find(wanted)
        if at >= 0:
            found.append({"role": role, "text": text[max(0, at - 200) : at + 300]})
    return Result(json.dumps(found[-most:], ensure_ascii=False))


_RUN: Mapping[str, Callable[[Mapping[str, Any], Surroundings], Result]] = {
    "clock": _clock,
    "calculator": _calculator,
    "search_conversation": _search,
}
