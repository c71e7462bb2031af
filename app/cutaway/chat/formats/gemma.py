"""Gemma 4 and FunctionGemma: a call is a name and a dictionary with bare keys and quotes of its own."""

from cutaway.chat.formats.format import Calls, DictCall, Format, Marker, Reasoning
from cutaway.chat.formats.handwritten import fixed

GEMMA4 = Format(
    "gemma4",
    reasoning=Reasoning(
        Marker("<|channel>thought", after="\n"),
        Marker("<channel|>", before="\n"),
        other_opens=("<|channel>",),
        anywhere=True,
    ),
    calls=Calls(DictCall(), call_open=Marker("<|tool_call>"), call_close=Marker("<tool_call|>")),
    ends=("<turn|>", "<|tool_response>"),
)

FUNCTION_GEMMA = Format(
    "functiongemma",
    calls=Calls(
        DictCall(quote="<escape>"),
        call_open=Marker("<start_function_call>"),
        call_close=Marker("<end_function_call>"),
    ),
    ends=("<end_of_turn>", "<start_function_response>"),
)

FORMATS = (
    fixed(GEMMA4, "<|tool_call>call:", certain=True),
    fixed(FUNCTION_GEMMA, "<start_function_call>", certain=True),
)
