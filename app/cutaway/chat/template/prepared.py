"""A template made ready once: compiled, with all that is known about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cutaway.chat.template.limits import Budget
from cutaway.chat.template.render import Template, compile_template
from cutaway.chat.template.sources import TemplateSource


@dataclass(frozen=True, slots=True)
class PreparedTemplate:
    """Depends on the template's text only, so it is kept by the text's SHA-256."""

    source: TemplateSource
    template: Template
    sha256: str


def prepare_template(source: TemplateSource, budget: Callable[[], Budget] = Budget) -> PreparedTemplate:
    """Compiles the template and finds out what it can do. `budget` gives the limits of each trial rendering.

    Raises `TemplateError` where the template does not compile.
    """
    return PreparedTemplate(source, compile_template(source.text), source.sha256)
