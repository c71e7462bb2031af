"""Law 10: what a template writes of a message is read back as that message, wherever the template keeps the data."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutaway.chat.analysis.cases import HOSTILE, Case, call, cases
from cutaway.chat.analysis.turn import Said
from cutaway.chat.analysis.verify import verify, verify_case
from cutaway.chat.choice import read_whole
from support.prepared import NAMES, shipped_format, shipped_renders

BOS, EOS = "<s>", "</s>"


@pytest.fixture(scope="module")
def totals() -> Counter[str]:
    return Counter()


@pytest.mark.parametrize("name", NAMES)
def test_every_comparable_case_is_read_back(name: str, totals: Counter[str]) -> None:
    """Nothing is read wrongly, and whatever is not read back is explained as the template's own doing."""
    found = shipped_format(name)
    verification = verify(shipped_renders(name), read_whole, found.format.with_eos(EOS), bos=BOS, eos=EOS)
    wrong = [case for case in verification.cases if case.outcome in ("parsed wrongly", "error")]
    assert not wrong
    assert all(case.detail for case in verification.cases if case.outcome != "ok")
    assert len(verification.cases) >= len(cases(()))
    totals.update(case.outcome for case in verification.cases)


def test_most_cases_are_comparable(totals: Counter[str]) -> None:
    if sum(totals.values()) < 30 * len(NAMES):
        pytest.skip("the templates were not all checked in this run")
    assert totals["ok"] >= 1700


PIECES = [
    *HOSTILE.values(),
    "<tool_call>",
    "</tool_call>",
    "</think>",
    "</parameter>",
    "</arg_value>",
    "</function>",
    "<|im_end|>",
    "```",
    "\u00a0",
    "\n",
    " ",
    "{",
    "}]",
    '"',
    "'",
    "\\",
    "x",
]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
RECORDS = st.dictionaries(st.sampled_from("abc"), TEXTS, max_size=3)
LEGS = st.lists(st.lists(st.integers(-(10**6), 10**6), max_size=3), max_size=3)
LAW = settings(max_examples=3, deadline=None)


def _never_wrong(name: str, said: Said) -> None:
    case = Case("drawn", said)
    format = shipped_format(name).format.with_eos(EOS)
    result = verify_case(shipped_renders(name), read_whole, format, case, bos=BOS, eos=EOS)
    assert result.outcome not in ("parsed wrongly", "error"), result.detail


@pytest.mark.parametrize("name", NAMES)
@LAW
@given(text=TEXTS, title=TEXTS)
def test_any_text_in_a_string_argument(name: str, text: str, title: str) -> None:
    _never_wrong(name, Said("", "", (call("take_note", text=text, title=title),)))


@pytest.mark.parametrize("name", NAMES)
@LAW
@given(rules=RECORDS, stops=st.lists(RECORDS, max_size=3), legs=LEGS)
def test_any_nested_argument(
    name: str, rules: dict[str, str], stops: list[dict[str, str]], legs: list[list[int]]
) -> None:
    _never_wrong(name, Said("", "", (call("plan_trip", rules=rules, stops=stops, legs=legs),)))


@pytest.mark.parametrize("name", ["Qwen-Qwen3-0.6B", "Qwen3.5-4B"])
def test_a_megabyte_comes_back(name: str) -> None:
    text = ('A line of <text> with "quotes" and {braces}.\n' * 24_000).strip()
    format = shipped_format(name).format
    for said in (Said(text, text), Said("", "", (call("take_note", text=text, title="long"),))):
        assert verify_case(shipped_renders(name), read_whole, format, Case("long", said)).outcome == "ok"


@pytest.mark.parametrize("name", ["Qwen-Qwen3-0.6B", "Qwen3.5-4B", "GLM-4.7-Flash", "deepseek-ai-DeepSeek-V4"])
def test_five_turns_do_not_grow(name: str) -> None:
    format = shipped_format(name).format.with_eos(EOS)
    said = Said("Found two.", "Look it up.", (call("find_trains", from_="Rome"), call("take_note", 1, text="a\n\nb")))
    for _ in range(5):
        result = verify_case(shipped_renders(name), read_whole, format, Case("turn", said), bos=BOS, eos=EOS)
        assert result.outcome == "ok"
        said = Said(said.content, said.reasoning, tuple(said.calls))
    assert [json.loads(one.arguments) for one in said.calls] == [{"from": "Rome"}, {"text": "a\n\nb"}]
