"""Llama 3.x: bare JSON, or calls as in Python; Llama 4; and formats without any marker."""

from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, PythonCall
from cutaway.chat.formats.handwritten import fixed

_ENDS = ("<|eot_id|>", "<|eom_id|>")

LLAMA3 = Format(
    "llama3-json",
    calls=Calls(
        JsonCall(arguments_key="parameters", constants=(("type", "function"),), order=("name", "parameters")),
        separator="; ",
        parallel=False,
        other_opens=("<function=",),
        other_closes=("</function>",),
        code_opens=("<|python_tag|>",),
    ),
    ends=_ENDS,
)
PYTHONIC = Format("pythonic", calls=Calls(PythonCall(), separator=", "), ends=_ENDS)
LLAMA4 = Format(
    "llama4-pythonic",
    calls=Calls(
        PythonCall(),
        section_open=Marker("<|python_start|>"),
        section_close=Marker("<|python_end|>"),
        separator=", ",
    ),
    ends=("<|eot|>", "<|eom|>"),
)
XLAM = Format("xlam", calls=Calls(JsonCall(), separator=", ", array=True, other_opens=("```json",)))
WRAPPED = Format(
    "openai-json",
    calls=Calls(JsonCall(wrapper_key="function", constants=(("type", "function"),)), separator=", "),
)

FORMATS = (
    fixed(LLAMA3, '{"name": function name', certain=True),
    fixed(LLAMA4, "<|python_start|>"),
    fixed(PYTHONIC),
    fixed(XLAM),
    fixed(WRAPPED),
)
