"""Mistral: an array of calls, or a name and JSON after each `[TOOL_CALLS]`, with or without an id."""

from cutaway.chat.formats.format import CallId, Calls, Format, JsonCall, Marker, NamedCall, Reasoning
from cutaway.chat.formats.handwritten import fixed

_ENDS = ("</s>",)
_OPEN = Marker("[TOOL_CALLS]")

MINISTRAL = Format(
    "ministral3",
    reasoning=Reasoning(Marker("[THINK]"), Marker("[/THINK]")),
    calls=Calls(NamedCall(name_suffix="[ARGS]"), call_open=_OPEN, id=CallId("nine")),
    ends=_ENDS,
)

SMALL = Format(
    "mistral-small3.2",
    calls=Calls(
        NamedCall(name_suffix="[ARGS]"),
        call_open=_OPEN,
        id=CallId("nine", "after_name", prefix="[CALL_ID]", suffix="[ARGS]"),
    ),
    ends=_ENDS,
)

NEMO = Format(
    "mistral-nemo",
    calls=Calls(
        JsonCall(id_key="id", order=("name", "arguments", "id")),
        section_open=_OPEN,
        separator=", ",
        array=True,
        id=CallId("nine", "in_json"),
    ),
    ends=_ENDS,
)

FORMATS = (
    fixed(MINISTRAL, "[TOOL_CALLS]", "[ARGS]", lacks=("[CALL_ID]",), certain=True),
    fixed(SMALL, "[TOOL_CALLS]", "[ARGS]", "[CALL_ID]", certain=True),
    fixed(NEMO, "[TOOL_CALLS]", lacks=("[ARGS]",)),
)
