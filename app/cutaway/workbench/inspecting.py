"""What a person looks at and takes along: forecasts, turns, templates, files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from cutaway.chat.choice import Verified
from cutaway.chat.grammar.schema import Coverage
from cutaway.chat.message import Request
from cutaway.chat.prompt import Prompt
from cutaway.chat.reply import Reply
from cutaway.engine.boundary import Boundaries
from cutaway.workbench.checking import Checked, check_format, check_grammar, check_tools
from cutaway.workbench.exchanging import Form, Imported, Rerun, begins_as_turn
from cutaway.workbench.forecast import Forecast
from cutaway.workbench.foundation import Foundation
from cutaway.workbench.library import MessageError
from cutaway.workbench.templates import TemplateView
from cutaway.workbench.turn import PromptToken, Turn
from cutaway.workbench.turns import TurnError


class Inspecting(Foundation):
    """Turns, old and made again; what the next one would cost; templates; files in and out."""

    # -- What comes next ----------------------------------------------------------------------------

    async def forecast(self, conversation: str, draft: str = "", *, node: str | None = None) -> Forecast:
        """What sending `draft` would cost; with `node`, what a new version of that message would. The conversation
        may be "": a new one.

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

    async def check(self, name: Literal["response_format", "tools", "grammar"], text: str) -> Checked | None:
        """What a text for one of these settings comes to; None for a grammar that is sound.

        Raises RequestError or ToolError naming the place.
        """
        checks = {"response_format": check_format, "tools": check_tools, "grammar": check_grammar}
        return await self._prompts.run(lambda: checks[name](text))

    def token_text(self, token: int) -> str:
        """What a token of the loaded model writes; its number where there is no such token, or no model."""
        if self._model.facts is None:
            return f"#{token}"
        pieces = self._model.vocabulary().pieces().bytes
        return pieces[token].decode("utf-8", "replace") if 0 <= token < len(pieces) else f"#{token}"

    # -- Turns --------------------------------------------------------------------------------------

    async def turn(self, node: str) -> Turn | None:
        """The turn that wrote a message: the live one, or the stored one of any earlier day; None for a person's."""
        conversation, tree = await self._library.find(node)
        name = tree.node(node).turn
        found = await self._turns.turn(name) if name else None
        if found is not None and found.message != node and not found.running:
            return replace(found, message=node, conversation=conversation)  # The message is a copy of another.
        return found

    async def export_turn(self, wanted: str | Turn, path: Path) -> None:
        """A turn (or the one that wrote a message) as one JSON file: model hash, template, settings, seed, messages,
        spans, ids, events, plan. Raises ExchangeError or MessageError.
        """
        turn = await self.turn(wanted) if isinstance(wanted, str) else wanted
        if turn is None:
            raise MessageError("No turn wrote that message, so there is none to export.")
        if turn.running:
            raise MessageError("The turn is still under way. Wait for its end, or stop it first.")
        await self._exchanging.export_turn(turn, path)

    async def open_turn(self, path: Path) -> Turn:
        """Read such a file; the panes can show it without the model. Raises ExchangeError naming the place."""
        return await self._exchanging.open_turn(path)

    async def rerun_turn(self, turn: Turn) -> Rerun:
        """Make the turn again with its settings and seed, and compare the ids. Raises TurnError."""
        if turn.running:
            raise TurnError("The turn is still under way. Wait for its end, or stop it first.")
        again = await self._turns.rerun(turn)
        await self.settled()
        if again.error:
            raise TurnError(again.error)
        return await self._exchanging.compare(turn, again)

    async def complete(
        self, text: str, *, max_tokens: int | None = None, control: bool = False, conversation: str = ""
    ) -> Turn:
        """Completion mode: raw text in, tokens out. Answers the growing turn; its prompt is all input.

        `control` lets the names of control tokens in the text be control tokens. Raises TurnError.
        """
        settings = self._asking.settings(conversation, self._model.facts)
        if max_tokens is not None:
            settings = replace(settings, max_tokens=max_tokens)
        return await self._turns.complete(text, settings, control=control)

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

    async def export(self, conversation: str, path: Path, form: Form) -> str:
        """The current branch (all of the tree for `cutaway`). Raises ExchangeError.

        Answers what the file lacks, as a sentence; empty when it lacks nothing.
        """
        return await self._exchanging.export(conversation, Path(path), form)

    async def is_turn_file(self, path: Path) -> bool:
        """Whether a JSON file holds a turn rather than conversations, as its beginning says."""
        return await asyncio.to_thread(begins_as_turn, Path(path))

    async def import_(self, path: Path) -> Imported:
        """OpenAI JSON or ours, as new conversations. Raises ExchangeError naming the place in the file."""
        return await self._exchanging.import_(Path(path))
