"""What stands around calls is sorted into section, call, separator and the turn's end."""

from __future__ import annotations

from cutaway.chat.analysis.frame import Frame, frame


def test_markers_that_repeat_are_the_calls_own() -> None:
    gap = "\n</tool_call>\n<tool_call>\n"
    assert frame("<tool_call>\n", [gap, gap], "\n</tool_call>") == Frame(
        call_open="<tool_call>\n", call_close="\n</tool_call>", separator="\n"
    )


def test_markers_that_stand_once_are_the_sections() -> None:
    assert frame("<calls>\n", ["\n", "\n"], "\n</calls>") == Frame(
        section_open="<calls>\n", separator="\n", section_close="\n</calls>"
    )


def test_a_section_and_each_call_may_both_have_markers() -> None:
    assert frame("<s><c>", ["</c><c>", "</c><c>"], "</c></s>") == Frame(
        section_open="<s>", call_open="<c>", call_close="</c>", section_close="</s>"
    )


def test_brackets_around_all_calls_are_an_array() -> None:
    found = frame("[TOOL_CALLS][", [", ", ", "], "]")
    assert found == Frame(section_open="[TOOL_CALLS]", separator=", ", array=True)


def test_what_follows_a_call_without_a_section_ends_the_turn() -> None:
    assert frame("<f=", ["</f><f=", "</f><f="], "</f><|eom|>") == Frame(
        call_open="<f=", call_close="</f>", ending="<|eom|>"
    )


def test_with_one_call_only_everything_is_the_calls() -> None:
    assert frame("<|call|>", [], "<|end|>") == Frame(call_open="<|call|>", call_close="<|end|>")
