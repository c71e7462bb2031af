"""The causes of a broken prefix, M1 to M33, in words: what each is called and what would avoid it.

M29, a context that is shifted while the model writes, does not happen here: what no longer fits is left out in whole
turns and on the person's word, which is M12. Nor does M33: no image or sound reaches the engine.
"""

from __future__ import annotations

from dataclasses import dataclass

NAMES = {
    "M1": "first prompt",
    "M2": "another model",
    "M3": "model loaded again",
    "M4": "settings changed",
    "M5": "same prompt again",
    "M6": "extended",
    "M7": "system text changed",
    "M8": "tools changed",
    "M9": "message edited",
    "M10": "message deleted or branch left",
    "M11": "message inserted",
    "M12": "history shortened",
    "M13": "reasoning stripped from history",
    "M14": "generation prompt not repeated",
    "M15": "date or hint moved",
    "M16": "other end of message",
    "M17": "tool cycle closed",
    "M18": "default system text",
    "M19": "other tokens for the same text",
    "M20": "call written anew",
    "M21": "blanks changed",
    "M22": "characters normalised",
    "M23": "reply cut",
    "M24": "sliding window",
    "M25": "no checkpoint",
    "M26": "memory cannot be cut",
    "M27": "chunks cannot be moved",
    "M28": "given up for another conversation",
    "M29": "context shifted",
    "M30": "prefill stopped",
    "M31": "saved state unusable",
    "M32": "last token again",
    "M33": "media in the prompt",
}


@dataclass(frozen=True, slots=True)
class Remedy:
    text: str
    departs: bool = False
    """Whether it departs from the format that the model was trained with."""


_REMEDIES = {
    "M3": Remedy("Keep the model loaded; its settings can be changed before the first message."),
    "M4": Remedy("Change settings between conversations rather than within one."),
    "M7": Remedy("Put what changes from turn to turn into the newest message, not into the system text."),
    "M8": Remedy("Keep the list of tools, their order and their definitions as they are for a whole conversation."),
    "M11": Remedy("Put what is inserted into the newest message."),
    "M12": Remedy("Load the model with a larger context, or drop old turns in larger steps, less often."),
    "M13": Remedy("Keep the reasoning of earlier replies in the history.", departs=True),
    "M14": Remedy("Repeat in the history what the generation prompt wrote before the reply.", departs=True),
    "M15": Remedy("Give the template a fixed date, or leave the hint where it first stood."),
    "M16": Remedy("Keep the end token that the model wrote.", departs=True),
    "M17": Remedy("Keep the reasoning of finished tool calls in the history.", departs=True),
    "M18": Remedy("Write a system text of your own, so that the template adds none."),
    "M19": Remedy("Keep the model's own tokens where their text is the same."),
    "M20": Remedy("Keep the text of the call as the model wrote it.", departs=True),
    "M21": Remedy("Keep the reply's blanks as the model wrote them.", departs=True),
    "M22": Remedy("Send the text in the normal form that the prompt uses (line feeds, composed characters)."),
    "M23": Remedy("Continue the reply before sending the next message."),
    "M24": Remedy("Load the model with a full cache for its sliding-window layers; it takes more memory."),
    "M25": Remedy("Let idle prefill run: it leaves a checkpoint where the next turn will differ."),
    "M28": Remedy("Load the model with a smaller KV type (q8_0): twice as many conversations are kept then."),
    "M29": Remedy("Load the model with a larger context."),
    "M31": Remedy(
        "Nothing: the state was deleted and is made again. If it happens often, look at the disk of the cache folder."
    ),
}

NO_REMEDY = Remedy("")


def remedy(reason: str, *, reasoning_knob: str = "") -> Remedy:
    """What would avoid a break; nothing where a person wanted it.

    `reasoning_knob` is the template's own variable that keeps reasoning in the history, where it has one:
    then keeping it is part of the trained format.
    """
    if reason in ("M13", "M17") and reasoning_knob:
        return Remedy(f"Set {reasoning_knob}: the template then keeps the reasoning of earlier replies.")
    return _REMEDIES.get(reason, NO_REMEDY)
