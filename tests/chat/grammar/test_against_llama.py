"""Our acceptor and llama.cpp's grammar sampler allow the same tokens, step by step, with real vocabularies."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator
from dataclasses import dataclass

import llama_cpp
import numpy as np
import pytest

from cutaway.chat.grammar.accept import Acceptor
from cutaway.chat.grammar.expression import Grammar, Rules, sequence
from cutaway.chat.grammar.finite import prune
from cutaway.chat.grammar.gbnf import write
from cutaway.chat.grammar.schema import SchemaReader
from cutaway.chat.grammar.until import without
from support import assets

SCHEMAS: dict[str, dict[str, object]] = {
    "weather": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 14}},
        "required": ["city"],
    },
    "numbers": {"type": "array", "items": {"type": "number", "minimum": -1.5, "maximum": 20}, "minItems": 1},
    "words": {"enum": ["", "été", "北京", 'a"b', None, 12]},
    "pattern": {"type": "string", "pattern": "^[A-Z]{2}-\\d{3,5}(?:x|y)*$"},
    "tree": {
        "$defs": {
            "node": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}
        },
        "$ref": "#/$defs/node",
    },
}


def grammars() -> dict[str, Grammar]:
    out = {}
    for name, schema in SCHEMAS.items():
        rules = Rules()
        root = SchemaReader(schema, rules).value(schema)
        out[name] = Grammar(prune(dict(rules.grammar(root).rules), root, name))
    rules = Rules()
    out["until"] = rules.grammar(sequence("<a>", without(rules, ["</a>", "<b>"], then="</a>"), "</a>"))
    return out


@dataclass
class Vocabulary:
    handle: llama_cpp.llama_vocab_p
    size: int
    pieces: list[bytes]
    ends: list[int]


@pytest.fixture(scope="module", params=["qwen2", "llama-spm"])
def vocabulary(request: pytest.FixtureRequest) -> Iterator[Vocabulary]:
    llama_cpp.llama_backend_init()
    params = llama_cpp.llama_model_default_params()
    params.vocab_only = True
    model = llama_cpp.llama_model_load_from_file(str(assets.vocabulary(request.param)).encode(), params)
    vocab = llama_cpp.llama_model_get_vocab(model)
    size = llama_cpp.llama_vocab_n_tokens(vocab)
    buffer = ctypes.create_string_buffer(512)
    pieces = []
    for token in range(size):
        length = llama_cpp.llama_token_to_piece(vocab, token, buffer, 512, 0, False)
        pieces.append(buffer.raw[: max(length, 0)])
    ends = [token for token in range(size) if llama_cpp.llama_vocab_is_eog(vocab, token)]
    yield Vocabulary(vocab, size, pieces, ends)
    llama_cpp.llama_model_free(model)


def allowed(vocabulary: Vocabulary, sampler: llama_cpp.llama_sampler_p) -> np.ndarray:
    """Which tokens the sampler leaves."""
    data = (llama_cpp.llama_token_data * vocabulary.size)()
    view = np.frombuffer(data, dtype=[("id", np.int32), ("logit", np.float32), ("p", np.float32)])
    view["id"] = np.arange(vocabulary.size)
    array = llama_cpp.llama_token_data_array(data, vocabulary.size, -1, False)
    llama_cpp.llama_sampler_apply(sampler, ctypes.byref(array))
    mask = np.zeros(vocabulary.size, dtype=bool)
    mask[view["id"][np.isfinite(view["logit"])]] = True
    return mask


@pytest.mark.parametrize("name", [*SCHEMAS, "until"])
def test_the_same_tokens_are_allowed_at_every_step(vocabulary: Vocabulary, name: str) -> None:
    grammar = grammars()[name]
    seed = random.Random(name)
    sampler = llama_cpp.llama_sampler_init_grammar(vocabulary.handle, write(grammar).encode(), b"root")
    assert sampler
    here = Acceptor.of(grammar)
    readable = [token for token, piece in enumerate(vocabulary.pieces) if piece and _is_text(piece)]
    try:
        for _ in range(12):
            mask = allowed(vocabulary, sampler)
            assert any(mask[token] for token in vocabulary.ends) == here.complete
            yes = [token for token in readable if mask[token]]
            no = [token for token in readable if not mask[token]]
            for token in [*seed.sample(yes, min(80, len(yes))), *seed.sample(no, min(400, len(no)))]:
                text = vocabulary.pieces[token].decode()
                assert (here.advance(text) is not None) == bool(mask[token]), (here.read, text)
            if not yes:
                break
            token = seed.choice(yes)
            llama_cpp.llama_sampler_accept(sampler, token)
            following = here.advance(vocabulary.pieces[token].decode())
            assert following is not None
            here = following
    finally:
        llama_cpp.llama_sampler_free(sampler)


def _is_text(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True
