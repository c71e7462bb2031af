"""The reader's own promises: what is held back, what a profile refuses, what ids change, what sizes it bears."""

from __future__ import annotations

import json
import random
import sys

import pytest

from cutaway.chat.formats.format import Format
from cutaway.chat.formats.registry import named
from cutaway.chat.message import Tool
from cutaway.chat.reading.reader import Reader
from cutaway.chat.reading.start import Continued
from cutaway.chat.reply import CallArguments, CallEnded, CallStarted, ContentText, Event, ReasoningText, Reply
from support import outputs

FERRY = Tool(
    "ferry",
    "",
    {
        "type": "object",
        "properties": {"harbour": {"type": "string"}, "seats": {"type": "integer"}, "stops": {"type": "array"}},
        "required": ["harbour"],
    },
)


def format_named(name: str) -> Format:
    found = named(name)
    assert found is not None
    return found


def read(name: str, text: str, **options: object) -> Reply:
    reader = Reader(format_named(name), [FERRY], **options)  # type: ignore[arg-type]
    reader.feed(text)
    reader.finish()
    return reader.reply()


# -- Events -------------------------------------------------------------------------------------------------


def test_events_tell_a_turn_in_its_order() -> None:
    reader = Reader(format_named("hermes"), [FERRY])
    text = '<think>\nWhich?\n</think>\n\nThis.\n<tool_call>\n{"name": "ferry", "arguments": {"harbour": "M"}}\n</tool_call>'
    assert [*reader.feed(text), *reader.finish()] == [
        ReasoningText("Which?"),
        ContentText("This."),
        CallStarted(0, "ferry", "call_0"),
        CallArguments(0, '{"harbour": "M"}'),
        CallEnded(0),
    ]


def test_arguments_come_as_they_are_written() -> None:
    reader = Reader(format_named("qwen3-coder"), [FERRY])
    reader.feed("<tool_call>\n<function=ferry>\n<parameter=harbour>\nAlte ")
    assert reader.feed("Mole") == (CallArguments(0, "Mole"),)
    assert reader.feed(' "4"') == (CallArguments(0, ' \\"4\\"'),)


def test_a_partial_reply_holds_what_was_told() -> None:
    reader = Reader(format_named("kimi-k2"), [FERRY])
    reader.feed('<|tool_call_begin|>functions.ferry:0<|tool_call_argument_begin|>{"harbour": ')
    (call,) = reader.reply().calls
    assert (call.name, call.id, call.arguments, call.complete) == ("ferry", "functions.ferry:0", '{"harbour": ', False)


def test_half_a_character_waits_for_its_other_half() -> None:
    reader = Reader(format_named("hermes"), [])
    ship = "🚢".encode()
    assert reader.feed_bytes(b"a" + ship[:2]) == (ContentText("a"),)
    assert reader.feed_bytes(ship[2:]) == (ContentText("🚢"),)
    assert reader.feed_bytes(ship[:3]) == ()
    assert reader.finish() == (ContentText("\ufffd"),)


def test_half_a_character_at_the_end_of_an_argument() -> None:
    reader = Reader(format_named("qwen3-coder"), [FERRY])
    reader.feed_bytes("<tool_call>\n<function=ferry>\n<parameter=harbour>\nÎ".encode()[:-1])
    reader.finish()
    assert reader.reply().calls[0].arguments == '{"harbour": "\ufffd'


# -- Reasoning that stays in the content, and continued messages ------------------------------------------------


def test_reasoning_can_stay_in_the_content_with_the_prompts_opener() -> None:
    reply = read(
        "hermes", "hm\n</think>\n\nhi", generation_prompt="<|im_start|>assistant\n<think>\n", reasoning_format="none"
    )
    assert (reply.content, reply.reasoning_content) == ("<think>\nhm\n</think>\n\nhi", "")


