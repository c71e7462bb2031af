"""Every string that the window shows goes through `tr`, and every one has its Chinese translation."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel

import cutaway.ui
from cutaway import places
from cutaway.chat.formats.format import IdKind
from cutaway.chat.template.capabilities import Capabilities
from cutaway.engine.sampling import PRESETS as SAMPLING
from cutaway.ui import words
from cutaway.ui.actions import COMMANDS, MENUS
from cutaway.ui.app import application
from cutaway.ui.boundary.became import WAYS
from cutaway.ui.boundary.payloads import FIELDS
from cutaway.ui.conversation.cards import CallCard, HeadCard
from cutaway.ui.conversation.editor_card import EditorCard
from cutaway.ui.conversation.gauge import ORIGINS as GAUGED
from cutaway.ui.files import EXPORTS
from cutaway.ui.look.marks import MARKS
from cutaway.ui.models.calls import VERDICTS
from cutaway.ui.models.memory import PARTS
from cutaway.ui.models.tokens import HEAD_TIPS, PROMPT_COLUMNS, REPLY_COLUMNS
from cutaway.ui.panes.compare import TABS
from cutaway.ui.panes.template import PAGES
from cutaway.ui.prompt.turn_choice import SPECIAL
from cutaway.ui.registry import KINDS
from cutaway.ui.setting_editors import ToolChoiceEditor
from cutaway.ui.setting_rows import ROWS, STAGES
from cutaway.ui.templates import choice, facts, probes, trial
from cutaway.ui.templates.samples import samples
from cutaway.ui.widgets.reply_view import NAMES as IN_REPLY

FILE = places.resources() / "translations" / "cutaway_zh_CN.ts"
SAY = {
    "_words": 0,
    "add_group": 0,
    "add_head": 0,
    "_row": 0,
    "tr": 0,
    "say": 2,
    "_button": 1,
    "_toggle": 1,
    "CloseButton": 0,
    "Link": 0,
    "Sheet": 0,
    "CodeEdit": 0,
    "TemplateChoice": 1,
}
"""Functions that are given English words, and which argument the words are."""
OTHERS = (
    "As the model's file recommends",
    *("You", "System", "Tool result", "user", "assistant", "system", "tool"),
    *("Ban this token", "Favour this token", "Leave this token alone"),
    *("Blocks", "Calls", "Message", "Events", "Grammar", "Paste"),
    *("Reply", "word", "pattern", "pattern_full", "token", "asleep", "holds"),
    *(*WAYS, "Side by side", *TABS, *PARTS.values(), *trial.UPPER, *trial.LOWER, *trial.VIEWS),
    *(
        *choice.NAMES.values(),
        *facts.PREFILLS.values(),
        *probes.ORIGINS.values(),
        *IN_REPLY.values(),
        *SPECIAL.values(),
        *HEAD_TIPS.values(),
        *VERDICTS,
    ),
    *(words for _, words in probes.PARTS),
    *("ok", "template drops data", "prefix break", "parsed wrongly", "error", "not applicable"),
    *("enforced", "approximated", "ignored"),
    *("default", "file", "model", "conversation", "As the system", "Light", "Dark"),
    *("the model's file", "this model", "this conversation"),
    *("channels", "wrapped", "plain", "none", "tags"),
    *("reasoning", "content", "call name", "call args", "call id", "markup", "space", "unparsed"),
)


def calls() -> list[tuple[str, str]]:
    """(file, words) of every literal in the window's source that is shown."""
    found = []
    for path in sorted(Path(next(iter(cutaway.ui.__path__))).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.For):
                found += [(path.name, text) for text in looped(node)]
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name == "choices":
                texts = node.args[1] if len(node.args) > 1 else ast.Tuple()
                found += [(path.name, n.value) for n in getattr(texts, "elts", ()) if isinstance(n, ast.Constant)]
            taken = node.args if name == "Empty" else node.args[SAY[name] : SAY[name] + 1] if name in SAY else []
            found += [(path.name, n.value) for n in taken if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return found


def looped(loop: ast.For) -> list[str]:
    """The words in a loop over a literal table whose column is given to `say` or `tr` in the loop's body."""
    rows = [row for row in getattr(loop.iter, "elts", ()) if isinstance(row, ast.Tuple)]
    columns = getattr(loop.target, "elts", ())
    said = {
        argument.id
        for statement in loop.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in SAY
        for argument in node.args
        if isinstance(argument, ast.Name)
    }
    places_ = [n for n, column in enumerate(columns) if isinstance(column, ast.Name) and column.id in said]
    texts = [row.elts[n] for row in rows for n in places_ if n < len(row.elts)]
    return [text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str)]


def needed() -> set[str]:
    tables = {words for _, words in calls() if words}
    tables |= {command.title for command in COMMANDS} | set(MENUS) | {kind.title for kind in KINDS}
    tables |= {mark.name for mark in MARKS} | set(REPLY_COLUMNS) | set(PROMPT_COLUMNS) | set(FIELDS) | set(PAGES)
    tables |= (
        {title for _, title in HeadCard.ACTIONS}
        | {title for title, _ in EditorCard.ACTIONS}
        | {title for title, _ in CallCard.ANSWERS}
        | {name for name, _ in samples()}
        | {name for _, name in GAUGED.values()}
        | {text for _, text in ToolChoiceEditor.WAYS}
        | set(OTHERS)
        | set(SAMPLING)
        | {name for name, _ in EXPORTS.values()}
    )
    tables |= {name.removeprefix("supports_").replace("_", " ") for name in Capabilities().flags()}
    tables |= set(get_args(IdKind))
    for row in ROWS:
        tables |= {row.title, row.help, row.group, *(text for _, text in row.choices)}
    tables |= set(STAGES.values())
    return {text for text in tables if re.search(r"[A-Za-z]{2}", text)}


def translations() -> dict[str, str]:
    return {
        message.findtext("source") or "": message.findtext("translation") or ""
        for message in ElementTree.parse(FILE).iter("message")
    }


def test_every_string_is_translated() -> None:
    known = translations()
    assert sorted(text for text in needed() if not known.get(text)) == []


def test_no_translation_is_left_over() -> None:
    assert sorted(set(translations()) - needed()) == []


def test_translations_keep_the_places_of_values() -> None:
    for source, translation in translations().items():
        assert sorted(set(re.findall(r"{\d}", source))) == sorted(set(re.findall(r"{\d}", translation))), source


def test_the_language_is_switched_without_a_restart() -> None:
    application()
    label = QLabel()
    words.choose("en")
    words.say(label, "setText", "Send")
    assert label.text() == "Send"
    words.choose("zh_CN")
    assert label.text() == "发送"
    assert words.tr("{0} tokens", 3) == "3 个 token"
    words.choose("en")
    assert label.text() == "Send"


def test_qt_speaks_the_same_language() -> None:
    application()
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    cancel = box.button(QDialogButtonBox.StandardButton.Cancel)
    words.choose("zh_CN")
    QApplication.sendPostedEvents()
    assert "取消" in cancel.text()
    words.choose("en")
    QApplication.sendPostedEvents()
    assert "Cancel" in cancel.text()


def test_an_unknown_language_is_english() -> None:
    words.choose("xx")
    assert words.language() == "en"
    assert words.tr("Send") == "Send"
