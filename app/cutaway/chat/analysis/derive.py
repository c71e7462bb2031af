"""Derives the whole output format of a template."""

from __future__ import annotations

from cutaway.chat.formats.format import Format, Marker

from .calls import CallsFound, read_calls
from .content import ContentFound, read_content
from .evidence import Derived, Problem
from .head import Head, read_head
from .probes import Prober, Render
from .reasoning import ReasoningFound, read_reasoning
from .split import first_marker
from .values import ProbeValues, probe_values


def derive(render: Render, *, eos: str = "", values: ProbeValues | None = None) -> Derived:
    """The format that `render`'s template writes, with evidence.

    `eos` is the vocabulary's own end token: it stands where the template writes `eos_token`. Total: a template that
    fails everywhere gives `PLAIN` and problems.
    """
    prober = Prober(render, values or probe_values())
    head = read_head(prober)
    thought = read_reasoning(prober, head)
    content = read_content(prober, thought)
    calls = read_calls(prober, thought, content)
    format = _format(prober, head, thought, content, calls, eos)
    problems = calls.problems + _leaks(format, prober.values)
    if problems:
        format = Format("derived", format.reasoning, format.content, ends=format.ends, notes=_notes(problems))
    return Derived(format, tuple(prober.probes), problems, head.roles, preserved_texts(format))


def _format(
    prober: Prober, head: Head, thought: ReasoningFound, content: ContentFound, calls: CallsFound, eos: str
) -> Format:
    wrappers = (content.wrapper,) if content.wrapper else ()
    turn_end = head.turn_end.removeprefix(content.closer) if content.wrapper else head.turn_end
    ends = [_end(turn_end, prober.values.eos, eos), _end(calls.ending, prober.values.eos, eos)]
    if not turn_end.strip():
        ends.append(first_marker(head.user_start))
    return Format("derived", thought.reasoning, wrappers, calls.calls, ends=tuple(dict.fromkeys(filter(None, ends))))


def _end(text: str, probe_eos: str, eos: str) -> str:
    """The first marker of what ends a turn; the vocabulary's own end token where the template writes that."""
    marker = first_marker(text)
    at = text.find(probe_eos)
    if at >= 0 and (not marker or at < text.find(marker)):
        return eos
    return marker or text.strip()


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
