"""Vocabularies of real files: what llama.cpp and `tokenizers` say of them, and what damaged ones say."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.engine.backend import LoadError
from cutaway.engine.llama.long_runs import LONGEST, cut_long_runs
from cutaway.engine.vocabulary import open_vocabulary
from support import assets
from support.laws import tried
from support.vocabularies import QWEN35, vocabulary


def expectations(name: str) -> list[tuple[str, list[int]]]:
    """llama.cpp's own test data: texts and the ids that their models' tokenizers give."""
    file = assets.vocabulary(name)
    texts = Path(f"{file}.inp").read_text(encoding="utf-8").split("\n__ggml_vocab_test__\n")
    ids = Path(f"{file}.out").read_text(encoding="utf-8").splitlines()
    return [(text, [int(token) for token in line.split()]) for text, line in zip(texts, ids, strict=False)]


@pytest.mark.parametrize("name", ["llama-bpe", "qwen2", "llama-spm", "phi-3", "gpt-2", "deepseek-llm", "bert-bge"])
def test_ids_are_those_of_the_models_own_tokenizer(name: str) -> None:
    found = vocabulary(name)
    cases = expectations(name)
    assert len(cases) > 30
    for text, ids in cases:
        assert found.encode(text, special=False) == ids


def test_a_vocabulary_says_what_it_is() -> None:
    llama = vocabulary("llama-bpe")
    assert (llama.kind, llama.size, llama.bos, llama.adds_bos, llama.adds_eos) == ("bpe", 128256, 128000, True, False)
    assert llama.piece(llama.bos) == b"<|begin_of_text|>"
    assert llama.is_control(llama.bos)
    assert not llama.is_control(0)
    assert llama.is_end(llama.encode("<|eot_id|>", special=True)[0])
    assert vocabulary("phi-3").kind == "spm"
    assert vocabulary("bert-bge").kind == "wpm"
    assert vocabulary("nomic-bert-moe").kind == "ugm"


def test_special_tokens_are_seen_only_when_asked_for() -> None:
    for name in ("qwen2", QWEN35):
        found = vocabulary(name)
        (token,) = found.encode("<|im_start|>", special=True)
        assert found.is_control(token)
        assert token not in found.encode("<|im_start|>", special=False)


def test_markers_are_user_defined_and_not_control() -> None:
    found = vocabulary(QWEN35)
    (token,) = found.encode("<think>", special=True)
    assert found.is_user_defined(token)
    assert not found.is_control(token)
    assert ("<think>", token, False) in found.added()


@pytest.mark.parametrize("name", ["qwen2", "llama-spm", "gemma-4", QWEN35])
def test_pieces_join_to_the_text(name: str) -> None:
    found = vocabulary(name)
    text = "Grüße, 世界! 👩‍👩‍👧 \t\n  def f(x):\n    return x\r\n"
    assert b"".join(map(found.piece, found.encode(text, special=False))).decode().lstrip(" ") == text


def test_one_handle_serves_many_threads() -> None:
    found = vocabulary("qwen2")
    texts = [f"Thread {number} says: {'word ' * number}" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: found.encode(text, special=True), texts))
    assert together == [found.encode(text, special=True) for text in texts]


@pytest.mark.parametrize(
    "name", ["deepseek-llm", "deepseek-coder", "falcon", "aquila", "gpt-neox", "qwen2", "llama-spm"]
)
@pytest.mark.parametrize("character", ["a", " ", "的", "!", "1"])
def test_a_word_without_an_end_is_tokenised(name: str, character: str) -> None:
    """llama.cpp's regular expressions recurse once a character: 40,000 end the process."""
    found = vocabulary(name)
    text = character * 60_000
    assert b"".join(map(found.piece, found.encode(text, special=True))).decode().strip(" ") == text.strip(" ")


@tried(60)
@given(st.text(st.sampled_from("a 1.é\n")).map(lambda text: text * 700))
def test_long_runs_are_cut_between_characters(text: str) -> None:
    data = text.encode()
    pieces = cut_long_runs(data)
    assert b"".join(pieces) == data
    assert all(piece.decode() or not data for piece in pieces)
    assert len(pieces) == 1 or len(data) > LONGEST


def test_ordinary_text_is_never_cut() -> None:
    text = "An ordinary sentence of words, 12 numbers and signs. " * 1000
    assert cut_long_runs(text.encode()) == [text.encode()]


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="cannot be read"):
        open_vocabulary(tmp_path / "none.gguf")


@pytest.mark.parametrize("content", [b"", b"GG", b"not a model at all", b"GGUF", b"GGUF\x03\0\0\0" + b"\xff" * 40])
def test_a_damaged_gguf_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "damaged.gguf"
    file.write_bytes(content)
    with pytest.raises(LoadError, match=r"damaged\.gguf"):
        open_vocabulary(file)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"model": 3}', '{"model": {"type": "BPE", "vocab": [], "merges": 1}}']
)
def test_a_damaged_tokenizer_is_a_sentence(tmp_path: Path, content: str) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(LoadError, match=r"tokenizer\.json"):
        open_vocabulary(file)
