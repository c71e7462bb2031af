"""Law 14: derived formats are honest. They hold no probe value, and other probes find the same markers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutaway.chat.analysis.derive import derive_once, marker_texts
from cutaway.chat.analysis.values import probe_values
from support.prepared import NAMES, shipped_derived, shipped_renders

SEEDS = st.integers(min_value=2, max_value=10**9)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=3, deadline=None)
@given(seed=SEEDS)
def test_other_values_counts_and_orders_find_the_same_markers(name: str, seed: int) -> None:
    found = shipped_derived(name)
    again = derive_once(shipped_renders(name), probe_values(seed))
    assert again.format == found.format
    assert again.roles == found.roles


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=2, deadline=None)
@given(seed=SEEDS)
def test_no_marker_holds_a_probe_value(name: str, seed: int) -> None:
    values = probe_values(seed)
    derived = derive_once(shipped_renders(name), values)
    roles = derived.roles
    for text in (*marker_texts(derived.format), roles.user_start, roles.assistant_start, roles.turn_end):
        assert not any(word in text for word in (*values.words, values.bos, values.eos))


@given(seed=st.integers(min_value=0, max_value=10**9))
def test_probe_values_differ_and_none_is_part_of_another(seed: int) -> None:
    words = probe_values(seed).words
    assert len(set(words)) == len(words)
    assert not any(one != other and one in other for one in words for other in words)
