"""How a template writes tool calls: what stands around them, what is in them, in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from cutaway.chat.formats.format import NO_ID, CallId, Calls, IdKind, Marker, NamedCall, PythonCall, TaggedCall

from .content import ContentFound
from .evidence import Problem
from .frame import Frame, frame
from .json_body import json_id, read_json_call
from .places import CallPlaces, JsonText, arguments_json, call_places, enclosing_json
from .probes import Prober
from .reasoning import ReasoningFound, marker
from .split import MARKER, common_prefix, common_suffix, first_marker
from .tagged_body import Tags, body_of, read_tags, typed_turn
from .turn import Said, SaidCall, Turn


@dataclass(frozen=True, slots=True)
class CallsFound:
    calls: Calls | None = None
    ending: str = ""
    """How a turn of calls ends, where that differs from a turn of text."""
    border: str = ""
    """What stands between an answer and the calls after it, where that is a message's border."""
    problems: tuple[Problem, ...] = ()


class _UnclearError(Exception):
    """Why a call cannot be read back for certain."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The turns that show calls, and what stands around a call in each."""

    prober: Prober
    thought: ReasoningFound
    content: ContentFound
    one: Turn
    many: Turn | None
    """Three calls; None where the template takes one only."""

    @property
    def turn(self) -> Turn:
        return self.many or self.one

    def trail(self, end: int) -> str:
        """What follows the calls, without what follows an answer as well."""
        trail = self.turn.text[end:]
        shared = common_suffix((trail, self.content.after))
        trail = trail[: len(trail) - len(shared)]
        turn_end = self.thought.head.turn_end.removeprefix(self.content.closer)
        first = first_marker(turn_end) or turn_end.strip()
        at = trail.find(first) if first else -1
        return trail[:at] if at >= 0 else trail

    def lead(self, start: int) -> str:
        return self.thought.after_empty(self.turn.text[:start])


def read_calls(prober: Prober, thought: ReasoningFound, content: ContentFound) -> CallsFound:
    values = prober.values
    plain = prober.turn(Said(values.content))
    one = prober.turn(Said("", "", (prober.call(0),)))
    many = prober.turn(_three(prober))
    if one is None or not call_places(one):
        found = CallsFound(problems=(_not_rendered(prober, one),))
    else:
        seen = _Seen(prober, thought, content, one, many if many is not None and call_places(many) else None)
        try:
            found = _read(seen)
        except _UnclearError as unclear:
            found = _unclear(str(unclear))
        border = _border_after_answer(seen, found.calls) if found.calls else ""
        found = replace(found, ending=found.ending or _end_before_result(seen), border=border)
    _conclude(prober, plain, one, many, found)
    return found


def _three(prober: Prober) -> Said:
    return Said("", "", tuple(prober.call(index) for index in range(3)))


def _not_rendered(prober: Prober, one: Turn | None) -> Problem:
    cause = prober.refusal(Said("", "", (prober.call(0),)))
    if one is None and cause:
        return Problem("calls-refused", f"The template refuses a message with a tool call: {cause}")
    return Problem("calls-not-rendered", "The template writes nothing of a tool call, so how one looks is unknown.")


def _read(seen: _Seen) -> CallsFound:
    places = call_places(seen.turn)
    assert places  # the caller looked
    json_calls = _json_objects(seen, places)
    if json_calls is not None:
        return _read_json(seen, places, json_calls)
    arguments = [arguments_json(seen.turn, one) for one in places]
    if all(arguments):
        return _read_named(seen, places, [one for one in arguments if one])
    return _read_tagged(seen, places)


def _read_json(seen: _Seen, places: tuple[CallPlaces, ...], objects: list[JsonText]) -> CallsFound:
    body = read_json_call(objects[0].value, places[0].call, objects[1].value if len(objects) > 1 else None)
    if body is None:
        return _unclear("its JSON holds the name or the arguments in a way that has no name here")
    around = _frame(seen, [(one.start, one.end) for one in objects])
    id = json_id(objects[0].value, body, places[0].call, _only_nine(seen))
    calls = Calls(body, *_section(seen, around), array=around.array, id=id, parallel=seen.many is not None)
    return CallsFound(calls, around.ending)


