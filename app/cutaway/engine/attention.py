"""Whether flash attention is used where the person leaves it open, and how many tokens are then fed at once.

On a graphics card it is faster, so llama.cpp's own choice stands. On the processor llama.cpp chooses it too, but works
through its slow form for fewer than 64 tokens at once: each reads the whole cache anew. Measured with two threads,
behind 3,072 tokens, without it and with it, in tokens a second (SmolLM2-135M): decoding 38 and 15, a message of 32
tokens 128 and 23, a prompt of 512 tokens 127 and 148. A larger model with heads of 128 behind 2,048: 38 and 34, 214 and
119, 244 and 262. Conversations are made of the first two.

Without it each micro-batch writes its scores down, so a short one stays in the processor's own cache: 512 tokens
are fed at 266 tokens a second 128 at a time, at 230 all at once.
"""

from __future__ import annotations

from dataclasses import replace

from cutaway.engine.command import ModelSettings

TOKENS = 128
"""Of a micro-batch without flash attention."""
LARGEST_SCORES = 1 << 30
"""Bytes; a context whose scores would take more is worked on with flash attention."""
_PLAIN = ("f16", "bf16", "f32")


def on_processor(settings: ModelSettings, context: int, heads: int) -> ModelSettings:
    """The settings as they are used where no layer is on a graphics card; `context` in tokens."""
    scores = 4 * min(TOKENS, context) * context * heads
    if settings.flash_attention != "auto" or settings.kv_type_v not in _PLAIN or scores > LARGEST_SCORES:
        return settings
    return replace(settings, flash_attention="off", micro_batch=min(settings.micro_batch, TOKENS))
