"""The reader as the engine hears it: stops over token borders, half characters, single calls, snapshots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.choice import format_of
from cutaway.chat.formats.format import Format
from cutaway.chat.message import Message, Request
from cutaway.chat.read import read_request
from cutaway.chat.reply import ContentText, ReasoningText, Reply
from cutaway.chat.session import expect, prepare
from cutaway.chat.template.prepared import PreparedTemplate, prepare_template
from cutaway.chat.template.sources import TemplateSource
from cutaway.engine.command import Verdict
from cutaway.engine.scripted import MARKERS, SPECIAL, ScriptedVocabulary
from cutaway.workbench.listen import ReplyListener, listen
from support.scripts import HERMES, THINKING, WEATHER, call

NOW = datetime(2026, 7, 26)
VOCABULARY = ScriptedVocabulary(SPECIAL, MARKERS)
HELLO = Request(messages=(Message("user", "Hello"),))


@cache
def prepared_template(template: str) -> tuple[PreparedTemplate, Format]:
    ready = prepare_template(TemplateSource(template, "test"))
    return ready, format_of(ready, now=NOW)


def listener(
    template: str = THINKING, request: Request = HELLO, stops: Sequence[str] = (), clock: Iterable[float] = ()
) -> ReplyListener:
    ready, format = prepared_template(template)
    prepared = expect(prepare(request, ready, now=NOW), format)
    ticks = iter(clock)
    return listen(prepared, VOCABULARY, stops, clock=lambda: next(ticks, 0.0))


def told(verdicts: Iterable[Verdict], kind: type = ContentText) -> str:
    return "".join(event.text for one in verdicts for event in one.events if isinstance(event, kind))


def feed(ears: ReplyListener, text: str, *, size: int = 0) -> list[Verdict]:
    """Token by token (or so many bytes at a time, as tokens without a meaning), up to a stop."""
    data = text.encode()
    pieces = [data[at : at + size] for at in range(0, len(data), size)] if size else None
    tokens = [(piece, 0) for piece in pieces] if pieces is not None else []
    if pieces is None:
        tokens = [(VOCABULARY.piece(token), token) for token in VOCABULARY.encode(text, special=True)]
    verdicts = []
    for piece, token in tokens:
        verdicts.append(ears.feed(piece, token))
        if verdicts[-1].stop:
            break
    return [*verdicts, ears.finish()]


@given(st.text(max_size=40), st.integers(1, 5), st.sampled_from(["STOP", "\n\n", "é!", "aa"]))
def test_a_stop_string_ends_the_reply_wherever_the_tokens_part(text: str, size: int, stop: str) -> None:
    ears = listener(stops=[stop])
    plain = "x" + text.replace("<", "").replace("\ufffd", "").strip() + "x"
    verdicts = feed(ears, plain + stop + " never seen", size=size)
    whole = plain + stop
    assert told(verdicts) == whole[: whole.index(stop)]
    assert verdicts[-2].stop


@pytest.mark.parametrize("stop", [">>>", "call>x", "l>\nx", "<|"])
def test_a_marker_whose_end_may_begin_a_stop_is_a_marker(stop: str) -> None:
    body = {"messages": [{"role": "user", "content": "x"}], "tools": [WEATHER]}
    one = call("get_weather", '{"city": "Paris"}')
    reply = feed(listener(HERMES, read_request(body), [stop]), one)[-1].events[-1]
    assert isinstance(reply, Reply)
    assert [said.name for said in reply.calls] == ["get_weather"]
    verdicts = feed(listener(stops=["k>>>"]), "<think>\nhm\n</think>\n\nfine")
    assert (told(verdicts, ReasoningText), told(verdicts)) == ("hm", "fine")


def test_half_characters_wait() -> None:
    verdicts = feed(listener(), "你好", size=1)
    assert told(verdicts) == "你好"
    assert [bool(one.events) for one in verdicts[:3]] == [False, False, True]


def test_reasoning_is_open_until_its_closer() -> None:
    ears = listener()
    text = "<think>\nhm\n</think>\n\nfine"
    states = {}
    for token in VOCABULARY.encode(text, special=True):
        piece = VOCABULARY.piece(token)
        states[piece] = ears.feed(piece, token).reasoning_open
    assert states[b"hm"]
    assert not states[b"</think>"]
    assert not states[b"fine"]


def test_spelled_out_markers_are_text_when_ids_are_known() -> None:
    ears = listener()
    pieces = [b"say", b" </", b"think", b"> twice"]
    verdicts = [ears.feed(piece, VOCABULARY.encode(piece.decode(), special=False)[0]) for piece in pieces]
    verdicts.append(ears.finish())
    assert told(verdicts) == "say </think> twice"
    assert told(verdicts, ReasoningText) == ""


def test_a_single_call_ends_the_reply() -> None:
    body = {"messages": [{"role": "user", "content": "x"}], "tools": [WEATHER], "parallel_tool_calls": False}
    one = call("get_weather", '{"city": "Paris"}')
    verdicts = feed(listener(HERMES, read_request(body)), one + "\n" + one)
    assert next(verdict.finish_reason for verdict in verdicts if verdict.stop) == "tool_calls"
    replies = [event for verdict in verdicts for event in verdict.events if isinstance(event, Reply)]
    assert len(replies[-1].calls) == 1


def test_the_reply_so_far_comes_a_few_times_a_second() -> None:
    clock = [0.0] * 6 + [1.0] * 40
    verdicts = feed(listener(clock=clock), "one two three four five six seven")
    replies = [event for verdict in verdicts for event in verdict.events if isinstance(event, Reply)]
    assert 2 <= len(replies) <= 4
    assert replies[-1].content == "one two three four five six seven"
    assert replies[-1].content.startswith(replies[0].content)
