"""MiniCPM5: `<function name="f"><param name="k">v</param></function>`, strings perhaps in CDATA."""

from cutaway.chat.formats.format import Calls, Format, TaggedCall
from cutaway.chat.formats.handwritten import fixed, think

MINICPM5 = Format(
    "minicpm5",
    reasoning=think(),
    calls=Calls(
        TaggedCall(
            name_prefix='<function name="',
            name_suffix='">',
            key_prefix='<param name="',
            key_suffix='">',
            value_prefix="",
            value_suffix="</param>",
            close="</function>",
            cdata=True,
        ),
        separator="\n",
    ),
    ends=("<|im_end|>",),
)

FORMATS = (fixed(MINICPM5, '<function name="', '<param name="', certain=True),)
