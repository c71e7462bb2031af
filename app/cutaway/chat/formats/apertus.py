"""Apertus: an array of calls whose names are keys."""

from cutaway.chat.formats.format import NO_MARKER, Calls, Format, JsonCall, Marker, Reasoning
from cutaway.chat.formats.handwritten import fixed

APERTUS = Format(
    "apertus",
    # The template has no place for a message's reasoning: the model may open it, no prompt does.
    reasoning=Reasoning(NO_MARKER, Marker("<|inner_suffix|>"), other_opens=("<|inner_prefix|>",), anywhere=True),
    calls=Calls(
        JsonCall(name_is_key=True),
        section_open=Marker("<|tools_prefix|>"),
        section_close=Marker("<|tools_suffix|>"),
        separator=", ",
        array=True,
    ),
    ends=("<|assistant_end|>",),
)

FORMATS = (fixed(APERTUS, "<|tools_prefix|>", "<|inner_prefix|>", certain=True),)
