"""Arguments between parameter tags, in the wrappers of several families: Seed-OSS, Dots, Step-3, OLMo 3, PLaMo 3."""

from cutaway.chat.formats.format import Calls, Format, Marker, NamedCall, PythonCall, Reasoning, TaggedCall
from cutaway.chat.formats.handwritten import fixed, think

SEED = Format(
    "seed-oss",
    Reasoning(Marker("<seed:think>"), Marker("</seed:think>", after="\n")),
    calls=Calls(
        TaggedCall(
            name_prefix="<function=",
            name_suffix=">\n",
            key_prefix="<parameter=",
            key_suffix=">",
            value_prefix="",
            value_suffix="</parameter>",
            separator="\n",
            close="\n</function>",
            literals="python",
        ),
        call_open=Marker("<seed:tool_call>", before="\n", after="\n"),
        call_close=Marker("</seed:tool_call>", before="\n"),
        separator="\n",
    ),
    ends=("<seed:eos>",),
)
DOTS = Format(
    "dots",
    think(),
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
        section_open=Marker("<dots_function_call>", after="\n"),
        section_close=Marker("</dots_function_call>", before="\n"),
        separator="\n",
    ),
)
STEP3 = Format(
    "step3",
    think(),
    calls=Calls(
        TaggedCall(
            name_prefix='function<｜tool_sep｜><steptml:invoke name="',
            name_suffix='">',
            key_prefix='<steptml:parameter name="',
            key_suffix='">',
            value_prefix="",
            value_suffix="</steptml:parameter>",
            close="</steptml:invoke>",
        ),
        section_open=Marker("<｜tool_calls_begin｜>"),
        section_close=Marker("<｜tool_calls_end｜>"),
        call_open=Marker("<｜tool_call_begin｜>"),
        call_close=Marker("<｜tool_call_end｜>"),
    ),
)
OLMO3 = Format(
    "olmo3",
    think(),
    calls=Calls(
        PythonCall(list_open="", list_close="", separator="\n"),
        section_open=Marker("<function_calls>", after="\n"),
        section_close=Marker("</function_calls>", before="\n"),
        separator="\n",
    ),
    ends=("<|im_end|>",),
)
_PLAMO = "<|plamo:{}:plamo|>".format
PLAMO3 = Format(
    "plamo3",
    Reasoning(Marker(_PLAMO("begin_think")), Marker(_PLAMO("end_think"))),
    calls=Calls(
        NamedCall(
            name_prefix=_PLAMO("begin_tool_name"),
            name_suffix=_PLAMO("end_tool_name")
            + _PLAMO("begin_tool_arguments")
            + _PLAMO("constrain")
            + "json"
            + _PLAMO("msg"),
            arguments_suffix=_PLAMO("end_tool_arguments"),
        ),
        section_open=Marker(_PLAMO("begin_tool_requests")),
        section_close=Marker(_PLAMO("end_tool_requests")),
        call_open=Marker(_PLAMO("begin_tool_request")),
        call_close=Marker(_PLAMO("end_tool_request")),
    ),
)
BEAM = Format(
    "beam",
    think(),
    calls=Calls(
        TaggedCall(
            name_prefix='<rfl:invoke name="',
            name_suffix='">',
            key_prefix='<rfl:parameter name="',
            key_suffix='">',
            value_prefix="",
            value_suffix="</rfl:parameter>",
            close="</rfl:invoke>",
        ),
        section_open=Marker("<rfl:function_calls>"),
        section_close=Marker("</rfl:function_calls>"),
    ),
)

FORMATS = (
    fixed(SEED, "<seed:tool_call>", "<parameter="),
    fixed(DOTS, "<dots_function_call>"),
    fixed(STEP3, "<steptml:invoke"),
    fixed(OLMO3, "<function_calls>", lacks=("<invoke", "DSML")),
    fixed(PLAMO3, "<|plamo:begin_tool_request"),
    fixed(BEAM, "<rfl:parameter"),
)
