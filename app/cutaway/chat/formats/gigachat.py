"""GigaChat 3 (a call is a message of its own), 3.1 (one marker before it) and 3.5 (tags)."""

from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, TaggedCall, ValueType
from cutaway.chat.formats.handwritten import fixed, think

V3 = Format(
    "gigachat3",
    calls=Calls(
        JsonCall(),
        call_open=Marker("<|message_sep|>\n\nfunction call<|role_sep|>", after="\n"),
        parallel=False,
    ),
    ends=("<|message_sep|>",),
)

V3_1 = Format(
    "gigachat3.1",
    calls=Calls(JsonCall(), call_open=Marker("<|function_call|>"), parallel=False),
    ends=("<|message_sep|>",),
)

V3_5 = Format(
    "gigachat3.5",
    reasoning=think("", "", "\n\n", ended_by_call=True),
    calls=Calls(
        TaggedCall(
            name_prefix='<｜GCML｜invoke name="',
            name_suffix='">\n',
            key_prefix='<｜GCML｜parameter name="',
            key_suffix='"',
            value_prefix="",
            value_suffix="</｜GCML｜parameter>",
            separator="\n",
            close="\n</｜GCML｜invoke>",
            type=ValueType(' string="', '">', "true", ("false",)),
        ),
        section_open=Marker("<｜GCML｜tool_calls>", before="\n\n", after="\n"),
        section_close=Marker("</｜GCML｜tool_calls>", before="\n"),
        separator="\n",
    ),
)

FORMATS = (
    fixed(V3, "<|role_sep|>", "<|message_sep|>", lacks=("<|function_call|>",), certain=True),
    fixed(V3_1, "<|role_sep|>", "<|message_sep|>", "<|function_call|>"),
    fixed(V3_5, "GCML"),
)
