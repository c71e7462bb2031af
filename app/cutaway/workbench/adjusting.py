"""What a person sets: the model and how it is loaded, the settings of conversations, the window's preferences."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from cutaway.engine.command import ModelSettings
from cutaway.engine.device import Device
from cutaway.engine.journal import safer
from cutaway.engine.memory import Forecast as MemoryForecast
from cutaway.engine.memory import forecast as forecast_memory
from cutaway.engine.memory import read_shape
from cutaway.engine.sampling import Sampling, with_preset
from cutaway.workbench.change import ModelChanged, SettingsChanged
from cutaway.workbench.foundation import Foundation
from cutaway.workbench.models import KnownModel, Place, find_models, known_places
from cutaway.workbench.runtimes import Runtimes, add_runtime, choose_runtime, list_runtimes
from cutaway.workbench.settings import ChatSettings, Setting, value_of


def _devices() -> list[Device]:
    from cutaway.engine.llama.devices import list_devices

    return list_devices()


class Adjusting(Foundation):
    """The loaded model and every setting."""

    # -- Models -------------------------------------------------------------------------------------

    async def load_model(self, path: str | Path, settings: ModelSettings | None = None) -> None:
        """Begin to load; `ModelChanged` tells how it goes. None takes the settings remembered for this file."""
        self._idle.stop()
        file = Path(path).expanduser()
        wanted = settings or self._settings.load_settings(str(file))
        if settings is not None:
            self._settings.keep_load_settings(str(file), settings)
        await self._model.load(file, wanted)

    async def load_again(self, *, safely: bool) -> None:
        """Load what was in use when the last run was killed, as it was or with safer settings, which are remembered.

        Where the last run ended well nothing is done.
        """
        if self.left_behind is not None:
            path = self.left_behind.path
            await self.load_model(path, safer(self._settings.load_settings(path)) if safely else None)

    async def cancel_load(self) -> None:
        self._model.cancel_load()

    async def unload(self) -> None:
        self._idle.stop()
        await self._model.unload()

    @property
    def model(self) -> ModelChanged:
        """Where the model stands: its `facts` when it is ready."""
        return self._model.changed

    async def model_ready(self) -> ModelChanged:
        """Waits while a model loads."""
        await self._model.ready()
        return self._model.changed

    def model_settings(self, path: str | Path) -> ModelSettings:
        """What is remembered for this file."""
        return self._settings.load_settings(str(path))

    async def known_models(self) -> list[KnownModel]:
        """GGUF files in the folders that people already have, and in their own."""
        folders = self.model_folders()
        return await asyncio.to_thread(lambda: find_models(known_places(folders)))

    def model_places(self) -> list[Place]:
        """The folders that are looked through: those that exist, and the person's own."""
        return [place for place in known_places(self.model_folders()) if place.own or place.folder.is_dir()]

    def model_folders(self) -> list[str]:
        """The person's own folders of models."""
        more = self.preference("model_folders", [])
        return [folder for folder in more if isinstance(folder, str)] if isinstance(more, list) else []

    def set_model_folders(self, folders: Sequence[str]) -> None:
        self.set_preference("model_folders", list(dict.fromkeys(folders)))

    async def runtimes(self) -> Runtimes:
        """Builds of llama.cpp that can be chosen."""
        return await asyncio.to_thread(list_runtimes)

    async def add_runtime(self, folder: str | Path) -> str:
        """Take in a folder that holds one, after it was tried; answers its name. Raises RuntimeFault or OSError."""
        return await asyncio.to_thread(add_runtime, Path(folder))

    async def choose_runtime(self, name: str) -> None:
        """From the next start on; empty for the one that the program came with. Raises OSError."""
        await asyncio.to_thread(choose_runtime, name)

    async def devices(self) -> list[Device]:
        """What the installed llama.cpp can compute on."""
        return await asyncio.to_thread(_devices)

    async def memory_forecast(
        self, path: str | Path, settings: ModelSettings, gpu: str | None = None
    ) -> MemoryForecast:
        """Bytes by part and device that loading the file so would take. Raises LoadError or GgufError."""
        return await asyncio.to_thread(lambda: forecast_memory(read_shape(Path(path)), settings, gpu=gpu))

    # -- Settings -----------------------------------------------------------------------------------

    def settings(self, conversation: str | None = None) -> ChatSettings:
        """What holds for a conversation with the loaded model; without one, what a new conversation gets."""
        return self._settings.effective(conversation or "", self._model.facts)

    def list_settings(self, conversation: str | None = None) -> list[Setting]:
        """Every setting with the layer it comes from: what differs from the default is not of layer `default`."""
        return self._settings.list(conversation or "", self._model.facts)

    async def set(self, name: str, value: Any, *, conversation: str | None = None) -> None:
        """Change a setting for a conversation; without one, for the loaded model. Raises SettingError."""
        await self._settings.set(name, value, conversation or "", self._model_key())

    async def apply_sampling(self, sampling: Sampling, *, conversation: str | None = None) -> None:
        """How tokens are drawn, at once: a preset of `engine.sampling.PRESETS`, or what the model recommends."""
        wanted = with_preset(self.settings(conversation).sampling, sampling)
        for field in fields(Sampling):
            name = f"sampling.{field.name}"
            if value_of(self.settings(conversation), name) != getattr(wanted, field.name):
                await self.set(name, getattr(wanted, field.name), conversation=conversation)

    async def keep_for_model(self, conversation: str) -> None:
        """What was set for a conversation holds for every new one with the loaded model; for it too, from there."""
        for setting in self.list_settings(conversation):
            if setting.layer == "conversation":
                await self.set(setting.name, setting.value)
                await self.reset(setting.name, conversation=conversation)

    async def reset(self, name: str, *, conversation: str | None = None) -> None:
        """Let the layer below hold again."""
        await self._settings.reset(name, conversation or "", self._model_key())

    def preference(self, name: str, default: Any = None) -> Any:
        """What the window remembers of itself: any JSON value under a name (`window.geometry`, `language`, ...)."""
        return self._settings.get("app", "", name, default)

    def set_preference(self, name: str, value: Any) -> None:
        self._settings.keep("app", "", name, value)
        self._rest_later()
        self._announce(SettingsChanged("app", name))

    def _model_key(self) -> str:
        return self._model.facts.path if self._model.facts else ""
