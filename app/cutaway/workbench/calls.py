"""The model's calls: which of them wait, who may answer them, and when the model goes on.

A call is answered by the person (a result or an error) or by a built-in tool that the person let. Results are bound
by id. When all calls of a message have theirs the model goes on by itself, until as many rounds are over as the
person allowed for one turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from cutaway.chat.message import Message, ToolCall
from cutaway.tools.arguments import Fault, check_call
from cutaway.tools.built_in import BUILT_INS, Result, Surroundings, run_built_in
from cutaway.workbench.asking import Asking
from cutaway.workbench.change import Change, Problem, TreeChanged
from cutaway.workbench.library import Library, MessageError
from cutaway.workbench.model_desk import ModelDesk
from cutaway.workbench.settings import ChatSettings
from cutaway.workbench.settings_desk import SettingsDesk
from cutaway.workbench.tree import Tree
from cutaway.workbench.turn import Node
from cutaway.workbench.turns import Turns

Rule: TypeAlias = Literal["ask", "always", "never"]

ERROR_NOTE = "error"
LONGEST_RESULT = 4_000_000
"""Characters of a result."""


@dataclass(frozen=True, slots=True)
class CallState:
    """One call of a message, as its card shows it."""

    call: ToolCall
    faults: tuple[Fault, ...]
    """What is wrong with its arguments; empty when they fit."""
    built_in: bool
    """A built-in tool can answer it."""
    rule: Rule
    """Whether that tool may answer without being asked."""
    result: Node | None
    """The tool message that answers it, on the current branch."""
    key: str = ""
    """What the call goes by in its message: its id; its place from "0" without one; both for an id that came before."""

    @property
    def waits(self) -> bool:
        return self.result is None


@dataclass(frozen=True, slots=True)
class ApprovalRule:
    tool: str
    rule: Rule


class Calls:
    def __init__(
        self,
        library: Library,
        settings: SettingsDesk,
        asking: Asking,
        turns: Turns,
        model: ModelDesk,
        announce: Callable[[Change], None],
        now: Callable[[], datetime],
    ) -> None:
        self._library = library
        self._settings = settings
        self._asking = asking
        self._turns = turns
        self._model = model
        self._announce = announce
        self._now = now

    # -- What waits ---------------------------------------------------------------------------------

    async def calls(self, node: str) -> list[CallState]:
        """The calls of a message, in order."""
        conversation, tree = await self._library.find(node)
        message = tree.node(node).message
        settings = self._chat_settings(conversation)
        tools = self._asking.tools(settings)
        results = _results(tree, node)
        return [
            CallState(
                call,
                tuple(check_call(call, tools)),
                self._is_built_in(call.name, settings),
                self.rule(call.name),
                results.get(key),
                key,
            )
            for key, call in zip(_keys(message.tool_calls), message.tool_calls, strict=True)
        ]

    # -- Answers ------------------------------------------------------------------------------------

    async def respond(self, node: str, call_id: str, result: str, *, error: bool = False, go_on: bool = True) -> Node:
        """Enter a result. Raises MessageError."""
        if len(result) > LONGEST_RESULT:
            raise MessageError(
                f"The result has {len(result):,} characters; {LONGEST_RESULT:,} is the most that is sent. Shorten it."
            )
        conversation, tree = await self._library.find(node)
        call = _call(tree, node, call_id)
        results = _results(tree, node)
        if call_id in results:
            raise MessageError(f"The call of {call.name} has its result already; edit that message instead.")
        _refuse_ambiguous(tree, node, call_id, results)
        last = next(reversed(results.values())).id if results else node
        message = Message("tool", result, tool_call_id=call.id or None, name=call.name)
        added = await self._library.add(conversation, last, message, note=ERROR_NOTE if error else "")
        if go_on:
            await self._go_on(conversation, node)
        return added

    async def approve(
        self, node: str, call_id: str, rule: Literal["once", "always", "deny"], arguments: str | None = None
    ) -> Node:
        """Let the built-in tool answer, with other arguments if given, or tell the model that it was not let."""
        conversation, tree = await self._library.find(node)
        call = _call(tree, node, call_id)
        if rule == "deny":
            return await self.respond(node, call_id, "The user did not allow this call.", error=True)
        if not self._is_built_in(call.name, self._chat_settings(conversation)):
            raise MessageError(f"{call.name} is no built-in tool: enter its result by hand.")
        if rule == "always":
            self.set_rule(call.name, "always")
        if arguments is not None and arguments != call.arguments:
            call = replace(call, arguments=arguments)
            await self._replace_call(conversation, tree, node, call_id, call)
        answer = await self._answer(conversation, tree, node, call)
        return await self.respond(node, call_id, answer.text, error=answer.failed)

    async def edit_call(self, node: str, call_id: str, arguments: str) -> None:
        """Other arguments for a call that has no result yet; the model is told of these."""
        conversation, tree = await self._library.find(node)
        call = _call(tree, node, call_id)
        if call_id in _results(tree, node):
            raise MessageError(f"The call of {call.name} has its result already, so its arguments stay.")
        await self._replace_call(conversation, tree, node, call_id, replace(call, arguments=arguments))

    async def after_reply(self, conversation: str, node: Node) -> None:
        """A reply with calls has ended: answer those that built-in tools may answer without being asked."""
        if not node.message.tool_calls:
            return
        settings = self._chat_settings(conversation)
        for call_id, call in zip(_keys(node.message.tool_calls), node.message.tool_calls, strict=True):
            if call.name not in settings.built_ins or not self._is_built_in(call.name, settings):
                continue
            if self.rule(call.name) == "always":
                tree = await self._library.tree(conversation)
                answer = await self._answer(conversation, tree, node.id, call)
                await self.respond(node.id, call_id, answer.text, error=answer.failed, go_on=False)
            elif self.rule(call.name) == "never":
                await self.respond(node.id, call_id, "The user does not allow this tool.", error=True, go_on=False)
        self._announce(TreeChanged(conversation))
        await self._go_on(conversation, node.id)

    # -- Rules --------------------------------------------------------------------------------------

    def rule(self, tool: str) -> Rule:
        rules = self._settings.get("app", "", "approvals", {})
        found = rules.get(tool) if isinstance(rules, dict) else None
        return found if found in ("always", "never") else "ask"

    def rules(self) -> list[ApprovalRule]:
        return [ApprovalRule(name, self.rule(name)) for name in BUILT_INS]

    def set_rule(self, tool: str, rule: Rule) -> None:
        rules = self._settings.get("app", "", "approvals", {})
        self._settings.keep("app", "", "approvals", {**(rules if isinstance(rules, dict) else {}), tool: rule})

    # -- Inside -------------------------------------------------------------------------------------

    def _is_built_in(self, name: str, settings: ChatSettings) -> bool:
        """A built-in tool goes by the name, and none of the person's own does."""
        return name in BUILT_INS and BUILT_INS[name] in self._asking.tools(replace(settings, built_ins=(name,)))

    def _chat_settings(self, conversation: str) -> ChatSettings:
        return self._asking.settings(conversation, self._model.facts)

    async def _answer(self, conversation: str, tree: Tree, node: str, call: ToolCall) -> Result:
        earlier = [(one.message.role, one.message.text) for one in tree.path(node)]
        around = Surroundings(self._now().astimezone(), earlier)
        return await asyncio.to_thread(run_built_in, call.name, call.arguments, around)

    async def _replace_call(self, conversation: str, tree: Tree, node: str, call_id: str, call: ToolCall) -> None:
        at = tree.node(node)
        keys = _keys(at.message.tool_calls)
        calls = tuple(call if key == call_id else one for key, one in zip(keys, at.message.tool_calls, strict=True))
        await self._library.put(conversation, replace(at, message=replace(at.message, tool_calls=calls), note="edited"))

    async def _go_on(self, conversation: str, node: str) -> None:
        """The next reply, when every call has its result and rounds are left."""
        tree = await self._library.tree(conversation)
        message = tree.node(node).message
        results = _results(tree, node)
        if any(key not in results for key in _keys(message.tool_calls)):
            return
        last = next(reversed(results.values()))
        if tree.children(last.id):
            return
        limit = self._chat_settings(conversation).tool_rounds
        if _rounds(tree, node) >= limit:
            self._announce(
                Problem(
                    f"The model has called tools {limit} times in a row, which is the limit you set.",
                    "Regenerate below the last result to let it go on, or raise the limit.",
                    "go-on",
                    conversation,
                )
            )
            return
        await self._turns.reply(conversation, last.id)