def test_a_continued_answer_comes_after_its_reasoning() -> None:
    continued = Continued("content", "because", "So it ")
    reader = Reader(format_named("hermes"), [], continued=continued)
    events: list[Event] = [*reader.feed("is."), *reader.finish()]
    assert events == [ReasoningText("because"), ContentText("So it is.")]
    assert [(span.start, span.end) for span in reader.reply().spans] == [(0, 3)]


def test_a_continued_thought_goes_on_as_one() -> None:
    reader = Reader(format_named("hermes"), [], continued=Continued("reasoning_content", "I"))
    reader.feed(" see</think>\n\nYes")
    reader.finish()
    assert (reader.reply().reasoning_content, reader.reply().content) == ("I see", "Yes")


def test_a_fence_around_asked_for_json_is_framing() -> None:
    text = '```json\n{"a": "```"}\n```\n'
    assert read("llama3-json", text, fenced=True).content.strip() == '{"a": "```"}'
    assert read("llama3-json", text).content == text


def test_an_eos_that_the_template_does_not_write_ends_the_output_only_at_its_end() -> None:
    format = format_named("hermes").with_eos("</s>")
    for text, shown in (("Aye</s>", "Aye"), ("<s>a</s> b", "<s>a</s> b"), ("Aye</s>\n<|im_end|>", "Aye")):
        reader = Reader(format, [FERRY])
        for character in text:
            reader.feed(character)
        reader.finish()
        assert reader.reply().content == shown


# -- Profiles ---------------------------------------------------------------------------------------------------

DRIFTED = {
    "missing-opener": ("qwen3-coder", "<function=ferry>\n<parameter=harbour>\nM\n</parameter>\n</function>"),
    "arguments-as-string": (
        "hermes",
        '<tool_call>{"name": "ferry", "arguments": "{\\"harbour\\": \\"M\\"}"}</tool_call>',
    ),
    "python-literal": ("hermes", '<tool_call>{"name": "ferry", "arguments": {\'harbour\': "M"}}</tool_call>'),
    "unknown-argument": (
        "qwen3-coder",
        "<tool_call>\n<function=ferry>\n<parameter=deck>\nM\n</parameter>\n</function>\n</tool_call>",
    ),
    "extra-key": ("hermes", '<tool_call>{"why": 1, "name": "ferry", "arguments": {"harbour": "M"}}</tool_call>'),
    "fenced-call": ("hermes", '<tool_call>{"name": "ferry", "arguments": ```json\n{"harbour": "M"}\n```}</tool_call>'),
    "flat-arguments": ("hermes", '<tool_call>{"name": "ferry", "harbour": "M"}</tool_call>'),
    "doubled-brace": ("hermes", '<tool_call>{{"name": "ferry", "arguments": {"harbour": "M"}}}</tool_call>'),
    "other-wrapper": ("hermes", '<tools>{"name": "ferry", "arguments": {"harbour": "M"}}</tools>'),
    "other-body": ("glm4.7", '<tool_call>ferry{"harbour": "M"}</tool_call>'),
    "positional-argument": ("lfm2", "<|tool_call_start|>[ferry('M')]<|tool_call_end|>"),
}


@pytest.mark.parametrize("code", DRIFTED)
def test_the_tolerant_profile_names_what_it_forgives(code: str) -> None:
    format, text = DRIFTED[code]
    reply = read(format, text)
    assert [call.name for call in reply.calls] == ["ferry"]
    assert reply.calls[0].complete
    repair = next(repair for repair in reply.repairs if repair.code == code)
    assert repair.message.endswith((".", ")"))
    assert 0 <= repair.start <= repair.end <= len(text)


@pytest.mark.parametrize("code", DRIFTED)
def test_the_strict_profile_refuses_it_and_says_where(code: str) -> None:
    format, text = DRIFTED[code]
    reply = read(format, text, profile="strict")
    assert not any(call.complete for call in reply.calls)
    assert f"refused-{code}" in {repair.code for repair in reply.repairs}


