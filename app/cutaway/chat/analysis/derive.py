"""Derives the whole output format of a template."""

from __future__ import annotations

from dataclasses import replace

from cutaway.chat.formats.format import Format, Marker

from .calls import CallsFound, read_calls
from .content import ContentFound, read_content
from .evidence import Derived, Problem, RoleMarkers
from .head import Head, read_head
from .probes import Prober, Render
from .reasoning import ReasoningFound, read_reasoning
from .split import blanks_before, first_marker
from .values import ProbeValues, probe_values


def derive(render: Render) -> Derived:
    """The format that `render`'s template writes, with evidence.

    It is derived twice, with other values, counts and orders; where the two disagree, it is not certain. It depends
    on the template's text only: BOS and EOS are characters of private use meanwhile. Total: a template that fails
    everywhere gives a plain format and problems.
    """
    first = derive_once(render, probe_values(0))
    if first.problems:
        return first
    second = derive_once(render, probe_values(1))
    if second.format == first.format:
        return first
    return _refused(first, (_unstable(first.format, second.format),))


def derive_once(render: Render, values: ProbeValues) -> Derived:
    """The same with one set of values."""
    prober = Prober(render, values)
    head = read_head(prober)
    thought = read_reasoning(prober, head)
    content = read_content(prober, thought)
    calls = read_calls(prober, thought, content)
    format = _format(prober, head, thought, content, calls)
    roles = _roles(head, values)
    found = Derived(format, tuple(prober.probes), calls.problems, roles, preserved_texts(format))
    problems = _limits(prober) + calls.problems + _leaks(format, values)
    return _refused(found, problems) if problems else found


def _refused(found: Derived, problems: tuple[Problem, ...]) -> Derived:
    """What is certain all the same: reasoning and answer. Tools are off."""
    format = replace(found.format, calls=None, notes=tuple(problem.message for problem in problems))
    return replace(found, format=format, problems=problems, preserved=preserved_texts(format))


def _unstable(one: Format, other: Format) -> Problem:
    texts = set(marker_texts(one)) ^ set(marker_texts(other))
    shown = " and ".join(repr(text) for text in sorted(texts)[:2])
    message = f"With other values in the same places the template's markers change ({shown or 'their order'})."
    return Problem("markers-unstable", message)


def _format(prober: Prober, head: Head, thought: ReasoningFound, content: ContentFound, calls: CallsFound) -> Format:
    wrappers = (content.wrapper,) if content.wrapper else ()
    turn_end = head.turn_end.removeprefix(content.closer) or head.turn_end
    last = content.after.removeprefix(content.closer) or content.after
    ends = [_end(text, prober.values.eos) for text in (turn_end, last, calls.ending)]
    if not turn_end.strip():
        ends.append(first_marker(head.user_start))
    texts = tuple(dict.fromkeys(end for end in ends if end and end != prober.values.eos))
    return Format(
        "derived",
        thought.reasoning,
        wrappers,
        calls.calls,
        fillers=(calls.border,) if calls.border else (),
        ends=texts,
        ends_with_eos=prober.values.eos in ends,
        end_before="" if content.closer else _blanks_before_end(last if last.strip() else turn_end),
        lead=content.lead,
    )


def _blanks_before_end(turn_end: str) -> str:
    return blanks_before(turn_end) if turn_end.strip() else ""


def _end(text: str, eos: str) -> str:
    """What ends a turn: EOS, the first marker, or the text where there is neither."""
    marker = first_marker(text)
    at = text.find(eos)
    if at >= 0 and (not marker or at < text.find(marker)):
        return eos
    return marker or text.strip()


def _roles(head: Head, values: ProbeValues) -> RoleMarkers:
    texts = (head.user_start, head.header.removeprefix(head.turn_end), head.turn_end)
    plain = [text.replace(values.bos, "").replace(values.eos, "").strip() for text in texts]
    return RoleMarkers(*plain)


def _limits(prober: Prober) -> tuple[Problem, ...]:
    if not prober.limit:
        return ()
    return (Problem("limit", f"A trial rendering ran into a limit, so nothing more was found out: {prober.limit}"),)


def _leaks(format: Format, values: ProbeValues) -> tuple[Problem, ...]:
    """A marker that holds a probe's value was not the template's text: what it came from is not certain."""
    leaked = [text for text in marker_texts(format) if any(word in text for word in values.words)]
    return tuple(
        Problem("marker-holds-value", f"What stands around a call repeats the call: {text!r}.") for text in leaked[:1]
    )


def marker_texts(format: Format) -> list[str]:
    """Every text of a format that a template writes, in no order that matters."""
    texts: list[str] = []
    _collect(format.reasoning, texts)
    _collect(format.content, texts)
    _collect(format.calls, texts)
    return [*texts, *format.ends]


def _collect(value: object, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, tuple):
        for one in value:
            _collect(one, texts)
    elif hasattr(value, "__slots__"):
        for name in value.__slots__:
            _collect(getattr(value, name), texts)


def preserved_texts(format: Format) -> tuple[str, ...]:
    """The markers as the tokenizer must keep them: trimmed, each once."""
    markers: list[Marker] = []
    if format.reasoning:
        markers += [format.reasoning.open, format.reasoning.close]
    for wrapper in format.content:
        markers += [wrapper.open, wrapper.close]
    if format.calls:
        calls = format.calls
        markers += [calls.section_open, calls.call_open, calls.call_close, calls.section_close]
    return tuple(dict.fromkeys(marker.text for marker in markers if marker))
