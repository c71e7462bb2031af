"""The workbench: everything a person can do, as methods; everything that follows, as changes.

asyncio, no Qt. All methods are called on the loop's thread and none blocks it: rendering and tokenising run on
the prompt thread, the store on its own, the model on the engine's. The window and `cutaway chat` call this and
nothing below it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Literal

from cutaway.chat.choice import Verified
from cutaway.chat.grammar.schema import Coverage
from cutaway.chat.message import Message, Request, Tool
from cutaway.chat.prompt import Prompt
from cutaway.chat.reply import Reply
from cutaway.engine.boundary import Boundaries
from cutaway.engine.command import ModelSettings
from cutaway.engine.device import Device
from cutaway.engine.journal import safer
from cutaway.engine.memory import Forecast as MemoryForecast
from cutaway.engine.memory import forecast as forecast_memory
from cutaway.engine.memory import read_shape
from cutaway.engine.sampling import Sampling
from cutaway.tools.definition import read_tools
from cutaway.workbench.calls import ApprovalRule, CallState, Rule
from cutaway.workbench.change import ModelChanged, SettingsChanged
from cutaway.workbench.exchanging import Form, Rerun, compare
from cutaway.workbench.forecast import Forecast, Remedy
from cutaway.workbench.foundation import Foundation
from cutaway.workbench.library import Hit, MessageError
from cutaway.workbench.models import KnownModel, find_models, known_places
from cutaway.workbench.settings import ChatSettings, Setting, value_of
from cutaway.workbench.templates import TemplateView
from cutaway.workbench.turn import ConversationInfo, Node, PromptToken, Turn
from cutaway.workbench.turns import TurnError


def _devices() -> list[Device]:
    from cutaway.engine.llama.devices import list_devices

    return list_devices()


class Workbench(Foundation):
    """One store, one model, any number of conversations.

    `await open()` before anything else, `await close()` at the end.
    """

    # -- Conversations ------------------------------------------------------------------------------

    async def conversations(self, *, archived: bool = False) -> list[ConversationInfo]:
        """Pinned ones first, then by last use."""
        return await self._library.conversations(archived=archived)

    async def conversation(self, conversation: str) -> ConversationInfo:
        """Raises MessageError."""
        return await self._library.info(conversation)

    async def create_conversation(self, title: str = "") -> ConversationInfo:
        """Without a title it gets one from its first message, made without the model."""
        return await self._library.create(title)

    async def rename(self, conversation: str, title: str) -> None:
        await self._library.change(conversation, title=title, named=bool(title))

    async def pin(self, conversation: str, pinned: bool = True) -> None:
        await self._library.change(conversation, pinned=pinned)

    async def archive(self, conversation: str, archived: bool = True) -> None:
        await self._library.change(conversation, archived=archived)

    async def delete_conversation(self, conversation: str) -> None:
        """It can be undone."""
        await self._turns.stop_all(conversation, wait=True)
        await self._library.delete_conversation(conversation)

    async def set_draft(self, conversation: str, text: str) -> None:
        """Text in the composer that was not sent; kept over a restart."""
        self._library.set_draft(conversation, text)

    async def search(self, text: str, limit: int = 50, conversation: str = "") -> list[Hit]:
        """Messages of all conversations (or one) that hold all the words, newest first."""
        return await self._library.search(text, limit, conversation)

    @property
    def can_undo(self) -> bool:
        return self._library.can_undo

    async def undo(self) -> str | None:
        """Take back the last deletion, of a message or a conversation; answers whose conversation it was."""
        return await self._library.undo()

    # -- The tree -----------------------------------------------------------------------------------

    async def messages(self, conversation: str) -> list[Node]:
        """The current branch, from the top."""
        return self._marked(conversation, (await self._library.tree(conversation)).branch())

    async def tree(self, conversation: str) -> list[Node]:
        """Every message, parents before children: for the map of branches."""
        return self._marked(conversation, (await self._library.tree(conversation)).walk())

    def _marked(self, conversation: str, nodes: Iterable[Node]) -> list[Node]:
        """With what is known of the cache."""
        return [replace(node, in_cache=self._asking.resident(conversation, node.id)) for node in nodes]

    async def branches(self, node: str) -> list[Node]:
        """The message and its siblings, in order."""
        _, tree = await self._library.find(node)
        return [tree.node(found) for found in tree.siblings(node)]

    async def switch_branch(self, node: str) -> None:
        """Make the current branch go through a message (and below it where it went last)."""
        await self._library.choose(node)

    async def edit(self, node: str, text: str, *, reasoning: str | None = None, keep_following: bool = False) -> Node:
        """A new version of a message, beside the old one, which keeps all that followed it.

        `keep_following` copies what follows on the current branch below the new version. Nothing is generated;
        call `regenerate` for that. `reasoning` replaces an assistant message's reasoning; None keeps it.
        """
        conversation, tree = await self._library.find(node)
        old = tree.node(node)
        self._refuse_growing(old)
        following = _below(tree.branch(), node) if keep_following else []
        thought = old.message.reasoning_content if reasoning is None else reasoning or None
        message = replace(old.message, content=text, reasoning_content=thought)
        note = "edited" if old.message.role != "user" else ""
        new = await self._library.add(conversation, old.parent, message, note=note)
        await self._library.add_copies(conversation, new.id, following)
        return (await self._library.tree(conversation)).node(new.id)

    async def delete(self, node: str) -> None:
        """Take out a message and all below it, on every branch. It can be undone."""
        conversation, tree = await self._library.find(node)
        gone = set(tree.below(node))
        for turn in self._turns.all_running(conversation):
            if turn.message in gone:
                await self._turns.stop_all(conversation, wait=True)
                break
        await self._library.delete(node)

    async def branch_from_token(self, turn: str, index: int, alternative: int) -> Node:
        """A new version of the turn's reply: the tokens before `index`, then the token id `alternative`, then on."""
        found = await self._turns.turn(turn)
        if found is None:
            raise TurnError("There is no such turn.")
        return await self._turns.branch_from_token(found, index, alternative)

    # -- Sending ------------------------------------------------------------------------------------

    async def send(self, conversation: str, text: str, prefill_reply: str = "", *, role: str = "user") -> Node:
        """Store the message, then have the model answer. Answers the message's node once it is on disk.

        `prefill_reply` is how the reply begins. With an empty text the model answers what is there already.
        While another reply is running the message waits for its turn. Raises StoreError: nothing was sent then.
        """
        tree = await self._library.tree(conversation)
        leaf = tree.leaf()
        if text:
            node = await self._library.add(conversation, leaf, Message(role, text))
            self._library.set_draft(conversation, "")
        elif leaf is not None:
            node = tree.node(leaf)
        else:
            raise MessageError("There is nothing to answer yet: write a message first.")
        await self._turns.reply(conversation, node.id, prefill_reply)
        return (await self._library.tree(conversation)).node(node.id)

    async def regenerate(self, node: str) -> Node:
        """A new reply beside the old one (or below another's message). Answers the growing message."""
        conversation, tree = await self._library.find(node)
        at = tree.node(node)
        self._refuse_growing(at)
        return await self._turns.reply(conversation, at.parent if at.message.role == "assistant" else at.id)

    async def continue_(self, node: str) -> Node:
        """Let the model write on where the message stopped, in its reasoning or its content."""
        conversation, tree = await self._library.find(node)
        at = tree.node(node)
        self._refuse_growing(at)
        if at.message.role != "assistant":
            raise MessageError("Only a message of the model's can be continued; choose Regenerate to have it answered.")
        if at.message.tool_calls:
            raise MessageError("The message ends with a tool call: enter the call's result, and the model goes on.")
        return await self._turns.continue_(conversation, at)

    async def stop(self, conversation: str | None = None) -> None:
        """End the running reply (of one conversation) and keep what there is of it. Those that wait end too."""
        await self._turns.stop_all(conversation)

    async def settled(self) -> None:
        """Until nothing is being made any more, follow-up turns of tool calls included, and all of it was written."""
        while self._turns.running() is not None or self._background:
            await asyncio.gather(*self._turns.tasks(), *self._background, return_exceptions=True)
            await asyncio.sleep(0)
        await self._store.read(lambda database: None)

    async def rested(self) -> None:
        """Until idle work has ended too."""
        await self.settled()
        await self._idle.wait()

    def idle_fed(self, conversation: str) -> int:
        """Tokens that idle work has fed for the next turn of a conversation."""
        return self._idle.fed_for(conversation)

    async def answer_now(self, conversation: str) -> None:
        """End the reasoning of the running reply: the model goes on with its answer."""
        self._turns.answer_now(conversation)

    def running(self, conversation: str | None = None) -> Turn | None:
        """The turn that is being made (in one conversation), else the first that waits."""
        return self._turns.running(conversation)

    async def forecast(self, conversation: str, draft: str = "", *, node: str | None = None) -> Forecast:
        """What sending `draft` would cost; with `node`, what a new version of that message would.

        A newer question takes the place of an older one, which raises CancelledError.
        """
        return await self._forecasting.forecast(conversation, draft, node)

    async def forecast_with(self, conversation: str, changes: Mapping[str, Any], draft: str = "") -> Forecast:
        """What sending would cost with other settings, by name (`{"thinking": "off"}`), to compare choices.

        Raises SettingError.
        """
        return await self._forecasting.compare(conversation, draft, changes)

    async def coverage(self, conversation: str) -> Mapping[str, tuple[Coverage, ...]]:
        """What the grammar makes of each keyword of the schemas in force: by tool name, and `response_format`.

        Raises RequestError for what cannot be enforced, or TemplateError.
        """
        facts = self._model.facts
        if facts is None:
            return {}
        settings = self._asking.settings(conversation, facts)
        leaf = (await self._library.tree(conversation)).leaf()
        asked = await self._asking.request(conversation, leaf, settings, draft="Hello")
        made = await self._prompts.make(asked.request, await self._asking.source(settings, facts))
        return made.prepared.coverage

    async def resolve_overflow(self, conversation: str, remedy: Remedy) -> bool:
        """What to do with the turn that waits because its prompt does not fit; False when none waits."""
        return self._asking.decide(conversation, remedy)

    # -- Calls --------------------------------------------------------------------------------------

    async def calls(self, node: str) -> list[CallState]:
        """A message's calls with what is wrong with their arguments, who may answer, and the results."""
        return await self._calls.calls(node)

    async def respond_to_call(self, node: str, call_id: str, result: str, *, error: bool = False) -> Node:
        """Enter the result of a call that the message made. When all its calls have theirs, the model goes on.

        A call without an id goes by its place among the message's calls, from "0".
        """
        return await self._calls.respond(node, call_id, result, error=error)

    async def edit_call(self, node: str, call_id: str, arguments: str) -> None:
        """Other arguments for a call that has no result yet."""
        await self._calls.edit_call(node, call_id, arguments)

    async def approve_call(
        self, node: str, call_id: str, rule: Literal["once", "always", "deny"], arguments: str | None = None
    ) -> None:
        """Let a built-in tool answer a call, with other arguments if given; `always` remembers it for the tool."""
        await self._calls.approve(node, call_id, rule, arguments)

    def approvals(self) -> list[ApprovalRule]:
        """The rules for built-in tools."""
        return self._calls.rules()

    async def set_approval(self, tool: str, rule: Rule) -> None:
        self._calls.set_rule(tool, rule)

    def read_tools(self, text: str) -> list[Tool]:
        """Tools pasted as JSON (an OpenAI request, a list, one tool) or written as Python-like signatures.

        Raises ToolError naming the place.
        """
        return read_tools(text)

    # -- Turns --------------------------------------------------------------------------------------

    async def turn(self, node: str) -> Turn | None:
        """The turn that wrote a message: the live one, or the stored one of any earlier day; None for a person's."""
        _, tree = await self._library.find(node)
        found = tree.node(node).turn
        return await self._turns.turn(found) if found else None

    async def export_turn(self, node: str, path: Path) -> None:
        """One turn as one JSON file: model hash, template, settings, seed, messages, spans, ids, events, plan.

        Raises ExchangeError.
        """
        turn = await self.turn(node)
        if turn is None:
            raise MessageError("No turn wrote that message, so there is none to export.")
        await self._exchanging.export_turn(turn, path)

    async def open_turn(self, path: Path) -> Turn:
        """Read such a file; the panes can show it without the model. Raises ExchangeError naming the place."""
        return await self._exchanging.open_turn(path)

    async def rerun_turn(self, turn: Turn) -> Rerun:
        """Make the turn again with its settings and seed, and compare the ids. Raises TurnError."""
        again = await self._turns.rerun(turn)
        await self.settled()
        if again.error:
            raise TurnError(again.error)
        return compare(turn, again)

    async def complete(
        self, text: str, *, max_tokens: int | None = None, control: bool = False, conversation: str = ""
    ) -> Turn:
        """Completion mode: raw text in, tokens out. Answers the growing turn; its prompt is all input.

        `control` lets the names of control tokens in the text be control tokens. Raises TurnError.
        """
        settings = self.settings(conversation)
        if max_tokens is not None:
            settings = replace(settings, max_tokens=max_tokens)
        return await self._turns.complete(text, settings, control=control)

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
        """GGUF files in the folders that people already have, and in those of the preference `model_folders`."""
        more = self.preference("model_folders", [])
        folders = [folder for folder in more if isinstance(folder, str)] if isinstance(more, list) else []
        return await asyncio.to_thread(lambda: find_models(known_places(folders)))

    async def devices(self) -> list[Device]:
        """What the installed llama.cpp can compute on."""
        return await asyncio.to_thread(_devices)

    async def memory_forecast(
        self, path: str | Path, settings: ModelSettings, gpu: str | None = None
    ) -> MemoryForecast:
        """Bytes by part and device that loading the file so would take. Raises LoadError or GgufError."""
        return await asyncio.to_thread(lambda: forecast_memory(read_shape(Path(path)), settings, gpu=gpu))

    # -- Templates ----------------------------------------------------------------------------------

    async def template(self, conversation: str = "") -> TemplateView | None:
        """The template in force: the loaded model's, or the one set for it. Raises TemplateError."""
        return await self._templates.in_force(conversation)

    async def open_template(self, path: str | Path) -> TemplateView:
        """A .jinja file, a Hugging Face folder, or a GGUF whose weights are not loaded.

        Raises TemplateFileError or TemplateError.
        """
        return await self._templates.open(Path(path))

    async def prepare_template(self, source: str, bos: str = "", eos: str = "") -> TemplateView:
        """A template that is being edited. Raises TemplateError with its line."""
        return await self._templates.prepare(source, bos, eos)

    async def verify(self, template: TemplateView) -> Verified:
        """The round trip, case by case: `chosen.verification.cases`, and what other formats would read otherwise."""
        return await self._templates.verify(template)

    async def render(self, template: TemplateView, request: Request) -> tuple[Prompt, list[PromptToken]]:
        """A prompt for the template pane; tokens with the loaded model's vocabulary, else none.

        Raises RequestError or TemplateError.
        """
        return await self._templates.render(template, request)

    async def rewrites(self, template: TemplateView, requests: Sequence[Request]) -> list[int | str | None]:
        """For each conversation the character from which later turns rewrite it, None, or why it cannot be rendered."""
        return await self._templates.rewrites(template, requests)

    async def misfits(self, template: TemplateView) -> tuple[str, ...]:
        """Where a template departs from what the loaded model was trained with, as sentences.

        Raises RequestError or TemplateError.
        """
        return await self._templates.misfits(template)

    async def boundaries(self, template: TemplateView, request: Request) -> Boundaries:
        """The prompt tokenised whole, part by part and as we do it, and what its input became in each.

        Raises RequestError, TemplateError, or LoadError without a model.
        """
        return await self._templates.boundaries(template, request)

    async def read_output(
        self,
        template: TemplateView,
        request: Request,
        text: str,
        *,
        format: str = "",
        profile: Literal["tolerant", "strict"] = "tolerant",
    ) -> Reply:
        """How any output reads with any template, as found or by another named format.

        Raises RequestError or TemplateError.
        """
        return await self._templates.read_output(template, request, text, format, profile)

    # -- In and out ---------------------------------------------------------------------------------

    async def export(self, conversation: str, path: Path, form: Form) -> None:
        """The current branch (all of the tree for `cutaway`). Raises ExchangeError."""
        await self._exchanging.export(conversation, Path(path), form)

    async def import_(self, path: Path) -> list[ConversationInfo]:
        """OpenAI JSON or ours, as new conversations. Raises ExchangeError naming the place in the file."""
        return await self._exchanging.import_(Path(path))

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
        """All sampling settings at once: a preset of `engine.sampling.PRESETS`, or what the model recommends."""
        for field in fields(Sampling):
            name = f"sampling.{field.name}"
            if value_of(self.settings(conversation), name) != getattr(sampling, field.name):
                await self.set(name, getattr(sampling, field.name), conversation=conversation)

    async def reset(self, name: str, *, conversation: str | None = None) -> None:
        """Let the layer below hold again."""
        await self._settings.reset(name, conversation or "", self._model_key())

    def preference(self, name: str, default: Any = None) -> Any:
        """What the window remembers of itself: any JSON value under a name (`window.geometry`, `language`, ...)."""
        return self._settings.get("app", "", name, default)

    def set_preference(self, name: str, value: Any) -> None:
        self._settings.keep("app", "", name, value)
        self._announce(SettingsChanged("app", name))

    def _model_key(self) -> str:
        return self._model.facts.path if self._model.facts else ""

    def _refuse_growing(self, node: Node) -> None:
        if node.status == "growing":
            raise MessageError("The message is still being written. Stop it first.")


def _below(branch: list[Node], node: str) -> list[Node]:
    """What follows a message on a branch; nothing when it is not on it."""
    at = next((index for index, one in enumerate(branch) if one.id == node), len(branch))
    return branch[at + 1 :]
