"""Apertus: an array of calls whose names are keys."""

from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, Reasoning
from cutaway.chat.formats.handwritten import fixed

APERTUS = Format(
    "apertus",
    reasoning=Reasoning(Marker("<|inner_prefix|>"), Marker("<|inner_suffix|>"), anywhere=True),
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
