"""What goes wrong with a template, as a sentence with its place."""

from __future__ import annotations

from typing import Literal, TypeAlias

ErrorKind: TypeAlias = Literal["syntax", "raised", "undefined", "security", "limit", "runtime", "input"]
"""`syntax`: it does not compile; `raised`: the template's own `raise_exception`; `undefined`: it uses what it
was not given; `security`: the sandbox refused; `limit`: time, output or nesting ran out; `runtime`: any other
failing operation; `input`: the variables cannot be handed to a template."""


class TemplateError(Exception):
    """A template that does not compile, or a rendering that failed: the template's fault, or the input's.

    `message` is a sentence; for `raised` it is the template's own text, verbatim.
    `line` and `column` are 1-based places in the template where they are known.
    """

    def __init__(
        self,
        message: str,
        line: int | None = None,
        column: int | None = None,
        kind: ErrorKind = "runtime",
        *,
        source_line: str = "",
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.kind = kind
        self.source_line = source_line
        """The template's line as it is written, without its indentation; of a long one what stands around the column."""
        self.field = field
        """The request's field at fault, when it is the input's."""

    def __str__(self) -> str:
        if self.line is None:
            return self.message
        column = "" if self.column is None else f", column {self.column}"
        shown = f": {self.source_line}" if self.source_line else ""
        return f"{self.message} (template line {self.line}{column}{shown})"
