"""A conversation as a tree of messages, in memory: which branches there are and which one is read.

Every message but the first ones has a parent. Among the children of a message one is chosen; following
the chosen ones from the top gives the current branch. Nothing here is stored or drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cutaway.workbench.turn import Node


@dataclass(frozen=True, slots=True)
class Removal:
    """What was taken out of a tree, and what it takes to put it back."""

    nodes: tuple[Node, ...]
    """The removed message first, then all below it, parents before children."""
    index: int
    """Its place among its siblings."""
    was_chosen: bool
    chosen: tuple[tuple[str, str], ...]
    """(parent, chosen child) among the removed."""


class Tree:
    def __init__(self, nodes: Iterable[Node] = (), chosen: Iterable[str] = ()) -> None:
        """`nodes`: parents before children, siblings in their order; `chosen`: ids of the chosen children."""
        self._nodes: dict[str, Node] = {}
        self._children: dict[str | None, list[str]] = {None: []}
        self._chosen: dict[str | None, str] = {}
        self._end: str | None = None
        for node in nodes:
            self.add(node, choose=False)
        for node_id in chosen:
            if node_id in self._nodes:
                self._chosen[self._nodes[node_id].parent] = node_id

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._nodes

    def node(self, node_id: str) -> Node:
        """The message with its place among its siblings. Raises KeyError."""
        node = self._nodes[node_id]
        siblings = self._children[node.parent]
        if len(siblings) == 1:
            return node if node.siblings == 1 else replace(node, siblings=1, position=1)
        return replace(node, siblings=len(siblings), position=siblings.index(node_id) + 1)

    def siblings(self, node_id: str) -> list[str]:
        return list(self._children[self._nodes[node_id].parent])

    def children(self, node_id: str | None) -> list[str]:
        return list(self._children.get(node_id, ()))

    def chosen_child(self, node_id: str | None) -> str | None:
        """The child that the current branch takes: the chosen one, else the last."""
        children = self._children.get(node_id)
        if not children:
            return None
        chosen = self._chosen.get(node_id)
        return chosen if chosen is not None else children[-1]

    @property
    def end(self) -> str | None:
        """The message at which the current branch was told to end, though others follow it."""
        return self._end

    def end_at(self, node_id: str) -> list[str]:
        """Let the current branch end at a message, whatever follows it, until a message is added or chosen.

        Answers the ids newly chosen among their siblings.
        """
        changed = self.choose(node_id)
        self._end = node_id if self._children[node_id] else None
        return changed

    def branch(self) -> list[Node]:
        """The current branch, from the top."""
        return [self.node(node_id) for node_id in self._descend(None)]

    def leaf(self) -> str | None:
        last = None
        for last in self._descend(None):  # noqa: B007 - the last one is the answer
            pass
        return last

    def path(self, node_id: str) -> list[Node]:
        """From the top down to `node_id`, whichever branch it is on."""
        ids: list[str] = []
        at: str | None = node_id
        while at is not None:
            ids.append(at)
            at = self._nodes[at].parent
        return [self.node(found) for found in reversed(ids)]

    def walk(self) -> Iterator[Node]:
        """Every message, parents before children."""
        stack = list(reversed(self._children[None]))
        while stack:
            node_id = stack.pop()
            yield self.node(node_id)
            stack.extend(reversed(self._children.get(node_id, ())))

    def chosen_ids(self) -> list[str]:
        return [found for node_id in (None, *self._nodes) if (found := self._chosen.get(node_id)) is not None]

    def add(self, node: Node, *, choose: bool = True) -> None:
        """Put a new message below its parent, last among its siblings. Raises KeyError when the parent is missing."""
        if node.parent is not None and node.parent not in self._nodes:
            raise KeyError(node.parent)
        self._nodes[node.id] = replace(node, siblings=1, position=1)
        self._children.setdefault(node.parent, []).append(node.id)
        self._children.setdefault(node.id, [])
        if choose:
            self._chosen[node.parent] = node.id
            self._end = None

    def take_back(self, node_id: str, chosen: str | None) -> None:
        """Undo `add`: the message never was, and the branch takes again what it took before."""
        parent = self._nodes[node_id].parent
        self.remove(node_id)
        if chosen is not None and chosen in self._nodes:
            self._chosen[parent] = chosen

    def replace(self, node: Node) -> None:
        """The same message with other content or status."""
        if self._nodes[node.id].parent != node.parent:
            raise ValueError(f"message {node.id} cannot move from {self._nodes[node.id].parent} to {node.parent}")
        self._nodes[node.id] = replace(node, siblings=1, position=1)

    def choose(self, node_id: str) -> list[str]:
        """Make the current branch go through a message; answers the ids newly chosen among their siblings."""
        self._end = None
        changed = []
        at: str | None = node_id
        while at is not None:
            parent = self._nodes[at].parent
            if self.chosen_child(parent) != at:
                changed.append(at)
            self._chosen[parent] = at
            at = parent
        return changed

    def remove(self, node_id: str) -> Removal:
        """Take out a message and everything below it. A neighbour takes its place on the current branch."""
        node = self._nodes[node_id]
        siblings = self._children[node.parent]
        index = siblings.index(node_id)
        was_chosen = self.chosen_child(node.parent) == node_id
        below = list(self.below(node_id))
        removal = Removal(
            nodes=tuple(self._nodes[found] for found in below),
            index=index,
            was_chosen=was_chosen,
            chosen=tuple((found, self._chosen[found]) for found in below if found in self._chosen),
        )
        siblings.pop(index)
        if was_chosen:
            self._chosen.pop(node.parent, None)
            if siblings:
                self._chosen[node.parent] = siblings[min(index, len(siblings) - 1)]
        if self._end in below:
            self._end = None
        for found in below:
            del self._nodes[found]
            del self._children[found]
            self._chosen.pop(found, None)
        return removal

    def restore(self, removal: Removal) -> None:
        """Put a removal back where it was. Raises KeyError where its place is gone, or it is back already."""
        top = removal.nodes[0]
        if top.id in self._nodes:
            raise KeyError(top.id)
        for node in removal.nodes:
            self.add(node, choose=False)
        siblings = self._children[top.parent]
        siblings.remove(top.id)
        siblings.insert(min(removal.index, len(siblings)), top.id)
        self._chosen.update(removal.chosen)
        if removal.was_chosen:
            self._chosen[top.parent] = top.id

    def _descend(self, node_id: str | None) -> Iterator[str]:
        at = self.chosen_child(node_id)
        while at is not None:
            yield at
            at = None if at == self._end else self.chosen_child(at)

    def below(self, node_id: str) -> Iterator[str]:
        """A message and everything that hangs on it, parents before children."""
        stack = [node_id]
        while stack:
            at = stack.pop()
            yield at
            stack.extend(reversed(self._children[at]))
