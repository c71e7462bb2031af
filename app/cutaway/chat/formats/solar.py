"""Solar Open: reasoning, calls and answer in typed parts of the turn; the model writes the call's id."""

from cutaway.chat.formats.format import CallId, Calls, Format, Marker, NamedCall, Reasoning, Wrapper
from cutaway.chat.formats.handwritten import fixed

SOLAR = Format(
    "solar-open",
    reasoning=Reasoning(Marker("<|think|>"), Marker("<|end|><|begin|>assistant")),
    content=(Wrapper(Marker("<|content|>"), Marker("<|end|>")),),
    calls=Calls(
        NamedCall(name_prefix="<|tool_call:name|>", name_suffix="<|tool_call:args|>"),
        section_open=Marker("<|tool_calls|>"),
        section_close=Marker("<|calls|>"),
        call_open=Marker("<|tool_call:begin|>"),
        call_close=Marker("<|tool_call:end|>"),
        id=CallId("model", "before_name", suffix="<|tool_call:name|>"),
    ),
    fillers=("<|begin|>assistant",),
    ends=("<|end|>", "<|flush|>"),
)

FORMATS = (fixed(SOLAR, "<|tool_call:begin|>", "<|begin|>assistant", certain=True),)
