"""A conversation's column: what stays measured while a message grows, and what must not move."""

from __future__ import annotations

from dataclasses import replace

from cutaway.chat.message import Message
from cutaway.ui.conversation.column import GAP, INNER_GAP, Column, Entry
from cutaway.ui.conversation.items import Growing, Item, whole_code
from cutaway.workbench.turn import Node


def node(name: str, text: str = "text") -> Node:
    return Node(name, None, Message("user", text), 0.0)


def item(name: str, kind: str = "text", text: str = "x", **values: object) -> Item:
    return Item(("n", name), kind, text, **values)  # type: ignore[arg-type]


def filled(names: str) -> Column:
    """Messages of two items each, 10 and 20 pixels high."""
    column = Column()
    column.show([node(name) for name in names], {}, lambda _: 10.0 + INNER_GAP + 20.0)
    for entry in column.entries:
        key = entry.node.id
        entry.take([Item((key, "head"), "head"), Item((key, "0", "0"), "text", "x")], lambda _: 1.0)
        entry.heights[:] = [10.0, 20.0]
    return column


def test_what_stays_the_same_stays_measured() -> None:
    entry = Entry(node("n"), 0.0)
    first = item("0", text="closed")
    entry.take([item("head", "head"), first, item("1", text="tail")], lambda _: 5.0)
    entry.measured[:] = [True, True, True]
    entry.heights[:] = [10.0, 30.0, 20.0]
    entry.take([item("head", "head"), first, item("1", text="tail and more"), item("2")], lambda _: 5.0)
    assert entry.measured == [False, True, False, False], "a head may show something else at any time"
    assert entry.heights == [10.0, 30.0, 20.0, 5.0], "what grew is guessed to be as high as it was"


def test_code_that_goes_on_has_no_gap_above_it() -> None:
    entry = Entry(node("n"), 0.0)
    entry.take([item("0", "code"), item("1", "code", open=True), item("2")], lambda _: 5.0)
    assert entry.gaps == [0, INNER_GAP, 0]


def test_heights_are_added_up_from_a_message_on() -> None:
    column = filled("abcd")
    whole = list(column.tops)
    column.entries[2].height += 100
    column.sum(2)
    assert column.tops[:3] == whole[:3]
    assert [after - before for before, after in zip(whole[3:], column.tops[3:], strict=True)] == [100, 100]
    column.sum()
    assert column.tops[0] == GAP


def test_the_message_at_a_height() -> None:
    column = filled("abc")
    assert [column.at(y) for y in (-5, 0, column.tops[1], column.tops[2] - 1, 10_000)] == [0, 0, 1, 1, 2]
    assert Column().at(0) == -1


def test_an_anchor_finds_its_item_again_whatever_came_above() -> None:
    column = filled("abcd")
    value = column.tops[2] + 15  # The screen begins within the third message's gap: its text is the first seen.
    anchor = column.anchor(value)
    assert anchor is not None
    assert anchor.key == ("c", "0", "0")
    column.entries[0].heights[1] += 55
    column.entries[0].height += 55
    column.sum()
    place = column.place_of(anchor)
    assert place is not None
    assert place - anchor.top == value + 55


def test_reasoning_that_was_folded_is_found_at_its_fold() -> None:
    column = filled("ab")
    entry = column.entries[1]
    key = ("b", "reasoning", "0")
    entry.take([Item(("b", "head"), "head"), Item(("b", "fold"), "fold"), Item(key, "text", "hm")], lambda _: 10.0)
    column.sum()
    anchor = column.anchor(column.tops[1] + 10 + INNER_GAP + 10 + INNER_GAP + 1)
    assert anchor is not None
    assert anchor.key == key
    entry.take([Item(("b", "head"), "head"), Item(("b", "fold"), "fold")], lambda _: 10.0)
    assert column.place_of(anchor) == column.tops[1] + 10 + INNER_GAP
    assert column.place_of(replace(anchor, node="gone")) is None


def test_items_of_closed_chunks_are_made_once() -> None:
    growing = Growing()
    paragraph = "word " * 150 + "\n\n"
    before = growing.items(paragraph * 4, "n", "0")
    after = growing.items(paragraph * 4 + "more", "n", "0")
    assert len(before) > 2
    assert all(a is b for a, b in zip(before[:-1], after, strict=False))
    assert growing.items("another text", "n", "0")[0].text == "another text"


def test_the_whole_code_is_copied_though_it_is_shown_in_parts() -> None:
    code = "\n".join(f"line {n}" if n % 7 else "" for n in range(200)) + "\n\nend"
    items = Growing().items(f"```py\n{code}\n```\n\nafter\n\n```\nother\n```\n", "n", "0")
    assert sum(one.kind == "code" for one in items) > 2
    assert whole_code(items, items[0].key) == code
    assert whole_code(items, items[-1].key) == "other"


def test_a_line_of_code_that_is_cut_is_copied_whole() -> None:
    code = "x" * 40_000
    items = Growing().items(f"```\n{code}\n```\n", "n", "0")
    assert len(items) > 2
    assert whole_code(items, items[0].key) == code
