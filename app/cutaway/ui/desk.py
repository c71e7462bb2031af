"""Between the workbench and the widgets of one window: what the person does arrives as method calls and goes to the
workbench. Nothing is decided here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutaway.ui.sentences import told
from cutaway.ui.showing import NEW_DRAFT, Showing
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.workbench.exchanging import Rerun
    from cutaway.workbench.forecast import Remedy


class NothingShownError(Exception):
    """Something was asked of the turn that is shown, and none is."""


class Desk(Showing):
    async def send(self, text: str) -> None:
        """Send; when it cannot be sent the text comes back into the composer."""
        await self.opened.wait()
        try:
            if not self.conversation:
                self.conversation = (await self.bench.create_conversation()).id
                self.bench.set_preference(NEW_DRAFT, "")
            self._follows = True
            reply, thought = self.views.beginning()
            await self.bench.send(self.conversation, text, reply, prefill_thought=thought)
        except Exception:
            self.views.show_draft(text)
            raise
        await self.refresh_branch()

    async def regenerate(self, node: str) -> None:
        """Another version of a reply, or a reply to a message, begun as the composer says."""
        self._follows = True
        reply, thought = self.views.beginning()
        await self.bench.regenerate(node, reply, prefill_thought=thought)

    async def go_on(self, conversation: str) -> None:
        """One more reply to the results of tools, though the loop has come to its limit."""
        nodes = await self.bench.messages(conversation)
        if nodes and nodes[-1].message.role == "tool":
            self._follows = True
            await self.bench.regenerate(nodes[-1].id)

    async def continue_(self, node: str) -> None:
        self._follows = True
        await self.bench.continue_(node)

    async def stop(self) -> None:
        if self.raw is not None and self.raw.running:
            await self.bench.stop("")
        await self.bench.stop(self.conversation or None)

    async def complete(self, text: str, control: bool, max_tokens: int) -> None:
        """Completion mode: the text as it stands, with this conversation's sampling."""
        await self.opened.wait()
        try:
            self.raw = await self.bench.complete(
                text, control=control, max_tokens=max_tokens, conversation=self.conversation
            )
        except Exception:
            self.views.begin_completion(None)
            raise
        self.shown, self._follows = self.raw, False
        self.views.begin_completion(self.raw)
        self.views.show_turn(self.raw, "")
        self.views.show_running(self.raw.running)

    async def step_version(self, node: str, by: int) -> None:
        branches = await self.bench.branches(node)
        at = next((n for n, other in enumerate(branches) if other.id == node), 0) + by
        if 0 <= at < len(branches):
            await self.bench.switch_branch(branches[at].id)
            await self.refresh_branch()
            await self._read_turns()

    async def set(self, name: str, value: Any, conversation: str | None) -> None:
        """Change a setting; tools are read from JSON or from signatures first."""
        if name == "tools" and isinstance(value, str):
            value = tuple(tool.raw for tool in self.bench.read_tools(value)) if value.strip() else ()
        await self.bench.set(name, value, conversation=conversation)

    async def favour(self, token: int, bias: float) -> None:
        """Make a token likelier or less likely in this conversation; minus infinity bans it, 0 lets it be."""
        conversation = self.conversation or None
        kept = [pair for pair in self.bench.settings(conversation).sampling.logit_bias if pair[0] != token]
        wanted = tuple([*kept, (token, bias)] if bias else kept)
        await self.bench.set("sampling.logit_bias", wanted, conversation=conversation)

    async def save_edit(self, node: str, text: str, then: str, reasoning: str | None = None) -> None:
        """A new version of a message. `then`: `run` has it answered, `go-on` has the model write on in it, `keep` puts
        copies of what follows below it, `save` does no more."""
        fresh = await self.bench.edit(node, text, reasoning=reasoning, keep_following=then == "keep")
        if then == "run":
            await self.regenerate(fresh.id)
        elif then == "go-on":
            await self.continue_(fresh.id)
        await self.refresh_branch()

    async def branch_at(self, node: str) -> None:
        """The next message begins a new branch below this one."""
        await self.bench.branch_at(node)
        await self.refresh_branch()
        self.ask_forecast("")

    async def leave_branch(self) -> None:
        """Back to what followed, without a new branch."""
        end = await self.bench.branch_end(self.conversation) if self.conversation else None
        if end is not None:
            await self.go_to(end)

    async def go_to(self, node: str) -> None:
        """Show the branch that a message is on, and the message."""
        await self.bench.switch_branch(node)
        await self.refresh_branch()
        self.ask_forecast("")
        await self.select(node)

    async def fork(self, node: str) -> None:
        """A new conversation that goes as far as this message; it is opened."""
        title = (await self.bench.conversation(self.conversation)).title
        info = await self.bench.fork(node, tr("{0} (branch)", title))
        await self.open_conversation(info.id)

    async def rerun(self) -> Rerun:
        """Make the turn that is shown again; the panes then show the new one."""
        if self.shown is None:
            raise NothingShownError(tr("Select a turn first: press one of the model's messages."))
        rerun = await self.bench.rerun_turn(self.shown)
        await self.show(rerun.turn)
        return rerun

    async def delete_message(self, node: str) -> None:
        await self.bench.delete(node)
        self.views.offer_undo(True)
        await self.refresh_branch()

    async def delete_conversation(self, conversation: str) -> None:
        await self.bench.delete_conversation(conversation)
        if conversation == self.conversation:
            await self.new_conversation()
        self.views.offer_undo(True)

    async def undo(self) -> None:
        conversation = await self.bench.undo()
        self.views.offer_undo(False)
        if conversation is not None:
            await self.open_conversation(conversation)

    async def open_path(self, path: str) -> None:
        """Load a model."""
        await self.opened.wait()
        await self.bench.load_model(Path(path))

    async def resolve_overflow(self, remedy: Remedy) -> None:
        """The person's word on what does not fit: for the turn that waits for it, else the message is sent so."""
        self.views.show_forecast(None)
        if await self.bench.resolve_overflow(self.conversation, remedy) or remedy == "stop" or not self.conversation:
            return
        if self.bench.settings(self.conversation).overflow != "ask":
            await self.bench.set("overflow", "ask", conversation=self.conversation)
        self._remedy = remedy
        await self.send(self.views.take_draft())


def sentence(error: BaseException) -> str:
    """What a person is told: our own errors are sentences, others get one."""
    text = str(error).strip()
    if isinstance(error, OSError):
        return tr("{0} could not be used: {1}.", error.filename or tr("A file"), told(error.strerror or text))
    known = type(error).__module__.startswith("cutaway.") or (type(error).__name__.endswith("Error") and " " in text)
    return text if known and text else tr("Something unexpected happened: {0}", text or type(error).__name__)
