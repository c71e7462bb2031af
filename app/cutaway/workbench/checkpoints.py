"""Where a prompt may be left by the next one: a memory that cannot be rolled back is copied there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cutaway.chat.message import Request
from cutaway.chat.prompt import Prompt
from cutaway.engine.tokens import Tokenised
from cutaway.workbench.turn import Turn


def checkpoints(turn: Turn) -> Sequence[int]:
    """Lengths in tokens, whatever the reply will be: before the generation prompt, where the newest message begins,
    which may be edited, and where the first one does, up to which another conversation may be the same.
    """
    if turn.prompt is None:
        return ()
    tokens = turn.prompt_tokens
    ends = tokens.ends if isinstance(tokens, Tokenised) else np.array([token.end for token in tokens])
    places = {turn.prompt.generation_start, *_first_and_newest(turn.prompt, turn.request)}
    return tuple(sorted({int(np.searchsorted(ends, place, side="right")) for place in places} - {0, len(tokens)}))


def _first_and_newest(prompt: Prompt, request: Request) -> Iterator[int]:
    """The characters at which the first message after the system text and the newest one begin.

    Blanks before a message's words may be what joins it to a system text that became part of it: they stay.
    """
    first = next((at for at, message in enumerate(request.messages) if message.role not in ("system", "developer")), 0)
    wanted = {f"messages[{first}]", f"messages[{len(request.messages) - 1}]"}
    at = 0
    for span in prompt.spans:
        owner = (span.origin.source or "").partition(".")[0]
        if span.is_input and owner in wanted and not span.text.isspace():
            wanted.discard(owner)
            yield at
        at += len(span.text)
