"""A conversation's tree: branches, switching, removal and its undoing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.message import Message
from cutaway.workbench.tree import Tree
from cutaway.workbench.turn import Node


def node(name: str, parent: str | None) -> Node:
    return Node(name, parent, Message("user", name), 0.0)


def forked() -> Tree:
    """a - b - c, a - d - e and a second beginning x."""
    tree = Tree()
    for name, parent in (("a", None), ("b", "a"), ("c", "b"), ("d", "a"), ("e", "d"), ("x", None)):
        tree.add(node(name, parent))
    tree.choose("e")
    return tree


def names(tree: Tree) -> list[str]:
    return [one.id for one in tree.branch()]


def test_the_branch_follows_the_chosen_ones() -> None:
    tree = forked()
    assert names(tree) == ["a", "d", "e"]
    assert tree.choose("b") == ["b"]
    assert names(tree) == ["a", "b", "c"]
    assert tree.choose("x") == ["x"]
    assert names(tree) == ["x"]
    tree.choose("a")
    assert names(tree) == ["a", "b", "c"]


def test_a_message_knows_its_place_among_its_siblings() -> None:
    tree = forked()
    assert [(one.position, one.siblings) for one in tree.branch()] == [(1, 2), (2, 2), (1, 1)]


def test_what_is_removed_comes_back_where_it_was() -> None:
    tree = forked()
    removal = tree.remove("d")
    assert names(tree) == ["a", "b", "c"]
    assert "e" not in tree
    tree.restore(removal)
    assert names(tree) == ["a", "d", "e"]
    assert tree.siblings("d") == ["b", "d"]


def test_a_message_cannot_move_or_hang_on_nothing() -> None:
    tree = forked()
    with pytest.raises(ValueError, match="cannot move"):
        tree.replace(node("c", "d"))
    with pytest.raises(KeyError):
        tree.add(node("z", "nobody"))


@given(st.lists(st.tuples(st.integers(0, 30), st.sampled_from(["add", "choose", "remove", "undo"])), max_size=40))
def test_any_sequence_keeps_the_tree_whole(steps: list[tuple[int, str]]) -> None:
    tree = Tree()
    removals = []
    made = 0
    for number, what in steps:
        known = [one.id for one in tree.walk()]
        if what == "undo" and removals:
            before = set(known)
            removal = removals.pop()
            tree.restore(removal)
            assert {one.id for one in tree.walk()} == before | {one.id for one in removal.nodes}
        elif what == "add" or not known:
            parent = known[number % len(known)] if known and number % 3 else None
            tree.add(node(f"n{made}", parent))
            assert tree.branch()[-1].id == f"n{made}" or parent not in {one.id for one in tree.branch()}
            made += 1
            removals.clear()
        elif what == "choose":
            tree.choose(known[number % len(known)])
            assert known[number % len(known)] in names(tree)
        else:
            removals.append(tree.remove(known[number % len(known)]))
        check(tree)


def check(tree: Tree) -> None:
    walked = list(tree.walk())
    assert len(walked) == len(tree)
    seen: set[str] = set()
    for one in walked:
        assert one.parent is None or one.parent in seen
        seen.add(one.id)
        assert tree.siblings(one.id)[one.position - 1] == one.id
    branch = tree.branch()
    assert all(low.parent == high.id for high, low in pairwise(branch))
    assert bool(branch) == bool(walked)
    assert not branch or not tree.children(branch[-1].id)
    again = Tree(walked, tree.chosen_ids())
    assert [one.id for one in again.branch()] == [one.id for one in branch]


def test_the_branch_ends_where_it_was_told_to_until_something_is_added_or_chosen() -> None:
    tree = forked()
    assert tree.end_at("b") == ["b"]
    assert (names(tree), tree.leaf(), tree.end) == (["a", "b"], "b", "b")
    tree.add(node("new", "b"))
    assert (names(tree), tree.end) == (["a", "b", "new"], None)
    tree.end_at("a")
    tree.choose("d")
    assert names(tree) == ["a", "d", "e"]
    tree.end_at("e")
    assert tree.end is None, "nothing follows it"
    tree.end_at("d")
    tree.remove("d")
    assert (names(tree), tree.end) == (["a", "b", "new"], None)


def test_what_is_back_already_is_not_put_back_twice() -> None:
    tree = forked()
    removal = tree.remove("d")
    tree.restore(removal)
    with pytest.raises(KeyError):
        tree.restore(removal)
    assert tree.siblings("d") == ["b", "d"]
