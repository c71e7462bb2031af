"""Fits a hand-written format to one template: the family's structure, this template's blanks."""

from __future__ import annotations

from dataclasses import replace

from cutaway.chat.formats.format import Calls, Format, Marker, Reasoning, Wrapper


def fitted(format: Format, derived: Format, source: str) -> Format:
    """The hand-written format with the blanks that the template was seen to write around the same markers.

    Where the source holds none of the family's turn ends, the template's own are the right ones.
    """
    format = replace(format, ends_with_eos=derived.ends_with_eos)
    if format.messages is not None:
        return format
    seen = _seen(derived)
    return replace(
        format,
        reasoning=_reasoning(format.reasoning, seen),
        content=tuple(_wrapper(one, seen) for one in format.content),
        calls=_calls(format.calls, derived.calls, seen),
        ends=format.ends if any(end in source for end in format.ends) else derived.ends or format.ends,
        end_before=derived.end_before if set(derived.ends) & set(format.ends) else format.end_before,
        lead=derived.lead,
    )


def _seen(derived: Format) -> dict[str, Marker]:
    markers: list[Marker] = []
    if derived.reasoning:
        markers += [derived.reasoning.open, derived.reasoning.close]
    for wrapper in derived.content:
        markers += [wrapper.open, wrapper.close]
    if derived.calls:
        calls = derived.calls
        markers += [calls.section_open, calls.section_close, calls.call_open, calls.call_close]
    return {marker.text: marker for marker in markers if marker}


def _reasoning(reasoning: Reasoning | None, seen: dict[str, Marker]) -> Reasoning | None:
    if reasoning is None:
        return None
    return replace(reasoning, open=_marker(reasoning.open, seen), close=_marker(reasoning.close, seen))


def _wrapper(wrapper: Wrapper, seen: dict[str, Marker]) -> Wrapper:
    return Wrapper(_marker(wrapper.open, seen), _marker(wrapper.close, seen))


def _calls(calls: Calls | None, derived: Calls | None, seen: dict[str, Marker]) -> Calls | None:
    if calls is None or derived is None:
        return calls
    return replace(
        calls,
        section_open=_marker(calls.section_open, seen),
        section_close=_marker(calls.section_close, seen),
        call_open=_marker(calls.call_open, seen),
        call_close=_marker(calls.call_close, seen),
        separator=derived.separator if derived.separator.strip() == calls.separator.strip() else calls.separator,
    )


def _marker(marker: Marker, seen: dict[str, Marker]) -> Marker:
    return seen.get(marker.text, marker)
