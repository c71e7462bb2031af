"""Binds tool results to the calls that they answer, by id, and puts them where a template looks for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cutaway.chat.draft import Call, Draft, Notes, plain, text_value
from cutaway.chat.json_places import parse_with_places
from cutaway.chat.template.traits import Traits
from cutaway.chat.template.values import Sourced


def bind_results(drafts: list[Draft], traits: Traits, notes: Notes) -> None:
    """Names each result after its call. Results in another order than their calls are told where the template has
    nothing but the order to tell them apart; they are moved only for a family that was trained on that."""
    rounds = _rounds(drafts)
    _note_lost(drafts, rounds, notes)
    for start, end in rounds:
        calls = drafts[start].calls
        results = drafts[start + 1 : end]
        answered = _answered(calls, results)
        for result, call in zip(results, answered, strict=True):
            _bind(result, call, traits, notes)
        if traits.sorts_results or not traits.binds_results:
            drafts[start + 1 : end] = _in_order(calls, results, answered, traits, notes)


def _bind(result: Draft, call: Call | None, traits: Traits, notes: Notes) -> None:
    if call is None:
        _note_unanswered(result, notes)
        return
    if result.tool_call_id is None and (result.name is None or result.name.value != call.name.value):
        message = f"{result.path} names no call; by its place it was taken for the result of {call.path}."
        notes.add("result-bound-by-place", message, result.path)
    if result.name is None:
        result.name = call.name
        if traits.names_results:
            message = f"This template wants the name of a result's function; {result.path} got that of {call.path}."
            notes.add("result-named", message, f"{result.path}.name")


def _note_lost(drafts: list[Draft], rounds: list[tuple[int, int]], notes: Notes) -> None:
    """Results that follow no message with calls."""
    bound = {place for start, end in rounds for place in range(start, end)}
    for place, draft in enumerate(drafts):
        if draft.role == "tool" and place not in bound:
            _note_unanswered(draft, notes)


def _note_unanswered(result: Draft, notes: Notes) -> None:
    said = f" names {result.tool_call_id.value!r}, which" if result.tool_call_id is not None else ""
    message = f"{result.path}{said} is the result of no call before it; the template gets it as it is."
    notes.add("result-without-call", message, result.path)


def _rounds(drafts: list[Draft]) -> list[tuple[int, int]]:
    """Places of each message with calls, and behind the last tool result that follows it."""
    rounds = []
    for start, draft in enumerate(drafts):
        end = start + 1
        while draft.calls and end < len(drafts) and drafts[end].role == "tool":
            end += 1
        if end > start + 1:
            rounds.append((start, end))
    return rounds


def _answered(calls: list[Call], results: list[Draft]) -> list[Call | None]:
    """The call of each result: by id, else by position where the result has no id."""
    open_calls = list(calls)
    found: list[Call | None] = []
    for result in results:
        call = next((one for one in open_calls if _same_id(one, result)), None)
        if call is None and result.tool_call_id is None and open_calls:
            call = open_calls[0]
        if call is not None:
            open_calls.remove(call)
        found.append(call)
    return found


def _same_id(call: Call, result: Draft) -> bool:
    return call.id is not None and result.tool_call_id is not None and call.id.value == result.tool_call_id.value


def _in_order(
    calls: list[Call], results: list[Draft], answered: list[Call | None], traits: Traits, notes: Notes
) -> list[Draft]:
    places = [len(calls) if call is None else calls.index(call) for call in answered]
    order = sorted(range(len(results)), key=lambda i: places[i])
    if order == list(range(len(results))):
        return results
    first = results[0].path
    if not traits.sorts_results:
        message = (
            f"The results from {first} on come in another order than their calls, and this template tells them apart "
            "by their order only; the model may take one for the other."
        )
        notes.add("results-out-of-order", message, first)
        return results
    message = f"The results from {first} on were put in the order of their calls, as this family needs."
    notes.add("results-in-call-order", message, first)
    return [results[i] for i in order]


def nest_results(drafts: list[Draft], notes: Notes) -> list[Draft]:
    """Calls, their results and the answer after them as one assistant message with `tool_responses`."""
    nested: list[Draft] = []
    for draft in drafts:
        if draft.role == "tool" and nested:
            _content_first(nested, notes)
        last = nested[-1] if nested else None
        if draft.role == "tool" and last is not None and last.calls and not last.content:
            if "tool_responses" not in last.more:
                message = f"This template wants tool results inside {last.path}; they were moved there."
                notes.add("results-nested", message, last.path)
            last.more = {**last.more, "tool_responses": [*last.more.get("tool_responses", []), _response(draft)]}
        elif _is_answer(draft) and last is not None and "tool_responses" in last.more and not last.content:
            last.content = draft.content
        else:
            nested.append(draft)
    return nested


def _content_first(nested: list[Draft], notes: Notes) -> None:
    """What was said before the calls as a message of its own: in one message it would stand behind the results."""
    last = nested[-1]
    if not (last.calls and last.content) or "tool_responses" in last.more:
        return
    message = f"This template writes content behind results; that of {last.path} was put before its calls."
    notes.add("content-before-calls", message, f"{last.path}.content")
    nested[-1:] = [replace(last, calls=[]), replace(last, content=(), reasoning=())]


def _is_answer(draft: Draft) -> bool:
    return draft.role == "assistant" and not draft.calls and bool(draft.content)


def _response(result: Draft) -> dict[str, Any]:
    name = result.name if result.name is not None else result.tool_call_id
    return {"name": name if name is not None else "", "response": _response_value(result)}


def _response_value(result: Draft) -> Any:
    """JSON as the value it says, anything else as text."""
    content = result.content
    if isinstance(content, list) or content is None:
        return Sourced(content, f"{result.path}.content")
    if len(content) == 1 and content[0].start == 0:
        try:
            return Sourced(parse_with_places(plain(content), content[0].path), content[0].path)
        except ValueError:
            pass
    return text_value(content)
