"""Markdown to the little HTML that Qt's documents know. Nothing in it can load a file or reach the network."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from cutaway.ui.conversation.formulas import Source, drawing, known
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token


_BOXES = {"[ ] ": "☐", "[x] ": "☑"}
_BLOCK = r"</?(?:p|ul|ol|li|table|thead|tbody|tr|th|td|blockquote|h[1-6]|hr|pre)\b[^>]*>"
_BREAK_BEFORE, _BREAK_AFTER = re.compile(rf"\n({_BLOCK})"), re.compile(rf"({_BLOCK})\n")
"""Line breaks of the HTML itself: Qt would take them for blanks at the ends of lines."""


@dataclass(frozen=True, slots=True)
class Rendered:
    html: str
    """With an image named `formula:N` for each formula that is drawn."""
    formulas: list[Source]
    missing: list[Source]
    """Formulas that were not drawn yet; they are shown as their source."""


def render(source: str) -> Rendered:
    """Raw HTML is shown as text, images as links to what they name, code blocks as preformatted text."""
    formulas: list[Source] = []
    missing: list[Source] = []
    made: str = _parser().render(source, {"formulas": formulas, "missing": missing})
    return Rendered(_BREAK_AFTER.sub(r"\1", _BREAK_BEFORE.sub(r"\1", made)), formulas, missing)


def to_html(source: str) -> str:
    """As `render`, with formulas as far as they are drawn."""
    return render(source).html


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.texmath import texmath_plugin

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": False})
    parser.enable(["table", "strikethrough"])
    parser.use(texmath_plugin, delimiters="brackets")
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, allow_labels=False, double_inline=True)
    parser.inline.ruler.before("escape", "math_display", _display)
    parser.core.ruler.push("display", _set_apart)
    for kind in ("math_inline", "math_inline_double", "math_block", "math_block_eqno"):
        parser.add_render_rule(kind, _formula)
    parser.add_render_rule("image", _image)
    for kind in ("fence", "code_block"):
        parser.add_render_rule(kind, _code)
    parser.add_render_rule("s_open", lambda *_: "<s>")
    parser.core.ruler.push("tasks", _tick)
    return parser


def _formula(renderer: Any, tokens: Sequence[Any], index: int, options: Any, environment: Any) -> str:
    token = tokens[index]
    displayed = token.type != "math_inline"
    source = (token.content.strip(), displayed)
    if drawing(source) is not None:
        environment["formulas"].append(source)
        shown = f'<img src="formula:{len(environment["formulas"]) - 1}">'
    else:
        if not known(source):
            environment["missing"].append(source)
        shown = f"<code>{html.escape(_written(token))}</code>"
    if token.type.startswith("math_block"):
        return f'<p align="center">{shown}</p>'
    return shown


def _display(state: StateInline, silent: bool) -> bool:
    """`\\[ … \\]` inside a paragraph: the plugin knows it only as a block of its own."""
    if not state.src.startswith("\\[", state.pos):
        return False
    end = state.src.find("\\]", state.pos + 2, state.posMax)
    if end < 0:
        return False
    if not silent:
        token = state.push("math_inline_double", "math", 0)
        token.markup, token.content = "\\[", state.src[state.pos + 2 : end]
    state.pos = end + 2
    return True


def _written(token: Any) -> str:
    """A formula with its delimiters, as the model wrote it."""
    opening = token.markup or "$"
    closing = {"\\(": "\\)", "\\[": "\\]"}.get(opening, opening)
    return f"{opening}{token.content}{closing}"


def _set_apart(state: StateCore) -> None:
    """Formulas on lines of their own, written within a paragraph, become paragraphs between its parts."""
    made: list[Token] = []
    for token in state.tokens:
        inside = made[-1].type == "paragraph_open" if made else False
        if token.type == "inline" and inside and any(_is_display(child) for child in token.children or ()):
            opening = made.pop()
            made += _parted(opening, token)
        else:
            made.append(token)
    state.tokens = made


def _tick(state: StateCore) -> None:
    """Tasks in lists get the signs of boxes."""
    for before, token in zip(state.tokens[1:], state.tokens[2:], strict=False):
        if token.type != "inline" or not token.children or before.type != "paragraph_open" or before.level == 0:
            continue
        first = token.children[0]
        sign = _BOXES.get(first.content[:4].lower())
        if sign and first.type == "text":
            first.content = f"{sign} {first.content[4:]}"


def _is_display(token: Token) -> bool:
    return token.type == "math_inline_double" and token.level == 0


def _parted(opening: Token, inline: Token) -> list[Token]:
    """All of the paragraph but its close."""
    from markdown_it.token import Token

    groups: list[list[Token]] = [[]]
    for child in inline.children or ():
        if _is_display(child):
            groups += [[child], []]
        else:
            groups[-1].append(child)
    kept = [group for group in groups if any(child.content.strip() or child.type == "image" for child in group)]
    made: list[Token] = []
    for number, group in enumerate(kept):
        if number:
            made.append(Token("paragraph_close", "p", -1))
        begin = opening.copy(attrs={"align": "center"} if _is_display(group[0]) else {}, hidden=False)
        part = inline.copy(children=_trimmed(group))
        made += [begin, part]
    return made


def _trimmed(group: list[Token]) -> list[Token]:
    """Without the blanks and line breaks at its ends."""
    breaks = ("softbreak", "hardbreak")
    while group and group[0].type in breaks:
        group = group[1:]
    while group and group[-1].type in breaks:
        group = group[:-1]
    if group and group[0].type == "text":
        group = [group[0].copy(content=group[0].content.lstrip()), *group[1:]]
    if group and group[-1].type == "text":
        group = [*group[:-1], group[-1].copy(content=group[-1].content.rstrip())]
    return group


def _code(renderer: Any, tokens: Sequence[Any], index: int, options: Any, environment: Any) -> str:
    """Code inside a list or a quotation; other code has a card of its own."""
    return f"<pre>{html.escape(tokens[index].content.rstrip(chr(10)))}</pre>"


def _image(renderer: Any, tokens: Sequence[Any], index: int, options: Any, environment: Any) -> str:
    token = tokens[index]
    source = html.escape(str(token.attrs.get("src", "")), quote=True)
    label = html.escape(token.content) or source
    return f'<a href="{source}">{html.escape(tr("Image: {0}", ""))}{label}</a>'


def warm_up() -> None:
    """Import what rendering needs, before the first message needs it."""
    to_html("warm *up*")
