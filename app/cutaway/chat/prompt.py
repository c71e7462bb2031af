"""A rendered prompt: a tuple of spans, each of which knows where its characters came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a run of characters came from.

    Template text carries the place in the template that put it out; input carries the field and,
    where the text was taken over unchanged, the characters of the field.
    """

    kind: Literal["template", "input"]
    source: str | None = None
    """The field's path, e.g. `messages[2].content` or `tools[0].function.description`; None for template text."""
    start: int | None = None
    """First character of the field (0-based, half-open with `end`); None where the text is derived, not copied."""
    end: int | None = None
    line: int | None = None
    """1-based line of the template that put the text out."""
    column: int | None = None
    """1-based column there."""


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    origin: Origin

    @property
    def is_input(self) -> bool:
        return self.origin.kind == "input"


@dataclass(frozen=True, slots=True)
class Warning:
    """Something the person should know about the prompt: a repair of the input, a fact about the template."""

    code: str
    """Stable, short, in kebab case: `unknown-kwarg`, `developer-to-system`, `arguments-not-json`, ..."""
    message: str
    """A sentence."""
    field: str | None = None
    """The field it speaks of, e.g. `messages[1].tool_calls[0].arguments`."""


@dataclass(frozen=True, slots=True)
class Prompt:
    spans: tuple[Span, ...]
    generation_start: int
    """Character offset where the generation prompt begins; the length of the text when there is none."""
    warnings: tuple[Warning, ...] = ()
    _text: list[str] = field(default_factory=list, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The whole prompt; the spans' texts joined, once."""
        if not self._text:
            self._text.append("".join(span.text for span in self.spans))
        return self._text[0]

    @property
    def generation_prompt(self) -> str:
        return self.text[self.generation_start :]
