"""What the layers below say reaches a Chinese reader in Chinese: every sentence in their source has its translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import cutaway
from cutaway.ui import words
from cutaway.ui.app import application
from cutaway.ui.conversation.small_cards import sentence_and_marks
from cutaway.ui.sentences import Book, told

ROOT = Path(cutaway.__file__).parent
LAYERS = ("chat", "engine", "workbench", "tools", "store", "default_model.py")
UNSAID = (
    *(
        "chat/formats/",
        "chat/grammar/formats.py",
        "chat/analysis/cases.py",
        "chat/analysis/probes.py",
    ),  # Markers, trials.
    "store/database.py",  # SQL.
    *("tools/built_in.py", "tools/calculate.py"),  # The model reads it, as a tool's result.
    *(
        "chat/template/filters.py",
        "chat/template/formatting.py",
        "chat/template/marked.py",
        "chat/template/sequences.py",
    ),
    *(
        "chat/template/generator.py",
        "chat/template/guards.py",
        "chat/template/tojson.py",
    ),  # Python's and Jinja's own words.
    *("chat/template/misfits.py", "chat/template/traits.py", "engine/scripted.py", "store/error.py"),
)
NOT_SAID = {
    *("Go on.", "{0} KEY {1} VALUE {2}.", "Thank you.", "When does the next train leave?", "Good day", "A greeting."),
    *("Hello again", "How are you?", "Is it raining?", "Let me see.", "And then?", "And then, what?", "0 results"),
    *("User message", "Tool response", "The tool response was 'tool response'", "Tool description"),
    *("Assistant message", "Reasoning content", "System message", "Arg description", "Be kind. {0}"),  # Trials.
    *("The user did not allow this call.", "The user does not allow this tool."),  # The model reads it.
    *("LM Studio", "Hugging Face", "Application Support", "## System", "## {0}{1}", "Calls `{0}`:", "async def "),
    *("unknown model architecture", "unknown pre-tokenizer", "if false", ": null", "a format is a dataclass"),
    *("format_map() takes no keyword arguments", "format_map() takes exactly one argument ({0} given)"),
    *("arguments were told before their call", "a call ended before it began", "syntax error"),
    *("message {0} cannot move from {1} to {2}", "{0} and {1}", "cutaway: {0}", "one of ", " CPU compute ", "last end"),
    *("No loops", "Steady surprise"),  # Presets, which `tr` names.
}
"""Names, trials and messages that no person reads in the window."""
CODE = re.compile(r"[<>\\|=\[\]]|^[A-Z]{3,} |^BEGIN|%s| -m pip |\{\"")


def sentences(file: Path) -> Iterator[str]:
    """Texts of at least two words in a file's source, with `{0}`, `{1}`, ... for what is put into them."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    apart: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            apart.add(id(node.value))  # Docstrings.
        if isinstance(node, ast.JoinedStr):
            apart.update(map(id, node.values))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and owner(node.func) == "log":
            apart.update(map(id, ast.walk(node)))
    for node in ast.walk(tree):
        text = text_of(node) if id(node) not in apart else ""
        if len(re.findall(r"[A-Za-z]+|\{\d\}", text)) > 1 and re.search(r"[A-Za-z]{2}", text) and " " in text.strip():
            yield text


def owner(function: ast.Attribute) -> str:
    return function.value.id if isinstance(function.value, ast.Name) else ""


def text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    parts, values = [], 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        else:
            parts.append(f"{{{values}}}")
            values += 1
    return "".join(parts)


@cache
def source() -> dict[str, str]:
    """Every sentence of the layers below, and the file that says it."""
    found: dict[str, str] = {}
    for layer in LAYERS:
        place = ROOT / layer
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            found |= dict.fromkeys(sentences(file), file.relative_to(ROOT).as_posix())
    return found


def needed() -> dict[str, str]:
    """Those that a person may read."""
    return {
        text: name
        for text, name in source().items()
        if not name.startswith(UNSAID) and text not in NOT_SAID and not CODE.search(text) and "\n" not in text
    }


def test_every_sentence_of_the_layers_below_is_translated() -> None:
    known = words.read_table("sentences", "zh_CN")
    assert sorted(f"{name}: {text}" for text, name in needed().items() if text not in known) == []


def test_no_translation_is_left_over() -> None:
    known = words.read_table("sentences", "zh_CN")
    assert sorted(text for text in known if text not in source() and text not in OTHERS) == []


