"""Hunyuan-A13B (answer tags, an array of calls) and Hy3, Hy4 (tags with a suffix of the checkpoint)."""

import re

from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, Reasoning, TaggedCall, Wrapper
from cutaway.chat.formats.handwritten import Handwritten, fixed, think

A13B = Format(
    "hunyuan-a13b",
    reasoning=think("\n", "\n", "\n"),
    content=(Wrapper(Marker("<answer>", after="\n"), Marker("</answer>", before="\n")),),
    calls=Calls(
        JsonCall(),
        section_open=Marker("<tool_calls>"),
        section_close=Marker("</tool_calls>"),
        separator=", ",
        array=True,
    ),
    ends=("<|eos|>",),
)


def hy3(source: str) -> Format:
    """The checkpoint's suffix stands in the template."""
    found = re.search(r"<(?:/)?think:([\w.\-]+)>", source) or re.search(r"""['"]:([a-z][\w.\-]*)['"]""", source)
    suffix = ":" + (found[1] if found else "opensource")
    return Format(
        "hunyuan-hy3",
        reasoning=Reasoning(Marker(f"<think{suffix}>"), Marker(f"</think{suffix}>")),
        calls=Calls(
            TaggedCall(
                name_prefix="",
                name_suffix=f"<tool_sep{suffix}>\n",
                key_prefix=f"<arg_key{suffix}>",
                key_suffix=f"</arg_key{suffix}>\n",
                value_prefix=f"<arg_value{suffix}>",
                value_suffix=f"</arg_value{suffix}>",
                separator="\n",
            ),
            section_open=Marker(f"<tool_calls{suffix}>", after="\n"),
            section_close=Marker(f"</tool_calls{suffix}>", before="\n"),
            call_open=Marker(f"<tool_call{suffix}>"),
            call_close=Marker(f"</tool_call{suffix}>", before="\n"),
            separator="\n",
        ),
    )


FORMATS = (
    fixed(A13B, "<tool_calls>", "<answer>"),
    Handwritten(hy3, ("hy_Assistant", "arg_key")),
)