def _json_objects(seen: _Seen, places: tuple[CallPlaces, ...]) -> list[JsonText] | None:
    """Each call's object, name and arguments in it."""
    found = []
    start = len(seen.thought.head.header) if seen.turn.text.startswith(seen.thought.head.header) else 0
    for index, one in enumerate(places):
        end = places[index + 1].start if index + 1 < len(places) else len(seen.turn.text)
        text = enclosing_json(seen.turn, one, start, end)
        if text is None:
            return None
        found.append(text)
        start = text.end
    return found


# -- The name, then JSON -------------------------------------------------------------------------------


def _read_named(seen: _Seen, places: tuple[CallPlaces, ...], arguments: list[JsonText]) -> CallsFound:
    if any(one.name.start > text.start for one, text in zip(places, arguments, strict=True)):
        return _unclear("the name follows the arguments")
    ends = [_end(one.id, text.end) for one, text in zip(places, arguments, strict=True)]
    around = _frame(seen, [(one.start, end) for one, end in zip(places, ends, strict=True)])
    opener, name_prefix = _opener(around.call_open)
    closer, suffix = _closer(around.call_close, opener)
    id, name_suffix = _named_id(seen, places, arguments)
    if id.place == "before_name":
        id, name_prefix = replace(id, prefix=name_prefix), ""
    if id.place == "in_name" and not name_suffix:
        return _unclear("what follows the name differs from call to call")
    if not opener and not around.section_open.strip():
        opener, name_prefix, closer, suffix = name_prefix, "", suffix, ""
    if not (opener.strip() or around.section_open.strip()):
        return _unclear("nothing marks where a call begins")
    body = NamedCall(name_prefix, name_suffix, suffix)
    around = replace(around, call_open=opener, call_close=closer)
    calls = Calls(body, *_section(seen, around), id=id, parallel=seen.many is not None)
    return CallsFound(calls, around.ending)


def _end(id: object, end: int) -> int:
    return max(end, getattr(id, "end", 0))


def _named_id(seen: _Seen, places: tuple[CallPlaces, ...], arguments: list[JsonText]) -> tuple[CallId, str]:
    """(the id, what stands between the name, or the id behind it, and the arguments)."""
    text, first, json_start = seen.turn.text, places[0], arguments[0].start
    gap = text[first.name.end : json_start]
    kind: IdKind = "nine" if _only_nine(seen) else "model"
    if first.id is None:
        return _composed(seen, places, arguments, gap)
    if first.id.end <= first.name.start:
        return CallId(kind, "before_name", suffix=text[first.id.end : first.name.start]), gap
    if first.id.end <= json_start:
        prefix = text[first.name.end : first.id.start]
        return CallId(kind, "after_name", prefix=prefix), text[first.id.end : json_start]
    return CallId(kind, "after_arguments", prefix=text[arguments[0].end : first.id.start]), gap


def _composed(seen: _Seen, places: tuple[CallPlaces, ...], arguments: list[JsonText], gap: str) -> tuple[CallId, str]:
    """A counter behind the name (`:0`, `:1`) makes name and number an id."""
    gaps = [seen.turn.text[one.name.end : text.start] for one, text in zip(places, arguments, strict=True)]
    if len(set(gaps)) == 1:
        return NO_ID, gap
    start, prefix, suffix = _counted(gaps)
    return CallId("composed", "in_name", prefix=prefix, start=start), suffix


def _counted(gaps: Sequence[str]) -> tuple[int, str, str]:
    """(the first call's number, what stands before it, what stands behind); nothing where the gaps differ otherwise."""
    for start in (0, 1):
        forms = {one.replace(str(start + index), "\0", 1) for index, one in enumerate(gaps)}
        if len(forms) == 1:
            prefix, _, suffix = forms.pop().partition("\0")
            return start, prefix, suffix
    return 0, "", ""


