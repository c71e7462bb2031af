"""What a turn asks the model: the branch and the settings as a prompt that fits, or the question what to do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from cutaway.chat.message import Message, Tool
from cutaway.chat.template.sources import TemplateSource, TemplateSources
from cutaway.engine.backend import Vocabulary
from cutaway.engine.cache import in_frozen_order
from cutaway.engine.command import ModelSettings
from cutaway.engine.event import ModelFacts
from cutaway.store.thread import StoreThread
from cutaway.tools.built_in import BUILT_INS
from cutaway.tools.definition import ToolError, read_definitions
from cutaway.workbench.change import Change, ForecastChanged
from cutaway.workbench.counts import tokens_by_origin, tokens_of_messages
from cutaway.workbench.forecast import Forecast, OverflowPlan, Remedy
from cutaway.workbench.library import Library, MessageError
from cutaway.workbench.model_desk import ModelDesk
from cutaway.workbench.overflow import (
    Cost,
    GivenUp,
    larger_context,
    long_results,
    plan_overflow,
    room_for_reply,
    shortened_characters,
)
from cutaway.workbench.own_ids import OwnIds
from cutaway.workbench.prompting import Made, PromptDesk, Source, raw_prompt, source_of, template_sources
from cutaway.workbench.requesting import Asked, ask
from cutaway.workbench.settings import ChatSettings
from cutaway.workbench.settings_desk import SettingsDesk, settings_of
from cutaway.workbench.turn import Node, Turn, ids_of
from cutaway.workbench.turn_read import TurnFileError, turn_from_documents

log = logging.getLogger(__name__)

LEFT_OUT = "left out"
SHORTENED = "shortened"


class OverflowStopError(Exception):
    """The prompt does not fit, and the person (or their setting) said to send nothing."""


class Asking:
    def __init__(
        self,
        library: Library,
        store: StoreThread,
        settings: SettingsDesk,
        model: ModelDesk,
        prompts: PromptDesk,
        announce: Callable[[Change], None],
    ) -> None:
        self._library = library
        self._store = store
        self._settings = settings
        self._model = model
        self._prompts = prompts
        self._announce = announce
        self._source: tuple[tuple[str, str], Source] | None = None
        self._resident: tuple[str, frozenset[str]] = ("", frozenset())
        self._decisions: dict[str, asyncio.Future[Remedy]] = {}

    def settings(self, conversation: str, facts: ModelFacts | None) -> ChatSettings:
        return self._settings.effective(conversation, facts)

    # -- A prompt -----------------------------------------------------------------------------------

    async def make(
        self,
        turn: Turn,
        node: Node,
        begin: Message | None,
        field: Literal["", "content", "reasoning_content"],
        facts: ModelFacts,
    ) -> Made:
        """The prompt for the reply that `node` will hold; the turn gets all of it.

        Raises RequestError, TemplateError, TemplateFileError, OverflowStopError.
        """
        settings = self.settings(turn.conversation, facts)
        given_up = self._given_up(turn.conversation)
        while True:
            asked = await self.request(turn.conversation, node.parent, settings, begin, field, given_up=given_up)
            source = await self.source(settings, facts)
            own = self.own(turn.conversation, asked)
            made = await self._prompts.make(asked.request, source, own)
            self._fill(turn, asked, made, settings)
            overflow = await self.overflow(asked, made, settings, facts)
            if overflow is None:
                await self._keep(turn.conversation, given_up)
                self._freeze_order(turn.conversation, asked.request.tools)
                traits = self._model.traits
                needed = traits is not None and traits.needs_checkpoints
                return await self._prompts.marked(made, source, own) if needed else made
            facts, given_up = await self._resolve(turn, asked, made, overflow, settings, facts, given_up)

    async def again(self, turn: Turn, base: Turn, facts: ModelFacts) -> tuple[Made, list[int]]:
        """The very prompt of another turn: its ids, whatever the tree and the settings are now."""
        settings = self.settings(turn.conversation, facts)
        source = await self.source(settings, facts)
        made = await self._prompts.make(base.request, source)
        asked = Asked(base.request, base.nodes, base.left_out)
        self._fill(turn, asked, made, settings)
        if base.template is not None and base.template.sha256 == made.info.sha256:
            turn.prompt, turn.prompt_tokens = base.prompt, base.prompt_tokens
        return made, ids_of(turn.prompt_tokens)

    def adopt(self, turn: Turn, made: Made, settings: ChatSettings) -> None:
        """Let a turn have a prompt that was made elsewhere."""
        self._fill(turn, Asked(made.prepared.request, ()), made, settings)

    def probe(self, conversation: str, asked: Asked, made: Made, settings: ChatSettings) -> Turn:
        """A turn that is only asked about."""
        facts = self._model.facts
        turn = Turn("", conversation, "", asked.request, model=facts.path if facts else "")
        self._fill(turn, asked, made, settings)
        return turn

    async def as_before(self, turn: Turn, facts: ModelFacts) -> tuple[Made, ChatSettings]:
        """A turn's prompt and settings as they were, its seed included: to make it again.

        Its own ids are used where the vocabulary still spells them the same. Raises RequestError or TemplateError.
        """
        settings = settings_of(turn.settings)
        settings = replace(settings, sampling=replace(settings.sampling, seed=turn.seed))
        source = await self.source(settings, facts)
        if turn.template is not None and turn.template.source:
            info = turn.template
            source = replace(source, templates=TemplateSources(TemplateSource(info.source, info.origin, info.variant)))
        own = _own_of(turn, self._model.vocabulary())
        if turn.request.messages or turn.prompt is None:
            made = await self._prompts.make(turn.request, source)
        else:
            text, vocabulary = turn.prompt.text, self._model.vocabulary()
            made = await self._prompts.run(lambda: raw_prompt(text, vocabulary, control=False))
        return (made if own is None else replace(made, fixed=own)), settings

    async def request(
        self,
        conversation: str,
        parent: str | None,
        settings: ChatSettings,
        begin: Message | None = None,
        field: Literal["", "content", "reasoning_content"] = "",
        draft: str = "",
        given_up: GivenUp | None = None,
    ) -> Asked:
        """The request for a reply below `parent`, with an unsent draft after it, or with the reply's beginning.

        `given_up` in place of what the conversation has given up so far. Raises MessageError.
        """
        tree = await self._library.tree(conversation)
        if parent is not None and parent not in tree:
            raise MessageError("The message that this one answers was deleted.")
        branch = tree.path(parent) if parent is not None else []
        for text, message in ((draft, Message("user", draft)), (begin is not None, begin)):
            if text and message is not None:
                branch.append(Node("", None, message, 0.0))
        given_up = given_up or self._given_up(conversation)
        return ask(
            branch,
            settings,
            self._in_order(conversation, self.tools(settings)),
            left_out=frozenset(given_up.left_out),
            shortened=given_up.shortened,
            continue_final=field,
        )

    async def source(self, settings: ChatSettings, facts: ModelFacts) -> Source:
        """The template in force with the loaded model's vocabulary. Raises TemplateFileError."""
        key = (facts.path, settings.template)
        if self._source is None or self._source[0] != key or self._source[1].vocabulary is not self._vocabulary():
            own = source_of(facts, self._model.vocabulary())
            if settings.template:
                sources, _, _ = await self._prompts.run(lambda: template_sources(settings.template))
                own = replace(own, templates=sources)
            self._source = (key, own)
        return replace(self._source[1], jinja=settings.jinja, keep_reasoning=settings.keep_reasoning)

    def _vocabulary(self) -> Vocabulary:
        return self._model.vocabulary()

    def tools(self, settings: ChatSettings) -> list[Tool]:
        """What is offered to the model, in the person's order; a definition that cannot be read is left out."""
        found: list[Tool] = []
        for raw in settings.tools:
            try:
                found += read_definitions([raw])
            except ToolError as error:
                log.warning("a tool is not offered: %s", error)
        names = {tool.name for tool in found}
        return found + [BUILT_INS[name] for name in settings.built_ins if name in BUILT_INS and name not in names]

    def _in_order(self, conversation: str, tools: Sequence[Tool]) -> list[Tool]:
        """As the conversation first sent them: a tool that moves changes the prompt from its first place on."""
        order = in_frozen_order([tool.name for tool in tools], self._order(conversation))
        return sorted(tools, key=lambda tool: order.index(tool.name))

    def _freeze_order(self, conversation: str, tools: Sequence[Tool]) -> None:
        before = self._order(conversation)
        new = [name for name in dict.fromkeys(tool.name for tool in tools) if name not in before]
        if new:
            self._settings.keep("conversation", conversation, "tool_order", [*before, *new])

    def _order(self, conversation: str) -> list[str]:
        kept = self._settings.get("conversation", conversation, "tool_order", [])
        return [name for name in kept if isinstance(name, str)] if isinstance(kept, list) else []

    def own(self, conversation: str, asked: Asked) -> list[OwnIds]:
        """The tokens that the model itself produced for the request's messages."""
        out = []
        for index, node in enumerate(asked.nodes):
            written = self._library.written(conversation, node) if node else None
            if written is not None and written.ids:
                out.append(OwnIds(index, written.ids))
        return out

    def _fill(self, turn: Turn, asked: Asked, made: Made, settings: ChatSettings) -> None:
        turn.request, turn.nodes, turn.left_out = asked.request, asked.nodes, asked.left_out
        turn.template = made.info
        turn.prompt = made.prepared.prompt
        turn.prompt_tokens = made.tokens or ()
        turn.warnings = (*made.prepared.warnings, *(made.tokens.warnings if made.tokens else ()))
        turn.grammar, turn.grammar_lazy = made.prepared.grammar or "", made.prepared.grammar_lazy
        turn.triggers = tuple((trigger.type, trigger.value) for trigger in made.prepared.triggers)
        turn.coverage = made.prepared.coverage
        turn.stops = (*made.prepared.stops, *settings.stops)
        turn.settings = self._settings.differing(turn.conversation, self._model.facts)

    # -- What does not fit --------------------------------------------------------------------------

    async def overflow(
        self, asked: Asked, made: Made, settings: ChatSettings, facts: ModelFacts
    ) -> OverflowPlan | None:
        """What to do about a prompt that does not fit; None where it does."""
        room = room_for_reply(settings.max_tokens, facts.context)
        count = len(made.tokens or ())
        if count + room <= facts.context:
            return None
        context, trained = facts.context, facts.trained_context
        size = larger_context(count + room, context, trained)
        memory = await self._model.memory_for(size) if size else None
        return plan_overflow(self._costs(asked, made), count, context, trained, room, memory)

    def _costs(self, asked: Asked, made: Made) -> list[Cost]:
        counts = tokens_of_messages(made, len(asked.nodes))
        return [
            Cost(node, message.role, count, len(message.text))
            for node, message, count in zip(asked.nodes, asked.request.messages, counts, strict=True)
            if node
        ]

    async def _resolve(
        self,
        turn: Turn,
        asked: Asked,
        made: Made,
        plan: OverflowPlan,
        settings: ChatSettings,
        facts: ModelFacts,
        given_up: GivenUp,
    ) -> tuple[ModelFacts, GivenUp]:
        """Do what the person chooses, now or by their setting. Raises OverflowStopError."""
        remedy: Remedy
        if settings.overflow == "ask":
            remedy = await self._decide(turn, made, plan, facts)
        else:
            remedy = settings.overflow
        offer = next((offer for offer in plan.offers if offer.remedy == remedy), None)
        if offer is not None and remedy == "raise":
            return await self._reload(facts, offer.tokens), given_up
        more = given_up
        if offer is not None and remedy == "drop":
            more = replace(given_up, left_out=(*given_up.left_out, *offer.nodes))
        elif offer is not None and remedy == "shorten":
            sizes = {cost.node: shortened_characters(cost) for cost in long_results(self._costs(asked, made))}
            more = replace(given_up, shortened={**given_up.shortened, **sizes})
        if more == given_up:
            raise OverflowStopError(
                f"The prompt has {len(made.tokens or ()):,} tokens and the context holds {facts.context:,}, so nothing "
                "was sent. Leave out old turns, shorten the conversation, or load the model with a larger context."
            )
        return facts, more

    def _given_up(self, conversation: str) -> GivenUp:
        state = self._settings.all_of("conversation", conversation)
        return GivenUp(tuple(state.get("left_out", ())), state.get("shortened", {}))

    async def _keep(self, conversation: str, given_up: GivenUp) -> None:
        """The turn is sent so: what it gave up stays given up, and marked."""
        before = self._given_up(conversation)
        if given_up == before:
            return
        self._settings.keep("conversation", conversation, "left_out", list(given_up.left_out))
        self._settings.keep("conversation", conversation, "shortened", dict(given_up.shortened))
        await self._mark(conversation, given_up.left_out[len(before.left_out) :], LEFT_OUT)
        await self._mark(conversation, [node for node in given_up.shortened if node not in before.shortened], SHORTENED)

    async def _decide(self, turn: Turn, made: Made, plan: OverflowPlan, facts: ModelFacts) -> Remedy:
        turn.state = "waiting"
        count = len(made.tokens or ())
        forecast = Forecast(count, 0, count, facts.context, by_origin=tokens_by_origin(made), overflow=plan)
        decision: asyncio.Future[Remedy] = asyncio.get_running_loop().create_future()
        self._decisions[turn.conversation] = decision
        self._announce(ForecastChanged(turn.conversation, forecast))
        try:
            return await decision
        finally:
            self._decisions.pop(turn.conversation, None)
            turn.state = "rendering"

    def decide(self, conversation: str, remedy: Remedy) -> bool:
        """The person's word on a prompt that does not fit; False when none waits for it."""
        decision = self._decisions.get(conversation)
        if decision is None or decision.done():
            return False
        decision.set_result(remedy)
        return True

    async def _mark(self, conversation: str, nodes: Sequence[str], note: str) -> None:
        tree = await self._library.tree(conversation)
        for name in nodes:
            if name in tree:
                node = tree.node(name)
                self._library.put_later(conversation, replace(node, note=_with_mark(node.note, note)))

    async def _reload(self, facts: ModelFacts, context: int) -> ModelFacts:
        """Load the model with a larger context, which is remembered; as it was where that fails."""
        path, before = Path(facts.path), self._model.settings or ModelSettings()
        larger = replace(before, context=context)
        await self._model.load(path, larger)
        again = await self._model.ready()
        if again is not None:
            self._settings.keep_load_settings(str(path), larger)
            return again
        await self._model.load(path, before)
        await self._model.ready()
        raise OverflowStopError(
            f"The model could not be loaded with a context of {context:,} tokens, so nothing was sent. It was loaded as "
            "before: leave out old turns, or shorten the conversation."
        )

    # -- What the cache holds -----------------------------------------------------------------------

    def held(self, turn: Turn) -> None:
        """Remember whose messages the cache holds after a turn."""
        self._resident = (turn.conversation, frozenset(node for node in (*turn.nodes, turn.message) if node))

    def resident(self, conversation: str, node: str) -> bool | None:
        """Whether all of a message is in the cache; None for a conversation that it does not hold now."""
        return node in self._resident[1] if conversation == self._resident[0] else None

    def forget_held(self) -> None:
        self._resident = ("", frozenset())

    # -- Stored turns -------------------------------------------------------------------------------

    async def stored_turn(self, turn_id: str) -> Turn | None:
        def read(database: Any) -> Turn | None:
            stored = database.turn(turn_id)
            if stored is None:
                return None
            try:
                return turn_from_documents(stored, database.template_source(stored.template) or "")
            except TurnFileError as error:
                log.warning("the turn %s cannot be shown: %s", turn_id, error)
                return None

        return await self._store.read(read)


def _with_mark(note: str, mark: str) -> str:
    """What happened to a message, with one thing more."""
    marks = note.split(", ") if note else []
    return note if mark in marks else ", ".join([*marks, mark])


def _own_of(turn: Turn, vocabulary: Vocabulary) -> tuple[int, ...] | None:
    """The ids of a turn's prompt, if this vocabulary spells each of them as the turn's did."""
    pieces = vocabulary.pieces().bytes
    for token in turn.prompt_tokens:
        if not 0 <= token.id < len(pieces) or pieces[token.id] != token.piece:
            return None
    return tuple(token.id for token in turn.prompt_tokens) or None
