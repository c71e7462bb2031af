"""Settings: four layers, what differs is marked, nonsense is refused, the model's own recommendations hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.engine.sampling import DEFAULT_ORDER, PRESETS, Sampling, recommended
from cutaway.engine.scripted import Script
from cutaway.workbench.change import Change, SettingsChanged
from cutaway.workbench.settings import NAMES, ChatSettings, SettingError, read_value, value_of
from support.scripts import bench_on


async def test_layers_win_from_the_bottom_up_and_are_named(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    metadata: dict[str, object] = {"general.sampling.temp": 0.6, "general.sampling.top_k": 20}
    heard: list[Change] = []
    async with bench_on(Script(metadata=metadata), path, heard=heard.append) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.set("sampling.top_k", 30)
        await bench.set("sampling.top_k", 50, conversation=conversation)
        await bench.set("system", "Be brief.", conversation=conversation)
        assert any(isinstance(change, SettingsChanged) for change in heard)
    async with bench_on(Script(metadata=metadata), path) as bench:
        settings = bench.settings(conversation)
        assert (settings.sampling.temperature, settings.sampling.top_k, settings.system) == (0.6, 50, "Be brief.")
        assert bench.settings().sampling.top_k == 30
        rows = {row.name: row for row in bench.list_settings(conversation) if row.layer != "default"}
        assert {name: (row.value, row.layer, row.below) for name, row in rows.items()} == {
            "sampling.temperature": (0.6, "file", 0.8),
            "sampling.top_k": (50, "conversation", 30),
            "system": ("Be brief.", "conversation", ""),
        }
        await bench.reset("sampling.top_k", conversation=conversation)
        assert bench.settings(conversation).sampling.top_k == 30
        await bench.reset("sampling.top_k")
        assert bench.settings(conversation).sampling.top_k == 20


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("nonsense", 1, "no setting named"),
        ("sampling.top_k", "many", "whole number"),
        ("sampling.top_p", 2.0, "from 0 to 1"),
        ("sampling.temperature", float("nan"), "number"),
        ("sampling.order", ["nonsense"], "stages are"),
        ("max_tokens", 0, "from 1"),
        ("stops", [""], "not empty"),
        ("stops", "stop", "list"),
        ("tool_choice", "sometimes", "auto"),
        ("profile", "loose", "tolerant"),
        ("response_format", [1], "object"),
        ("kwargs", {"a": 1, 2: 3}, "template variables"),
        ("thinking", "", "effort"),
        ("parallel_tool_calls", 1, "true or false"),
        ("sampling.logit_bias", [[1]], "token, bias"),
        ("sampling.seed", -1, "4294967295"),
    ],
)
async def test_nonsense_is_refused_with_what_it_may_be(name: str, value: Any, said: str) -> None:
    async with bench_on(load=False) as bench:
        with pytest.raises(SettingError) as caught:
            await bench.set(name, value)
        assert said in str(caught.value)
        assert bench.settings() == ChatSettings()


async def test_a_token_is_banned_and_favoured(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with bench_on(store=path, load=False) as bench:
        await bench.set("sampling.logit_bias", [[5, "ban"], [6, 2.5]])
    async with bench_on(store=path, load=False) as bench:
        assert bench.settings().sampling.logit_bias == ((5, float("-inf")), (6, 2.5))


async def test_a_stored_value_that_is_no_longer_valid_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with bench_on(store=path, load=False) as bench:
        await bench.set("system", "Be brief.")
        await bench._store.write(lambda database: database.put_setting("model", "", "max_tokens", "lots"))
    async with bench_on(store=path, load=False) as bench:
        assert bench.settings() == ChatSettings(system="Be brief.")


async def test_the_window_remembers_any_json(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with bench_on(store=path, load=False) as bench:
        bench.set_preference("window.geometry", {"x": [1, 2], "dark": True})
    async with bench_on(store=path, load=False) as bench:
        assert bench.preference("window.geometry") == {"x": [1, 2], "dark": True}
        assert bench.preference("missing", 3) == 3


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"top_k": "inf"}, None),
        ({"top_k": 10**400, "temp": 0.6}, Sampling(temperature=0.6)),
        ({"mirostat": 7, "top_p": "0.9", "min_p": [1]}, Sampling(top_p=0.9)),
        ({"sequence": "xyz;luck"}, None),
        ({"sequence": "kpm", "temp": "nan"}, Sampling(order=("top_k", "top_p", "min_p"))),
        ({"sequence": "edskypmxt"}, Sampling(order=DEFAULT_ORDER)),
    ],
    ids=str,
)
def test_what_a_file_recommends_wrongly_harms_nothing_else(said: dict[str, object], found: Sampling | None) -> None:
    assert recommended({f"general.sampling.{key}": value for key, value in said.items()}) == found


@pytest.mark.parametrize("name", NAMES)
def test_every_default_is_a_valid_value(name: str) -> None:
    value = value_of(ChatSettings(), name)
    assert read_value(name, value) == value


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(NAMES), json_values)
def test_any_value_is_read_or_refused_by_name(name: str, value: Any) -> None:
    try:
        read_value(name, value)
    except SettingError as error:
        if name not in str(error):
            raise


async def test_a_preset_is_applied_and_only_what_differs_is_marked() -> None:
    async with bench_on() as bench:
        conversation = (await bench.create_conversation()).id
        await bench.apply_sampling(PRESETS["Exact"], conversation=conversation)
        assert bench.settings(conversation).sampling == PRESETS["Exact"]
        marked = {row.name for row in bench.list_settings(conversation) if row.layer == "conversation"}
        assert marked == {"sampling.temperature", "sampling.top_k", "sampling.top_p", "sampling.min_p"}
        await bench.set("sampling.logit_bias", [[5, "ban"]], conversation=conversation)
        await bench.apply_sampling(PRESETS["Lively"], conversation=conversation)
        assert bench.settings(conversation).sampling.logit_bias == ((5, float("-inf")),)
        assert bench.settings(conversation).sampling.temperature == PRESETS["Lively"].temperature
        await bench.reset("sampling.logit_bias", conversation=conversation)
        await bench.apply_sampling(PRESETS["Default"], conversation=conversation)
        assert bench.settings(conversation).sampling == PRESETS["Default"]


async def test_choices_are_compared_by_what_they_cost() -> None:
    async with bench_on() as bench:
        conversation = (await bench.create_conversation()).id
        plain = await bench.forecast(conversation, "Hello")
        longer = await bench.forecast_with(conversation, {"system": "Be brief and polite."}, "Hello")
        assert longer.prompt_tokens > plain.prompt_tokens
        assert bench.settings(conversation).system == ""
        with pytest.raises(SettingError):
            await bench.forecast_with(conversation, {"nonsense": 1})


async def test_a_schema_comes_with_its_coverage() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}}
    async with bench_on() as bench:
        conversation = (await bench.create_conversation()).id
        assert await bench.coverage(conversation) == {}
        response_format = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        await bench.set("response_format", response_format, conversation=conversation)
        covered = await bench.coverage(conversation)
        assert covered["response_format"]