# -- Arguments one by one --------------------------------------------------------------------------------


def _read_tagged(seen: _Seen, places: tuple[CallPlaces, ...]) -> CallsFound:
    prober = seen.prober
    full = prober.turn(Said("", "", (prober.call(0, 3),)))
    full_places = None if full is None else call_places(full)
    empty_call = prober.call(0, 0)
    empty = prober.turn(Said("", "", (empty_call,)))
    empty_places = None if empty is None else call_places(empty)
    if full is None or not full_places:
        return _unclear("its arguments are not all written")
    after_empty = empty.between(empty_places[0].name, None) if empty and empty_places else None
    tags = read_tags(prober, full, full_places[0], after_empty)
    if tags is None:
        return _unclear("its arguments are written neither as JSON nor alike")
    _conclude_arguments(prober, empty, full, tags)
    heads = [seen.turn.text[one.name.end : one.keys[0].start] for one in places]
    id = NO_ID
    if len(set(heads)) > 1:
        start, prefix, suffix = _counted(heads)
        if not prefix:
            return _unclear("what follows the name differs from call to call")
        id = CallId("positional", "after_name", prefix, "", start)
        tags = replace(tags, after_name=suffix.removesuffix(tags.before_key))
    around = _frame(seen, [(one.start, one.end) for one in places])
    return _tagged(seen, around, tags, id)


def _tagged(seen: _Seen, around: Frame, tags: Tags, id: CallId) -> CallsFound:
    rest = around.call_close.removeprefix(tags.after_value.rstrip())
    opener, name_prefix = _opener(around.call_open)
    closer, close = _closer(rest, opener)
    if not opener.strip() and not name_prefix.strip() and not around.section_open.strip():
        return _unclear("nothing marks where a call begins")
    body = body_of(tags, name_prefix, close.strip(), seen.prober, typed_turn(seen.prober))
    around = replace(around, call_open=opener, call_close=closer)
    if isinstance(body, PythonCall):
        return _python(seen, around, tags)
    if isinstance(body, TaggedCall) and not tags.after_value.strip():
        return _unclear("nothing marks where a value ends")
    calls = Calls(body, *_section(seen, around), id=id, parallel=seen.many is not None)
    return CallsFound(calls, around.ending)


def _python(seen: _Seen, around: Frame, tags: Tags) -> CallsFound:
    quote = tags.after_key[-1:]
    separator = around.separator.removeprefix(quote).removeprefix(")")
    close = around.section_close.removeprefix(quote).removeprefix(")")
    opener = around.section_open
    body = PythonCall("[" if around.array else "", "]" if around.array else "", separator)
    calls = Calls(body, marker(opener), marker(close), parallel=seen.many is not None)
    return CallsFound(calls, around.ending)


# -- Around ------------------------------------------------------------------------------------------------


def _frame(seen: _Seen, bounds: list[tuple[int, int]]) -> Frame:
    """Raises `_UnclearError` where the calls of a turn are not all written alike."""
    text = seen.turn.text
    gaps = [text[left[1] : right[0]] for left, right in pairwise(bounds)]
    if len(set(gaps)) > 1:
        raise _UnclearError("what stands between two calls differs from call to call")
    return frame(seen.lead(bounds[0][0]), gaps, seen.trail(bounds[-1][1]))


def _opener(text: str) -> tuple[str, str]:
    """(a whole marker and the blanks behind it, what then stands before the name)."""
    found = MARKER.match(text)
    if found is None:
        return "", text
    rest = text[found.end() :]
    body = rest.lstrip()
    return text[: len(text) - len(body)], body


def _closer(text: str, opener: str) -> tuple[str, str]:
    """(the last marker with the blanks before it, what stands in front of that). Without an opener there is none."""
    last = None
    for last in MARKER.finditer(text):  # noqa: B007
        pass
    if not opener or last is None or text[last.end() :].strip():
        return "", text
    front = text[: last.start()].rstrip()
    return text[len(front) :], front


