"""What each run of a prompt or a reply is painted as: spans to marks, without Qt."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from cutaway.ui.look.marks import REPLY_KINDS

if TYPE_CHECKING:
    from cutaway.chat.message import Request
    from cutaway.chat.prompt import Prompt, Span
    from cutaway.chat.reply import Reply


@dataclass(frozen=True, slots=True)
class Run:
    """Characters `[start, end)` that look alike. `source` is the index of the span they are."""

    start: int
    end: int
    kind: str
    source: int = -1


_MESSAGE = re.compile(r"messages\[(\d+)\]")
_ROLES = {"user": "user", "assistant": "assistant", "tool": "tool_result", "function": "tool_result"}


def kind_of(span: Span, request: Request) -> str:
    """The mark's kind of one span of a prompt, the generation prompt aside. A text to complete is the person's."""
    if not request.messages and span.origin.line is None:
        return "user"
    source = span.origin.source or ""
    if span.origin.kind == "template":
        return "template"
    if source.startswith("tools"):
        return "tool_definition"
    if ".tool_calls" in source or ".function_call" in source:
        return "tool_call"
    if ".reasoning" in source or ".thinking" in source:
        return "reasoning"
    message = _MESSAGE.match(source)
    if message and int(message[1]) < len(request.messages):
        return _ROLES.get(request.messages[int(message[1])].role, "system")
    return "system"


def prompt_runs(prompt: Prompt, request: Request) -> list[Run]:
    """The prompt's spans with their places; template text after the generation prompt's start is its own kind."""
    runs: list[Run] = []
    at, split = 0, prompt.generation_start
    continues = bool(request.continue_final)
    last = f"messages[{len(request.messages) - 1}]"
    for index, span in enumerate(prompt.spans):
        end = at + len(span.text)
        kind = kind_of(span, request)
        if continues and (span.origin.source or "").startswith(last):
            kind = "continuation"
        if kind == "template" and end > split:
            if at < split:
                runs.append(Run(at, split, kind, index))
            runs.append(Run(max(at, split), end, "generation", index))
        elif end > at:
            runs.append(Run(at, end, kind, index))
        at = end
    return runs


def reply_runs(reply: Reply) -> list[Run]:
    return [
        Run(span.start, span.end, REPLY_KINDS[span.kind].kind, index)
        for index, span in enumerate(reply.spans)
        if span.end > span.start
    ]


def tokens_by_kind(runs: Sequence[Run], token_starts: Sequence[int]) -> dict[str, int]:
    """How many tokens each kind takes; a token counts for the run that its first character is in."""
    if not token_starts or not runs:
        return {}
    import numpy as np  # Not before the first paint.

    starts = np.fromiter((run.start for run in runs), np.int64, len(runs))
    at = np.searchsorted(starts, np.asarray(token_starts), side="right")
    counts: dict[str, int] = {}
    for index, count in enumerate(np.bincount(np.maximum(at - 1, 0), minlength=len(runs))):
        if count:
            counts[runs[index].kind] = counts.get(runs[index].kind, 0) + int(count)
    return counts


class _Ranged(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


R = TypeVar("R", bound=_Ranged)


def run_at(runs: Sequence[R], char: int) -> R | None:
    """Of runs in order, the one that holds a character."""
    low = bisect_right(runs, char, key=lambda run: run.start) - 1
    return runs[low] if low >= 0 and runs[low].start <= char < runs[low].end else None
