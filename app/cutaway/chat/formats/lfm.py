"""LFM2 and LFM2.5: a list of calls written as in Python."""

from cutaway.chat.formats.format import Calls, Format, Marker, PythonCall
from cutaway.chat.formats.handwritten import fixed, think

LFM2 = Format(
    "lfm2",
    reasoning=think("", "", ""),
    calls=Calls(
        PythonCall(),
        section_open=Marker("<|tool_call_start|>"),
        section_close=Marker("<|tool_call_end|>"),
        separator=", ",
    ),
    ends=("<|im_end|>",),
)

FORMATS = (
    fixed(LFM2, "<|tool_list_start|>", "<|tool_list_end|>", certain=True),
    fixed(LFM2, "List of tools: [", lacks=("<|tool_list_start|>",), certain=True),
)
