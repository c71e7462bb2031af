"""gpt-oss: the harmony channels. Reasoning on `analysis`, the answer on `final`, calls to `functions.NAME`."""

from cutaway.chat.formats.format import Calls, Format, Messages, NamedCall
from cutaway.chat.formats.handwritten import fixed

GPT_OSS = Format(
    "gpt-oss",
    messages=Messages(
        header="channel",
        start="<|start|>assistant",
        body="<|message|>",
        ends=("<|end|>", "<|return|>", "<|call|>"),
        reasoning=("analysis",),
        content=("final", "commentary"),
        call="commentary",
        call_end="<|call|>",
        tool_prefix="functions.",
        channel="<|channel|>",
        constrain="<|constrain|>",
        content_end="<|return|>",
        reasoning_end="<|end|>",
    ),
    calls=Calls(NamedCall(), parallel=False),
)

FORMATS = (fixed(GPT_OSS, "<|channel|>", "<|message|>", certain=True),)
