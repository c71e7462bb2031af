"""The conversations that are open: their trees in memory, what was done to them, and how to undo it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from cutaway.chat.message import Message
from cutaway.workbench.change import Change, ConversationsChanged, TreeChanged
from cutaway.workbench.tree import Removal, Tree
from cutaway.workbench.turn import ConversationInfo, Node

_numbers = itertools.count(1)


def new_id() -> str:
    """Grows with time, so that ids sort as they were made."""
    return f"{time.time_ns() // 1000:014x}{next(_numbers) & 0xFFFF:04x}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that a search found."""

    conversation: str
    title: str
    node: str
    role: str
    excerpt: str
    """A line around the first match."""
    matches: tuple[tuple[int, int], ...] = ()
    """Characters of the excerpt that match, half-open."""


class MessageError(Exception):
    """A conversation or message cannot be used so. The message says which and why."""


class Library:
    def __init__(self, announce: Callable[[Change], None]) -> None:
        self._announce = announce
        self._infos: dict[str, ConversationInfo] = {}
        self._trees: dict[str, Tree] = {}
        self._undo: list[tuple[str, Removal | ConversationInfo]] = []

    async def conversations(self, *, archived: bool = False) -> list[ConversationInfo]:
        found = [info for info in self._infos.values() if info.archived == archived]
        return sorted(found, key=lambda info: (info.pinned, info.updated), reverse=True)

    async def create(self, title: str = "") -> ConversationInfo:
        now = time.time()
        info = ConversationInfo(id=new_id(), title=title, created=now, updated=now)
        self._infos[info.id] = info
        self._trees[info.id] = Tree()
        self._announce(ConversationsChanged())
        return info

    async def change(self, conversation: str, **what: object) -> None:
        self._infos[conversation] = replace(self.info(conversation), **what)  # type: ignore[arg-type]
        self._announce(ConversationsChanged())

    def info(self, conversation: str) -> ConversationInfo:
        try:
            return self._infos[conversation]
        except KeyError:
            raise MessageError(f"There is no conversation {conversation}.") from None

    def tree(self, conversation: str) -> Tree:
        self.info(conversation)
        return self._trees[conversation]

    def find(self, node: str) -> tuple[str, Tree]:
        for conversation, tree in self._trees.items():
            if node in tree:
                return conversation, tree
        raise MessageError(f"There is no message {node}.")

    async def add(self, conversation: str, parent: str | None, message: Message, **what: object) -> Node:
        node = Node(id=new_id(), parent=parent, message=message, created=time.time(), **what)  # type: ignore[arg-type]
        tree = self.tree(conversation)
        tree.add(node)
        info = self._infos[conversation]
        self._infos[conversation] = replace(info, messages=len(tree), updated=node.created)
        self._announce(TreeChanged(conversation))
        return node

    async def delete_conversation(self, conversation: str) -> None:
        self._undo.append((conversation, self._infos.pop(conversation)))
        self._announce(ConversationsChanged())

    async def delete(self, node: str) -> None:
        conversation, tree = self.find(node)
        self._undo.append((conversation, tree.remove(node)))
        self._announce(TreeChanged(conversation))

    async def undo(self) -> str | None:
        if not self._undo:
            return None
        conversation, what = self._undo.pop()
        if isinstance(what, ConversationInfo):
            self._infos[conversation] = what
            self._announce(ConversationsChanged())
        else:
            self._trees[conversation].restore(what)
            self._announce(TreeChanged(conversation))
        return conversation

    async def search(self, text: str, limit: int = 50) -> list[Hit]:
        wanted = text.casefold()
        return [
            Hit(conversation, self._infos[conversation].title, node.id, node.message.role, node.message.text)
            for conversation, tree in self._trees.items()
            if conversation in self._infos
            for node in tree.walk()
            if wanted in node.message.text.casefold()
        ][:limit]
