"""Every kind of `tokenizer.json`: made small with `tokenizers` itself, then opened as a file from anybody would be."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from cutaway.chat.prompt import Origin, Prompt, Span
from cutaway.engine.backend import Vocabulary
from cutaway.engine.tokens import tokenise
from cutaway.engine.vocabulary import open_vocabulary

TEXT = ["the quick brown fox jumps over the lazy dog, again and again", "a fine day, Grüße and 你好 to all"] * 20
SPECIALS = ["<s>", "</s>", "<unk>"]


def _train(tokenizer: Tokenizer, trainer: Any) -> Tokenizer:
    tokenizer.train_from_iterator(TEXT, trainer)
    return tokenizer


def byte_level() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return _train(tokenizer, trainers.BpeTrainer(vocab_size=350, special_tokens=SPECIALS, initial_alphabet=alphabet))


def sentencepiece_bpe() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer = _train(
        tokenizer,
        trainers.BpeTrainer(vocab_size=400, special_tokens=SPECIALS + [f"<0x{byte:02X}>" for byte in range(256)]),
    )
    model = json.loads(tokenizer.to_str())
    model["added_tokens"] = [token for token in model["added_tokens"] if token["content"] in SPECIALS]
    return Tokenizer.from_str(json.dumps(model))


def unigram() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    return _train(tokenizer, trainers.UnigramTrainer(vocab_size=120, special_tokens=SPECIALS, unk_token="<unk>"))


def word_piece() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer = _train(
        tokenizer, trainers.WordPieceTrainer(vocab_size=200, special_tokens=["[UNK]", "[CLS]", "[SEP]", *SPECIALS])
    )
    ends = [("[CLS]", tokenizer.token_to_id("[CLS]")), ("[SEP]", tokenizer.token_to_id("[SEP]"))]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return tokenizer


KINDS: dict[str, Callable[[], Tokenizer]] = {
    "bpe": byte_level,
    "spm": sentencepiece_bpe,
    "ugm": unigram,
    "wpm": word_piece,
}


def opened(make: Callable[[], Tokenizer], folder: Path, *added: AddedToken, **settings: Any) -> Vocabulary:
    tokenizer = make()
    tokenizer.add_special_tokens([token for token in added if token.special])
    tokenizer.add_tokens([token for token in added if not token.special])
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return open_vocabulary(folder)


def prompt(*parts: str) -> Prompt:
    spans = tuple(
        Span(text, Origin("input", "messages[0].content", 0, len(text)) if index % 2 else Origin("template"))
        for index, text in enumerate(parts)
    )
    return Prompt(spans, sum(map(len, parts)))


@pytest.mark.parametrize("kind", KINDS)
def test_tokens_of_every_kind_know_their_characters(kind: str, tmp_path: Path) -> None:
    found = opened(KINDS[kind], tmp_path)
    assert found.kind == kind
    asked = prompt("<s>", "the quick fox", "</s>", " and a lazy dog")
    tokenised = tokenise(asked, found, add_bos=False, add_eos=False)
    assert tokenised.ids.tolist() == found.encode(asked.text, special=True)
    words = "".join(asked.text[token.start : token.end] for token in tokenised)
    assert words.replace(" ", "") == asked.text.replace(" ", "")
    assert not tokenised.warnings
    control = [token for token in tokenised if token.control]
    assert [(token.start, token.end) for token in control] == [(0, 3), (16, 20)]


@pytest.mark.parametrize("kind", KINDS)
def test_control_text_in_input_is_text_in_every_kind(kind: str, tmp_path: Path) -> None:
    found = opened(KINDS[kind], tmp_path, AddedToken("<think>", special=False, normalized=False))
    asked = prompt("<s><think>", "a </s> fox<think>", "</s>")
    tokenised = tokenise(asked, found, add_bos=False, add_eos=False)
    unknown = (b"<unk>", b"[UNK]")
    assert [token.piece for token in tokenised if token.control and token.piece not in unknown] == [b"<s>", b"</s>"]
    assert [spot.text for spot in tokenised.neutralised] == ["</s>", "<think>"]
    marker = found.encode("<think>", special=True)
    assert sum(token.id in marker for token in tokenised) == 1


@pytest.mark.parametrize("kind", ["bpe", "spm", "ugm"])
def test_blanks_that_an_added_token_swallows(kind: str, tmp_path: Path) -> None:
    end = AddedToken("<|end|>", special=True, lstrip=True, rstrip=True, normalized=False)
    found = opened(KINDS[kind], tmp_path, end)
    asked = prompt("", "the fox", "  <|end|> \n ", "a dog", "")
    tokenised = tokenise(asked, found, add_bos=False)
    (control,) = [token for token in tokenised if token.control]
    assert asked.text[control.start : control.end] == "<|end|>"
    assert not tokenised.warnings
    after = next(token for token in tokenised if token.start >= control.end and token.end > token.start)
    assert asked.text[after.start] == "a"


def test_an_added_token_that_is_matched_in_normal_form(tmp_path: Path) -> None:
    """NFKC makes `<s>` of full-width letters after which an added token would be found."""
    mark = AddedToken("<go>", special=True, normalized=True)
    found = opened(unigram, tmp_path, mark)
    (token,) = found.encode("<go>", special=True)
    tokenised = tokenise(prompt("", "the \uff1cgo\uff1e dog"), found)
    assert token not in tokenised.ids.tolist()


def test_bos_and_eos_are_found_where_the_files_name_them(tmp_path: Path) -> None:
    found = opened(byte_level, tmp_path, bos_token="<s>", eos_token={"content": "</s>"}, add_bos_token=True)
    assert (found.piece(found.bos), found.piece(found.eos)) == (b"<s>", b"</s>")
    assert (found.adds_bos, found.adds_eos) == (True, False)
    assert [token.piece for token in tokenise(prompt("", "a"), found)] == [b"<s>", b"a"]


def test_bos_is_found_where_only_the_tokenizer_adds_it(tmp_path: Path) -> None:
    def framed() -> Tokenizer:
        tokenizer = byte_level()
        beginning = [("<s>", tokenizer.token_to_id("<s>"))]
        tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=beginning)
        return tokenizer

    found = opened(framed, tmp_path)
    assert (found.piece(found.bos), found.adds_bos, found.adds_eos) == (b"<s>", True, False)
    assert found.encode("a", special=True) == found.encode("a", special=False)


def test_word_pieces_are_framed_as_their_tokenizer_frames_them(tmp_path: Path) -> None:
    found = opened(word_piece, tmp_path)
    tokenised = tokenise(prompt("", "the fox"), found)
    assert [token.piece for token in tokenised] == [b"[CLS]", *[t.piece for t in tokenised][1:-1], b"[SEP]"]


def test_more_end_tokens_of_the_generation_settings(tmp_path: Path) -> None:
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": [1, 7, true, "x"]}', encoding="utf-8")
    found = opened(byte_level, tmp_path)
    assert [token for token in range(found.size) if found.is_end(token)] == [1, 7]


@pytest.mark.parametrize("settings", ["[]", "{", "null", '{"bos_token": 3, "eos_token": {"content": []}}'])
def test_settings_of_any_shape_are_survived(settings: str, tmp_path: Path) -> None:
    byte_level().save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer_config.json").write_text(settings, encoding="utf-8")
    assert open_vocabulary(tmp_path).bos == -1