def test_the_strict_profile_reads_what_the_format_writes() -> None:
    text = "<tool_call>\n<function=ferry>\n<parameter=harbour>\nM\n</parameter>\n</function>\n</tool_call>"
    reply = read("qwen3-coder", text, profile="strict")
    assert reply.calls[0].arguments == '{"harbour": "M"}'
    assert reply.repairs == ()


# -- Ids of tokens ----------------------------------------------------------------------------------------------

TOKENS = {1: "<think>", 2: "</think>", 3: "<tool_call>", 4: "</tool_call>", 9: "\n\n"}


def tokens(*pieces: str | int) -> list[tuple[str, int]]:
    return [(TOKENS[piece], piece) if isinstance(piece, int) else (piece, 0) for piece in pieces]


def read_tokens(name: str, *pieces: str | int, prompt: str = "") -> Reply:
    reader = Reader(format_named(name), [FERRY], generation_prompt=prompt, marker_tokens=TOKENS)
    for text, id in tokens(*pieces):
        reader.feed(text, [id])
    reader.finish()
    return reader.reply()


CALL = '\n{"name": "ferry", "arguments": {"harbour": "M"}}\n'


def test_a_marker_that_is_a_token_counts_as_the_token() -> None:
    reply = read_tokens("hermes", 1, "hm", 2, 9, 3, CALL, 4)
    assert (reply.reasoning_content, reply.content) == ("hm", "")
    assert [call.arguments for call in reply.calls] == ['{"harbour": "M"}']
    assert reply.spans[0].end == len("<think>")


def test_its_text_spelled_out_is_text() -> None:
    reply = read_tokens("hermes", "Write <think> and <tool_", "call>" + CALL + "</tool_call>")
    assert reply.content == "Write <think> and <tool_call>" + CALL + "</tool_call>"
    assert not reply.calls


def test_a_spelled_out_closer_does_not_end_the_reasoning() -> None:
    reply = read_tokens("hermes", 1, "the tag </think> closes", 2, "yes")
    assert reply.reasoning_content == "the tag </think> closes"
    assert reply.content == "yes"


def test_the_openers_token_ends_the_reasoning() -> None:
    reply = read_tokens("hermes", 1, "now", 3, CALL, 4, " more")
    assert reply.reasoning_content == "now"
    assert [call.name for call in reply.calls] == ["ferry"]


def test_a_token_in_an_undeclared_call_is_shown_as_its_text() -> None:
    reply = read_tokens("hermes", 3, '{"name": "other"}', 4)
    assert reply.content == '<tool_call>{"name": "other"}</tool_call>'


# -- Sizes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["hermes", "lfm2", "gemma4"])
def test_nesting_has_no_limit(format: str) -> None:
    deep = "[" * 5_000 + "]" * 5_000
    text = {
        "hermes": f'<tool_call>{{"name": "ferry", "arguments": {{"harbour": "M", "stops": {deep}}}}}</tool_call>',
        "lfm2": f"<|tool_call_start|>[ferry(harbour='M', stops={deep})]<|tool_call_end|>",
        "gemma4": f'<|tool_call>call:ferry{{harbour:<|"|>M<|"|>,stops:{deep}}}<tool_call|>',
    }[format]
    (call,) = read(format, text).calls
    assert call.complete
    assert call.arguments.count("[") == 5_000


def test_a_megabyte_of_arguments() -> None:
    value = "Zürich </parameter> " * 50_000
    text = f"<tool_call>\n<function=ferry>\n<parameter=harbour>\n{value}\n</parameter>\n</function>\n</tool_call>"
    (call,) = read("qwen3-coder", text).calls
    assert json.loads(call.arguments) == {"harbour": value}


def test_a_deep_schema_and_one_that_refers_to_itself() -> None:
    schema: dict[str, object] = {"type": "string"}
    for _ in range(sys.getrecursionlimit() + 100):
        schema = {"anyOf": [schema]}
    loop = {"$ref": "#/properties/a"}
    tool = Tool("ferry", "", {"type": "object", "properties": {"a": loop, "b": schema, "c": True, "d": 7}})
    reader = Reader(format_named("qwen3-coder"), [tool])
    values = "".join(f"<parameter={key}>\n1\n</parameter>\n" for key in "abcd")
    reader.feed(f"<tool_call>\n<function=ferry>\n{values}</function>\n</tool_call>")
    reader.finish()
    assert reader.reply().calls[0].complete


