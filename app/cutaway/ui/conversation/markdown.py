"""Markdown to the little HTML that Qt's documents know. Nothing in it can load a file or reach the network."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def to_html(source: str) -> str:
    """Raw HTML is shown as text, images as links to what they name, code blocks as preformatted text."""
    made: str = _parser().render(source)
    return made


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": False})
    parser.enable(["table", "strikethrough"])
    parser.add_render_rule("image", _image)
    parser.add_render_rule("s_open", lambda *_: "<s>")
    parser.add_render_rule(
        "table_open", lambda *_: '<table cellspacing="0" border="0" style="border-collapse: collapse;">'
    )
    return parser


def _image(renderer: Any, tokens: Sequence[Any], index: int, options: Any, environment: Any) -> str:
    token = tokens[index]
    source = html.escape(str(token.attrs.get("src", "")), quote=True)
    label = html.escape(token.content) or source
    return f'<a href="{source}">🖼 {label}</a>'


def warm_up() -> None:
    """Import what rendering needs, before the first message needs it."""
    to_html("warm *up*")
