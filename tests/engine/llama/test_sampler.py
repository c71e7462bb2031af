"""Sampling with llama.cpp's own stages, on a tiny model."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from cutaway.engine.command import Constraint, ModelSettings
from cutaway.engine.event import Token
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.sampling import DEFAULT_ORDER, PRESETS, Sampling
from support.tiny_models import tiny_model

PROMPT = [30, 41, 52, 63, 74]


@pytest.fixture(scope="module")
def backend() -> Iterator[LlamaBackend]:
    backend = LlamaBackend(trusting=True)
    backend.load(str(tiny_model("attention")), ModelSettings(context=512, threads=1), lambda _: True)
    yield backend
    backend.close()


def write(
    backend: LlamaBackend,
    sampling: Sampling,
    count: int,
    *,
    constraint: Constraint | None = None,
    constrained: bool = True,
    seed: int = 5,
) -> list[Token]:
    """Sample `count` tokens after the prompt, or fewer when one ends the turn."""
    backend.keep(0)
    backend.feed(PROMPT, 0)
    backend.start(sampling, constraint, seed, PROMPT)
    tokens: list[Token] = []
    for index in range(count):
        tokens.append(backend.sample(index, constrained=constrained))
        if backend.vocabulary().is_end(tokens[-1].id):
            break
        backend.feed([tokens[-1].id], len(PROMPT) + index)
    return tokens


def text(tokens: list[Token], backend: LlamaBackend) -> str:
    return b"".join(token.piece for token in tokens if not backend.vocabulary().is_end(token.id)).decode(
        "utf-8", "replace"
    )


def test_the_same_seed_writes_the_same(backend: LlamaBackend) -> None:
    first = [token.id for token in write(backend, Sampling(), 20)]

    assert first == [token.id for token in write(backend, Sampling(), 20)]
    assert first != [token.id for token in write(backend, Sampling(), 20, seed=6)]


def test_temperature_zero_takes_the_likeliest(backend: LlamaBackend) -> None:
    assert {token.rank for token in write(backend, Sampling(temperature=0.0), 12)} == {0}


def test_every_token_says_how_likely_it_and_the_others_were(backend: LlamaBackend) -> None:
    for token in write(backend, Sampling(top_k=0, top_p=1.0, min_p=0.0), 8):
        chances = [other.probability for other in token.alternatives]
        assert len(token.alternatives) == 10
        assert chances == sorted(chances, reverse=True)
        assert 0 < token.probability <= chances[0]
        assert 0 < token.chosen_probability <= 1
        assert 0 < token.entropy < math.log2(backend.vocabulary().size) + 1e-3
        if token.rank < 10:
            assert token.alternatives[token.rank].token == token.id


def test_a_rank_counts_the_likelier_tokens(backend: LlamaBackend) -> None:
    backend.keep(0)
    backend.feed(PROMPT, 0)
    backend.start(Sampling(), None, 5, PROMPT)
    logits = backend._logits().copy()
    token = int(logits.argsort()[::-1][123])

    assert backend.force(0, token).rank == 123
    weights = [math.exp(float(value) - float(logits.max())) for value in logits]
    entropy = -sum(w / sum(weights) * math.log2(w / sum(weights)) for w in weights)
    backend.feed(PROMPT, 5)
    backend.keep(5)
    assert entropy == pytest.approx(_entropy(backend), rel=1e-3)


def _entropy(backend: LlamaBackend) -> float:
    backend.keep(0)
    backend.feed(PROMPT, 0)
    backend.start(Sampling(), None, 5, PROMPT)
    return backend.sample(0, constrained=True).entropy


def test_what_the_chain_removed_has_no_chance_and_the_trace_names_the_stage(backend: LlamaBackend) -> None:
    sampling = Sampling(top_k=4, top_p=1.0, min_p=0.0, trace=True)
    for token in write(backend, sampling, 5):
        left = [other for other in token.alternatives if other.chosen_probability > 0]
        assert len(left) == 4
        assert sum(other.chosen_probability for other in left) == pytest.approx(1.0, abs=1e-4)
        assert {other.removed_by for other in token.alternatives[4:]} == {"top_k"}


def test_tracing_changes_nothing_that_is_drawn(backend: LlamaBackend) -> None:
    sampling = replace(PRESETS["Surprising"], top_k=30)
    plain = [token.id for token in write(backend, sampling, 15)]

    assert plain == [token.id for token in write(backend, replace(sampling, trace=True), 15)]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_samples(backend: LlamaBackend, name: str) -> None:
    assert len(write(backend, PRESETS[name], 6)) >= 1


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(mirostat=1),
        Sampling(mirostat=2, mirostat_tau=3.0),
        Sampling(adaptive_target=0.3, top_k=0, top_p=1.0),
        Sampling(typical_p=0.5),
        Sampling(top_n_sigma=1.5),
        Sampling(xtc_probability=1.0, xtc_threshold=0.05),
        Sampling(dynatemp_range=0.5),
        Sampling(repeat_penalty=1.3, repeat_last_n=-1, frequency_penalty=0.2, presence_penalty=0.2),
        Sampling(dry_multiplier=0.8, dry_penalty_last_n=-1),
        Sampling(order=tuple(reversed(DEFAULT_ORDER))),
        Sampling(order=()),
    ],
    ids=lambda sampling: "",
)
def test_every_stage_samples(backend: LlamaBackend, sampling: Sampling) -> None:
    tokens = write(backend, sampling, 10)

    assert tokens
    assert all(0 <= token.id < backend.vocabulary().size for token in tokens)


def test_a_bias_forbids_and_forces(backend: LlamaBackend) -> None:
    best = write(backend, Sampling(temperature=0.0), 1)[0].id

    assert write(backend, Sampling(temperature=0.0, logit_bias=((best, -math.inf),)), 1)[0].id != best
    assert write(backend, Sampling(temperature=0.0, logit_bias=((77, 100.0),)), 1)[0].id == 77


def test_a_chain_that_forbids_everything_chooses_nothing(backend: LlamaBackend) -> None:
    all_of_it = tuple((token, -math.inf) for token in range(backend.vocabulary().size))

    for temperature in (0.0, 1.0):
        with pytest.raises(ValueError, match="chose no token"):
            write(backend, Sampling(temperature=temperature, logit_bias=all_of_it), 1)


@pytest.mark.parametrize(("lead", "exponent"), [(20.0, 5.0), (50.0, 2.0), (90.0, 1.0)])
def test_a_dynamic_temperature_near_zero_takes_the_likeliest(
    backend: LlamaBackend, lead: float, exponent: float
) -> None:
    """llama.cpp divides by a number so small that all logits become infinite, and takes the least likely."""
    logits = np.linspace(4.0, 6.0, backend.vocabulary().size, dtype=np.float32)
    logits[77] = 10.0 + lead
    hot = Sampling(temperature=1.0, dynatemp_range=1.0, dynatemp_exponent=exponent, top_p=1.0, min_p=0.0)
    write(backend, hot, 1)
    assert backend._sampler is not None

    assert backend._sampler.sample(1, logits, constrained=True).id == 77


def test_a_strong_repeat_penalty_looks_back_into_the_prompt(backend: LlamaBackend) -> None:
    forced = Sampling(temperature=0.0, logit_bias=tuple((token, 30.0) for token in PROMPT))
    assert write(backend, forced, 1)[0].id in PROMPT

    penalised = replace(forced, presence_penalty=90.0, order=("penalties", "temperature"))
    assert write(backend, penalised, 1)[0].id not in PROMPT


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(temperature=math.nan),
        Sampling(top_p=1.5),
        Sampling(repeat_penalty=0.0),
        Sampling(mirostat=3),
        Sampling(order=("top_k", "luck")),
        Sampling(order=("top_k", "top_k")),
        Sampling(logit_bias=((10**6, 1.0),)),
        Sampling(logit_bias=((5, math.nan),)),
        Sampling(logit_bias=((5, 1e39),)),
        Sampling(temperature=1e-38),
        Sampling(adaptive_decay=2.0),
    ],
    ids=lambda sampling: "",
)
def test_a_setting_that_cannot_be_used_is_a_sentence(backend: LlamaBackend, sampling: Sampling) -> None:
    with pytest.raises(ValueError, match=r"[.]$"):
        write(backend, sampling, 1)


# -- Constraints ---------------------------------------------------------------------------------------


def test_an_eager_grammar_decides_every_token(backend: LlamaBackend) -> None:
    grammar = Constraint(grammar='root ::= "{" [0-9]+ "}"')

    written = write(backend, Sampling(temperature=2.0, top_k=0), 60, constraint=grammar)

    assert text(written, backend).startswith("{")
    assert set(text(written, backend)) <= set("{}0123456789")


def test_a_finished_grammar_leaves_only_the_end(backend: LlamaBackend) -> None:
    written = write(backend, Sampling(), 10, constraint=Constraint(grammar='root ::= "ab"'))

    assert text(written, backend) == "ab"
    assert backend.vocabulary().is_end(written[-1].id)


def test_a_grammar_that_was_begun_in_the_prompt_goes_on_from_there(backend: LlamaBackend) -> None:
    constraint = Constraint(grammar='root ::= "<|im_start|>" "x=" [0-9] [0-9]', generation_prompt="<|im_start|>x=")

    written = text(write(backend, Sampling(), 10, constraint=constraint), backend)

    assert len(written) == 2
    assert written.isdigit()


def test_a_lazy_grammar_sleeps_until_its_word(backend: LlamaBackend) -> None:
    constraint = Constraint(
        grammar='root ::= "<tool_call>" [a-c] "</tool_call>"', lazy=True, triggers=(("word", "<tool_call>"),)
    )
    token = backend.vocabulary().encode("<tool_call>", special=True)[0]
    pushed = Sampling(temperature=0.0, logit_bias=((token, 60.0),))

    written = write(backend, pushed, 30, constraint=constraint)

    assert written[0].id == token
    assert text(written, backend) in {f"<tool_call>{letter}</tool_call>" for letter in "abc"}


@pytest.mark.parametrize(
    ("seen", "left"),
    [
        ("I call <tool_call>a", "b</tool_call>"),
        ("<tool_call>ab", "</tool_call>"),
        ("A <tool_call> is no call. <tool_call>", "ab</tool_call>"),
    ],
)
def test_a_lazy_grammar_may_have_been_woken_by_the_prompt(backend: LlamaBackend, seen: str, left: str) -> None:
    constraint = Constraint(
        grammar='root ::= "<tool_call>ab</tool_call>"',
        lazy=True,
        triggers=(("word", "<tool_call>"),),
        generation_prompt=seen,
    )

    assert text(write(backend, Sampling(), 20, constraint=constraint), backend) == left


def test_a_lazy_grammar_that_never_wakes_changes_nothing(backend: LlamaBackend) -> None:
    constraint = Constraint(grammar='root ::= "zzz"', lazy=True, triggers=(("word", "never-to-be-seen"),))

    free = [token.id for token in write(backend, Sampling(), 15)]

    assert free == [token.id for token in write(backend, Sampling(), 15, constraint=constraint)]


@pytest.mark.parametrize("kind", ["word", "pattern", "pattern_full"])
def test_text_behind_a_trigger_that_the_grammar_refuses_is_not_chosen(backend: LlamaBackend, kind: str) -> None:
    """A token may hold the trigger and more; what is more has to fit, or another token is taken."""
    word = {"word": "e", "pattern": "(e)", "pattern_full": r"[\s\S]*?(e)[\s\S]*"}[kind]
    constraint = Constraint(grammar='root ::= "e" "!" "!"', lazy=True, triggers=((kind, word),))  # type: ignore[arg-type]

    for seed in range(6):
        written = text(write(backend, Sampling(top_k=0, min_p=0.0), 60, constraint=constraint, seed=seed), backend)
        before, found, after = written.partition("e")
        if found and len(after) >= 2:
            assert after == "!!", (before, after)


def test_a_grammar_sleeps_while_reasoning_is_open_and_wakes_after_it(backend: LlamaBackend) -> None:
    constraint = Constraint(grammar="root ::= [0-9]+")
    backend.keep(0)
    backend.feed(PROMPT, 0)
    backend.start(Sampling(), constraint, 3, PROMPT)
    thought = [backend.sample(0, constrained=False)]
    for index in range(1, 12):
        backend.feed([thought[-1].id], len(PROMPT) + index - 1)
        thought.append(backend.sample(index, constrained=index >= 6))

    free, bound = text(thought[:6], backend), text(thought[6:], backend)

    assert not free.isdigit()
    assert bound.isdigit()


def test_the_end_of_the_reasoning_may_be_the_trigger(backend: LlamaBackend) -> None:
    constraint = Constraint(grammar='root ::= "<tool_call>" [0-9]+', lazy=True, triggers=(("word", "<tool_call>"),))
    opener = backend.vocabulary().encode("<tool_call>", special=True)[0]
    backend.keep(0)
    backend.feed(PROMPT, 0)
    backend.start(Sampling(), constraint, 3, PROMPT)
    backend.sample(0, constrained=False)
    backend.feed([opener], len(PROMPT))
    backend.force(1, opener)
    written = []
    for index in range(2, 8):
        backend.feed([written[-1].id if written else 40], len(PROMPT) + index - 1)
        written.append(backend.sample(index, constrained=True))

    assert text(written, backend).isdigit()


@pytest.mark.parametrize(
    "constraint",
    [
        Constraint(grammar="root ::= ("),
        Constraint(grammar='start ::= "a"'),
        Constraint(grammar='root ::= root "a"'),
        Constraint(grammar='root ::= "a"{2000000}'),
        Constraint(grammar="root ::= missing"),
        Constraint(grammar="root ::= " + "(" * 5000 + '"a"' + ")" * 5000),
        Constraint(grammar='root ::= "a"', lazy=True),
        Constraint(grammar='root ::= "a"', lazy=True, triggers=(("pattern", "("),)),
        Constraint(grammar='root ::= "a"', lazy=True, triggers=(("token", "<nowhere>"),)),
    ],
    ids=range(9),
)
def test_a_constraint_that_cannot_be_enforced_is_refused_with_the_reason(
    backend: LlamaBackend, constraint: Constraint
) -> None:
    with pytest.raises(ValueError, match=r"[.]$"):
        write(backend, Sampling(), 1, constraint=constraint)
    assert len(write(backend, Sampling(), 3)) >= 1


def test_a_grammar_and_a_bias_that_leave_nothing_are_a_sentence(backend: LlamaBackend) -> None:
    forbidden = tuple((token, -math.inf) for token in range(backend.vocabulary().size))

    with pytest.raises(ValueError, match=r"[.]$"):
        write(backend, Sampling(logit_bias=forbidden), 1, constraint=Constraint(grammar='root ::= "a"'))


# -- When a grammar wakes, and what it masks -------------------------------------------------------------


def test_a_lazy_grammar_tells_which_trigger_woke_it_and_where(backend: LlamaBackend) -> None:
    constraint = Constraint(grammar='root ::= "e" "!" "!"', lazy=True, triggers=(("word", "zzzz"), ("word", "e")))
    found = None
    for seed in range(8):
        backend.keep(0)
        backend.feed(PROMPT, 0)
        backend.start(Sampling(top_k=0, min_p=0.0), constraint, seed, PROMPT)
        written, told = b"", []
        for index in range(40):
            token = backend.sample(index, constrained=True)
            written += token.piece
            told += [one] if (one := backend.awakening()) else []
            backend.feed([token.id], len(PROMPT) + index)
            if told:
                found = told[0]
                assert (found.index, found.trigger) == (index, "e")
                assert written[found.byte :].startswith(b"e")
                assert b"e" not in written[: found.byte]
                break
    assert found is not None


def test_a_grammar_that_never_slept_tells_nothing_and_one_that_waited_for_the_reasoning_does(
    backend: LlamaBackend,
) -> None:
    def told(asleep: int) -> list[tuple[int, int, str]]:
        backend.keep(0)
        backend.feed(PROMPT, 0)
        backend.start(Sampling(), Constraint(grammar="root ::= [0-9]+"), 3, PROMPT)
        heard, written = [], b""
        for index in range(6):
            token = backend.sample(index, constrained=index >= asleep)
            if one := backend.awakening():
                heard.append((one.index, one.byte, one.trigger))
                assert one.byte == len(written)
            written += token.piece
            backend.feed([token.id], len(PROMPT) + index)
        return heard

    assert told(0) == []
    assert [(index, trigger) for index, _, trigger in told(3)] == [(2, "")]


def test_a_trigger_that_the_reasoning_only_mentioned_does_not_block_the_reply(backend: LlamaBackend) -> None:
    constraint = Constraint(grammar='root ::= "call:" [0-9]+', lazy=True, triggers=(("word", "call:"),))
    thought = backend.vocabulary().encode("I may call: it, or not", special=True)
    backend.keep(0)
    backend.feed(PROMPT, 0)
    backend.start(Sampling(), constraint, 3, PROMPT)
    backend.sample(0, constrained=False)
    for token in thought:
        backend.force(1, token)

    assert backend.sample(2, constrained=True)
    assert backend.awakening() is None


def test_what_the_grammar_does_not_allow_is_named_among_the_alternatives_and_counted(backend: LlamaBackend) -> None:
    constraint = Constraint(grammar="root ::= [0-9]+")
    size = backend.vocabulary().size

    plain = write(backend, Sampling(), 4, constraint=constraint)
    traced = write(backend, Sampling(trace=True), 4, constraint=constraint)

    for token in (*plain, *traced):
        for other in token.alternatives:
            free = other.piece.isdigit() or (token.index > 0 and backend.vocabulary().is_end(other.token))
            assert (other.removed_by == "grammar") == (not free)
            assert free or other.chosen_probability == 0.0
    assert {token.masked for token in plain} == {None}
    for token in traced:
        assert token.masked is not None
        allowed = [
            one for one in range(size) if backend.vocabulary().piece(one).isdigit() or backend.vocabulary().is_end(one)
        ]
        ends = 0 if token.index else sum(map(backend.vocabulary().is_end, range(size)))
        assert size - token.masked == len(allowed) - ends


@pytest.mark.parametrize("seed", range(6))
def test_a_marker_that_is_a_token_is_never_spelled(backend: LlamaBackend, seed: int) -> None:
    token = backend.vocabulary().encode("<tool_call>", special=True)[0]
    constraint = Constraint(grammar='root ::= "a" "<tool_call>b"', preserved_tokens=("<tool_call>",))

    written = write(backend, Sampling(temperature=3.0, top_k=0, min_p=0.0), 20, constraint=constraint, seed=seed)

    assert token in [one.id for one in written]
    assert text(written, backend).startswith("a<tool_call>b")


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(temperature=0.0, alternatives=0), Sampling(top_k=0)])
def test_an_output_that_is_no_numbers_is_a_sentence(backend: LlamaBackend, sampling: Sampling) -> None:
    write(backend, Sampling(), 1)
    backend.start(sampling, None, 5, PROMPT)
    backend._logits()[:] = math.nan

    with pytest.raises(ValueError, match="not numbers"):
        backend.sample(0, constrained=True)
    if sampling.alternatives:
        with pytest.raises(ValueError, match="not numbers"):
            backend.force(0, 7)