# -- Values whose type is open ---------------------------------------------------------------------------------


def feed_value(kind: object, *pieces: str) -> list[str]:
    """What is told of the arguments after each piece of a value."""
    tool = Tool("ferry", "", {"type": "object", "properties": {"it": {"type": kind}}})
    reader = Reader(format_named("qwen3-coder"), [tool])
    reader.feed("<tool_call>\n<function=ferry>\n<parameter=it>\n")
    told = (reader.feed(piece) for piece in pieces)
    return ["".join(event.text for event in events if isinstance(event, CallArguments)) for events in told]


def test_a_string_that_may_be_null_is_told_as_soon_as_it_cannot() -> None:
    assert feed_value(["string", "null"], "nu", "l", "ance", "d") == ["", "", '"nulance', "d"]
    assert feed_value(["string", "integer"], "12", " m", "en") == ["", '"12 m', "en"]


def test_null_stays_null() -> None:
    assert feed_value(["string", "null"], "null", "\n</parameter>\n</function>") == ["", "null}"]


def test_an_array_is_told_as_it_comes() -> None:
    assert feed_value("array", "[1, 2", ', "</parameter>', '", [3', "]]") == ["[1, ", '2, "</parameter>', '", [', "3]]"]


def test_what_does_not_fit_behind_an_array_is_shown() -> None:
    tool = Tool("ferry", "", {"type": "object", "properties": {"it": {"type": "array"}}})
    reader = Reader(format_named("qwen3-coder"), [tool])
    reader.feed("<tool_call>\n<function=ferry>\n<parameter=it>\n[1, 2\noops\n</parameter>\n</function>\n</tool_call>")
    reader.finish()
    reply = reader.reply()
    assert json.loads(reply.calls[0].arguments) == {"it": [1, 2]}
    assert reply.content == "oops"
    assert "wrong-type" in {repair.code for repair in reply.repairs}


def test_a_continued_answer_ends_with_its_wrapper() -> None:
    prompt = "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|><|START_RESPONSE|>So it "
    continued = Continued("content", "", "So it ")
    reader = Reader(format_named("command-r7b"), [], generation_prompt=prompt, continued=continued)
    reader.feed("\nis.<|END_RESPONSE|>")
    reader.finish()
    assert reader.reply().content == "So it \nis."


ODD_SCHEMAS: list[object] = [
    None,
    [],
    {"properties": [1]},
    {"properties": {"it": None}, "required": "it"},
    {"properties": {"it": {"type": 5}}, "required": [7, None]},
    {"properties": {"it": {"type": [None, {}], "enum": [[], {}, None]}}},
    {"properties": {"it": {"anyOf": [True, {"$ref": "#"}, {"$ref": "#/x/~1"}]}}, "additionalProperties": []},
    {"properties": {"it": {"items": 3, "prefixItems": 4, "const": {}}}},
    {"$ref": "#"},
    {"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"properties": {"it": {"type": "string"}}}}},
]


@pytest.mark.parametrize("schema", ODD_SCHEMAS, ids=str)
@pytest.mark.parametrize(
    "format", ["hermes", "qwen3-coder", "lfm2", "gemma4", "minimax-m3", "gpt-oss", "kimi-k2", "minicpm5"]
)
def test_any_schema_gives_a_reading(format: str, schema: object) -> None:
    tool = Tool("get_weather", "", schema)  # type: ignore[arg-type]
    draw = random.Random(7)
    for _ in range(4):
        reader = Reader(format_named(format), [tool])
        reader.feed(outputs.call_text(format_named(format), draw).replace("city", "it"))
        reader.finish()
        assert reader.reply().spans
