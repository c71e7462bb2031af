"""Command R7B, Command A and Cohere2 MoE: an array of calls in an action block; Command R+: the same in a fence."""

from cutaway.chat.formats.format import CallId, Calls, Format, JsonCall, Marker, Reasoning, Wrapper
from cutaway.chat.formats.handwritten import fixed

_THINKING = Reasoning(Marker("<|START_THINKING|>"), Marker("<|END_THINKING|>"))
_RESPONSE = Wrapper(Marker("<|START_RESPONSE|>"), Marker("<|END_RESPONSE|>"))
_TEXT = Wrapper(Marker("<|START_TEXT|>"), Marker("<|END_TEXT|>"))
_CALLS = Calls(
    JsonCall("tool_name", "parameters", "tool_call_id", order=("tool_call_id", "tool_name", "parameters")),
    section_open=Marker("<|START_ACTION|>"),
    section_close=Marker("<|END_ACTION|>"),
    separator=",\n",
    array=True,
    id=CallId("decimal", "in_json"),
)
_ENDS = ("<|END_OF_TURN_TOKEN|>",)

R7B = Format("command-r7b", _THINKING, (_RESPONSE, _TEXT), _CALLS, ends=_ENDS)
MOE = Format("cohere2-moe", _THINKING, (_TEXT, _RESPONSE), _CALLS, ends=_ENDS)
R_PLUS = Format(
    "command-r",
    calls=Calls(
        JsonCall("tool_name", "parameters"),
        section_open=Marker("Action:\n```json", after="\n"),
        section_close=Marker("```", before="\n"),
        separator=",\n",
        array=True,
        other_opens=("Action: ```json", "Action:```json"),
    ),
    fillers=("<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>"),
    ends=_ENDS,
)

FORMATS = (
    fixed(MOE, "<|START_TEXT|>", "<|START_ACTION|>", certain=True),
    fixed(R7B, "<|START_RESPONSE|>", "<|START_ACTION|>", certain=True),
    fixed(R_PLUS, "<|CHATBOT_TOKEN|>", "Action:", "```json", certain=True),
)
