"""Derives the whole output format of a template."""

from __future__ import annotations

from cutaway.chat.formats.format import Format, Marker

from .calls import CallsFound, read_calls
from .content import ContentFound, read_content
from .evidence import Derived, Problem, RoleMarkers
from .head import Head, read_head
from .probes import Prober, Render
from .reasoning import ReasoningFound, read_reasoning
from .split import first_marker
from .values import ProbeValues, probe_values


def derive(render: Render, *, values: ProbeValues | None = None) -> Derived:
    """The format that `render`'s template writes, with evidence.

    It depends on the template's text only: BOS and EOS are characters of private use while it is derived. Total: a
    template that fails everywhere gives a plain format and problems.
    """
    prober = Prober(render, values or probe_values())
    head = read_head(prober)
    thought = read_reasoning(prober, head)
    content = read_content(prober, thought)
    calls = read_calls(prober, thought, content)
    format, ends_with_eos = _format(prober, head, thought, content, calls)
    problems = calls.problems + _leaks(format, prober.values)
    if problems:
        format = Format("derived", format.reasoning, format.content, ends=format.ends, notes=_notes(problems))
    return Derived(
        format, tuple(prober.probes), problems, _roles(head, prober.values), preserved_texts(format), ends_with_eos
    )


def _format(
    prober: Prober, head: Head, thought: ReasoningFound, content: ContentFound, calls: CallsFound
) -> tuple[Format, bool]:
    """(the format, whether a turn ends with EOS)."""
    wrappers = (content.wrapper,) if content.wrapper else ()
    turn_end = head.turn_end.removeprefix(content.closer) or head.turn_end
    ends = [_end(turn_end, prober.values.eos), _end(calls.ending, prober.values.eos)]
    if not turn_end.strip():
        ends.append(first_marker(head.user_start))
    texts = tuple(dict.fromkeys(end for end in ends if end and end != prober.values.eos))
    return Format("derived", thought.reasoning, wrappers, calls.calls, ends=texts), prober.values.eos in ends


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


def _notes(problems: tuple[Problem, ...]) -> tuple[str, ...]:
    return tuple(problem.message for problem in problems)


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
