"""The worker: commands in, events out, nothing left behind."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import ClassVar

import pytest

from cutaway.engine.backend import CacheTraits, MemoryKind
from cutaway.engine.command import Constraint, Generate, Load, Measure, Prefill, Unload, Verdict
from cutaway.engine.event import (
    Event,
    Failed,
    Finished,
    GrammarWoke,
    Loaded,
    LoadFailed,
    LoadProgressed,
    Measured,
    Prefilled,
    PrefillEnded,
    Sampled,
    Token,
    Unloaded,
)
from cutaway.engine.journal import Note
from cutaway.engine.scripted import Script, ScriptedBackend
from cutaway.engine.worker import Worker
from support.engine_rig import EngineRig

SLOW = Script(replies=("one two three four five " * 40,), token_seconds=0.03)
LONG = "word " * 600


class Hears:
    """A reader that collects what it is fed and may stop or keep the reasoning open."""

    def __init__(self, *, stop_at: str = "", reasoning: bool = False) -> None:
        self.text = ""
        self.finished = 0
        self._stop_at = stop_at
        self._reasoning = reasoning

    @property
    def reasoning_open(self) -> bool:
        return self._reasoning and "</think>" not in self.text

    def feed(self, piece: bytes, token: int) -> Verdict:
        self.text += piece.decode("utf-8", "replace")
        stop = bool(self._stop_at) and self._stop_at in self.text
        return Verdict(
            stop=stop,
            finish_reason="tool_calls" if stop else "stop",
            reasoning_open=self.reasoning_open,
            events=(piece,),
        )

    def finish(self) -> Verdict:
        self.finished += 1
        return Verdict(finish_reason="stop", events=("end",))


def test_a_model_loads_with_progress_and_is_journalled_while_it_is_there() -> None:
    with EngineRig(ScriptedBackend()) as rig:
        loaded = rig.load("here.gguf")

        assert isinstance(loaded, Loaded)
        assert [event.fraction for event in rig.events if isinstance(event, LoadProgressed)][-1] == 1.0
        assert rig.notes[-2:] == [Note("load", "here.gguf"), Note("loaded", "here.gguf")]

        rig.worker.submit(Unload())
        rig.until(Unloaded)
        assert rig.notes[-1] is None
        assert rig.worker.facts is None


def test_a_load_can_be_stopped_and_the_next_one_works() -> None:
    backend = ScriptedBackend(Script(load_seconds=20.0))
    with EngineRig(backend) as rig:
        rig.worker.submit(Load("slow.gguf"))
        rig.until(LoadProgressed)
        began = time.perf_counter()
        rig.worker.cancel_load()
        failed = rig.until(LoadFailed)

        assert failed.cancelled
        assert time.perf_counter() - began < 5
        backend.script = Script()
        assert isinstance(rig.load(), Loaded)


def test_stopping_a_load_that_waits_for_the_model_before_it_is_not_lost(tmp_path: Path) -> None:
    class SlowToGo(ScriptedBackend):
        def unload(self) -> None:
            rig.worker.cancel_load()
            super().unload()

    with EngineRig(SlowToGo(), states_folder=tmp_path) as rig:
        rig.worker.submit(Load("first.gguf"))
        rig.until(Loaded)

        assert isinstance(failed := rig.load("second.gguf"), LoadFailed)
        assert failed.cancelled
        assert isinstance(rig.load("third.gguf"), Loaded)


def test_a_load_that_fails_for_a_reason_nobody_thought_of_leaves_nothing() -> None:
    class Breaks(ScriptedBackend):
        def traits(self) -> CacheTraits:
            if self.broken:
                raise OSError("the file vanished")
            self.holds = True
            return super().traits()

        def unload(self) -> None:
            self.holds = False
            super().unload()

        broken = holds = True

    backend = Breaks()
    with EngineRig(backend) as rig:
        failed = rig.load()

        assert isinstance(failed, LoadFailed)
        assert "the file vanished" in failed.message
        assert rig.notes[-1] is None
        assert not backend.holds
        backend.broken = False
        assert isinstance(rig.load(), Loaded)


def test_a_newer_load_takes_the_place_of_one_that_runs() -> None:
    with EngineRig(ScriptedBackend(Script(load_seconds=0.3))) as rig:
        rig.worker.submit(Load("first.gguf"))
        rig.until(LoadProgressed)
        rig.worker.submit(Load("second.gguf"))

        assert rig.until(LoadFailed).path == "first.gguf"
        assert rig.until(Loaded).facts.path == "second.gguf"


def test_a_load_that_fails_says_why_and_leaves_nothing() -> None:
    backend = ScriptedBackend(Script(load_error="The file is damaged. Fetch it again."))
    with EngineRig(backend) as rig:
        failed = rig.load()

        assert isinstance(failed, LoadFailed)
        assert failed.message == "The file is damaged. Fetch it again."
        assert rig.notes[-1] is None
        assert isinstance(rig.reply([1, 2]), Failed)
        backend.script = Script()
        assert isinstance(rig.load(), Loaded)


def test_a_reply_is_told_token_by_token_and_ends_at_the_end_token() -> None:
    with EngineRig(ScriptedBackend(Script(replies=("Hello there!",)))) as rig:
        rig.load()
        reader = Hears()

        finished = rig.reply("Hi", reader=reader)

        assert isinstance(finished, Finished)
        assert (finished.reason, finished.raw_stop) == ("stop", "<|im_end|>")
        assert finished.events == ("end",)
        assert reader.text == rig.text(1) == "Hello there!"
        tokens = [event.token for event in rig.of(Sampled, 1)]
        assert [token.index for token in tokens] == list(range(len(tokens)))
        assert [token.ends for token in tokens] == [False] * (len(tokens) - 1) + [True]
        assert finished.timings.generated == len(tokens)
        assert finished.timings.fed == finished.timings.prompt_tokens


def test_the_next_turn_feeds_only_what_is_new() -> None:
    with EngineRig(ScriptedBackend(Script(replies=("Fine.",)))) as rig:
        rig.load()
        rig.reply("<|im_start|>one two")
        held = [*rig.ids("<|im_start|>one two"), *rig.ids("Fine.")]

        finished = rig.reply([*held, *rig.ids("<|im_end|> three")])

        assert rig.planned(2).plan.reused == len(held)
        assert isinstance(finished, Finished)
        assert finished.timings.fed == len(rig.ids("<|im_end|> three"))


@pytest.mark.parametrize("memory", ["attention", "sliding", "recurrent", "hybrid"])
def test_the_same_prompt_again_feeds_one_token_on_every_memory(memory: str) -> None:
    with EngineRig(ScriptedBackend(Script(memory=memory))) as rig:  # type: ignore[arg-type]
        rig.load()
        rig.reply(LONG)

        rig.reply(LONG)

        assert rig.planned(2).plan.fed == 1


@pytest.mark.parametrize("memory", ["attention", "sliding", "recurrent", "hybrid"])
def test_switching_away_and_back_feeds_nothing_old(memory: str) -> None:
    with EngineRig(ScriptedBackend(Script(memory=memory))) as rig:  # type: ignore[arg-type]
        rig.load()
        rig.reply(LONG, "a", max_tokens=3)
        rig.reply("something else", "b", max_tokens=3)
        held = [*rig.ids(LONG), *(event.token.id for event in rig.of(Sampled, 1))]

        rig.reply([*held, 65, 66], "a")

        assert rig.planned(3).plan.restored_from == "saved state"
        assert rig.planned(3).plan.fed == 2


def test_a_conversation_outlasts_the_model_where_there_is_a_folder(tmp_path: Path) -> None:
    def rig() -> EngineRig:
        return EngineRig(ScriptedBackend(), states_folder=tmp_path)

    with rig() as first:
        first.load()
        first.reply(LONG, max_tokens=3)
        held = [*first.ids(LONG), *(event.token.id for event in first.of(Sampled, 1))]
    with rig() as second:
        second.load()
        second.ids(LONG)
        second.reply([*held, 65])

        assert second.planned(1).plan.restored_from == "saved state"
        assert second.planned(1).plan.fed == 1


def test_a_model_file_that_changed_takes_no_state_of_the_old_one(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    model.touch()
    with EngineRig(ScriptedBackend(), states_folder=tmp_path) as first:
        first.load(str(model))
        first.reply(LONG, max_tokens=3)
    os.utime(model, (1, 1))
    with EngineRig(ScriptedBackend(), states_folder=tmp_path) as second:
        second.load(str(model))
        second.reply(LONG)

        assert (second.planned(1).plan.restored_from, second.planned(1).plan.held) == (None, 0)


def test_a_saved_state_that_is_damaged_is_named_and_costs_only_the_prefill(tmp_path: Path) -> None:
    with EngineRig(ScriptedBackend(), states_folder=tmp_path) as first:
        first.load()
        first.reply(LONG, max_tokens=3)
    (file,) = tmp_path.glob("*.kv")
    file.write_bytes(file.read_bytes()[:-1])
    with EngineRig(ScriptedBackend(), states_folder=tmp_path) as second:
        second.load()
        second.reply(LONG)
        second.reply(LONG)

        assert (second.planned(1).plan.reason, second.planned(1).plan.reused) == ("M31", 0)
        assert second.planned(2).plan.reason != "M31"


@pytest.mark.parametrize(("memory", "moved"), [("attention", 8), ("recurrent", 0)])
def test_held_runs_are_moved_only_where_that_is_asked_for(memory: str, moved: int) -> None:
    held = list(range(40, 60))
    shorter = [*held[:4], *held[8:16], 70]
    for chunk in (0, 4):
        with EngineRig(ScriptedBackend(Script(memory=memory))) as rig:  # type: ignore[arg-type]
            rig.load()
            rig.reply(held, max_tokens=1)
            finished = rig.reply(shorter, shortest_chunk=chunk, max_tokens=1)

            assert isinstance(finished, Finished)
            plan = rig.planned(2).plan
            assert plan.moved == (moved if chunk else 0)
            assert plan.fed == len(shorter) - plan.reused - plan.moved == finished.timings.fed
            rig.reply([*shorter, 71, 72], "a", max_tokens=1)
            rig.reply("elsewhere", "b", max_tokens=1)
            rig.reply([*shorter, 71, 72, 73], "a", max_tokens=1)
            rig.reply(held[:3], "a", max_tokens=1)
            rig.reply([*held[:3], 73], "a", max_tokens=1)
            told = [rig.planned(job).plan for job in (3, 5, 7)]
            assert [later.approximate > 0 for later in told] == [plan.moved > 0, plan.moved > 0, False]
            refused = [broken.detail for broken in plan.breaks if broken.reason == "M27"]
            assert len(refused) == (1 if chunk and not moved else 0)


def test_a_new_conversation_keeps_the_beginning_that_it_shares() -> None:
    with EngineRig(ScriptedBackend()) as rig:
        rig.load()
        rig.reply("You are kind. One", "a")

        rig.reply("You are kind. Two", "b")

        plan = rig.planned(2).plan
        assert plan.reused == len(rig.ids("You are kind."))
        assert not plan.breaks


def test_stop_in_decode_is_at_once_and_leaves_a_usable_cache() -> None:
    with EngineRig(ScriptedBackend(SLOW)) as rig:
        rig.load()
        job = rig.submit("Hi")
        rig.until(Sampled)
        began = time.perf_counter()
        rig.worker.cancel(job)
        finished = rig.until(Finished)

        assert finished.reason == "cancelled"
        assert time.perf_counter() - began < 3
        rig.reply("Hi", max_tokens=1)
        assert rig.planned(2).plan.reused == len(rig.ids("Hi")) - 1


@pytest.mark.parametrize("memory", ["attention", "recurrent"])
def test_stop_in_prefill_keeps_what_was_fed(memory: str) -> None:
    script = Script(memory=memory, prefill_tokens_per_second=200)  # type: ignore[arg-type]
    backend = ScriptedBackend(script)
    with EngineRig(backend) as rig:
        rig.load()
        job = rig.submit(LONG)
        rig.until(Prefilled)
        began = time.perf_counter()
        rig.worker.cancel(job)
        finished = rig.until(Finished)

        assert finished.reason == "cancelled"
        assert time.perf_counter() - began < 2
        assert 0 < finished.timings.fed < len(rig.ids(LONG))
        backend.script = Script(memory=memory)  # type: ignore[arg-type]
        rig.reply(LONG, max_tokens=1)
        assert rig.planned(2).plan.reused == finished.timings.fed


def test_a_job_that_waits_can_be_stopped_before_it_begins() -> None:
    with EngineRig(ScriptedBackend(SLOW)) as rig:
        rig.load()
        rig.submit("one", max_tokens=20)
        second = rig.submit("two")
        rig.worker.cancel(second)
        rig.until(Finished)
        finished = rig.until(Finished)

        assert (finished.job, finished.reason, finished.timings.generated) == (second, "cancelled", 0)


@pytest.mark.parametrize("memory", ["attention", "hybrid"])
def test_idle_work_gives_way_at_once_and_is_not_lost(memory: MemoryKind) -> None:
    with EngineRig(ScriptedBackend(Script(prefill_tokens_per_second=400, memory=memory))) as rig:
        rig.load()
        rig.worker.submit(Prefill(90, "a", rig.ids(LONG)))
        time.sleep(0.3)
        began = time.perf_counter()
        rig.submit(LONG, max_tokens=1)
        ended = rig.until(PrefillEnded)

        assert ended.abandoned
        assert time.perf_counter() - began < 1
        rig.until(Finished)
        assert rig.planned(1).plan.reused == ended.held


def test_idle_work_that_ends_leaves_only_the_rest_to_feed() -> None:
    with EngineRig(ScriptedBackend(Script(memory="recurrent"))) as rig:
        rig.load()
        stable = "one two three four five six seven eight"
        rig.reply("one two three <think>much thought</think> four")

        ended = rig.idle(stable)
        rig.reply(stable + " nine")

        assert not ended.abandoned
        assert rig.planned(2 + 1).plan.fed == 1


def test_regenerating_after_idle_work_takes_the_kept_tail() -> None:
    with EngineRig(ScriptedBackend(Script(memory="recurrent", replies=("a long reply of many words " * 4,)))) as rig:
        rig.load()
        prompt = "one two three"
        rig.reply(prompt, max_tokens=40)
        rig.idle("one two other things")
        held = [*rig.ids(prompt), *(event.token.id for event in rig.of(Sampled, 1))]

        rig.reply(held, max_tokens=1)

        assert rig.planned(3).plan.restored_from == "the reply before idle work"
        assert rig.planned(3).plan.fed <= 2


def test_only_the_newest_idle_work_waits() -> None:
    with EngineRig(ScriptedBackend(SLOW)) as rig:
        rig.load()
        job = rig.submit("Hi")
        rig.worker.submit(Prefill(91, "a", [65, 66]))
        rig.worker.submit(Prefill(92, "a", [65, 66, 67]))
        dropped = rig.until(PrefillEnded)
        rig.worker.cancel(job)

        assert (dropped.job, dropped.abandoned) == (91, True)
        assert rig.until(PrefillEnded).job == 92


def test_a_reader_can_end_the_reply() -> None:
    with EngineRig(ScriptedBackend(Script(replies=("call it now please",)))) as rig:
        rig.load()

        finished = rig.reply("Hi", reader=Hears(stop_at="it"))

        assert isinstance(finished, Finished)
        assert finished.reason == "tool_calls"
        assert rig.text(1) == "call it"


def test_a_reader_that_raises_ends_the_reply_with_a_sentence() -> None:
    class Breaks(Hears):
        def feed(self, piece: bytes, token: int) -> Verdict:
            raise RuntimeError("reader broke")

    with EngineRig(ScriptedBackend()) as rig:
        rig.load()
        failed = rig.reply("Hi", reader=Breaks())

        assert isinstance(failed, Failed)
        assert "reader broke" in failed.message
        assert isinstance(rig.reply("Hi"), Finished)


def test_the_reasoning_budget_forces_the_end_of_the_reasoning() -> None:
    script = Script(replies=("so many thoughts to think about here",))
    with EngineRig(ScriptedBackend(script)) as rig:
        rig.load()
        end = rig.ids("</think>")

        rig.reply("Hi", reader=Hears(reasoning=True), reasoning_budget=3, reasoning_end=end)

        tokens = [event.token for event in rig.of(Sampled, 1)]
        assert [token.id for token in tokens if token.forced] == end
        assert tokens[3].forced


def test_reasoning_that_is_opened_again_is_ended_again() -> None:
    class Opens(Hears):
        @property
        def reasoning_open(self) -> bool:
            return self.text.rfind("<think>") >= self.text.rfind("</think>")

    with EngineRig(ScriptedBackend(Script(replies=("one two three <think> four five six",)))) as rig:
        rig.load()

        rig.reply("Hi", reader=Opens(), reasoning_budget=1, reasoning_end=rig.ids("</think>"))

        assert rig.text(1) == "one</think> two three <think></think> four five six"


def test_a_constraint_sleeps_from_the_first_token_where_the_prompt_left_the_reasoning_open() -> None:
    class Notes(ScriptedBackend):
        constrained: ClassVar[list[bool]] = []

        def sample(self, index: int, *, constrained: bool) -> Token:
            self.constrained.append(constrained)
            return super().sample(index, constrained=constrained)

    with EngineRig(Notes(Script(replies=("hm</think>answer",)))) as rig:
        rig.load()
        rig.reply("<think>", reader=Hears(reasoning=True), constraint=Constraint(grammar="root ::= anything"))

    assert Notes.constrained == [False, False, True, True]


def test_answer_now_ends_the_reasoning_while_it_runs() -> None:
    with EngineRig(ScriptedBackend(SLOW)) as rig:
        rig.load()
        job = rig.submit("Hi", reader=Hears(reasoning=True), reasoning_end=rig.ids("</think>"), max_tokens=60)
        rig.until(Sampled)
        rig.worker.answer_now(job)
        rig.until(Finished)

        assert [event.token.piece for event in rig.of(Sampled, job) if event.token.forced] == [b"</think>"]


def test_a_forced_end_waits_for_a_whole_character() -> None:
    with EngineRig(ScriptedBackend(Script(replies=("x",)))) as rig:
        rig.load()
        backend = rig.worker._backend
        assert isinstance(backend, ScriptedBackend)
        original = backend.start

        def start(*words: object) -> None:
            original(*words)  # type: ignore[arg-type]
            backend._reply = [backend.vocabulary().eos, *reversed("é".encode()), 65]

        backend.start = start  # type: ignore[method-assign]
        rig.reply("Hi", reader=Hears(reasoning=True), reasoning_budget=2, reasoning_end=rig.ids("</think>"))

        assert [event.token.piece for event in rig.of(Sampled, 1)][:4] == [b"A", b"\xc3", b"\xa9", b"</think>"]


def test_max_tokens_and_a_full_context_are_told_apart() -> None:
    with EngineRig(ScriptedBackend(Script(replies=("word " * 50,), context=30))) as rig:
        rig.load()

        limited = rig.reply("one two", max_tokens=5)
        full = rig.reply("one two")

        assert isinstance(limited, Finished)
        assert (limited.reason, limited.timings.generated) == ("length", 5)
        assert isinstance(full, Finished)
        assert full.reason == "context"


@pytest.mark.parametrize(
    ("tokens", "part"),
    [([], "empty"), ([65] * 40, "holds 30"), ([65, 1 << 24], "another model")],
)
def test_a_prompt_that_cannot_be_fed_is_a_sentence(tokens: list[int], part: str) -> None:
    with EngineRig(ScriptedBackend(Script(context=30))) as rig:
        rig.load()
        failed = rig.reply(tokens)

        assert isinstance(failed, Failed)
        assert part in failed.message
        assert isinstance(rig.reply([65, 66], max_tokens=2), Finished)


def test_a_refused_grammar_and_a_decode_error_are_sentences_and_the_next_reply_works() -> None:
    with EngineRig(ScriptedBackend(Script(fail_at_token=2))) as rig:
        rig.load()
        refused = rig.reply("Hi", constraint=Constraint(grammar="nothing ::= here"))
        broken = rig.reply("Hi")
        whole = rig.reply("Hi")

        assert isinstance(refused, Failed)
        assert "grammar" in refused.message
        assert isinstance(broken, Failed)
        assert isinstance(whole, Finished)


def test_a_listener_that_raises_does_not_stop_the_engine() -> None:
    heard: list[Event] = []

    def listen(event: Event) -> None:
        heard.append(event)
        raise RuntimeError("listener broke")

    worker = Worker(ScriptedBackend(), listen)
    worker.start()
    worker.submit(Load("x"))
    worker.submit(Generate(1, "a", [65, 66]))
    deadline = time.monotonic() + 10
    while not (heard and isinstance(heard[-1], Finished)) and time.monotonic() < deadline:
        time.sleep(0.01)

    assert worker.close()
    assert isinstance(heard[-2], Sampled)


def test_close_ends_a_running_reply_and_the_thread() -> None:
    with EngineRig(ScriptedBackend(SLOW)) as rig:
        rig.load()
        rig.submit("Hi")
        rig.until(Sampled)
        began = time.perf_counter()
        assert rig.worker.close(5)
        assert time.perf_counter() - began < 3
        assert rig.until(Finished).reason == "cancelled"


def test_unloading_stops_a_reply_first() -> None:
    with EngineRig(ScriptedBackend(SLOW)) as rig:
        rig.load()
        rig.submit("Hi")
        rig.until(Sampled)
        rig.worker.submit(Unload())

        assert rig.until(Finished).reason == "cancelled"
        rig.until(Unloaded)


def test_raw_work_can_be_measured() -> None:
    with EngineRig(ScriptedBackend()) as rig:
        rig.load()
        rig.worker.submit(Measure(5, 100, 10))
        measured = rig.until(Measured)

        assert measured.prompt_ms > 0
        assert measured.generate_ms > 0


def test_ignoring_the_end_goes_on_to_the_limit() -> None:
    with EngineRig(ScriptedBackend(Script(replies=("Hi",)))) as rig:
        rig.load()
        finished = rig.reply("x", ignore_end=True, max_tokens=6)

        assert isinstance(finished, Finished)
        assert (finished.reason, finished.timings.generated) == ("length", 6)


def test_a_lazy_grammar_that_wakes_is_told_after_its_token() -> None:
    constraint = Constraint(grammar="root ::= call", lazy=True, triggers=(("word", "<tool_call>"),))
    with EngineRig(ScriptedBackend(Script(replies=("né <tool_call>x",)))) as rig:
        rig.load()
        rig.reply("Hi", constraint=constraint)

        woke = rig.of(GrammarWoke, 1)
        assert [(one.character, one.trigger) for one in woke] == [(3, "<tool_call>")]
        before = rig.events[rig.events.index(woke[0]) - 1]
        assert isinstance(before, Sampled)
        assert (before.token.index, before.token.piece) == (woke[0].index, b"<tool_call>")


def test_a_grammar_that_waited_for_the_reasoning_tells_when_it_is_over() -> None:
    with EngineRig(ScriptedBackend(Script(replies=("hm</think>answer",)))) as rig:
        rig.load()
        rig.reply("<think>", reader=Hears(reasoning=True), constraint=Constraint(grammar="root ::= anything"))
        rig.reply("Hi", reader=Hears(), constraint=Constraint(grammar="root ::= anything"))

        assert [(one.index, one.character, one.trigger) for one in rig.of(GrammarWoke, 1)] == [(1, 10, "")]
        assert not rig.of(GrammarWoke, 2)
