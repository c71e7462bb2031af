"""The map of branches as a grid: no two messages share a place, first versions go straight on, it stays quick."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.message import Message
from cutaway.ui.models.branches import Branches, lay_out, words_of
from cutaway.workbench.turn import Node


def node(name: str, parent: str | None, text: str = "") -> Node:
    return Node(name, parent, Message("user", text or name), 0.0)


def places(*links: tuple[str, str | None]) -> dict[str, tuple[int, int]]:
    return {place.node.id: (place.row, place.column) for place in lay_out([node(*link) for link in links])}


def test_the_first_version_goes_on_below_and_others_stand_beside_it() -> None:
    found = places(("a", None), ("b", "a"), ("c", "b"), ("b2", "a"), ("c2", "b2"), ("b3", "a"))
    assert found == {"a": (0, 0), "b": (1, 0), "c": (2, 0), "b2": (1, 1), "c2": (2, 1), "b3": (1, 2)}


def test_a_branch_that_begins_deeper_stands_nearer() -> None:
    found = places(("a", None), ("b", "a"), ("c", "b"), ("d", "c"), ("b2", "a"), ("c2", "b2"), ("d2", "c"))
    assert (found["d2"], found["b2"]) == ((3, 1), (1, 1))
    found = places(("a", None), ("b", "a"), ("c", "b"), ("b2", "a"), ("c2", "b2"), ("d2", "c2"), ("c3", "b"))
    assert (found["c3"], found["b2"]) == ((2, 1), (1, 2)), "the longer one gives way"


def test_several_beginnings_stand_beside_each_other() -> None:
    assert places(("a", None), ("x", None), ("y", "x")) == {"a": (0, 0), "x": (0, 1), "y": (1, 1)}


@given(st.lists(st.integers(0, 10**6), max_size=60))
def test_no_two_messages_share_a_place_and_each_is_below_its_parent(draws: list[int]) -> None:
    nodes = [node("0", None)]
    nodes += [node(str(n), str(draw % (n + 1)) if draw % 7 else None) for n, draw in enumerate(draws, 1)]
    nodes = [one for one in nodes if one.parent is None or int(one.parent) < int(one.id)]
    laid = lay_out(nodes)
    assert {place.node.id for place in laid} == {one.id for one in nodes}
    assert len({(place.row, place.column) for place in laid}) == len(nodes)
    at = {(place.row, place.column): place.node.id for place in laid}
    for place in laid:
        if place.parent is not None:
            assert place.row == place.parent[0] + 1
            assert place.column >= place.parent[1]
            assert at[place.parent] == place.node.parent


def test_the_current_branch_has_its_words_in_the_last_column() -> None:
    branches = Branches()
    branches.show([node("a", None), node("b", "a"), node("b2", "a", "two\n  lines")], ["a", "b2"])
    assert (branches.rowCount(), branches.columnCount()) == (2, 3)
    assert branches.index(1, 2).data() == "two lines"
    branches.show_path(["a", "b"])
    assert branches.index(1, 2).data() == "b"
    branches.show([], [])
    branches.show_path([])
    assert branches.rowCount() == 0


def test_a_message_of_thousands_of_versions_is_laid_out_too() -> None:
    laid = lay_out([node("0", None), *(node(str(n), "0") for n in range(1, 3000))])
    assert max(place.column for place in laid) == 2998


def test_a_huge_message_is_one_short_line() -> None:
    assert len(words_of(node("a", None, "word " * 500_000))) <= 120
    assert words_of(node("a", None, "   \n ")) == "…"
