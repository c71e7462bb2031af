"""Reads, checks and keeps the settings: per program, per model, per conversation."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from cutaway.engine.command import ModelSettings
from cutaway.engine.event import ModelFacts
from cutaway.engine.sampling import Sampling, check, recommended
from cutaway.store.thread import StoreThread
from cutaway.workbench.change import Change, SettingsChanged
from cutaway.workbench.settings import (
    NAMES,
    ChatSettings,
    Layer,
    Setting,
    SettingError,
    read_value,
    value_of,
    with_value,
)

log = logging.getLogger(__name__)

Overrides = dict[str, Any]


class SettingsDesk:
    def __init__(self, store: StoreThread, announce: Callable[[Change], None]) -> None:
        self._store = store
        self._announce = announce
        self._values: dict[tuple[str, str], Overrides] = {}

    async def load(self) -> None:
        self._values = await self._store.read(lambda database: database.settings())

    # -- How to talk --------------------------------------------------------------------------------

    def effective(self, conversation: str = "", facts: ModelFacts | None = None) -> ChatSettings:
        """What holds for a conversation with a model."""
        settings = ChatSettings()
        for _, layer in self._layers(conversation, facts):
            settings = _over(settings, layer)
        return settings

    def list(self, conversation: str = "", facts: ModelFacts | None = None) -> list[Setting]:
        """Every setting, with the layer that its value comes from."""
        rows: dict[str, Setting] = {}
        below = ChatSettings()
        for name in NAMES:
            rows[name] = Setting(name, value_of(below, name), "default", value_of(below, name))
        for layer, overrides in self._layers(conversation, facts):
            now = _over(below, overrides)
            for name in NAMES:
                if name in overrides and value_of(now, name) != value_of(below, name):
                    rows[name] = Setting(name, value_of(now, name), layer, value_of(below, name))
            below = now
        return [rows[name] for name in NAMES]

    def differing(self, conversation: str = "", facts: ModelFacts | None = None) -> dict[str, Any]:
        """What differs from the program's defaults, as JSON values."""
        return {row.name: _json(row.value) for row in self.list(conversation, facts) if row.layer != "default"}

    async def set(self, name: str, value: Any, conversation: str, model: str) -> None:
        """For a conversation, or for a model when it is empty (for every model without one). Raises SettingError."""
        read = read_value(name, value)
        probe = with_value(self.effective(conversation), name, read)
        if name.startswith("sampling."):
            _check(probe.sampling, name)
        scope, key = _scope(conversation, model)
        await self._put(scope, key, name, _json(read))

    async def reset(self, name: str, conversation: str, model: str) -> None:
        """Let the layer below hold again."""
        if name not in NAMES:
            raise SettingError(f"There is no setting named {name!r}.")
        scope, key = _scope(conversation, model)
        await self._drop(scope, key, name)

    def _layers(self, conversation: str, facts: ModelFacts | None) -> Sequence[tuple[Layer, Overrides]]:
        path = facts.path if facts else ""
        layers: list[tuple[Layer, Overrides]] = [("file", _recommendations(facts))]
        layers.append(("model", self._values.get(("model", ""), {})))
        if path:
            layers.append(("model", self._values.get(("model", path), {})))
        if conversation:
            layers.append(("conversation", self._values.get(("conversation", conversation), {})))
        return layers

    # -- What else is kept --------------------------------------------------------------------------

    def get(self, scope: str, key: str, name: str, default: Any = None) -> Any:
        return self._values.get((scope, key), {}).get(name, default)

    def keep(self, scope: str, key: str, name: str, value: Any) -> None:
        """Remember any JSON value; written soon."""
        self._values.setdefault((scope, key), {})[name] = value
        self._store.post(lambda database: database.put_setting(scope, key, name, value))

    def forget(self, scope: str, key: str, name: str) -> None:
        self._values.get((scope, key), {}).pop(name, None)
        self._store.post(lambda database: database.drop_setting(scope, key, name))

    def copy_conversation(self, old: str, new: str, copies: Mapping[str, str]) -> None:
        """Give a conversation what another one has; what it says of messages (left out, shortened) of their copies."""
        for name, value in list(self.all_of("conversation", old).items()):
            if name == "left_out":
                value = [copies[node] for node in value if node in copies]
            elif name == "shortened":
                value = {copies[node]: size for node, size in value.items() if node in copies}
            self.keep("conversation", new, name, value)

    def all_of(self, scope: str, key: str) -> Mapping[str, Any]:
        return self._values.get((scope, key), {})

    def load_settings(self, path: str) -> ModelSettings:
        """How this file was last loaded; the defaults for one not seen before."""
        return read_model_settings(self.get("model", path, "load", {}))

    def keep_load_settings(self, path: str, settings: ModelSettings) -> None:
        self.keep("model", path, "load", asdict(settings))
        self._announce(SettingsChanged("model", path))

    # -- Inside -------------------------------------------------------------------------------------

    async def _put(self, scope: str, key: str, name: str, value: Any) -> None:
        await self._store.write(lambda database: database.put_setting(scope, key, name, value))
        self._values.setdefault((scope, key), {})[name] = value
        self._announce(SettingsChanged("conversation" if scope == "conversation" else "model", key))

    async def _drop(self, scope: str, key: str, name: str) -> None:
        await self._store.write(lambda database: database.drop_setting(scope, key, name))
        self._values.get((scope, key), {}).pop(name, None)
        self._announce(SettingsChanged("conversation" if scope == "conversation" else "model", key))


def read_model_settings(value: Any) -> ModelSettings:
    """From JSON; keys that are unknown or have another type are left at their defaults."""
    settings = ModelSettings()
    if not isinstance(value, Mapping):
        return settings
    for field in fields(ModelSettings):
        if field.name not in value:
            continue
        given, default = value[field.name], getattr(settings, field.name)
        if isinstance(default, tuple) and isinstance(given, list | tuple):
            given = tuple(tuple(item) if isinstance(item, list) else item for item in given)
        if default is None or given is None or type(given) is type(default) or isinstance(given, Mapping):
            settings = replace(settings, **{field.name: given})
    return settings


def settings_of(values: Mapping[str, Any]) -> ChatSettings:
    """The program's defaults with these values over them, as `differing` gave them."""
    return _over(ChatSettings(), values)


def _scope(conversation: str, model: str) -> tuple[str, str]:
    return ("conversation", conversation) if conversation else ("model", model)


def _over(settings: ChatSettings, overrides: Mapping[str, Any]) -> ChatSettings:
    """A stored value that is no longer valid is passed over: it harms no other."""
    for name, value in overrides.items():
        if name not in NAMES:
            continue
        try:
            settings = with_value(settings, name, read_value(name, value))
        except SettingError as error:
            log.warning("a stored setting is not used: %s", error)
    return settings


def _check(sampling: Sampling, name: str) -> None:
    try:
        check(sampling)
    except ValueError as error:
        raise SettingError(f"{name}: {error}") from error


def _recommendations(facts: ModelFacts | None) -> Overrides:
    """What the model's file recommends for sampling."""
    found = recommended(facts.metadata) if facts else None
    if found is None:
        return {}
    plain = Sampling()
    return {
        f"sampling.{field.name}": _json(getattr(found, field.name))
        for field in fields(Sampling)
        if getattr(found, field.name) != getattr(plain, field.name)
    }


def _json(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _json(item) for key, item in value.items()}
    return "-inf" if value == -math.inf else value
