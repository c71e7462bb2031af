"""The default model through the worker."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from cutaway.engine.command import Constraint, ModelSettings
from cutaway.engine.event import Finished, Loaded, Prefilled, Sampled
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.sampling import Sampling
from support import assets
from support.engine_rig import EngineRig

pytestmark = pytest.mark.model
CHAT = "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
EXACT = Sampling(temperature=0.0)


@pytest.fixture(scope="module")
def rig() -> Iterator[EngineRig]:
    with EngineRig(LlamaBackend(trusting=True)) as rig:
        loaded = rig.load(str(assets.default_model()), ModelSettings(context=4096))
        assert isinstance(loaded, Loaded)
        yield rig


def test_the_file_says_what_it_is(rig: EngineRig) -> None:
    facts = rig.worker.facts
    assert facts is not None
    assert (facts.architecture, facts.quantisation) == ("llama", "Q4_1")
    assert facts.template
    assert "<|im_start|>" in facts.template
    assert (facts.parameters, facts.trained_context, facts.context) == (134_515_008, 8192, 4096)
    assert facts.metadata["general.architecture"] == "llama"
    assert {"weights", "kv", "compute", "measured"} <= set(facts.memory)


def test_it_answers_and_ends_its_turn(rig: EngineRig) -> None:
    finished = rig.reply(CHAT.format("What is the capital of France?"), "real", sampling=EXACT, max_tokens=60)

    assert isinstance(finished, Finished)
    assert finished.reason == "stop"
    assert finished.raw_stop == "<|im_end|>"
    assert "Paris" in rig.text(finished.job)


def test_the_same_question_again_gives_the_same_answer_and_feeds_one_token(rig: EngineRig) -> None:
    prompt = CHAT.format("Name a colour.")
    first = rig.reply(prompt, "again", sampling=EXACT, max_tokens=12)
    second = rig.reply(prompt, "again", sampling=EXACT, max_tokens=12)

    assert isinstance(second, Finished)
    assert second.timings.fed == 1
    assert rig.text(first.job) == rig.text(second.job)


def test_a_grammar_holds_on_real_text(rig: EngineRig) -> None:
    grammar = 'root ::= "{\\"city\\": \\"" [A-Za-z ]{1,20} "\\"}"'
    finished = rig.reply(
        CHAT.format("Give me a city as JSON."), "grammar", constraint=Constraint(grammar=grammar), max_tokens=40
    )

    assert isinstance(finished, Finished)
    assert rig.text(finished.job).startswith('{"city": "')
    assert rig.text(finished.job).endswith('"}')


@pytest.mark.parametrize("after", [Prefilled, Sampled])
def test_stop_is_quick_and_leaves_a_usable_cache(rig: EngineRig, after: type) -> None:
    words = "many rivers run to the sea " * (250 if after is Prefilled else 1)
    job = rig.submit(CHAT.format(words), f"stop {after.__name__}")
    if after is Prefilled:
        time.sleep(0.3)
    else:
        rig.until(Sampled)
    began = time.perf_counter()
    rig.worker.cancel(job)
    finished = rig.until(Finished)

    assert finished.reason == "cancelled"
    assert time.perf_counter() - began < 1.0  # 0.2 on a machine that does nothing else
    held = finished.timings.fed
    again = rig.reply(CHAT.format(words)[:200], f"stop {after.__name__}", sampling=EXACT, max_tokens=2)
    assert isinstance(again, Finished)
    assert again.timings.reused > 0 or held == 0
