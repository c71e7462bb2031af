"""Ids of calls: made from their place alone, and converted from one family to another."""

from __future__ import annotations

from cutaway.chat.call_ids import convert, fits, in_family, make
from cutaway.chat.formats.format import CallId
from cutaway.chat.message import Message, ToolCall

NONE, NINE, DECIMAL = CallId(), CallId("nine"), CallId("decimal")
KIMI, POSITION = CallId("composed", "in_name", prefix=":"), CallId("positional", start=1)


def test_ids_follow_from_the_place_in_the_conversation() -> None:
    assert make(NONE, "ferry", 4) == "call_4"
    assert make(KIMI, "ferry", 4) == "functions.ferry:4"
    assert make(DECIMAL, "ferry", 4) == "4"
    assert make(POSITION, "ferry", 4) == "5"
    assert make(NINE, "ferry", 4) == make(NINE, "ferry", 4)


def test_a_made_id_fits_its_rule() -> None:
    for rule in (NONE, NINE, DECIMAL, KIMI, POSITION):
        made = [make(rule, "get_v2", index) for index in range(200)]
        assert all(fits(rule, id) for id in made)
        assert len(set(made)) == len(made)


def test_a_conversation_that_moves_keeps_each_id_distinct() -> None:
    kimi = ["functions.ferry:0", "functions.ferry:1", "functions.clock:2"]
    for rule in (NINE, DECIMAL, POSITION):
        moved: list[str] = []
        for index, id in enumerate(kimi):
            moved.append(convert(rule, id, "ferry", index, moved))
        assert all(fits(rule, id) for id in moved)
        assert len(set(moved)) == 3


def test_an_id_that_fits_is_kept() -> None:
    assert convert(NINE, "abcdefghi", "ferry", 0) == "abcdefghi"
    assert convert(DECIMAL, "17", "ferry", 0) == "17"
    assert convert(KIMI, "functions.ferry:9", "ferry", 0) == "functions.ferry:9"
    assert convert(NONE, "anything", "ferry", 0) == "anything"


def test_a_made_id_gives_way_to_one_in_use() -> None:
    assert convert(DECIMAL, "x", "ferry", 0, ["0", "1"]) == "2"


def test_a_whole_conversation_moves_with_its_results() -> None:
    told = (
        Message("user", "When?"),
        Message(
            "assistant", tool_calls=(ToolCall("ferry", "{}", "abc-1"), ToolCall("clock", "{}", "functions.clock:1"))
        ),
        Message("tool", "7:15", tool_call_id="abc-1"),
        Message("tool", "noon", tool_call_id="functions.clock:1"),
        Message("tool", "lost", tool_call_id="nobody's"),
    )
    moved = in_family(KIMI, told)
    assert [call.id for call in moved[1].tool_calls] == ["functions.ferry:0", "functions.clock:1"]
    assert [message.tool_call_id for message in moved[2:]] == ["functions.ferry:0", "functions.clock:1", "nobody's"]
    assert in_family(KIMI, moved) == moved
    for rule in (NINE, DECIMAL, POSITION, NONE):
        ids = [call.id for call in in_family(rule, told)[1].tool_calls]
        assert all(fits(rule, id) for id in ids)
        assert len(set(ids)) == 2
