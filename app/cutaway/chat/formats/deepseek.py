"""DeepSeek R1 and V3 (JSON in a fence), V3.1 (name and JSON), V3.2, V4 and V4.1 (DSML tags)."""

from dataclasses import replace

from cutaway.chat.formats.format import Calls, Format, Marker, NamedCall, TaggedCall, ValueType
from cutaway.chat.formats.handwritten import fixed, think

_ENDS = ("<｜end▁of▁sentence｜>",)
_SECTION_OPEN = Marker("<｜tool▁calls▁begin｜>")
_SECTION_CLOSE = Marker("<｜tool▁calls▁end｜>")
_CALL_OPEN = Marker("<｜tool▁call▁begin｜>")
_CALL_CLOSE = Marker("<｜tool▁call▁end｜>")

V3 = Format(
    "deepseek-v3",
    reasoning=think("\n", "\n", "\n\n"),
    calls=Calls(
        NamedCall(name_prefix="function<｜tool▁sep｜>", name_suffix="\n```json\n", arguments_suffix="\n```"),
        section_open=_SECTION_OPEN,
        section_close=_SECTION_CLOSE,
        call_open=_CALL_OPEN,
        call_close=_CALL_CLOSE,
        separator="\n",
        other_opens=("<｜tool_calls_begin｜>", "<｜tool calls begin｜>", "<｜tool\\_calls\\_begin｜>"),
    ),
    ends=_ENDS,
)

V3_1 = Format(
    "deepseek-v3.1",
    reasoning=think("", "", ""),
    calls=Calls(
        NamedCall(name_suffix="<｜tool▁sep｜>"),
        section_open=_SECTION_OPEN,
        section_close=_SECTION_CLOSE,
        call_open=_CALL_OPEN,
        call_close=_CALL_CLOSE,
    ),
    ends=_ENDS,
)


def _dsml(section: str, gap: str = "") -> Calls:
    """`gap` stands between the token and each tag's name."""
    token = "｜DSML｜" + gap
    others = tuple(name for name in ("function_calls", "tool_calls", "toolcalls") if name != section)
    return Calls(
        TaggedCall(
            name_prefix=f'<{token}invoke name="',
            name_suffix='">\n',
            key_prefix=f'<{token}parameter name="',
            key_suffix='"',
            value_prefix="",
            value_suffix=f"</{token}parameter>",
            separator="\n",
            close=f"\n</{token}invoke>",
            type=ValueType(' string="', '">', "true", ("false",)),
        ),
        section_open=Marker(f"<{token}{section}>", before="\n\n", after="\n"),
        section_close=Marker(f"</{token}{section}>", before="\n"),
        separator="\n",
        other_opens=tuple(f"<{token}{other}>" for other in others),
        other_closes=tuple(f"</{token}{other}>" for other in others),
    )


V3_2 = Format("deepseek-v3.2", think("", "", "", ended_by_call=True), calls=_dsml("function_calls"), ends=_ENDS)
V4 = replace(V3_2, name="deepseek-v4", calls=_dsml("tool_calls"))
V4_1 = replace(V3_2, name="deepseek-v4.1", calls=_dsml("calls", gap=" "))

FORMATS = (
    fixed(V3_2, "DSML", "function_calls", certain=True),
    fixed(V4_1, "DSML", one_of=("｜DSML｜ invoke", "dsml_token + ' "), certain=True),
    fixed(V4, "DSML", "tool_calls", certain=True),
    fixed(V3, "<｜tool▁calls▁begin｜>", "```json", certain=True),
    fixed(V3_1, "<｜tool▁calls▁begin｜>", "<｜tool▁sep｜>", lacks=("```json",)),
)
