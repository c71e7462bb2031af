"""The conversations: their trees in memory while they are open, every change written to the store, and undo."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cutaway.chat.message import Message
from cutaway.store.database import Database
from cutaway.store.error import StoreError
from cutaway.store.record import Growth, Status
from cutaway.store.thread import StoreThread
from cutaway.store.words import excerpt
from cutaway.workbench.change import Change, ConversationsChanged, TreeChanged
from cutaway.workbench.exchange import ReadConversation
from cutaway.workbench.stored import OpenConversation, Written, info_of, load, stored_conversation, stored_message
from cutaway.workbench.titles import make_title
from cutaway.workbench.tree import Removal, Tree
from cutaway.workbench.turn import ConversationInfo, Node

TREES_KEPT = 12
UNDO_KEPT = 50

_numbers = itertools.count(1)


def new_id(now: float | None = None) -> str:
    """Grows with time, so that ids sort as they were made."""
    micros = int((time.time() if now is None else now) * 1_000_000)
    return f"{micros:014x}{next(_numbers) & 0xFFFFFF:06x}"


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


@dataclass(frozen=True, slots=True)
class _Undo:
    conversation: str
    deletion: str
    removal: Removal | None
    """None for a whole conversation."""


class Library:
    def __init__(self, store: StoreThread, announce: Callable[[Change], None]) -> None:
        self._store = store
        self._announce = announce
        self._open: OrderedDict[str, OpenConversation] = OrderedDict()
        self._undo: list[_Undo] = []
        self._busy: set[str] = set()

    # -- Conversations ------------------------------------------------------------------------------

    async def conversations(self, *, archived: bool = False) -> list[ConversationInfo]:
        return await self._store.read(
            lambda database: [info_of(stored) for stored in database.conversations(archived=archived)]
        )

    async def info(self, conversation: str) -> ConversationInfo:
        """Raises MessageError."""
        stored = await self._store.read(lambda database: database.conversation(conversation))
        if stored is None:
            raise MessageError(f"There is no conversation {conversation}: it may have been deleted.")
        return info_of(stored)

    async def create(self, title: str = "", *, created: float | None = None) -> ConversationInfo:
        now = time.time() if created is None else created
        info = ConversationInfo(id=new_id(), title=title, created=now, updated=now, named=bool(title))
        await self._store.write(lambda database: database.put_conversation(stored_conversation(info)))
        self._keep(info.id, OpenConversation(Tree()))
        self._announce(ConversationsChanged())
        return info

    async def change(self, conversation: str, **what: Any) -> ConversationInfo:
        """Set fields of its info."""
        info = replace(await self.info(conversation), **what)
        await self._store.write(lambda database: database.put_conversation(stored_conversation(info)))
        self._announce(ConversationsChanged())
        return info

    def set_draft(self, conversation: str, text: str) -> None:
        """Written soon; nobody waits for it."""
        self._store.post(lambda database: database.set_draft(conversation, text))

    async def delete_conversation(self, conversation: str) -> None:
        await self.info(conversation)
        deletion = new_id()
        await self._store.write(lambda database: database.delete_conversation(conversation, deletion))
        self._open.pop(conversation, None)
        self._remember(_Undo(conversation, deletion, None))
        self._announce(ConversationsChanged())

    async def undo(self) -> str | None:
        """Take back the last deletion; answers whose conversation it was, None when there is nothing to undo."""
        if not self._undo:
            return None
        last = self._undo.pop()
        try:
            await self._store.write(lambda database: database.restore(last.deletion))
        except StoreError:
            self._undo.append(last)
            raise
        if last.removal is not None and (held := self._open.get(last.conversation)):
            try:
                held.tree.restore(last.removal)
            except KeyError:
                # What it hung on is gone from memory: the store knows where it belongs.
                del self._open[last.conversation]
            if last.removal.was_chosen:
                chosen = last.removal.nodes[0].id
                self._store.post(lambda database: database.choose((chosen,)))
        self._announce(ConversationsChanged())
        self._announce(TreeChanged(last.conversation))
        return last.conversation

    @property
    def can_undo(self) -> bool:
        return bool(self._undo)

    async def search(self, text: str, limit: int = 50, conversation: str = "") -> list[Hit]:
        def ask(database: Database) -> list[Hit]:
            hits = []
            for found in database.search(text, limit, conversation):
                line, matches = excerpt(found.text, text)
                hits.append(Hit(found.conversation, found.title, found.message, found.role, line, matches))
            return hits

        return await self._store.read(ask)

    # -- Trees --------------------------------------------------------------------------------------

    async def open(self, conversation: str) -> OpenConversation:
        """Its tree, read from the store when it is not in memory; an empty one for "", which is none yet.

        Raises MessageError.
        """
        if not conversation:
            return OpenConversation(Tree())
        held = self._open.get(conversation)
        if held is None:
            await self.info(conversation)
            held = await self._store.read(lambda database: load(database.messages(conversation)))
            # Another caller may have opened it meanwhile.
            held = self._open.get(conversation) or held
        self._keep(conversation, held)
        return held

    async def tree(self, conversation: str) -> Tree:
        return (await self.open(conversation)).tree

    async def find(self, node: str) -> tuple[str, Tree]:
        """The conversation and tree that a message belongs to. Raises MessageError."""
        for conversation, held in self._open.items():
            if node in held.tree:
                return conversation, held.tree
        stored = await self._store.read(lambda database: database.message(node))
        if stored is not None:
            tree = await self.tree(stored.conversation)
            if node in tree:
                return stored.conversation, tree
        raise MessageError(f"There is no message {node}: it may have been deleted.")

    def written(self, conversation: str, node: str) -> Written | None:
        held = self._open.get(conversation)
        return held.written.get(node) if held else None

    def forget_unused(self) -> None:
        """Another program changed the file: what is not being written is read again when it is next asked for."""
        stale = [conversation for conversation in self._open if conversation not in self._busy]
        for conversation in stale:
            del self._open[conversation]
        self._announce(ConversationsChanged())
        for conversation in stale:
            self._announce(TreeChanged(conversation))

    def hold(self, conversation: str, busy: bool) -> None:
        """While a reply is written its tree stays in memory."""
        if busy:
            self._busy.add(conversation)
        else:
            self._busy.discard(conversation)

    # -- Messages -----------------------------------------------------------------------------------

    async def add(
        self,
        conversation: str,
        parent: str | None,
        message: Message,
        *,
        status: Status = "whole",
        turn: str | None = None,
        note: str = "",
        written: Written | None = None,
        created: float | None = None,
    ) -> Node:
        """A new message below `parent`, on disk when this returns. Raises MessageError or StoreError."""
        held = await self.open(conversation)
        if parent is not None and parent not in held.tree:
            raise MessageError("The message that this one answers was deleted.")
        now = time.time() if created is None else created
        node = Node(new_id(), parent, message, now, status, turn, note=note)
        written = written or Written()
        stored = stored_message(conversation, node, written)
        chosen = held.tree.chosen_child(parent)
        held.tree.add(node)  # Before it is written: what deletes its parent meanwhile takes it along.
        try:
            await self._store.write(lambda database: database.add_message(stored))
        except StoreError:
            if node.id in held.tree:
                held.tree.take_back(node.id, chosen)
            raise
        if node.id not in held.tree:
            raise MessageError("The message was deleted while it was being written.")
        if written.ids:
            held.written[node.id] = written
        if message.role == "user":
            await self._name(conversation, message)
        self._announce(TreeChanged(conversation))
        return self.node(conversation, node.id) or node

    async def add_read(self, conversation: str, read: ReadConversation) -> None:
        """The messages of a file, in one piece."""
        now = time.time()
        ids = [new_id() for _ in read.messages]
        nodes = [
            Node(
                ids[index],
                None if one.parent is None else ids[one.parent],
                one.message,
                now if one.created is None else one.created,
                note=one.note,
            )
            for index, one in enumerate(read.messages)
        ]
        await self._add_all(conversation, nodes, [one.chosen for one in read.messages], {})

    async def copy_path(self, source: str, path: Sequence[Node], target: str) -> dict[str, str]:
        """Copies of messages, each below the one before, into an empty conversation; answers their ids by the old ones."""
        held = await self.open(source)
        ids = {one.id: new_id() for one in path}
        nodes = [replace(one, id=ids[one.id], parent=ids[one.parent] if one.parent else None) for one in path]
        written = {ids[one.id]: held.written[one.id] for one in path if one.id in held.written}
        await self._add_all(target, nodes, [True] * len(nodes), written)
        return ids

    async def _add_all(
        self, conversation: str, nodes: Sequence[Node], chosen: Sequence[bool], written: Mapping[str, Written]
    ) -> None:
        """Many messages in one piece, parents before children."""
        held = await self.open(conversation)
        nothing = Written()

        def write(database: Database) -> None:
            for node, one in zip(nodes, chosen, strict=True):
                stored = stored_message(conversation, node, written.get(node.id, nothing))
                database.add_message(replace(stored, chosen=one))

        await self._store.write(write)
        for node, one in zip(nodes, chosen, strict=True):
            held.tree.add(node, choose=one)
        held.written.update(written)
        first = next((node.message for node in nodes if node.message.role == "user"), None)
        if first is not None:
            await self._name(conversation, first)
        self._announce(TreeChanged(conversation))

    async def add_copies(self, conversation: str, parent: str | None, nodes: Sequence[Node]) -> Node | None:
        """Copies of a chain of messages, one below the other; answers the last."""
        last: Node | None = None
        for node in nodes:
            below = parent if last is None else last.id
            written = self.written(conversation, node.id)
            last = await self.add(conversation, below, node.message, turn=node.turn, note=node.note, written=written)
        return last

    async def put(self, conversation: str, node: Node, written: Written | None = None) -> None:
        """The same message with other content, status, note or turn. Raises StoreError; memory has it in any case."""
        held = await self.open(conversation)
        if node.id not in held.tree:
            return
        held.tree.replace(node)
        if written is not None:
            held.written[node.id] = written
        stored = stored_message(conversation, node, held.written.get(node.id) or Written())
        self._announce(TreeChanged(conversation))
        await self._store.write(lambda database: database.update_message(stored))

    def node(self, conversation: str, node: str) -> Node | None:
        """A message of a conversation that is in memory."""
        held = self._open.get(conversation)
        return held.tree.node(node) if held and node in held.tree else None

    def set_turn(self, conversation: str, node: Node) -> None:
        """Say which turn writes a growing message."""
        held = self._open.get(conversation)
        if held is not None and node.id in held.tree:
            held.tree.replace(node)
        self._store.post(lambda database: database.set_turn(node.id, node.turn))

    def put_later(self, conversation: str, node: Node, written: Written | None = None) -> None:
        """Like `put`, kept and tried again while the disk refuses."""
        held = self._open.get(conversation)
        if held is None or node.id not in held.tree:
            return
        held.tree.replace(node)
        if written is not None:
            held.written[node.id] = written
        stored = stored_message(conversation, node, held.written.get(node.id) or Written())
        self._store.post(lambda database: database.update_message(stored))
        self._announce(TreeChanged(conversation))

    def grow(self, growth: Growth) -> None:
        self._store.post(lambda database: database.grow(growth))

    async def choose(self, node: str) -> str:
        """Make the current branch go through a message; answers its conversation."""
        conversation, tree = await self.find(node)
        ended = tree.end is not None
        changed = tree.choose(node)
        if changed:
            await self._store.write(lambda database: database.choose(changed))
        if changed or ended:
            self._announce(TreeChanged(conversation))
        return conversation

    async def end_at(self, node: str) -> None:
        """Let the current branch end at a message until another is added or chosen; that it does is not stored."""
        conversation, tree = await self.find(node)
        changed = tree.end_at(node)
        if changed:
            await self._store.write(lambda database: database.choose(changed))
        self._announce(TreeChanged(conversation))

    async def delete(self, node: str) -> str:
        """Take out a message and all below it; answers its conversation."""
        conversation, tree = await self.find(node)
        removal = tree.remove(node)
        deletion = new_id()
        gone = [removed.id for removed in removal.nodes]
        neighbour = tree.chosen_child(removal.nodes[0].parent) if removal.was_chosen else None

        def write(database: Database) -> None:
            database.delete_messages(gone, deletion)
            if neighbour is not None:
                database.choose((neighbour,))

        try:
            await self._store.write(write)
        except Exception:
            tree.restore(removal)
            raise
        self._remember(_Undo(conversation, deletion, removal))
        self._announce(TreeChanged(conversation))
        return conversation

    # -- Inside -------------------------------------------------------------------------------------

    async def _name(self, conversation: str, message: Message) -> None:
        info = await self.info(conversation)
        if not info.title and (title := make_title(message.text)):
            await self.change(conversation, title=title)
        else:
            self._announce(ConversationsChanged())

    def _keep(self, conversation: str, held: OpenConversation) -> None:
        self._open[conversation] = held
        self._open.move_to_end(conversation)
        for other in self._spare():
            del self._open[other]

    def _spare(self) -> Iterable[str]:
        unused = [name for name in self._open if name not in self._busy]
        return unused[: max(0, len(self._open) - TREES_KEPT)]

    def _remember(self, undo: _Undo) -> None:
        self._undo.append(undo)
        del self._undo[:-UNDO_KEPT]
