"""Between the store's rows and the workbench's values: conversations, messages, and what the model wrote for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cutaway.store.record import Status, StoredConversation, StoredMessage
from cutaway.workbench.tree import Tree
from cutaway.workbench.turn import ConversationInfo, Node


@dataclass(slots=True)
class Written:
    """What the model produced for a message: its tokens, end token included, and their text."""

    ids: tuple[int, ...] = ()
    raw: str = ""


@dataclass(slots=True)
class OpenConversation:
    tree: Tree
    written: dict[str, Written] = field(default_factory=dict)


def load(stored: Sequence[StoredMessage]) -> OpenConversation:
    held = OpenConversation(Tree())
    for value in stored:
        # Nothing of this program's is growing when a tree is read: another one's is shown as far as it is on disk.
        status: Status = "stopped" if value.status == "growing" else value.status
        parent = value.parent if value.parent is not None and value.parent in held.tree else None
        node = Node(value.id, parent, value.message, value.created, status, value.turn, note=value.note)
        held.tree.add(node, choose=value.chosen)
        if value.ids:
            held.written[value.id] = Written(value.ids, value.raw)
    return held


def info_of(stored: StoredConversation) -> ConversationInfo:
    return ConversationInfo(
        id=stored.id,
        title=stored.title,
        created=stored.created,
        updated=stored.updated,
        pinned=stored.pinned,
        archived=stored.archived,
        messages=stored.messages,
        draft=stored.draft,
        named=stored.named,
    )


def stored_conversation(info: ConversationInfo) -> StoredConversation:
    return StoredConversation(
        id=info.id,
        title=info.title,
        named=info.named,
        created=info.created,
        updated=info.updated,
        pinned=info.pinned,
        archived=info.archived,
        draft=info.draft,
    )


def stored_message(conversation: str, node: Node, written: Written) -> StoredMessage:
    return StoredMessage(
        id=node.id,
        conversation=conversation,
        parent=node.parent,
        message=node.message,
        created=node.created,
        status=node.status,
        turn=node.turn,
        note=node.note,
        ids=written.ids,
        raw=written.raw,
    )
