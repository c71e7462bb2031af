"""What the panes paint, as values: runs, differences, places of tokens, columns, a page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.message import Message, Request
from cutaway.chat.prompt import Origin, Prompt, Span
from cutaway.engine.event import Token
from cutaway.ui.text.columns import Columns, columns_of
from cutaway.ui.text.difference import by_lines, by_tokens, difference
from cutaway.ui.text.page import page
from cutaway.ui.text.places import Places
from cutaway.ui.text.runs import Run, prompt_runs, run_at, tokens_by_kind
from cutaway.workbench.turn import PromptToken

REQUEST = Request(
    messages=(Message("system", "Sys"), Message("user", "Hi"), Message("assistant", "Yo"), Message("tool", "42"))
)


def template(text: str) -> Span:
    return Span(text, Origin("template", line=3, column=1))


def field(text: str, source: str) -> Span:
    return Span(text, Origin("input", source, 0, len(text)))


PROMPT = Prompt(
    (
        template("<s>"),
        field("Sys", "messages[0].content"),
        field("Hi", "messages[1].content"),
        field("hm", "messages[2].reasoning_content"),
        field("Yo", "messages[2].content"),
        field("{}", "messages[2].tool_calls[0].function.arguments"),
        field("42", "messages[3].content"),
        field("get", "tools[0].function.name"),
        template("</s><a>"),
    ),
    generation_start=23,
)


def test_each_span_gets_the_kind_of_its_origin() -> None:
    assert [(PROMPT.text[r.start : r.end], r.kind) for r in prompt_runs(PROMPT, REQUEST)] == [
        ("<s>", "template"),
        ("Sys", "system"),
        ("Hi", "user"),
        ("hm", "reasoning"),
        ("Yo", "assistant"),
        ("{}", "tool_call"),
        ("42", "tool_result"),
        ("get", "tool_definition"),
        ("</s>", "template"),
        ("<a>", "generation"),
    ]


def test_input_is_never_painted_as_template() -> None:
    for run in prompt_runs(PROMPT, REQUEST):
        if PROMPT.spans[run.source].is_input:
            assert run.kind not in ("template", "generation")


def test_a_continued_message_is_a_continuation() -> None:
    request = Request(messages=(Message("user", "Hi"), Message("assistant", "Begun")), continue_final="content")
    prompt = Prompt((field("Hi", "messages[0].content"), field("Begun", "messages[1].content")), 7)
    assert [run.kind for run in prompt_runs(prompt, request)] == ["user", "continuation"]


def test_the_run_of_a_character() -> None:
    runs = [Run(0, 3, "a"), Run(3, 5, "b")]
    assert run_at(runs, 3) is runs[1]
    assert run_at(runs, 5) is None


def test_tokens_are_counted_by_the_kind_of_their_first_character() -> None:
    runs = [Run(0, 3, "template"), Run(3, 9, "user")]
    assert tokens_by_kind(runs, [0, 2, 3, 5, 8]) == {"template": 2, "user": 3}


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c d\n", "\n"]), max_size=12)


@given(LINES, LINES)
def test_a_difference_holds_both_texts(old: list[str], new: list[str]) -> None:
    found = difference(old, new)
    kept = [found.text[run.start : run.end] for run in found.runs if run.kind in ("same", "added")]
    was = [found.text[run.start : run.end] for run in found.runs if run.kind in ("same", "removed")]
    assert "".join(kept) == "".join(new)
    assert "".join(was) == "".join(old)
    assert (found.first < 0) == (old == new)


@given(LINES, LINES)
def test_each_character_of_the_new_text_has_its_place_in_the_difference(old: list[str], new: list[str]) -> None:
    text = "".join(new)
    found = by_lines("".join(old), text)
    for at, character in enumerate(text):
        shown = found.shown_place(at)
        assert found.text[shown] == character
        assert found.new_place(shown) == at
    removed = [run for run in found.runs if run.kind == "removed"]
    assert all(found.new_place(run.start) == -1 for run in removed)


def test_changed_lines_are_compared_by_word_where_they_are_alike() -> None:
    found = by_lines("one two\n", "one TWO\n")
    assert [found.text[r.start : r.end] for r in found.runs if r.kind == "added"] == ["TWO"]
    apart = by_lines("<|im_start|>user\n", "<|start_header_id|>user<|end_header_id|>\n")
    assert [r.kind for r in apart.runs] == ["removed", "added"]


def columns(ids: list[int], starts: list[int]) -> Columns:
    return Columns(ids, starts, [*starts[1:], 99], [], [])


def test_the_same_characters_may_be_other_tokens() -> None:
    found = by_tokens("a<x>b", "a<x>b", columns([1, 9, 2], [0, 1, 4]), columns([1, 5, 6, 2], [0, 1, 2, 4]))
    assert (found.added, found.removed, found.first) == (2, 1, 1)
    assert [(r.kind, found.text[r.start : r.end]) for r in found.runs] == [
        ("same", "a"),
        ("removed", "<x>"),
        ("added", "<x>"),
        ("same", "b"),
    ]


def token(index: int, piece: bytes, *, control: bool = False) -> Token:
    return Token(index, index, piece, 0.5, 0, (), 1.0, index * 5.0, control)


@given(st.text(alphabet="aé你🙂 ", min_size=1, max_size=20), st.integers(1, 4))
def test_tokens_cover_the_characters_of_the_reply(text: str, size: int) -> None:
    data = text.encode()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    places = Places()
    tokens = [token(index, piece) for index, piece in enumerate(pieces)]
    for count in range(len(tokens) + 1):
        places.extend(tokens[:count], text)
    assert places.ends[-1] == len(text)
    assert all(places.span(n)[1] >= places.span(n)[0] for n in range(len(tokens)))


def test_a_control_token_takes_room_only_where_it_is_written() -> None:
    places = Places()
    places.extend([token(0, b"Hi"), token(1, b"<|end|>", control=True)], "Hi")
    assert places.ends == [2, 2]
    assert places.token_at(0) == 0
    assert places.token_at(2) == -1


def test_columns_join_neutralised_tokens_and_keep_control_ones_apart() -> None:
    tokens = [
        PromptToken(1, 0, 3, b"<s>", 0, 0, control=True),
        PromptToken(2, 3, 5, b"<|", 1, 1, neutralised=True),
        PromptToken(3, 5, 8, b"im>", 1, 1, neutralised=True),
        PromptToken(4, 8, 9, b"x", 1, 1),
    ]
    columns = columns_of(tokens)
    assert columns.control == [(0, 3)]
    assert columns.neutralised == [(3, 8)]
    assert columns.token_at(6) == 2
    assert columns.token_at(9) == -1


def test_a_page_escapes_everything_and_loads_nothing() -> None:
    text = "<script>alert('x')</script>"
    made = page("A & B", text, [Run(0, len(text), "user")], ["<note>"])
    assert "<script>" not in made
    assert "A &amp; B" in made
    assert "&lt;note&gt;" in made
    assert "http" not in made
    assert "src=" not in made
