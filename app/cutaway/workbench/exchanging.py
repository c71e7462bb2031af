"""Files in and out: conversations, turns, and turns made again."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cutaway.chat.message import Request
from cutaway.chat.plain import RequestError
from cutaway.chat.template.error import TemplateError
from cutaway.chat.training import training_view
from cutaway.store.encode import message_json
from cutaway.workbench.asking import Asking
from cutaway.workbench.exchange import (
    MOST_CHARACTERS,
    ExchangeError,
    ReadConversation,
    read_conversations,
    to_cutaway,
    to_markdown,
    to_openai,
    write_json,
)
from cutaway.workbench.library import Library
from cutaway.workbench.model_desk import ModelDesk
from cutaway.workbench.prompting import PromptDesk
from cutaway.workbench.settings_desk import SettingsDesk
from cutaway.workbench.turn import ConversationInfo, Node, Turn
from cutaway.workbench.turn_file import turn_json
from cutaway.workbench.turn_read import TurnFileError, turn_from_json

Form: TypeAlias = Literal["markdown", "openai", "jsonl", "cutaway"]


@dataclass(frozen=True, slots=True)
class Rerun:
    """A turn made again."""

    turn: Turn
    same: bool
    """All its ids are those of the first time."""
    first_difference: int | None
    """Index of the first token that differs."""
    sentence: str
    before: str = ""
    """The text of that token the first time; empty where the turn had ended."""
    after: str = ""
    prompt_differs: bool = False
    """The prompts' own tokens differ already: another vocabulary or template."""
    other_model: str = ""
    """The name of the model file that made the turn, where it is known to be another one."""


