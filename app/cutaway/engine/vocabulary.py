"""Open a vocabulary from whatever file carries one."""

from __future__ import annotations

from pathlib import Path

from cutaway.engine.backend import Vocabulary


def open_vocabulary(path: str | Path) -> Vocabulary:
    """The vocabulary of a GGUF file (vocabulary-only too), a `tokenizer.json`, or a folder that holds one.

    Its methods are safe from any thread. Raises LoadError with a sentence.
    """
    file = Path(path)
    if file.is_dir() and (file / "tokenizer.json").is_file():
        file = file / "tokenizer.json"
    if file.suffix.lower() == ".json":
        from cutaway.engine.hf_vocabulary import open_hf_vocabulary

        return open_hf_vocabulary(file)
    from cutaway.engine.llama.vocabulary import open_gguf_vocabulary

    return open_gguf_vocabulary(file)
