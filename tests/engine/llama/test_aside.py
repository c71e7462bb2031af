"""What is given up is not waited for, and nothing of it stays."""

from __future__ import annotations

import threading

import pytest

from cutaway.engine.backend import LoadCancelledError, LoadError
from cutaway.engine.llama.aside import Aside, Progress


def test_what_was_made_is_handed_over_and_progress_is_asked_on_the_callers_thread() -> None:
    asked: list[tuple[int, float]] = []

    def progress(fraction: float) -> bool:
        asked.append((threading.get_ident(), fraction))
        return True

    def work(tell: Progress) -> int:
        assert tell(0.5)
        while not asked or asked[-1][1] < 0.5:
            pass
        return threading.get_ident()

    maker = Aside().make(work, lambda _: None, progress)

    assert maker != threading.get_ident()
    assert {thread for thread, _ in asked} == {threading.get_ident()}


def test_an_error_is_the_callers() -> None:
    def work(_tell: Progress) -> int:
        raise LoadError("The file is damaged.")

    with pytest.raises(LoadError, match="damaged"):
        Aside().make(work, lambda _: None, lambda _: True)


def test_what_is_given_up_is_freed_when_it_ends_and_the_next_call_waits_for_that() -> None:
    aside, stuck, freed = Aside(), threading.Event(), []

    def work(_tell: Progress) -> str:
        stuck.wait()
        return "a model"

    with pytest.raises(LoadCancelledError):
        aside.make(work, freed.append, lambda _: False)
    assert not freed
    with pytest.raises(LoadCancelledError):
        aside.make(lambda _: "another", freed.append, lambda _: False)
    stuck.set()
    assert aside.make(lambda _: list(freed), lambda _: None, lambda _: True) == ["a model"]
    assert not [thread for thread in threading.enumerate() if thread.name == "engine-load"]
