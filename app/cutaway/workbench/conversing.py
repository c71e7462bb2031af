"""What a person does with conversations: list, write, edit, branch, regenerate, stop, answer calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from cutaway.chat.message import Message, Tool
from cutaway.tools.definition import read_tools
from cutaway.workbench.calls import ApprovalRule, CallState, Rule
from cutaway.workbench.forecast import Remedy
from cutaway.workbench.foundation import Foundation
from cutaway.workbench.library import Hit, MessageError
from cutaway.workbench.turn import ConversationInfo, Node, Turn
from cutaway.workbench.turns import TurnError


class Conversing(Foundation):
    """Conversations, their trees, sending, and tool calls."""

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
        self._idle.stop()
        await self._library.delete_conversation(conversation)
        await self._model.forget(conversation)

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

    async def branch_at(self, node: str) -> None:
        """Let the current branch end at a message: the next one sent begins a new branch there.

        Nothing is stored and what followed stays; `switch_branch` goes back to it. Raises MessageError.
        """
        _, tree = await self._library.find(node)
        self._refuse_growing(tree.node(node))
        await self._library.end_at(node)

    async def branch_end(self, conversation: str) -> str | None:
        """The message at which `branch_at` ended the current branch; None when it was not, or something follows."""
        return (await self._library.tree(conversation)).end

    async def fork(self, node: str, title: str = "") -> ConversationInfo:
        """A new conversation with copies of all messages down to this one, and the same settings. Raises MessageError."""
        conversation, tree = await self._library.find(node)
        path = tree.path(node)
        self._refuse_growing(path[-1])
        info = await self._library.create(title or (await self._library.info(conversation)).title)
        copies = await self._library.copy_path(conversation, path, info.id)
        self._settings.copy_conversation(conversation, info.id, copies)
        return await self._library.info(info.id)

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
        return self._library.node(conversation, new.id) or new

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

    async def send(
        self, conversation: str, text: str, prefill_reply: str = "", *, prefill_thought: str = "", role: str = "user"
    ) -> Node:
        """Store the message, then have the model answer. Answers the message's node once it is on disk.

        `prefill_reply` is how the reply begins, `prefill_thought` how its reasoning does (which is still open
        when there is no `prefill_reply`). With an empty text the model answers what is there already.
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
        await self._turns.reply(conversation, node.id, _beginning(prefill_reply, prefill_thought))
        return self._library.node(conversation, node.id) or node

    async def regenerate(self, node: str, prefill_reply: str = "", *, prefill_thought: str = "") -> Node:
        """A new reply beside the old one (or below another's message), begun as in `send`.

        Answers the growing message.
        """
        conversation, tree = await self._library.find(node)
        at = tree.node(node)
        self._refuse_growing(at)
        below = at.parent if at.message.role == "assistant" else at.id
        return await self._turns.reply(conversation, below, _beginning(prefill_reply, prefill_thought))

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

    def idle_fed(self, conversation: str) -> int:
        """Tokens that idle work has fed for the next turn of a conversation."""
        return self._idle.fed_for(conversation)

    async def answer_now(self, conversation: str) -> None:
        """End the reasoning of the running reply: the model goes on with its answer."""
        self._turns.answer_now(conversation)

    def running(self, conversation: str | None = None) -> Turn | None:
        """The turn that is being made (in one conversation), else the first that waits."""
        return self._turns.running(conversation)

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

    def _refuse_growing(self, node: Node) -> None:
        if node.status == "growing":
            raise MessageError("The message is still being written. Stop it first.")


def _beginning(reply: str, thought: str) -> Message | None:
    return Message("assistant", reply, reasoning_content=thought or None) if reply or thought else None


def _below(branch: list[Node], node: str) -> list[Node]:
    """What follows a message on a branch; nothing when it is not on it."""
    at = next((index for index, one in enumerate(branch) if one.id == node), len(branch))
    return branch[at + 1 :]
