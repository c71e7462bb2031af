"""Qwen3-Coder, Qwen3.5, Nemotron 3, StepFun 3.5 and MiMo: function and parameter tags, strings unescaped."""

from dataclasses import replace

from cutaway.chat.formats.format import Calls, Format, Marker, TaggedCall
from cutaway.chat.formats.handwritten import Handwritten, fixed, if_shown, think

CODER = Format(
    "qwen3-coder",
    reasoning=think("\n", "\n", "\n\n", ended_by_call=True),
    calls=Calls(
        TaggedCall(
            name_prefix="<function=",
            name_suffix=">\n",
            key_prefix="<parameter=",
            key_suffix=">\n",
            value_prefix="",
            value_suffix="\n</parameter>",
            separator="\n",
            close="\n</function>",
        ),
        call_open=Marker("<tool_call>", before="\n", after="\n"),
        call_close=Marker("</tool_call>", before="\n"),
        separator="\n",
        opener_optional=True,
    ),
    ends=("<|im_end|>",),
)

MIMO = replace(
    CODER,
    name="mimo",
    calls=Calls(
        TaggedCall(
            name_prefix="<function=",
            name_suffix=">",
            key_prefix="<parameter=",
            key_suffix=">",
            value_prefix="",
            value_suffix="</parameter>",
            close="</function>",
        ),
        call_open=Marker("<tool_call>"),
        call_close=Marker("</tool_call>"),
    ),
)

_COMPACT = "'<tool_call><function=' ~ tool_call.name ~ '>'"

FORMATS = (
    Handwritten(
        lambda source: if_shown(CODER, source, "<think>"),
        ("<tool_call>", "<function=", "<parameter="),
        lacks=(_COMPACT,),
        certain=True,
    ),
    fixed(MIMO, _COMPACT),
)
