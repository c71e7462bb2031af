"""The formats derived from all 70 templates, compared with a table that people have read."""

from __future__ import annotations

import pytest

from cutaway.chat.analysis.derive import marker_texts
from support import derived_table as table
from support.formats import describe
from support.prepared import NAMES, shipped_derived

NOT_DERIVED = {
    "MiniMax-M3": "calls-unclear",
    "meetkai-functionary-medium-v3.2": "calls-unclear",
    "muse-glimmer": "calls-unclear",
    "HuggingFaceTB-SmolLM3-3B": "calls-not-rendered",
    "LFM2-8B-A1B": "calls-not-rendered",
    "LFM2.5-Instruct": "calls-not-rendered",
    "deepseek-ai-DeepSeek-R1-Distill-Llama-8B": "calls-not-rendered",
    "google-gemma-2-2b-it": "calls-not-rendered",
    "ibm-granite-granite-3.3-2B-Instruct": "calls-not-rendered",
    "llama-cpp-rwkv-world": "calls-not-rendered",
    "microsoft-Phi-3.5-mini-instruct": "calls-not-rendered",
}


def test_the_table_has_every_template() -> None:
    assert set(table.DERIVED) == set(NAMES)
    assert set(table.WHY) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_derived(name: str) -> None:
    derived = shipped_derived(name)
    assert describe(derived.format) == table.DERIVED[name]
    assert [problem.code for problem in derived.problems] == [code for one, code in NOT_DERIVED.items() if one == name]
    assert not any("\ue100" <= character <= "\ue2ff" for text in marker_texts(derived.format) for character in text)


@pytest.mark.parametrize("name", NAMES)
def test_each_piece_of_evidence_is_whole(name: str) -> None:
    derived = shipped_derived(name)
    assert {probe.name for probe in derived.evidence} >= {"generation-prompt", "reasoning", "content", "call"}
    for probe in derived.evidence:
        assert probe.prefix + probe.left_diff + probe.suffix == probe.left
        assert probe.prefix + probe.right_diff + probe.suffix == probe.right
        assert probe.question.endswith("?")
        assert probe.conclusion
