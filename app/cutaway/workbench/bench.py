"""The workbench: everything a person can do, as methods; everything that follows, as changes.

asyncio, no Qt. All methods are called on the loop's thread and none blocks it: rendering and tokenising run on
the prompt thread, the store on its own, the model on the engine's. The window and `cutaway chat` call this and
nothing below it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cutaway.chat.message import Message, Request, Tool
from cutaway.chat.prompt import Prompt
from cutaway.chat.reply import Reply
from cutaway.engine.command import ModelSettings
from cutaway.engine.event import Token
from cutaway.workbench.change import Change, ModelChanged, SettingsChanged, TreeChanged, TurnChanged
from cutaway.workbench.forecast import Forecast
from cutaway.workbench.library import Hit, Library, MessageError, new_id
from cutaway.workbench.settings import ChatSettings, Setting, value_of, with_value
from cutaway.workbench.turn import ConversationInfo, Node, PromptToken, TemplateInfo, Turn

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model file found on this machine. It is read in place, never moved."""

    path: str
    name: str
    bytes: int
    source: str
    """Whose folder: `Cutaway`, `LM Studio`, `Ollama`, `Hugging Face`, `Jan`, `GPT4All`, or a folder's path."""
    quantisation: str = ""
    parts: int = 1


@dataclass(frozen=True, slots=True)
class TemplateView:
    """A prepared template, as the template pane shows it."""

    info: TemplateInfo
    caps: Mapping[str, bool]
    knobs: tuple[tuple[str, tuple[Any, ...]], ...]
    """(variable, values the template compares it with)."""
    thinking_table: tuple[Mapping[str, Any], ...]
    """As in `cutaway batch`: `{thinking, kwargs, prefill, changes_prompt}`."""
    format: Any = None
    """The chat layer's own value for the format; its `handler`, modes and evidence."""
    prepared: Any = None
    """The chat layer's prepared template."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ApprovalRule:
    tool: str
    rule: Literal["ask", "always", "never"]


class Workbench:
    """One store, one model, any number of conversations.

    `await open()` before anything else, `await close()` at the end.
    """

    def __init__(self, store: Path | str | None = None, backend: Any = None) -> None:
        """`store`: the database's path, `:memory:` for none on disk; None takes the user's own.

        `backend`: makes the engine's backend; None takes llama.cpp.
        """
        self._store_path = store
        self._backend = backend
        self._subscribers: list[Callable[[Change], None]] = []
        self._library = Library(self._announce)
        self._turns: dict[str, Turn] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._model = ModelChanged("none")
        self._overrides: dict[str, dict[str, Any]] = {}

    # -- Life ---------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open the store and start the engine's thread. Raises StoreError with a sentence."""

    async def close(self) -> None:
        """Stop what runs, write what is unwritten, end every thread."""
        await self.stop()

    def subscribe(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        """`callback` gets every change from now on, on the loop's thread; the answer ends that."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    # -- Conversations ------------------------------------------------------------------------------

    async def conversations(self, *, archived: bool = False) -> list[ConversationInfo]:
        """Pinned ones first, then by last use."""
        return await self._library.conversations(archived=archived)

    async def create_conversation(self, title: str = "") -> ConversationInfo:
        """Without a title it gets one from its first message, made without the model."""
        return await self._library.create(title)

    async def rename(self, conversation: str, title: str) -> None:
        await self._library.change(conversation, title=title)

    async def pin(self, conversation: str, pinned: bool = True) -> None:
        await self._library.change(conversation, pinned=pinned)

    async def archive(self, conversation: str, archived: bool = True) -> None:
        await self._library.change(conversation, archived=archived)

    async def delete_conversation(self, conversation: str) -> None:
        """It can be undone."""
        await self._library.delete_conversation(conversation)

    async def set_draft(self, conversation: str, text: str) -> None:
        """Text in the composer that was not sent; kept over a restart."""
        await self._library.change(conversation, draft=text)

    async def search(self, text: str, limit: int = 50) -> list[Hit]:
        """Messages of all conversations that hold all the words, newest first."""
        return await self._library.search(text, limit)

    async def undo(self) -> str | None:
        """Take back the last deletion, of a message or a conversation; answers whose conversation it was."""
        return await self._library.undo()

    # -- The tree -----------------------------------------------------------------------------------

    async def messages(self, conversation: str) -> list[Node]:
        """The current branch, from the top."""
        return self._library.tree(conversation).branch()

    async def tree(self, conversation: str) -> list[Node]:
        """Every message, parents before children: for the map of branches."""
        return list(self._library.tree(conversation).walk())

    async def branches(self, node: str) -> list[Node]:
        """The message and its siblings, in order."""
        _, tree = self._library.find(node)
        return [tree.node(found) for found in tree.siblings(node)]

    async def switch_branch(self, node: str) -> None:
        """Make the current branch go through a message (and below it where it went last)."""
        conversation, tree = self._library.find(node)
        tree.choose(node)
        self._announce(TreeChanged(conversation))

    async def edit(self, node: str, text: str, *, reasoning: str | None = None, keep_following: bool = False) -> Node:
        """A new version of a message, beside the old one, which keeps all that followed it.

        `keep_following` copies what follows on the current branch below the new version. Nothing is generated;
        call `regenerate` for that. `reasoning` replaces an assistant message's reasoning; None keeps it.
        """
        conversation, tree = self._library.find(node)
        old = tree.node(node)
        message = Message(role=old.message.role, content=text)
        return await self._library.add(conversation, old.parent, message)

    async def delete(self, node: str) -> None:
        """Take out a message and all below it, on every branch. It can be undone."""
        await self._library.delete(node)

    async def branch_from_token(self, turn: str, index: int, alternative: int) -> Node:
        """A new version of the turn's reply: the tokens before `index`, then the token id `alternative`, then on."""
        raise MessageError("There is no such turn.")

    # -- Sending ------------------------------------------------------------------------------------

    async def send(self, conversation: str, text: str, prefill_reply: str = "", *, role: str = "user") -> Node:
        """Store the message, then have the model answer. Answers the message's node once it is on disk.

        `prefill_reply` is how the reply begins. With an empty text the model answers what is there already.
        While another reply is running the message waits for its turn.
        """
        tree = self._library.tree(conversation)
        node = await self._library.add(conversation, tree.leaf(), Message(role=role, content=text))
        await self._start(conversation, node)
        return node

    async def regenerate(self, node: str) -> Node:
        """A new reply beside the old one (or below a user's message). Answers the growing message."""
        conversation, tree = self._library.find(node)
        at = tree.node(node)
        parent = at if at.message.role == "user" else tree.node(at.parent or "")
        return await self._start(conversation, parent)

    async def continue_(self, node: str) -> Node:
        """Let the model write on where the message stopped, in its reasoning or its content."""
        return await self.regenerate(node)

    async def stop(self, conversation: str | None = None) -> None:
        """End the running reply (of one conversation) and keep what there is of it."""
        for turn, task in list(self._running.items()):
            if conversation in (None, self._turns[turn].conversation):
                task.cancel()

    async def answer_now(self, conversation: str) -> None:
        """End the reasoning of the running reply: the model goes on with its answer."""

    def running(self, conversation: str | None = None) -> Turn | None:
        """The turn that is being made (in one conversation)."""
        for turn in self._running:
            if conversation in (None, self._turns[turn].conversation):
                return self._turns[turn]
        return None

    async def respond_to_call(self, node: str, call_id: str, result: str, *, error: bool = False) -> Node:
        """Enter the result of a call that the message made. When all its calls have theirs, the model goes on."""
        conversation, tree = self._library.find(node)
        return await self._library.add(
            conversation, tree.leaf(), Message(role="tool", content=result, tool_call_id=call_id)
        )

    async def approve_call(
        self, node: str, call_id: str, rule: Literal["once", "always", "deny"], arguments: str | None = None
    ) -> None:
        """Let a built-in tool answer a call, with other arguments if given; `always` remembers it for the tool."""

    async def forecast(self, conversation: str, draft: str = "", *, node: str | None = None) -> Forecast:
        """What sending `draft` would cost; with `node`, what regenerating there would."""
        return Forecast(prompt_tokens=0, reused=0, fed=0, context=0)

    async def resolve_overflow(self, conversation: str, remedy: Literal["drop", "shorten", "raise", "stop"]) -> None:
        """What to do with the turn that waits because its prompt does not fit."""

    # -- Turns --------------------------------------------------------------------------------------

    async def turn(self, node: str) -> Turn | None:
        """The turn that wrote a message: the live one, or the stored one of any earlier day; None for a person's."""
        _, tree = self._library.find(node)
        return self._turns.get(tree.node(node).turn or "")

    async def export_turn(self, node: str, path: Path) -> None:
        """One turn as one JSON file: model hash, template, settings, seed, messages, spans, ids, events, plan."""

    async def open_turn(self, path: Path) -> Turn:
        """Read such a file; the panes can show it without the model. Raises ExchangeError naming the place."""
        raise MessageError(f"{path} holds no turn.")

    async def rerun_turn(self, turn: Turn) -> tuple[bool, int, str]:
        """Make the turn again: (same ids, index of the first that differs or -1, a sentence)."""
        raise MessageError("No model is loaded.")

    async def complete(self, text: str, *, max_tokens: int | None = None, conversation: str = "") -> Turn:
        """Completion mode: raw text in, tokens out. Answers the growing turn; its prompt is all input."""
        raise MessageError("No model is loaded.")

    # -- Models -------------------------------------------------------------------------------------

    async def load_model(self, path: str | Path, settings: ModelSettings | None = None) -> None:
        """Begin to load; `ModelChanged` tells how it goes. None takes the settings remembered for this file."""

    async def cancel_load(self) -> None: ...

    async def unload(self) -> None: ...

    @property
    def model(self) -> ModelChanged:
        """Where the model stands: its `facts` when it is ready."""
        return self._model

    async def known_models(self) -> list[KnownModel]:
        """GGUF files in the folders that people already have."""
        return []

    def model_settings(self, path: str | Path) -> ModelSettings:
        """What is remembered for this file."""
        return ModelSettings()

    async def devices(self) -> list[Any]:
        """What the installed llama.cpp can compute on."""
        return []

    async def memory_forecast(self, path: str | Path, settings: ModelSettings) -> Any:
        """Bytes by part and device that loading the file so would take."""
        return None

    # -- Settings -----------------------------------------------------------------------------------

    def settings(self, conversation: str | None = None) -> ChatSettings:
        """What holds for a conversation with the loaded model; without one, what a new conversation gets."""
        result = ChatSettings()
        for name, value in self._overrides.get(conversation or "", {}).items():
            result = with_value(result, name, value)
        return result

    def list_settings(self, conversation: str | None = None) -> list[Setting]:
        """Every setting with the layer it comes from: what differs from the default is not of layer `default`."""
        from cutaway.workbench.settings import NAMES

        now, plain = self.settings(conversation), ChatSettings()
        return [Setting(name, value_of(now, name), "default", value_of(plain, name)) for name in NAMES]

    async def set(self, name: str, value: Any, *, conversation: str | None = None) -> None:
        """Change a setting for a conversation; without one, for the loaded model. Raises SettingError."""
        with_value(self.settings(conversation), name, value)
        self._overrides.setdefault(conversation or "", {})[name] = value
        self._announce(SettingsChanged("conversation" if conversation else "model", conversation or ""))

    async def reset(self, name: str, *, conversation: str | None = None) -> None:
        """Let the layer below hold again."""
        self._overrides.get(conversation or "", {}).pop(name, None)
        self._announce(SettingsChanged("conversation" if conversation else "model", conversation or ""))

    def preference(self, name: str, default: Any = None) -> Any:
        """What the window remembers of itself: any JSON value under a name (`window.geometry`, `language`, ...)."""
        return self._overrides.get("app", {}).get(name, default)

    def set_preference(self, name: str, value: Any) -> None:
        self._overrides.setdefault("app", {})[name] = value

    def approvals(self) -> list[ApprovalRule]:
        """The rules for built-in tools that the person set."""
        return []

    async def set_approval(self, tool: str, rule: Literal["ask", "always", "never"]) -> None: ...

    def read_tools(self, text: str) -> list[Tool]:
        """Tools pasted as JSON (an OpenAI request, a list, one tool) or written as Python-like signatures.

        Raises ToolError naming the place.
        """
        return []

    # -- Templates ----------------------------------------------------------------------------------

    async def template(self) -> TemplateView | None:
        """The template in force: the loaded model's, or the one set for it."""
        return None

    async def open_template(self, path: str | Path) -> TemplateView:
        """A .jinja file, a Hugging Face folder, or a GGUF whose weights are not loaded. Raises TemplateError."""
        raise MessageError(f"{path} holds no template.")

    async def prepare_template(self, source: str, bos: str = "", eos: str = "") -> TemplateView:
        """A template being edited. Raises TemplateError with its line."""
        raise MessageError("It holds no template.")

    async def render(self, template: TemplateView, request: Request) -> tuple[Prompt, list[PromptToken]]:
        """A prompt for the template pane; tokens with the loaded model's vocabulary, else none."""
        raise MessageError("It holds no template.")

    async def read_output(
        self,
        template: TemplateView,
        request: Request,
        text: str,
        *,
        format: str = "",
        profile: Literal["tolerant", "strict"] = "tolerant",
    ) -> Reply:
        """How any output reads with any template, as found or by another named format."""
        return Reply(text)

    async def verify(self, template: TemplateView) -> Any:
        """The round trip, case by case."""
        return None

    # -- In and out ---------------------------------------------------------------------------------

    async def export(
        self, conversation: str, path: Path, form: Literal["markdown", "openai", "jsonl", "cutaway"]
    ) -> None:
        """The current branch (all of the tree for `cutaway`). Raises ExchangeError."""

    async def import_(self, path: Path) -> list[ConversationInfo]:
        """OpenAI JSON or ours, as new conversations. Raises ExchangeError naming the place in the file."""
        return []

    # -- Inside -------------------------------------------------------------------------------------

    def _announce(self, change: Change) -> None:
        for callback in list(self._subscribers):
            try:
                callback(change)
            except Exception:
                log.exception("a subscriber failed on %s", type(change).__name__)

    async def _start(self, conversation: str, parent: Node) -> Node:
        """Plays the person's words back, until the engine is joined."""
        turn = Turn(id=new_id(), conversation=conversation, message="", request=Request((parent.message,)))
        node = await self._library.add(
            conversation, parent.id, Message(role="assistant", content=""), status="growing", turn=turn.id
        )
        turn.message = node.id
        self._turns[turn.id] = turn
        self._running[turn.id] = asyncio.create_task(self._echo(turn, node, parent.message.text))
        return node

    async def _echo(self, turn: Turn, node: Node, text: str) -> None:
        _, tree = self._library.find(node.id)
        status: Literal["whole", "stopped"] = "whole"
        try:
            for index, word in enumerate(text.split(" ")):
                piece = word if index == 0 else " " + word
                turn.tokens.append(Token(index, index, piece.encode(), 1.0, 0, (), 0.0, index * 20.0))
                turn.raw += piece
                turn.content += piece
                turn.state = "decoding"
                self._announce(TurnChanged(turn, frozenset({"tokens", "reply", "state"})))
                await asyncio.sleep(0.02)
            turn.state, turn.finish_reason = "done", "stop"
        except asyncio.CancelledError:
            turn.state, turn.finish_reason, status = "stopped", "cancelled", "stopped"
        self._running.pop(turn.id, None)
        from dataclasses import replace

        tree.replace(replace(node, message=Message(role="assistant", content=turn.content), status=status))
        self._announce(TurnChanged(turn, frozenset({"state"})))
        self._announce(TreeChanged(turn.conversation))