def _keys(calls: Sequence[ToolCall]) -> list[str]:
    """What each call goes by: see `CallState.key`. Models do write the same id twice."""
    keys: list[str] = []
    for index, call in enumerate(calls):
        key = call.id or str(index)
        keys.append(f"{key}#{index}" if key in keys else key)
    return keys


def _results(tree: Tree, node: str) -> dict[str, Node]:
    """The tool messages that follow a message on its current branch, by the key of their call."""
    calls = tree.node(node).message.tool_calls
    keys = _keys(calls)
    found: dict[str, Node] = {}
    at = tree.chosen_child(node)
    while at is not None and (result := tree.node(at)).message.role == "tool":
        open_ = [(key, call.id) for key, call in zip(keys, calls, strict=True) if key not in found]
        bound = (key for key, call_id in open_ if call_id == result.message.tool_call_id)
        key = next(bound, open_[0][0] if open_ else None)
        if key is None:
            break
        found[key] = result
        at = tree.chosen_child(at)
    return found


def _call(tree: Tree, node: str, call_id: str) -> ToolCall:
    calls = tree.node(node).message.tool_calls
    for key, call in zip(_keys(calls), calls, strict=True):
        if key == call_id:
            return call
    raise MessageError(f"The message made no call with the id {call_id!r}.")


def _refuse_ambiguous(tree: Tree, node: str, call_id: str, results: Mapping[str, Node]) -> None:
    """Results are bound by id: of two calls with the same one the first has to have its result first."""
    calls = tree.node(node).message.tool_calls
    wanted = _call(tree, node, call_id)
    for key, call in zip(_keys(calls), calls, strict=True):
        if key == call_id:
            return
        if call.id and call.id == wanted.id and key not in results:
            raise MessageError(f"The model gave two calls the id {call.id!r}: enter the result of the first one first.")


def _rounds(tree: Tree, node: str) -> int:
    """How many messages with calls there are since the person's last message."""
    count = 0
    for one in reversed(tree.path(node)):
        if one.message.role == "user":
            break
        count += bool(one.message.tool_calls)
    return count
