"""Rows of cells: nothing is lost, nothing is too wide, and adding text equals laying it out at once."""

from __future__ import annotations

import itertools

from hypothesis import example, given
from hypothesis import strategies as st

from cutaway.ui.text.rows import Rows, cells

TEXT = st.text(alphabet="ab \n\t你é́🙂x", max_size=300) | st.text(max_size=120)


def laid_out(text: str, columns: int) -> Rows:
    rows = Rows(columns)
    rows.set(text)
    return rows


@given(TEXT, st.integers(8, 40))
def test_rows_cover_the_text_in_order(text: str, columns: int) -> None:
    rows = laid_out(text, columns)
    assert "".join(text[rows.starts[n] : rows.end(n)] for n in range(len(rows))) == text
    assert rows.starts == sorted(set(rows.starts))


@given(TEXT, st.integers(8, 40))
@example("a\t\t", 8)
def test_no_row_is_wider_than_the_columns_or_crosses_a_newline(text: str, columns: int) -> None:
    rows = laid_out(text, columns)
    for number in range(len(rows)):
        row = text[rows.starts[number] : rows.end(number)]
        assert "\n" not in row[:-1]
        assert int(cells(row.rstrip("\n")).sum()) <= columns or len(row.rstrip("\n")) == 1


@given(TEXT, st.integers(8, 40), st.lists(st.integers(0, 300), max_size=6))
def test_growing_equals_laying_out_at_once(text: str, columns: int, cuts: list[int]) -> None:
    grown = Rows(columns)
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    for low, high in itertools.pairwise(places):
        grown.append(text[low:high])
    whole = laid_out(text, columns)
    assert grown.text == whole.text
    assert grown.line_starts == whole.line_starts
    assert grown.starts == whole.starts


def test_a_row_and_a_line_of_a_character() -> None:
    rows = laid_out("one\ntwo three four five\n", 10)
    assert rows.line_of(4) == 1
    assert rows.row_of(4) == 1
    assert rows.row_of(len("one\ntwo three ")) == 2


def test_wide_characters_take_two_cells_and_combining_ones_none() -> None:
    assert cells("a你\u0301\t🙂").tolist() == [1, 2, 0, 4, 2]
