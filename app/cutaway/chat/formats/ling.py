"""Ling 3 and Bailing V3: GLM's tags, reasoning that may run straight into a call, a spelled-out end of turn."""

from cutaway.chat.formats.format import Calls, Format, Marker, TaggedCall
from cutaway.chat.formats.handwritten import fixed, think

LING = Format(
    "ling3",
    reasoning=think("", "", "\n", ended_by_call=True),
    calls=Calls(
        TaggedCall(
            name_prefix="",
            name_suffix="\n",
            key_prefix="<arg_key>",
            key_suffix="</arg_key>\n",
            value_prefix="<arg_value>",
            value_suffix="</arg_value>",
            separator="\n",
        ),
        call_open=Marker("<tool_call>", before="\n"),
        call_close=Marker("</tool_call>", before="\n"),
        separator="\n",
    ),
    ends=("<|role_end|>",),
)

FORMATS = (fixed(LING, "<role>ASSISTANT</role>", "<arg_key>", certain=True),)