def _section(seen: _Seen, around: Frame) -> tuple[Marker, Marker, Marker, Marker, str]:
    """Section and call markers, and the separator; the blanks after an answer go to the first opener."""
    section_open, call_open = marker(around.section_open), marker(around.call_open)
    before = _blanks_after_answer(seen)
    if section_open:
        section_open = replace(section_open, before=before)
    elif call_open:
        call_open = replace(call_open, before=before)
    return section_open, marker(around.section_close), call_open, marker(around.call_close), around.separator


def _blanks_after_answer(seen: _Seen) -> str:
    """The blanks that the template writes between an answer and a call."""
    gap = _gap_after_answer(seen)
    return gap[: len(gap) - len(gap.lstrip())]


def _border_after_answer(seen: _Seen, calls: Calls) -> str:
    """What more than blanks stands between an answer and the opener of the calls."""
    opener = calls.section_open.text or calls.call_open.text
    before, found, _ = _gap_after_answer(seen).partition(opener) if opener else ("", "", "")
    return before.strip() if found else ""


def _gap_after_answer(seen: _Seen) -> str:
    said = Said(seen.prober.values.content, "", (seen.prober.call(0),))
    turn = seen.prober.turn(said)
    places = None if turn is None else call_places(turn)
    if turn is None or turn.content is None or not places or places[0].start < turn.content.end:
        return ""
    return turn.text[turn.content.end : places[0].start].removeprefix(seen.content.closer)


def _end_before_result(seen: _Seen) -> str:
    """What follows a turn of calls where turns have no end of their own: the header of the tool's answer."""
    if seen.thought.head.turn_end.strip():
        return ""
    turn = seen.prober.answered_turn(Said("", "", (seen.prober.call(0),)))
    places = None if turn is None else call_places(turn)
    alone = call_places(seen.one)
    if turn is None or not places or not alone:
        return ""
    result = turn.find_from(seen.prober.values.result, places[0].end)
    if result is None:
        return ""
    gap = turn.text[places[0].end : result.start]
    return gap[len(common_prefix((seen.one.text[alone[0].end :], gap))) :]


def _only_nine(seen: _Seen) -> bool:
    """Whether the template takes no ids but those of nine characters."""
    first = seen.prober.call(0)
    other = SaidCall(first.name, first.arguments, "call_" + first.id)
    turn = seen.prober.turn(Said("", "", (other,)))
    if turn is None:
        return bool(seen.prober.refusal(Said("", "", (other,))))
    return seen.one.find(first.id) is not None and turn.find(other.id) is None


def _unclear(why: str) -> CallsFound:
    return CallsFound(problems=(Problem("calls-unclear", f"A tool call cannot be read back for certain: {why}."),))


# -- Evidence ------------------------------------------------------------------------------------------------


def _conclude(prober: Prober, plain: Turn | None, one: Turn | None, many: Turn | None, found: CallsFound) -> None:
    prober.conclude(
        "call",
        "How does a turn with a call differ from one with text?",
        None if plain is None else plain.text,
        None if one is None else one.text,
        found.problems[0].message if found.problems else "It writes the call.",
    )
    refused = prober.refusal(_three(prober))
    calls = found.calls
    if many is None:
        conclusion = f"Three calls in a turn are refused: {refused}" if refused else "Three calls are not rendered."
    elif calls is None or not calls.parallel:
        conclusion = "Only the first call is written."
    else:
        conclusion = f"Between two calls stands {calls.separator!r}."
    prober.conclude(
        "three-calls",
        "What stands between three calls, and around them?",
        None if one is None else one.text,
        None if many is None else many.text,
        conclusion,
    )


def _conclude_arguments(prober: Prober, empty: Turn | None, full: Turn, tags: Tags) -> None:
    prober.conclude(
        "arguments",
        "What does an argument add to a call?",
        None if empty is None else empty.text,
        full.text,
        f"{tags.before_key!r} KEY {tags.after_key!r} VALUE {tags.after_value!r}.",
    )
