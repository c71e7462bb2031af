"""Finds the chat templates that a file or a folder carries.

A Hugging Face folder may hold them in two places: files of their own (`chat_template.jinja`,
`additional_chat_templates/NAME.jinja`) win over `tokenizer_config.json`, as in transformers 5.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutaway.chat.prompt import Warning
from cutaway.chat.template.sources import TemplateSources, difference, found, given
from cutaway.engine.gguf_file import GgufError, read_gguf

TEXT_LIMIT = 16_000_000


class TemplateFileError(Exception):
    """No template can be read there. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class ModelTemplates:
    """A model's templates with the special tokens that go with them; empty where unknown."""

    sources: TemplateSources
    bos_token: str = ""
    eos_token: str = ""
    response_template: object = None
    """How the maker describes outputs, as it stands in the file; None where nothing is published."""


def read_templates(path: Path) -> ModelTemplates:
    """The templates of a GGUF, a template file, `tokenizer_config.json`, or a model folder.

    Raises `TemplateFileError`.
    """
    if path.is_dir():
        return _of_folder(path)
    if path.name == "tokenizer_config.json":
        return _of_folder(path.parent)
    if path.suffix.lower() == ".gguf" or _is_gguf(path):
        return _of_gguf(path)
    text = _text_of(path)
    if "\0" in text:
        raise TemplateFileError(f"{path.name} is neither a GGUF model nor a text; choose a template or a model.")
    return ModelTemplates(given(text, path.name))


def _is_gguf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"GGUF"
    except OSError:
        return False


def _of_gguf(path: Path) -> ModelTemplates:
    try:
        metadata = read_gguf(path)
    except GgufError as error:
        raise TemplateFileError(str(error)) from error
    sources = found(metadata.chat_templates, path.name)
    return ModelTemplates(sources, metadata.texts.get("bos", ""), metadata.texts.get("eos", ""))


def _of_folder(folder: Path) -> ModelTemplates:
    config = _json_of(folder / "tokenizer_config.json")
    inside = _config_templates(config)
    files = _template_files(folder)
    if not inside and not files:
        legacy = _json_of(folder / "chat_template.json").get("chat_template")
        inside = {"default": legacy} if isinstance(legacy, str) else {}
    warnings = tuple(
        _drift(name, files[name], inside[name]) for name in files if name in inside and files[name] != inside[name]
    )
    sources = found({**inside, **files}, folder.name or str(folder), warnings)
    return ModelTemplates(
        sources, _token(config, "bos_token"), _token(config, "eos_token"), config.get("response_template")
    )


def _template_files(folder: Path) -> dict[str, str]:
    templates: dict[str, str] = {}
    main = folder / "chat_template.jinja"
    if main.is_file():
        templates["default"] = _text_of(main)
    for path in sorted((folder / "additional_chat_templates").glob("*.jinja")):
        templates[path.stem] = _text_of(path)
    return templates


def _config_templates(config: Mapping[str, Any]) -> dict[str, str]:
    """The templates in tokenizer_config.json: one text, or a list of {name, template}."""
    value = config.get("chat_template")
    if isinstance(value, str):
        return {"default": value}
    items = value if isinstance(value, list) else []
    pairs = [(item.get("name"), item.get("template")) for item in items if isinstance(item, dict)]
    return {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}


def _token(config: Mapping[str, Any], key: str) -> str:
    value = config.get(key)
    if isinstance(value, dict):
        value = value.get("content")
    return value if isinstance(value, str) else ""


def _drift(name: str, from_file: str, from_config: str) -> Warning:
    file = "chat_template.jinja" if name == "default" else f"additional_chat_templates/{name}.jinja"
    shown = difference(from_config, from_file, "tokenizer_config.json", file)
    message = f"{file} and tokenizer_config.json hold different templates; the file's is used.\n{shown}"
    return Warning("template-drift", message)


def _json_of(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        value = json.loads(_text_of(path))
    except (ValueError, RecursionError) as error:
        raise TemplateFileError(f"{path.name} is no valid JSON: {error}. Fetch it again.") from error
    return value if isinstance(value, dict) else {}


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > TEXT_LIMIT:
            raise TemplateFileError(
                f"{path.name} is larger than {TEXT_LIMIT // 1_000_000} MB, too large for a template."
            )
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise TemplateFileError(f"{path.name} can't be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise TemplateFileError(
            f"{path.name} is neither a GGUF model nor UTF-8 text; choose a template or a model."
        ) from error
