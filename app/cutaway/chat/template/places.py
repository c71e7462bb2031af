"""Where things stand in a template: Jinja's tokens know their line; here they know their column too."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from jinja2 import nodes
from jinja2.lexer import Lexer, TokenStream, newline_re

from .limits import LimitError

MAX_TOKENS = 30_000


class Spot(int):
    """A line number, 1-based, that knows its column, 1-based."""

    column: int = 1


def spot(line: int, column: int) -> Spot:
    place = Spot(line)
    place.column = column
    return place


class PlacedLexer(Lexer):
    """Gives each token a `Spot` for its line number."""

    def tokenize(
        self, source: str, name: str | None = None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        raw = _placed(self.tokeniter(source, name, filename, state), _normal(source))
        return TokenStream(self.wrap(raw, name, filename), name, filename)


def _normal(source: str) -> str:
    """The source as the lexer reads it: one kind of newline, none at the end."""
    lines = newline_re.split(source)[::2]
    if lines and lines[-1] == "":
        del lines[-1]
    return "\n".join(lines)


def _placed(tokens: Iterator[tuple[int, str, str]], source: str) -> Iterator[tuple[int, str, str]]:
    """The lexer drops blanks before tags and after them; the rest of the source comes back token by token."""
    starts = [0] + [at + 1 for at, char in enumerate(source) if char == "\n"]
    at = 0
    for count, (_line, kind, text) in enumerate(tokens):
        if count > MAX_TOKENS:
            raise LimitError(f"the template has more than {MAX_TOKENS:,} tokens")
        while not source.startswith(text, at) and at < len(source) and source[at].isspace():
            at += 1
        row = bisect_right(starts, at) - 1
        yield spot(row + 1, at - starts[row] + 1), kind, text
        at += len(text)


def place_of(node: nodes.Node) -> tuple[int, int]:
    """Line and column where an expression begins: Jinja's node of an operation stands at its operator."""
    while (first := _first_operand(node)) is not None:
        node = first
    return int(node.lineno), int(getattr(node.lineno, "column", 1))


def _first_operand(node: Any) -> nodes.Node | None:
    for name in ("left", "expr1", "expr", "node"):
        operand = getattr(node, name, None)
        if isinstance(operand, nodes.Expr) and not isinstance(node, (nodes.Not, nodes.Neg, nodes.Pos)):
            return operand
    return node.nodes[0] if isinstance(node, nodes.Concat) else None
