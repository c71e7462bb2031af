"""Anything a person may do, in any order: the tree stays whole, nothing is lost, and a reopened store shows the same."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cutaway.engine.scripted import Script, ScriptedBackend
from cutaway.workbench.bench import Workbench
from cutaway.workbench.change import Change
from cutaway.workbench.library import MessageError
from cutaway.workbench.turn import Node
from support.scripts import NOW

T = TypeVar("T")
places = st.integers(0, 1000)
words = st.sampled_from(["hello", "a longer message with several words", "<|im_end|> injected", "", "çé 你好"])


class Talk(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name) / "store.db"
        self._loop = asyncio.new_event_loop()
        self._replies = 0
        self.bench = self.opened()
        self.said: set[str] = set()
        """Every message that was ever made, deleted ones left aside."""
        self.deleted: list[set[str]] = []

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(asyncio.wait_for(work, 20))

    def opened(self) -> Workbench:
        def reply(prompt: str) -> str:
            self._replies += 1
            return f"reply number {self._replies} to {len(prompt)} characters"

        bench = Workbench(str(self._path), lambda: ScriptedBackend(Script(replies=reply)), now=lambda: NOW)

        async def start() -> None:
            await bench.open()
            await bench.load_model("scripted.gguf")
            await bench.model_ready()

        bench.subscribe(self.hear)
        self.run(start())
        return bench

    def hear(self, change: Change) -> None:
        self.heard = change

    def teardown(self) -> None:
        self.run(self.bench.close())
        self._loop.close()
        self._folder.cleanup()

    # -- What a person does -------------------------------------------------------------------------

    @initialize()
    def begin(self) -> None:
        self.conversation = self.run(self.bench.create_conversation()).id

    def nodes(self) -> list[Node]:
        return self.run(self.bench.tree(self.conversation))

    def pick(self, place: int, *, role: str = "") -> Node | None:
        found = [node for node in self.nodes() if role in ("", node.message.role)]
        return found[place % len(found)] if found else None

    def settle(self) -> None:
        self.run(self.bench.settled())
        self.said |= {node.id for node in self.nodes()}

    @rule(text=words, wait=st.booleans())
    def send(self, text: str, wait: bool) -> None:
        if not text and not self.nodes():
            return
        self.run(self.bench.send(self.conversation, text))
        self.deleted.clear()
        if wait:
            self.settle()

    @rule()
    def stop(self) -> None:
        self.run(self.bench.stop())
        self.settle()

    @rule(place=places)
    def regenerate(self, place: int) -> None:
        self.settle()
        node = self.pick(place)
        if node is not None:
            new = self.run(self.bench.regenerate(node.id))
            assert new.message.role == "assistant"
            self.deleted.clear()
            self.settle()

    @rule(place=places)
    def go_on(self, place: int) -> None:
        self.settle()
        node = self.pick(place, role="assistant")
        if node is not None:
            before = node.message.text
            new = self.run(self.bench.continue_(node.id))
            self.deleted.clear()
            self.settle()
            after = next(one for one in self.nodes() if one.id == new.id)
            assert after.message.text.startswith(before)

    @rule(place=places, text=words, following=st.booleans())
    def edit(self, place: int, text: str, following: bool) -> None:
        self.settle()
        node = self.pick(place)
        if node is not None:
            new = self.run(self.bench.edit(node.id, text, keep_following=following))
            assert (new.message.text, new.message.role, new.parent) == (text, node.message.role, node.parent)
            self.deleted.clear()
            self.settle()

    @rule(place=places)
    def switch(self, place: int) -> None:
        node = self.pick(place)
        if node is not None:
            self.run(self.bench.switch_branch(node.id))
            branch = self.run(self.bench.messages(self.conversation))
            assert node.id in [one.id for one in branch]

    @rule(place=places)
    def delete(self, place: int) -> None:
        self.settle()
        node = self.pick(place)
        if node is not None:
            before = {one.id for one in self.nodes()}
            self.run(self.bench.delete(node.id))
            gone = before - {one.id for one in self.nodes()}
            assert node.id in gone
            self.deleted.append(gone)
            self.said -= gone

    @precondition(lambda self: self.deleted)
    @rule()
    def undo(self) -> None:
        self.run(self.bench.undo())
        back = self.deleted.pop()
        assert back <= {one.id for one in self.nodes()}
        self.said |= back

    @rule(place=places, index=st.integers(0, 5), which=st.integers(0, 3))
    def branch_from_token(self, place: int, index: int, which: int) -> None:
        self.settle()
        node = self.pick(place, role="assistant")
        turn = self.run(self.bench.turn(node.id)) if node is not None else None
        if node is None or turn is None or index >= len(turn.tokens):
            return
        other = turn.tokens[index].alternatives
        if len(other) > which:
            try:
                new = self.run(self.bench.branch_from_token(turn.id, index, other[which].token))
            except MessageError:
                return
            self.deleted.clear()
            self.settle()
            assert next(one for one in self.nodes() if one.id == new.id).status in ("whole", "failed")

    @rule()
    def reopen(self) -> None:
        self.settle()
        before = [(n.id, n.parent, n.message, n.status, n.note, n.position, n.siblings, n.turn) for n in self.nodes()]
        branch = [node.id for node in self.run(self.bench.messages(self.conversation))]
        self.run(self.bench.close())
        self.bench = self.opened()
        assert [
            (n.id, n.parent, n.message, n.status, n.note, n.position, n.siblings, n.turn) for n in self.nodes()
        ] == before
        assert [node.id for node in self.run(self.bench.messages(self.conversation))] == branch
        self.deleted.clear()

    # -- What always holds --------------------------------------------------------------------------

    @invariant()
    def nothing_is_lost(self) -> None:
        if not hasattr(self, "conversation"):
            return
        nodes = self.nodes()
        ids = [node.id for node in nodes]
        assert len(ids) == len(set(ids))
        assert self.said <= set(ids)
        seen: set[str] = set()
        for node in nodes:
            assert node.parent is None or node.parent in seen
            seen.add(node.id)
        info = self.run(self.bench.conversation(self.conversation))
        assert info.messages == len(nodes)


Talk.TestCase.settings = settings(
    max_examples=12,
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestTalk = Talk.TestCase
