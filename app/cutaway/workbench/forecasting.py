"""What sending would cost, told while the person types. The engine is not asked: it may be busy."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutaway.chat.plain import RequestError
from cutaway.chat.template.error import TemplateError
from cutaway.engine.plan import Plan
from cutaway.engine.template_files import TemplateFileError
from cutaway.workbench.asking import Asking
from cutaway.workbench.change import Change, ForecastChanged
from cutaway.workbench.counts import tokens_by_origin
from cutaway.workbench.forecast import Forecast
from cutaway.workbench.library import Library, MessageError
from cutaway.workbench.model_desk import ModelDesk
from cutaway.workbench.prompting import Made, PromptDesk
from cutaway.workbench.settings import ChatSettings, read_value, with_value
from cutaway.workbench.turn import Turn

NO_CHANGES: Mapping[str, Any] = {}
NOTHING = Forecast(prompt_tokens=0, reused=0, fed=0, context=0)


class Forecasting:
    def __init__(
        self,
        library: Library,
        asking: Asking,
        model: ModelDesk,
        prompts: PromptDesk,
        announce: Callable[[Change], None],
        explainer: Callable[[Turn, Made], Awaitable[Callable[[Plan], Plan]]],
        speed: Callable[[], float],
        typed: Callable[[str, Made, Callable[[], Awaitable[Made]]], Awaitable[None]],
    ) -> None:
        """`explainer` makes what names the breaks of a plan for a turn; `speed` is how many prompt tokens are fed in a
        second; `typed` is told the prompt with a message that is being typed, and how to learn its marks.
        """
        self._explainer = explainer
        self._speed = speed
        self._typed = typed
        self._library = library
        self._asking = asking
        self._model = model
        self._prompts = prompts
        self._announce = announce
        self._latest: asyncio.Task[Forecast] | None = None

    async def compare(self, conversation: str, draft: str, changes: Mapping[str, Any]) -> Forecast:
        """What sending would cost with other settings; nothing is announced and no other question is dropped."""
        return await self._forecast(conversation, draft, None, changes)

    async def forecast(self, conversation: str, draft: str, node: str | None) -> Forecast:
        """A newer question takes the place of one that is not answered yet: that one raises CancelledError."""
        if self._latest is not None and not self._latest.done():
            self._latest.cancel()
        task = self._latest = asyncio.ensure_future(self._forecast(conversation, draft, node))
        forecast = await task
        self._announce(ForecastChanged(conversation, forecast))
        return forecast

    async def _forecast(
        self, conversation: str, draft: str, node: str | None, changes: Mapping[str, Any] = NO_CHANGES
    ) -> Forecast:
        facts = self._model.facts
        if facts is None:
            return NOTHING
        tree = await self._library.tree(conversation)
        parent = tree.leaf() if node is None or node not in tree else tree.node(node).parent
        settings = changed(self._asking.settings(conversation, facts), changes)
        if parent is None and not draft:
            return Forecast(0, 0, 0, facts.context)
        try:
            asked = await self._asking.request(conversation, parent, settings, draft=draft)
            source = await self._asking.source(settings, facts)
            own = self._asking.own(conversation, asked)
            made = await self._prompts.make(asked.request, source, own)
        except MessageError:
            return NOTHING  # What was asked about was deleted meanwhile.
        except (RequestError, TemplateError, TemplateFileError) as error:
            return Forecast(0, 0, 0, facts.context, problem=str(error))
        if not made.ids:
            return NOTHING
        probe = self._asking.probe(conversation, asked, made, settings)
        explained = await self._explainer(probe, made)
        traits = self._model.traits
        if traits is None:
            return NOTHING
        holding, chunk = self._model.holding, settings.chunk_reuse if traits.movable else 0
        plan = await self._prompts.run(lambda: explained(holding.plan(conversation, made.ids, traits, chunk)))
        overflow = await self._asking.overflow(asked, made, settings, facts)
        if draft and node is None and overflow is None and not changes and settings.typing_prefill:
            await self._typed(conversation, made, lambda: self._prompts.marked(made, source, own))
        speed = self._speed()
        return Forecast(
            prompt_tokens=plan.prompt_tokens,
            reused=plan.reused,
            fed=plan.fed,
            context=facts.context,
            seconds=plan.fed / speed if speed else 0.0,
            by_origin=await self._prompts.run(lambda: tokens_by_origin(made)),
            breaks=plan.breaks,
            overflow=overflow,
        )


def changed(settings: ChatSettings, changes: Mapping[str, Any]) -> ChatSettings:
    """The settings with other values, by name. Raises SettingError."""
    for name, value in changes.items():
        settings = with_value(settings, name, read_value(name, value))
    return settings


def shared_prefix(first: Sequence[int] | NDArray[np.int32], second: Sequence[int] | NDArray[np.int32]) -> int:
    """How many leading ids two sequences share."""
    shortest = min(len(first), len(second))
    if not shortest:
        return 0
    same = np.asarray(first[:shortest]) == np.asarray(second[:shortest])
    return shortest if same.all() else int(np.argmin(same))
