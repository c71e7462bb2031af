"""MiniMax M1 (lines of JSON), M2 (invoke tags) and M3 (a namespace token before each nested tag)."""

from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, Reasoning, TaggedCall, TreeCall
from cutaway.chat.formats.handwritten import fixed, think

_SPACE = "]<]minimax[>["
"""M3's namespace token."""

M1 = Format(
    "minimax-m1",
    reasoning=think("\n", "\n", "\n\n"),
    calls=Calls(
        JsonCall(),
        section_open=Marker("<tool_calls>", before="\n", after="\n"),
        section_close=Marker("</tool_calls>", before="\n"),
        separator="\n",
    ),
    ends=("<end_of_sentence>",),
)

M2 = Format(
    "minimax-m2",
    reasoning=think("\n", "\n", "\n\n"),
    calls=Calls(
        TaggedCall(
            name_prefix='<invoke name="',
            name_suffix='">\n',
            key_prefix='<parameter name="',
            key_suffix='">',
            value_prefix="",
            value_suffix="</parameter>",
            separator="\n",
            close="\n</invoke>",
        ),
        section_open=Marker("<minimax:tool_call>", before="\n", after="\n"),
        section_close=Marker("</minimax:tool_call>", before="\n"),
        separator="\n",
    ),
    ends=("[e~[",),
)

M3 = Format(
    "minimax-m3",
    reasoning=Reasoning(Marker("<mm:think>"), Marker("</mm:think>")),
    calls=Calls(
        TreeCall(
            name_prefix=_SPACE + '<invoke name="',
            name_suffix='">',
            namespace=_SPACE,
            close=_SPACE + "</invoke>",
        ),
        section_open=Marker(_SPACE + "<tool_call>", after="\n"),
        section_close=Marker(_SPACE + "</tool_call>", before="\n"),
        separator="\n",
        other_closes=("</tool_call>",),
    ),
    ends=("[e~[",),
)

FORMATS = (
    fixed(M3, _SPACE, "<tool_call>", "<invoke name=", certain=True),
    fixed(M2, "<minimax:tool_call>", "<invoke name="),
    fixed(M1, "<tool_calls>", "<end_of_sentence>"),
)
