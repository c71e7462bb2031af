"""Functionary 3.1 (`<function=NAME>{...}</function>`) and 3.2 (`>>>NAME` and a line of JSON)."""

from cutaway.chat.formats.format import Calls, Format, Marker, Messages, NamedCall
from cutaway.chat.formats.handwritten import fixed

V3_1 = Format(
    "functionary-v3.1",
    calls=Calls(
        NamedCall(name_suffix=">"),
        call_open=Marker("<function="),
        call_close=Marker("</function>"),
        code_opens=("<|python_tag|>",),
    ),
    ends=("<|eot_id|>", "<|eom_id|>"),
)

V3_2 = Format(
    "functionary-v3.2",
    messages=Messages(
        header="line",
        start=">>>",
        body="\n",
        ends=("<|eot_id|>", "<|eom_id|>"),
        reasoning=(),
        content=("all",),
        call_end="",
    ),
    calls=Calls(NamedCall(name_suffix="\n")),
)

FORMATS = (
    fixed(V3_2, ">>>all", certain=True),
    fixed(V3_1, "<function=", "</function>", "has_code_interpreter", lacks=("<parameter=",), certain=True),
)
