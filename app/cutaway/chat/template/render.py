"""A template compiled once, rendered to spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import jinja2
import jinja2.sandbox

from ..prompt import Origin, Span, Warning
from .error import TemplateError
from .limits import Budget


@dataclass(frozen=True, slots=True)
class Rendered:
    spans: tuple[Span, ...]
    warnings: tuple[Warning, ...] = ()
    generation_ranges: tuple[tuple[int, int], ...] = ()
    """Half-open character ranges of the `{% generation %}` blocks."""
    lines_used: frozenset[int] = frozenset()
    """1-based template lines that ran."""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    source: str
    lenient: bool
    _template: Any

    def render(
        self,
        variables: Mapping[str, object],
        *,
        paths: Mapping[str, str] | None = None,
        vouched: Sequence[str] = ("bos_token", "eos_token", "pad_token", "unk_token", "sep_token", "cls_token"),
        now: datetime | None = None,
        budget: Budget | None = None,
    ) -> Rendered:
        try:
            text = self._template.render(**variables)
        except jinja2.TemplateError as error:
            raise TemplateError(str(error)) from None
        return Rendered((Span(text, Origin("template")),))


def compile_template(source: str, *, lenient: bool = True) -> Template:
    """Raises `TemplateError` of kind `syntax`."""
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    try:
        return Template(source, lenient, environment.from_string(source))
    except jinja2.TemplateSyntaxError as error:
        raise TemplateError(error.message or "", error.lineno, None, "syntax") from None
