"""Templates found in files and folders: which of several counts, and what is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cutaway.engine.template_files import TemplateFileError, read_templates
from support import assets


def folder(tmp_path: Path, config: dict[str, Any] | None = None, **files: str) -> Path:
    if config is not None:
        (tmp_path / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    for name, content in files.items():
        path = tmp_path / name.replace("__", "/").replace("_jinja", ".jinja")
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path


def test_the_file_wins_over_the_config_and_the_difference_is_shown(tmp_path: Path) -> None:
    found = read_templates(
        folder(tmp_path, {"chat_template": "old\n", "bos_token": "<s>"}, chat_template_jinja="new\n")
    )
    assert found.sources.default.text == "new\n"
    assert found.bos_token == "<s>"
    (warning,) = found.sources.warnings
    assert warning.code == "template-drift"
    assert "-old\n+new" in warning.message


def test_the_same_twice_is_no_difference(tmp_path: Path) -> None:
    found = read_templates(folder(tmp_path, {"chat_template": "same"}, chat_template_jinja="same"))
    assert found.sources.warnings == ()


def test_named_templates_from_both_places(tmp_path: Path) -> None:
    named = [{"name": "default", "template": "D"}, {"name": "tool_use", "template": "T"}]
    config = {"chat_template": named, "eos_token": {"content": "</s>", "special": True}}
    found = read_templates(folder(tmp_path, config, additional_chat_templates__rag_jinja="R"))
    assert found.sources.choose(tools=True).text == "T"
    assert found.sources.choose(tools=False, variant="rag").text == "R"
    assert found.eos_token == "</s>"


def test_a_processor_template_of_older_folders(tmp_path: Path) -> None:
    (tmp_path / "chat_template.json").write_text('{"chat_template": "P"}', encoding="utf-8")
    assert read_templates(tmp_path).sources.default.text == "P"


def test_a_folder_without_any(tmp_path: Path) -> None:
    assert [one.code for one in read_templates(folder(tmp_path, {})).sources.warnings] == ["no-template"]


def test_a_model_file_and_a_template_file(tmp_path: Path) -> None:
    model = read_templates(assets.default_model())
    assert (model.bos_token, model.eos_token) == ("<|im_start|>", "<|im_end|>")
    assert "SmolLM" in model.sources.default.text
    path = tmp_path / "mine.jinja"
    path.write_text("{{ 1 }}", encoding="utf-8")
    assert read_templates(path).sources.default.origin == "mine.jinja"


def test_files_that_hold_no_template_are_sentences(tmp_path: Path) -> None:
    (tmp_path / "binary.jinja").write_bytes(b"\xff\xfe\x00\x01")
    (tmp_path / "nul.jinja").write_bytes(b"a\0b")
    (tmp_path / "short.gguf").write_bytes(b"GGUF")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "tokenizer_config.json").write_text("{", encoding="utf-8")
    for name in ("binary.jinja", "nul.jinja", "short.gguf", "bad", "missing.jinja"):
        with pytest.raises(TemplateFileError, match=r"\."):
            read_templates(tmp_path / name)
