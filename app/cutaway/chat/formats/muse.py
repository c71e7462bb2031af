"""Muse Glimmer and Muse Spark: messages by recipient, calls in `atem` tags."""

from cutaway.chat.formats.format import Calls, Format, Marker, Messages, TaggedCall
from cutaway.chat.formats.handwritten import fixed

MUSE = Format(
    "muse-glimmer",
    messages=Messages(
        header="recipient",
        start="<|start|>assistant",
        body="<|message|>",
        ends=("<|eom|>", "<|eot|>"),
        reasoning=("self",),
        content=("user", "commentary"),
        call_end="<|eot|>",
        content_end="<|eot|>",
        reasoning_end="<|eom|>",
    ),
    calls=Calls(
        TaggedCall(
            name_prefix='<atem:invoke name="',
            name_suffix='">\n',
            key_prefix='<atem:parameter name="',
            key_suffix='">',
            value_prefix="",
            value_suffix="</atem:parameter>",
            separator="\n",
            close="\n</atem:invoke>",
        ),
        section_open=Marker("<atem:function_calls>", after="\n"),
        section_close=Marker("</atem:function_calls>", before="\n"),
    ),
)

FORMATS = (fixed(MUSE, "<atem:function_calls>", "<|eom|>", certain=True),)
