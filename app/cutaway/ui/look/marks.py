"""What each origin and block looks like: a hue per theme, an underline, a two-letter tag.

The hues start from Okabe and Ito's set and are shifted in lightness per theme. Where two hues come close
for colour-blind eyes their underlines differ: a test computes both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Underline(Enum):
    NONE = "none"
    SOLID = "solid"
    THICK = "thick"
    DOTTED = "dotted"
    DASHED = "dashed"
    WAVY = "wavy"
    DASH_DOT = "dash-dot"
    DOUBLE = "double"
    BOX = "box"


@dataclass(frozen=True, slots=True)
class Mark:
    kind: str
    tag: str
    name: str
    """English; shown through `words.tr`."""
    underline: Underline
    light: str
    dark: str


TEMPLATE = Mark("template", "Tp", "Template text", Underline.NONE, "#667080", "#98a2b0")
SYSTEM = Mark("system", "Sy", "System", Underline.SOLID, "#00478f", "#5e9bea")
USER = Mark("user", "Us", "User", Underline.THICK, "#0a76b4", "#6cc0f2")
TOOL_DEFINITION = Mark("tool_definition", "Td", "Tool definition", Underline.DOTTED, "#00805c", "#2cc498")
TOOL_CALL = Mark("tool_call", "Tc", "Tool call", Underline.DASHED, "#00573f", "#159a74")
TOOL_RESULT = Mark("tool_result", "Tr", "Tool result", Underline.WAVY, "#544e00", "#e8e06a")
ASSISTANT = Mark("assistant", "As", "Assistant text", Underline.SOLID, "#b54a00", "#f0813a")
REASONING = Mark("reasoning", "Re", "Reasoning", Underline.DASH_DOT, "#a33e78", "#e08fbd")
GENERATION = Mark("generation", "Gp", "Generation prompt", Underline.DOUBLE, "#8a5a00", "#eeab22")
CONTINUATION = Mark("continuation", "Co", "Continuation", Underline.DASHED, "#8a5a00", "#eeab22")
NEUTRALISED = Mark("neutralised", "!", "Neutralised control text", Underline.BOX, "#c0182a", "#ff6b70")
UNPARSED = Mark("unparsed", "Un", "Unparsed", Underline.WAVY, "#a80f22", "#ff6b70")
REPAIRED = Mark("repaired", "Rp", "Repaired", Underline.WAVY, "#a06600", "#d18f1c")

ORIGINS = (
    TEMPLATE,
    SYSTEM,
    USER,
    TOOL_DEFINITION,
    TOOL_CALL,
    TOOL_RESULT,
    ASSISTANT,
    REASONING,
    GENERATION,
    CONTINUATION,
)
MARKS = (*ORIGINS, NEUTRALISED, UNPARSED, REPAIRED)
BY_KIND = {mark.kind: mark for mark in MARKS}

REPLY_KINDS = {
    "content": ASSISTANT,
    "reasoning": REASONING,
    "call_name": TOOL_CALL,
    "call_args": TOOL_CALL,
    "call_id": TOOL_CALL,
    "markup": TEMPLATE,
    "space": TEMPLATE,
    "unparsed": UNPARSED,
}
"""What the spans of a reply (`chat.reply.SpanKind`) are painted as."""