NO_MODEL = "The file has the messages without the assistant mask: open a model, whose template writes the text."
NO_REPLY = "The file has the messages without an assistant mask: the model has not replied yet."
NO_MASK = "The file has the messages without the assistant mask: this template's text could not be told apart."


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a file."""

    conversations: list[ConversationInfo]
    warnings: tuple[str, ...]
    """What was read otherwise than it was written, each a sentence."""


class Exchanging:
    def __init__(
        self,
        library: Library,
        settings: SettingsDesk,
        asking: Asking,
        model: ModelDesk,
        prompts: PromptDesk,
    ) -> None:
        self._library = library
        self._settings = settings
        self._asking = asking
        self._model = model
        self._prompts = prompts

    # -- Conversations ------------------------------------------------------------------------------

    async def export(self, conversation: str, path: Path, form: Form) -> str:
        """Answers what the file lacks. Raises ExchangeError or MessageError."""
        lacks = ""
        info = await self._library.info(conversation)
        tree = await self._library.tree(conversation)
        settings = self._asking.settings(conversation, self._model.facts)
        branch = tree.branch()
        tools = self._asking.tools(settings)
        if form == "markdown":
            text = to_markdown(info, branch, settings.system)
        elif form == "openai":
            text = write_json(to_openai(branch, settings.system, tools)) + "\n"
        elif form == "jsonl":
            text, lacks = await self._training_line(conversation, branch)
        else:
            chosen = [tree.chosen_child(parent) or "" for parent in (None, *(node.id for node in tree.walk()))]
            text = write_json(to_cutaway(info, list(tree.walk()), chosen, settings.system, settings.tools)) + "\n"
        await asyncio.to_thread(write_file, path, text)
        return lacks

    async def _training_line(self, conversation: str, branch: Sequence[Node]) -> tuple[str, str]:
        """The branch up to its last reply, with the rendered text and the characters the assistant learns to write."""
        last = max((index for index, node in enumerate(branch) if node.message.role == "assistant"), default=-1)
        facts = self._model.facts
        settings = self._asking.settings(conversation, facts)
        parent = branch[last].id if last >= 0 else None
        asked = await self._asking.request(conversation, parent, settings)
        line: dict[str, Any] = {"messages": [message_json(message) for message in asked.request.messages]}
        if asked.request.tools:
            line["tools"] = [dict(tool.raw) for tool in asked.request.tools]
        lacks = NO_MODEL if facts is None else NO_REPLY if last < 0 else ""
        if facts is not None and last >= 0:
            source = await self._asking.source(settings, facts)
            view = await self._prompts.run(lambda: self._view(asked.request, source))
            line |= view or {}
            lacks = "" if view is not None else NO_MASK
        return json.dumps(line, ensure_ascii=False) + "\n", lacks

    def _view(self, request: Request, source: Any) -> dict[str, Any] | None:
        chosen = source.templates.choose(tools=bool(request.tools))
        try:
            view = training_view(
                request,
                self._prompts.prepare(chosen),
                now=self._prompts.now(),
                bos_token=source.bos_token,
                eos_token=source.eos_token,
            )
        except (RequestError, TemplateError):
            return None
        if view is None:
            return None
        return {"text": view.text, "assistant_spans": [list(span) for span in view.assistant_spans]}

    async def import_(self, path: Path) -> Imported:
        """As new conversations. Raises ExchangeError naming the place; nothing was added then."""
        text = await asyncio.to_thread(read_file, path)
        found = await self._prompts.run(lambda: read_conversations(text, path.name))
        added = [await self._add(conversation) for conversation in found]
        return Imported(added, tuple(dict.fromkeys(warning for read in found for warning in read.warnings)))

    async def _add(self, read: ReadConversation) -> ConversationInfo:
        info = await self._library.create(read.title, created=read.created)
        if read.system:
            await self._settings.set("system", read.system, info.id, "")
        if read.tools:
            await self._settings.set("tools", list(read.tools), info.id, "")
        await self._library.add_read(info.id, read)
        return await self._library.info(info.id)

    # -- Turns --------------------------------------------------------------------------------------

    async def export_turn(self, turn: Turn, path: Path) -> None:
        """Raises ExchangeError."""
        model = turn.model_file or await self._model_file(turn.model)
        value = turn_json(turn, model)
        await asyncio.to_thread(lambda: write_file(path, write_json(value, indent=None) + "\n"))

    async def open_turn(self, path: Path) -> Turn:
        """A turn from a file; it belongs to no conversation. Raises ExchangeError naming the place."""
        text = await asyncio.to_thread(read_file, path)

        def read() -> Turn:
            try:
                return replace(turn_from_json(json.loads(text)), conversation="", message="")
            except json.JSONDecodeError as error:
                place = f"line {error.lineno}, column {error.colno}"
                raise ExchangeError(f"{path.name} is no JSON: {error.msg} at {place}.") from error
            except RecursionError as error:
                raise ExchangeError(f"{path.name} is nested too deeply to be a turn.") from error
            except TurnFileError as error:
                raise ExchangeError(f"{path.name}: {error}") from error

        return await self._prompts.run(read)

    async def compare(self, old: Turn, new: Turn) -> Rerun:
        """Whether a turn that was made again has the ids of the first time, and if not, what may be the cause."""
        rerun = compare(old, new)
        known = old.model_file.get("sha256")
        if rerun.same or not known or known == (await self._model_file(new.model)).get("sha256"):
            return rerun
        name = str(old.model_file.get("name") or Path(old.model).name)
        told = f"{rerun.sentence} It was made with another model file: {name}."
        return replace(rerun, other_model=name, sentence=told)

    async def _model_file(self, path: str) -> dict[str, Any]:
        """What identifies a model file: its hash is made once and remembered with its size and time."""
        try:
            stat = await asyncio.to_thread(os.stat, path)
        except OSError:
            return {"path": path}
        known = self._settings.get("model", path, "sha256", {})
        key = [stat.st_size, stat.st_mtime_ns]
        if not isinstance(known, dict) or known.get("of") != key:
            known = {"of": key, "sha256": await asyncio.to_thread(_sha256, path)}
            self._settings.keep("model", path, "sha256", known)
        facts = self._model.facts
        more = {"name": facts.name, "quantisation": facts.quantisation} if facts and facts.path == path else {}
        return {"path": path, "bytes": stat.st_size, "sha256": known["sha256"], **more}


def compare(old: Turn, new: Turn) -> Rerun:
    """Whether a turn that was made again has the ids of the first time."""
    before = [(token.id, token.piece) for token in old.tokens]
    after = [(token.id, token.piece) for token in new.tokens]
    if before == after:
        return Rerun(new, True, None, f"The same {len(after):,} tokens.")
    shared = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    at = min(len(before), len(after)) if shared is None else shared
    prompt_differs = [token.id for token in old.prompt_tokens] != [token.id for token in new.prompt_tokens]
    why = " The prompt's own tokens differ already: another vocabulary or template." if prompt_differs else ""
    sentence = f"The tokens differ from number {at + 1:,} on.{why}"
    return Rerun(new, False, at, sentence, _text(old, at), _text(new, at), prompt_differs)


def _text(turn: Turn, at: int) -> str:
    return turn.tokens[at].piece.decode("utf-8", "replace") if at < len(turn.tokens) else ""


def write_file(path: Path, text: str) -> None:
    """Written beside the target and moved there whole. Raises ExchangeError."""
    scratch = path.with_name(path.name + ".part")
    try:
        scratch.write_text(text, encoding="utf-8", errors="surrogatepass", newline="\n")
        os.replace(scratch, path)
    except OSError as error:
        _discard(scratch)
        raise ExchangeError(f"{path} cannot be written: {error.strerror or error}. Choose another place.") from error


def _discard(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        pass


def begins_as_turn(path: Path) -> bool:
    """Whether a file begins as `turn_json` writes one; False for one that cannot be read."""
    try:
        with path.open("rb") as file:
            return re.match(rb"""[\s\xef\xbb\xbf]*\{\s*"cutaway"\s*:\s*"turn\"""", file.read(256)) is not None
    except OSError:
        return False


def read_file(path: Path) -> str:
    """Raises ExchangeError."""
    try:
        if path.stat().st_size > MOST_CHARACTERS:
            raise ExchangeError(f"{path.name} is larger than {MOST_CHARACTERS // 1_000_000} MB, too large to be read.")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ExchangeError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise ExchangeError(
            f"{path.name} is no UTF-8 text (byte {error.start}): it is no file of this kind."
        ) from error


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
