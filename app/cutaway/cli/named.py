"""The template and the model that a command line names: `TEMPLATE|MODEL`, `--template`, `--model`."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutaway import places
from cutaway.chat.template.sources import given
from cutaway.cli.main import CommandError
from cutaway.engine.template_files import ModelTemplates, read_templates


def describe_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", nargs="?", metavar="TEMPLATE|MODEL", help="a .jinja file, a GGUF, a model folder, chatml"
    )
    parser.add_argument("--model", metavar="FILE", help="the GGUF whose vocabulary (and template) is used")
    parser.add_argument("--template", metavar="FILE|chatml", help="use this template instead of the model's")


def templates_of(arguments: argparse.Namespace) -> ModelTemplates:
    """From --template, else what the command was given, else the model's, else the default model's."""
    wanted = arguments.template or arguments.source or arguments.model
    if wanted == "chatml":
        return ModelTemplates(given("chatml"))
    path = Path(wanted) if wanted else default_model()
    if not path.exists():
        raise CommandError(f"{path} does not exist.")
    templates = read_templates(path)
    model = model_of(arguments)
    if model is None or model == path:
        return templates
    own = read_templates(model)
    return ModelTemplates(templates.sources, own.bos_token, own.eos_token)


def model_of(arguments: argparse.Namespace) -> Path | None:
    """The model beside the template: its BOS, EOS and vocabulary."""
    if arguments.model:
        return Path(arguments.model)
    source = Path(arguments.source) if arguments.source and arguments.source != "chatml" else None
    return source if source is not None and (source.is_dir() or source.suffix.lower() == ".gguf") else None


def default_model() -> Path:
    path = places.default_model()
    if path is None:
        raise CommandError("Name a template or a model: the default model is not installed.")
    return path