OTHERS = {
    *("{0} is not of type {1}", "{0} is a required property", "{0} is not one of {1}", "{0} is too long"),
    *("Additional properties are not allowed ({0} was unexpected)", "{0} is too short", "{0} should be non-empty"),
    *("Additional properties are not allowed ({0} were unexpected)", "{0} does not match {1}", "{0} was expected"),
    *("{0} is less than the minimum of {1}", "{0} is greater than the maximum of {1}", "{0} is not a {1}"),
    *("{0} is not a multiple of {1}", "{0} has non-unique elements"),
    "{0} is not valid under any of the given schemas",
    *("Expecting value", "Expecting property name enclosed in double quotes", "Expecting ':' delimiter"),
    *("Expecting ',' delimiter", "Illegal trailing comma before end of object", "Extra data"),
    *("Illegal trailing comma before end of array", "Unterminated string starting at"),
    *("Invalid control character at", "Invalid \\escape: {0}", "No space left on device", "Permission denied"),
    *("No such file or directory", "Is a directory", "Read-only file system", "File name too long"),
    *("database or disk is full", "disk I/O error", "unable to open database file", "database is locked"),
    *("attempt to write a readonly database", "file is not a database", "database disk image is malformed"),
    *("read", "kept", "content", "one of {0}", "the {0}", "{0} is", "a missing )", "expected )", "expected }"),
}
"""What Python, jsonschema, SQLite and the system say, and sentences that are put together from two halves."""


def test_translations_keep_the_values() -> None:
    for source, translation in words.read_table("sentences", "zh_CN").items():
        assert sorted(re.findall(r"\{\d\}", source)) == sorted(re.findall(r"\{\d\}", translation)), source


@pytest.fixture
def chinese() -> Iterator[None]:
    application()
    words.choose("zh_CN")
    yield
    words.choose("en")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("The same 12 tokens.", "12 个 token 完全相同。"),
        ("f.json: messages[0].role is missing.", "f.json：缺少 messages[0].role。"),
        ("temperature must be true, false or null, not 'x'.", "temperature 必须是 true、false 或 null，而不是 'x'。"),
        ("f.json is no JSON: Expecting value at line 3, column 4.", "f.json 不是 JSON：第 3 行第 4 列处此处应有值。"),
        ("verified 49 of 53; history breaks the prefix in 2", "已验证 49/53；历史在 2 个案例中破坏前缀"),
        (
            "a.gguf is a LoRA adapter, not a whole model. Open its base model and add it there.",
            "a.gguf 是 LoRA 适配器，不是完整模型。请打开其基础模型并在那里添加它。",
        ),
        (
            "The program ended while it was loading a.gguf. Your conversations are whole.",
            "程序在加载 a.gguf 时意外结束。您的对话完好无损。",
        ),
        ("Leave out the 3 oldest turns: 120 tokens less.", "省略最早的 3 轮：减少 120 个 token。"),
        ("Something else entirely, by a template", "Something else entirely, by a template"),
        ("", ""),
    ],
)
def test_a_sentence_is_said_with_its_values(chinese: None, said: str, shown: str) -> None:
    assert told(said) == shown


def test_english_stays_as_it_was_said() -> None:
    words.choose("en")
    assert told("The same 12 tokens.") == "The same 12 tokens."


def test_a_value_is_never_lost(chinese: None) -> None:
    book = Book({"{0} and {1} differ.": "{1} 与 {0} 不同。"})
    for first in ("a.b", "{0}", "(.*?)", "\\1", "名字", " "):
        said = book.say(f"{first} and x differ.")
        assert said.endswith("不同。")
        assert first.strip() in said


def test_what_is_huge_or_hostile_costs_little(chinese: None) -> None:
    for text in ("The " * 100_000, "is " * 1000, ". ".join("a is b" for _ in range(500))):
        assert told(text)


@pytest.mark.parametrize(
    ("note", "found"),
    [
        ("edited, left out", ("", ["edited", "left out"])),
        ("It was too long, so nothing was sent., left out", ("It was too long, so nothing was sent.", ["left out"])),
        ("Only a sentence, of two parts.", ("Only a sentence, of two parts.", [])),
    ],
)
def test_marks_stand_behind_a_sentence(note: str, found: tuple[str, list[str]]) -> None:
    assert sentence_and_marks(note, {"edited", "left out"}) == found
