"""Laws 5 to 9 and 11: what is read of a model's output, for every format and any text.

`CUTAWAY_READING_CASES` sets how many outputs are read for each format; by hand, tens of thousands.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cutaway.chat.formats.format import Format
from cutaway.chat.formats.registry import handwritten
from cutaway.chat.reading.reader import Reader
from cutaway.chat.reading.start import start_of
from cutaway.chat.reply import CallArguments, CallStarted, ContentText, Event, ReasoningText, Reply
from support import outputs

CASES = int(os.environ.get("CUTAWAY_READING_CASES", "8"))
FORMATS = [entry.build("") for entry in handwritten()]

every_format = pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
some_outputs = settings(
    max_examples=CASES, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=CASES < 100
)
seeds = st.integers(0, 2**48)


def open_for(format: Format, draw: random.Random) -> Callable[[], Reader]:
    prompt = draw.choice(outputs.PROMPTS)
    if format.reasoning and draw.random() < 0.4:
        prompt = format.reasoning.open.written
    options = draw.choice([{}, {}, {"reasoning_format": "none"}, {"profile": "strict"}, {"fenced": True}])
    return lambda: Reader(format, outputs.TOOLS, generation_prompt=prompt, **options)  # type: ignore[arg-type]


def read(reader: Reader, pieces: Sequence[str]) -> tuple[list[Event], Reply]:
    events: list[Event] = []
    for piece in pieces:
        events += reader.feed(piece)
    events += reader.finish()
    return events, reader.reply()


def folded(events: Sequence[Event]) -> tuple[str, str, list[list[str]]]:
    """What a client has, that only adds up what it is told."""
    content = reasoning = ""
    calls: list[list[str]] = []
    for event in events:
        if isinstance(event, ContentText):
            content += event.text
        elif isinstance(event, ReasoningText):
            reasoning += event.text
        elif isinstance(event, CallStarted):
            assert event.index == len(calls), "a call was started twice"
            calls.append([event.name, event.id, ""])
        elif isinstance(event, CallArguments):
            calls[event.index][2] += event.text
    return content, reasoning, calls


def shown(reply: Reply) -> tuple[str, str, list[list[str]]]:
    return reply.content, reply.reasoning_content, [[call.name, call.id, call.arguments] for call in reply.calls]


def assert_covers(reply: Reply, text: str) -> None:
    at = 0
    for span in reply.spans:
        assert span.start == at < span.end
        at = span.end
    assert at == len(text)
    assert reply.text == text


def random_pieces(text: str, draw: random.Random) -> list[str]:
    pieces = []
    while text:
        size = draw.randint(1, 9)
        pieces.append(text[:size])
        text = text[size:]
    return pieces


@every_format
@some_outputs
@given(seeds)
def test_every_split_reads_alike_and_what_was_told_stays(format: Format, seed: int) -> None:
    draw = random.Random(seed)
    text, reader = outputs.output(format, draw), open_for(format, draw)
    events, whole = read(reader(), [text])
    assert_covers(whole, text)
    assert folded(events) == shown(whole)
    for pieces in (list(text), random_pieces(text, draw)):
        events, reply = read(reader(), pieces)
        assert reply == whole
        assert folded(events) == shown(whole)


@every_format
@some_outputs
@given(seeds)
def test_at_every_prefix_the_spans_cover_it(format: Format, seed: int) -> None:
    draw = random.Random(seed)
    text, reader = outputs.output(format, draw), open_for(format, draw)()
    told: list[Event] = []
    for end in range(1, len(text) + 1):
        told += reader.feed(text[end - 1])
        if draw.random() < 0.2:
            reply = reader.reply()
            assert_covers(reply, text[:end])
            assert folded(told) == shown(reply)


@every_format
@some_outputs
@given(seeds)
def test_nothing_is_lost(format: Format, seed: int) -> None:
    """Text that the person is not shown is markup, framing, or part of a call."""
    draw = random.Random(seed)
    text = outputs.output(format, draw)
    _, reply = read(open_for(format, draw)(), [text])
    readable = "".join(text[span.start : span.end] for span in reply.spans if span.kind in ("content", "unparsed"))
    thoughts = "".join(text[span.start : span.end] for span in reply.spans if span.kind == "reasoning")
    shown_later = iter(reply.content)
    assert all(character in shown_later for character in readable), "text of the answer is not shown in its order"
    assert reply.reasoning_content == thoughts
    for call in reply.calls:
        assert call.name in {tool.name for tool in outputs.TOOLS}
        if call.complete:
            json.loads(call.arguments)


@every_format
@some_outputs
@given(seeds)
def test_without_tools_nothing_is_a_call(format: Format, seed: int) -> None:
    draw = random.Random(seed)
    text = outputs.output(format, draw)
    reader = Reader(format, (), generation_prompt=draw.choice(outputs.PROMPTS))
    _, reply = read(reader, [text])
    assert_covers(reply, text)
    assert not reply.calls


@every_format
@some_outputs
@given(seeds)
def test_with_ids_the_token_counts_and_its_text_does_not(format: Format, seed: int) -> None:
    draw = random.Random(seed)
    tokens = outputs.vocabulary(format)
    text = outputs.output(format, draw).replace("\ud800", "")
    pieces = outputs.as_tokens(text, tokens, draw)

    reader, told = Reader(format, outputs.TOOLS, marker_tokens=tokens), list[Event]()
    for piece, id in pieces:
        told += reader.feed(piece, [id])
    told += reader.finish()
    assert_covers(reader.reply(), text)
    assert folded(told) == shown(reader.reply())


def _opened_by_a_token(format: Format) -> bool:
    calls = format.calls
    opener = (calls.section_open.text or calls.call_open.text) if calls else ""
    return opener in outputs.vocabulary(format).values()


OPENED_BY_A_TOKEN = [format for format in FORMATS if _opened_by_a_token(format)]


@pytest.mark.parametrize("format", OPENED_BY_A_TOKEN, ids=lambda format: format.name)
def test_a_marker_spelled_out_is_text_when_ids_are_known(format: Format) -> None:
    tokens = outputs.vocabulary(format)
    text = outputs.call_text(format, random.Random(1))
    reader = Reader(format, outputs.TOOLS, profile="strict", marker_tokens=tokens)
    for character in text:
        reader.feed(character, [0])
    reader.finish()
    reply = reader.reply()
    assert not reply.calls
    assert reply.content.strip() == text.strip()


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
@some_outputs
@given(st.binary(max_size=80))
def test_any_bytes_give_text(format: Format, data: bytes) -> None:
    one, two = Reader(format, outputs.TOOLS), Reader(format, outputs.TOOLS)
    one.feed_bytes(data)
    for byte in data:
        two.feed_bytes(bytes([byte]))
    one.finish()
    two.finish()
    assert one.reply() == two.reply()
    assert one.reply().text == data.decode("utf-8", "replace")


# -- Law 9 --------------------------------------------------------------------------------------------------

LONG = 12_000


def growing(format: Format) -> list[tuple[str, str]]:
    """Openings, each with a unit that goes on for ever."""
    draw = random.Random(3)
    call = outputs.call_text(format, draw)
    units = [
        ("", "All is well here. "),
        ("", "{ "),
        ("", "<"),
        ("", " "),
        ("", "\n"),
        ("", "["),
        ("", '{"name": "'),
        ("", "a="),
    ]
    units += [(call[: len(call) // 2], "abc "), (call[: len(call) * 2 // 3], '"'), ("", call)]
    units += [("", text) for text in outputs.fragments(format)[::9][:5]]
    if format.reasoning:
        units.append((format.reasoning.open.written, "thinking < of it "))
    return units


def steps(work: Callable[[], object]) -> int:
    """How many calls Python makes for it."""
    count = 0

    def on_event(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(on_event)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@every_format
def test_a_late_character_costs_what_an_early_one_does(format: Format) -> None:
    for opening, unit in growing(format):
        reader = Reader(format, outputs.TOOLS)
        reader.feed(opening)
        piece = (unit * (600 // len(unit) + 1))[: 600 // len(unit) * len(unit) or len(unit)]

        def feed(reader: Reader = reader, piece: str = piece) -> None:
            for at in range(0, len(piece), 4):
                reader.feed(piece[at : at + 4])

        for _ in range(12):
            feed()
        early = steps(feed)
        for _ in range(LONG // 600):
            reader.feed(piece)
        late = steps(feed)
        assert late <= early * 1.3 + 400, (opening, unit, early, late)


@every_format
def test_prose_is_held_back_no_longer_than_a_marker(format: Format) -> None:
    longest = max((len(text) for text in outputs.fragments(format)), default=0)
    reader, told, text = Reader(format, outputs.TOOLS), 0, "It is 5 o'clock; a < b, and [so] on (see below). " * 6
    for end in range(0, len(text), 3):
        for event in reader.feed(text[end : end + 3]):
            assert isinstance(event, ContentText)
            told += len(event.text)
        assert min(end + 3, len(text)) - told <= longest + 8


# -- Law 11 -------------------------------------------------------------------------------------------------


@every_format
def test_the_state_at_the_start_is_the_generation_prompts(format: Format) -> None:
    if format.reasoning is None:
        assert start_of(format, "<think>").prefill == "none"
        return
    opener, closer = format.reasoning.open.text or format.reasoning.other_opens[0], format.reasoning.close.text
    assert start_of(format, f"assistant\n{opener}\n").prefill == "open"
    assert start_of(format, f"assistant\n{opener}\n{closer}\n").prefill == "closed"
    assert start_of(format, f"assistant\n{closer}").prefill == "bare closer"
    assert start_of(format, "assistant\n").prefill == ("open" if format.reasoning.forced else "none")
