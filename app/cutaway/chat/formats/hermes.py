"""Calls as one JSON object in a wrapper: Hermes and Qwen, and the families that only spell the wrapper otherwise."""

from dataclasses import replace

from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, Reasoning, Wrapper
from cutaway.chat.formats.handwritten import Handwritten, fixed, if_shown, think

_IM_END = ("<|im_end|>",)


def _each(open: str, close: str, body: JsonCall | None = None, blanks: str = "\n") -> Calls:
    """A wrapper around each call."""
    return Calls(
        body or JsonCall(),
        call_open=Marker(open, before=blanks, after=blanks),
        call_close=Marker(close, before=blanks),
        separator=blanks,
    )


def _list(open: str, close: str, before: str = "") -> Calls:
    """A wrapper around an array of calls."""
    return Calls(
        JsonCall(), section_open=Marker(open, before=before), section_close=Marker(close), separator=", ", array=True
    )


HERMES = Format("hermes", think(), calls=_each("<tool_call>", "</tool_call>"), ends=_IM_END)
NEMOTRON = Format("nemotron-v2", think("\n", "", ""), calls=_list("<TOOLCALL>", "</TOOLCALL>"), ends=("<SPECIAL_12>",))
FIREFUNCTION = Format(
    "firefunction",
    calls=replace(
        _list("functools", "", before=" "),
        other_opens=("<|tool_calls|>", "<|tool_call|>"),
        other_closes=("<|/tool_calls|>", "<|/tool_call|>"),
    ),
    ends=("<|eot_id|>",),
)
APRIEL = Format(
    "apriel1.6",
    Reasoning(
        Marker("Here are my reasoning steps:", after="\n"), Marker("[BEGIN FINAL RESPONSE]", before="\n", after="\n")
    ),
    calls=_list("<tool_calls>", "</tool_calls>"),
    fillers=("[END FINAL RESPONSE]",),
    ends=("<|end|>",),
)
JAMBA = Format("jamba", calls=_list("<tool_calls>", "</tool_calls>"), ends=("<|eom|>", "<|endoftext|>"))
INTERNLM = Format(
    "internlm2",
    calls=Calls(
        JsonCall(arguments_key="parameters"),
        call_open=Marker("<|action_start|><|plugin|>", after="\n"),
        call_close=Marker("<|action_end|>"),
        parallel=False,
    ),
    ends=_IM_END,
)
LONGCAT = Format(
    "longcat",
    Reasoning(Marker("<longcat_think>", after="\n"), Marker("</longcat_think>", before="\n", after="\n")),
    calls=_each("<longcat_tool_call>", "</longcat_tool_call>"),
)
ERNIE = Format(
    "ernie4.5",
    think(),
    (Wrapper(Marker("<response>", after="\n"), Marker("</response>", before="\n")),),
    _each("<tool_call>", "</tool_call>"),
    ends=("<|im_end|>", "</s>"),
)
LM_STUDIO = Format("lm-studio", calls=_each("[TOOL_REQUEST]", "[END_TOOL_REQUEST]", blanks=""))
KIMI_VL = Format("kimi-vl", Reasoning(Marker("◁think▷"), Marker("◁/think▷")), ends=_IM_END)
INKLING = Format(
    "inkling",
    Reasoning(Marker("<|content_thinking|>"), Marker("<|end_message|>")),
    (Wrapper(Marker("<|content_text|>"), Marker("<|end_message|>")),),
    Calls(
        JsonCall(arguments_key="args"),
        call_open=Marker("<|content_invoke_tool_json|>"),
        call_close=Marker("<|end_message|>"),
    ),
    fillers=("<|message_model|>",),
)

FORMATS = (
    Handwritten(
        lambda source: if_shown(HERMES, source, "<think>"),
        ("<tool_call>", '"arguments"'),
        lacks=("<function=", "<arg_key>", "<parameter"),
    ),
    fixed(NEMOTRON, "<TOOLCALL>", "<SPECIAL_12>"),
    fixed(FIREFUNCTION, "functools["),
    fixed(APRIEL, "Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"),
    fixed(JAMBA, "<tool_calls>", lacks=("<answer>", "<end_of_sentence>", "[BEGIN FINAL RESPONSE]")),
    fixed(INTERNLM, "<|action_start|>", "<|plugin|>"),
    fixed(LONGCAT, "<longcat_tool_call>"),
    fixed(ERNIE, "<tool_call>", "<response>"),
    fixed(INKLING, "<|content_invoke_tool_json|>"),
    fixed(KIMI_VL, "◁think▷"),
    fixed(LM_STUDIO),
)
