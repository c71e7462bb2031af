"""Kimi K2 (ids composed of name and index) and Kimi K3 (tags whose borders are tokens)."""

from cutaway.chat.formats.format import (
    CallId,
    Calls,
    Format,
    Marker,
    NamedCall,
    Reasoning,
    TaggedCall,
    ValueType,
    Wrapper,
)
from cutaway.chat.formats.handwritten import fixed, think

K2 = Format(
    "kimi-k2",
    reasoning=think("", "", "", ended_by_call=True),
    calls=Calls(
        NamedCall(name_prefix="functions.", name_suffix="<|tool_call_argument_begin|>"),
        section_open=Marker("<|tool_calls_section_begin|>"),
        section_close=Marker("<|tool_calls_section_end|>"),
        call_open=Marker("<|tool_call_begin|>"),
        call_close=Marker("<|tool_call_end|>"),
        id=CallId("composed", "in_name", prefix=":"),
        other_opens=("<|tool_call_section_begin|>",),
        other_closes=("<|tool_call_section_end|>",),
    ),
    ends=("<|im_end|>",),
)

K3 = Format(
    "kimi-k3",
    reasoning=Reasoning(Marker("<|open|>think<|sep|>"), Marker("<|close|>think<|sep|>")),
    content=(Wrapper(Marker("<|open|>response<|sep|>"), Marker("<|close|>response<|sep|>")),),
    calls=Calls(
        TaggedCall(
            name_prefix='<|open|>call tool="',
            name_suffix='"',
            key_prefix='<|open|>argument key="',
            key_suffix='"',
            value_prefix="",
            value_suffix="<|close|>argument<|sep|>",
            type=ValueType(
                ' type="', '"<|sep|>', "string", ("number", "boolean", "object", "array", "null", "integer")
            ),
        ),
        section_open=Marker("<|open|>tools<|sep|>"),
        section_close=Marker("<|close|>tools<|sep|>"),
        call_close=Marker("<|close|>call<|sep|>"),
        id=CallId("positional", "after_name", prefix=' index="', suffix='"<|sep|>', start=1),
    ),
    fillers=('<|open|>message role="assistant"<|sep|>', "<|close|>message<|sep|>"),
    ends=("<|end_of_msg|>",),
)

FORMATS = (
    fixed(K2, "<|tool_calls_section_begin|>", "<|tool_call_begin|>", certain=True),
    fixed(K3, "<|open|>", "<|close|>", "<|end_of_msg|>", certain=True),
)
