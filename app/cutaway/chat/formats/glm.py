"""Arguments between key tags and value tags: GLM and Laguna, Seed, and the families that spell the tags otherwise."""

from dataclasses import replace

from cutaway.chat.formats.format import Calls, Format, Marker, Reasoning, TaggedCall, ValueType
from cutaway.chat.formats.handwritten import fixed, think


def _keyed(
    prefix: str, blank: str, name_suffix: str = "", key: str = "arg_key", value: str = "arg_value"
) -> TaggedCall:
    return TaggedCall(
        name_prefix="",
        name_suffix=name_suffix,
        key_prefix=f"<{prefix}{key}>",
        key_suffix=f"</{prefix}{key}>{blank}",
        value_prefix=f"<{prefix}{value}>",
        value_suffix=f"</{prefix}{value}>",
        separator=blank,
    )


_ENDS = ("<|user|>", "<|observation|>", "<|endoftext|>")

GLM45 = Format(
    "glm4.5",
    think("", "", "\n"),
    calls=Calls(
        _keyed("", "\n", name_suffix="\n"),
        call_open=Marker("<tool_call>", before="\n"),
        call_close=Marker("</tool_call>", before="\n"),
        separator="\n",
    ),
    ends=_ENDS,
)
GLM47 = Format(
    "glm4.7",
    think("", "", ""),
    calls=Calls(_keyed("", ""), call_open=Marker("<tool_call>"), call_close=Marker("</tool_call>")),
    ends=_ENDS,
)
LAGUNA = replace(GLM45, name="laguna", ends=("</assistant>",))
TELECHAT = Format(
    "telechat4",
    think("\n", "\n", "\n\n"),
    calls=Calls(
        _keyed("", "", key="param_key", value="param_value"),
        call_open=Marker("<tool_call>"),
        call_close=Marker("</tool_call>"),
    ),
)
IQUEST = Format(
    "iquest-q1",
    think("\n", "\n", "\n\n"),
    calls=Calls(_keyed("", ""), call_open=Marker("<iquest_tool_call>"), call_close=Marker("</iquest_tool_call>")),
)
HORIZON = Format(
    "k2-horizon",
    Reasoning(
        Marker("<ifm|think>", after="\n"),
        Marker("</ifm|think>", before="\n", after="\n"),
        other_opens=("<ifm|think_fast>", "<ifm|think_faster>"),
        other_closes=("</ifm|think_fast>", "</ifm|think_faster>"),
        ended_by_call=True,
    ),
    calls=Calls(
        replace(
            _keyed("ifm|", "", name_suffix="\n"),
            value_prefix="",
            type=ValueType(
                "<ifm|arg_type>",
                "</ifm|arg_type><ifm|arg_value>",
                "string",
                ("number", "boolean", "object", "array", "null"),
            ),
        ),
        section_open=Marker("<ifm|tool_calls>"),
        section_close=Marker("</ifm|tool_calls>"),
        call_open=Marker("<ifm|tool_call>"),
        call_close=Marker("</ifm|tool_call>"),
    ),
)

FORMATS = (
    fixed(LAGUNA, "laguna", "<arg_key>"),
    fixed(GLM45, "<arg_key>", "<arg_value>", one_of=("</arg_key>\n", "</arg_key>\\n")),
    fixed(GLM47, "<arg_key>", "<arg_value>"),
    fixed(TELECHAT, "<param_key>"),
    fixed(IQUEST, "<iquest_tool_call>"),
    fixed(HORIZON, "<ifm|tool_call>"),
)
