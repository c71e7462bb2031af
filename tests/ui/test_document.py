"""What a message looks like as a document, and what is copied of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextTable
from PySide6.QtWidgets import QApplication

from cutaway.ui.app import application
from cutaway.ui.conversation.code_card import lines_of
from cutaway.ui.conversation.document import MessageDocument
from cutaway.ui.text.runs import Run


@pytest.fixture
def app() -> QApplication:
    return application()


def shown(source: str, app: QApplication) -> MessageDocument:
    document = MessageDocument()
    document.show(source, app.font(), quiet=False)
    document.setTextWidth(700)
    return document


def blocks(document: MessageDocument) -> list[QTextBlock]:
    found, block = [], document.begin()
    while block.isValid():
        found.append(block)
        block = block.next()
    return found


def whole(source: str, app: QApplication) -> str:
    document = shown(source, app)
    return document.text_between(0, document.length)


@pytest.mark.parametrize(
    ("source", "copied"),
    [
        ("One *two* `three`\n\nfour", "One two three\n\nfour"),
        ("- a\n  - b 🇨🇭\n- c", "- a\n  - b 🇨🇭\n- c"),
        ("3. a\n4. b\n\nafter", "3. a\n4. b\n\nafter"),
        ("- a\n\n1. b", "- a\n\n1. b"),
        ("| a | b |\n| - | - |\n| 1 | 2 |\n\nafter", "a\tb\n1\t2\n\nafter"),
        ("- x\n\n  ```\n  one\n  two\n  ```", "- x\n\none\ntwo"),
        ("line one  \nline two", "line one\nline two"),
        ("a\u00a0b 👩‍👩‍👧 𝒳", "a\u00a0b 👩‍👩‍👧 𝒳"),
        ("<b>not bold</b> &amp; <script>", "<b>not bold</b> & <script>"),
        ("![a cat](https://example.com/cat.png)", "Image: a cat"),
        ("- [ ] to do\n- [x] done", "- ☐ to do\n- ☑ done"),
    ],
)
def test_what_is_copied_is_what_is_read(source: str, copied: str, app: QApplication) -> None:
    assert whole(source, app) == copied


def test_a_part_is_cut_where_qt_counts_it(app: QApplication) -> None:
    text = "😀😀 end"
    document = shown(text, app)
    assert document.length == 8, "UTF-16 units: two for each emoji"
    assert document.text_between(2, 8) == "😀 end"
    assert document.text_between(0, 4) == "😀😀"


def test_a_displayed_formula_in_a_paragraph_stands_alone_in_the_middle(app: QApplication) -> None:
    document = shown("So $$x+1$$ holds.", app)
    centred = [bool(b.blockFormat().alignment() & Qt.AlignmentFlag.AlignHCenter) for b in blocks(document)]
    assert centred == [False, True, False]
    assert document.text_between(0, document.length) == "So\n\n$$x+1$$\n\nholds."


def test_a_table_has_room_above_and_below_and_no_empty_line(app: QApplication) -> None:
    document = shown("- a\n\n| b |\n| - |\n| 1 |\n\nafter", app)
    table = next(f for f in document.rootFrame().childFrames() if isinstance(f, QTextTable))
    layout = document.documentLayout()
    box = layout.frameBoundingRect(table)
    item, after = blocks(document)[0], blocks(document)[-1]
    assert table.format().topMargin() >= 8
    assert layout.blockBoundingRect(item).bottom() <= box.top()
    assert layout.blockBoundingRect(after).top() - box.bottom() < 30


def test_text_from_right_to_left_stands_at_the_right(app: QApplication) -> None:
    document = shown("שלום עולם\n\nHello", app)
    hebrew, english = blocks(document)
    assert hebrew.layout().lineAt(0).naturalTextRect().left() > 300
    assert english.layout().lineAt(0).naturalTextRect().left() < 5


def test_the_colours_of_each_line_are_counted_in_utf16() -> None:
    code = "a = '😀'\nb = 1"
    runs = (Run(4, 7, "string"), Run(12, 13, "number"))
    assert lines_of(code, runs) == [[(4, 4, "string")], [(4, 1, "number")]]


def test_a_run_over_several_lines_is_coloured_in_each() -> None:
    assert lines_of("'''a\n\nbc'''", (Run(0, 11, "string"),)) == [[(0, 4, "string")], [], [(0, 5, "string")]]
