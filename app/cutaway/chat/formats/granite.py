"""Granite 3: an array after `<|tool_call|>`; 3.3 wraps its answer; 3.2 names its thoughts in plain words; 20B-FC."""

from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, Reasoning, Wrapper
from cutaway.chat.formats.handwritten import fixed, think

_ENDS = ("<|end_of_text|>",)
_CALLS = Calls(
    JsonCall(),
    section_open=Marker("<|tool_call|>"),
    separator=", ",
    array=True,
    other_opens=("<tool_call>",),
    other_closes=("</tool_call>",),
)

V3_3 = Format(
    "granite3.3",
    reasoning=think("", "", ""),
    content=(Wrapper(Marker("<response>"), Marker("</response>")),),
    calls=_CALLS,
    ends=_ENDS,
)
V3 = Format("granite3", calls=_CALLS, ends=_ENDS)
V3_2 = Format(
    "granite3.2",
    reasoning=Reasoning(Marker("Here is my thought process:"), Marker("Here is my response:")),
    calls=_CALLS,
    ends=_ENDS,
)
FC = Format(
    "granite-20b-fc", calls=Calls(JsonCall(), call_open=Marker("<function_call>", after=" ")), ends=("<|endoftext|>",)
)

FORMATS = (
    fixed(V3_3, "<response></response>", "<think></think>", certain=True),
    fixed(V3_2, "Here is my thought process:", "Here is my response:"),
    fixed(V3, "<|tool_call|>"),
    fixed(FC, "<function_call>"),
)
