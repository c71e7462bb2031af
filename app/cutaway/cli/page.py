"""A prompt as one self-contained page: coloured by origin, blanks visible, every span with its place on hover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from cutaway.chat.prompt import Prompt, Span, Warning
from cutaway.cli.desk import Question
from cutaway.cli.paint import COLOURS, group_of, visible
from cutaway.engine.tokens import Tokenised

_STYLE = """
:root { color-scheme: light dark; --template: #667; --system: #96690a; --developer: #96690a; --user: #1a7a35;
  --assistant: #0a6e86; --tool: #8a3c9a; --tools: #2f56b0; --kwargs: #b03030; --mark: #0001; }
@media (prefers-color-scheme: dark) { :root { --template: #99a; --system: #e0b050; --developer: #e0b050;
  --user: #6fcf87; --assistant: #5ec8de; --tool: #d08ce0; --tools: #8ab0ff; --kwargs: #ff8a8a; --mark: #fff1; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
pre { font: 13px/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
pre span { border-radius: 2px; } pre span:hover { background: var(--mark); } .b { opacity: .35; }
.generation { border-bottom: 2px solid currentColor; } table { border-collapse: collapse; }
td, th { padding: .1rem .8rem .1rem 0; text-align: left; font: 13px ui-monospace, monospace; white-space: pre; }
"""


def page_of(prompt: Prompt, question: Question, tokens: Tokenised | None, warnings: Sequence[Warning]) -> str:
    """The whole page. Nothing in it is loaded from elsewhere, and no text of the prompt is markup."""
    roles = [message.role for message in question.request.messages]
    colours = "\n".join(f".{name} {{ color: var(--{name}); }}" for name in ("template", *COLOURS))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><title>Prompt</title>',
        f"<style>{_STYLE}{colours}</style></head><body>",
        "<h1>Prompt</h1>",
        f"<p>{escape(_about(prompt, question, tokens))}</p>",
        f"<p>{_legend(prompt.spans, roles)}</p>",
        *(f"<p>⚠ {escape(visible(one.message))}</p>" for one in warnings),
        f"<pre>{''.join(_spans(prompt, roles))}</pre>",
    ]
    if tokens is not None:
        parts += ["<h2>Tokens</h2>", "<table><tr><th>id</th><th>characters</th><th>text</th></tr>"]
        parts += [*_rows(prompt, tokens), "</table>"]
    return "\n".join([*parts, "</body></html>", ""])


def _about(prompt: Prompt, question: Question, tokens: Tokenised | None) -> str:
    counted = "" if tokens is None else f", {len(tokens):,} tokens"
    source = question.source
    variant = "" if source.variant == "default" else f" ({source.variant})"
    return f"{len(prompt.text):,} characters{counted}. Template: {source.origin}{variant}, SHA-256 {source.sha256}."


def _legend(spans: Sequence[Span], roles: Sequence[str]) -> str:
    groups = dict.fromkeys(group_of(span, roles) for span in spans)
    return " · ".join(f'<span class="{group}">{group}</span>' for group in groups)


def _spans(prompt: Prompt, roles: Sequence[str]) -> Iterator[str]:
    at = 0
    for span in prompt.spans:
        end = at + len(span.text)
        for text, generated in _parts(span.text, prompt.generation_start - at):
            kind = group_of(span, roles) + (" generation" if generated else "")
            yield f'<span class="{kind}" title="{escape(_place(span))}">{_blanks(text)}</span>'
        at = end


def _parts(text: str, border: int) -> list[tuple[str, bool]]:
    """The text before and after the start of the generation prompt."""
    border = min(max(border, 0), len(text))
    return [(part, late) for part, late in ((text[:border], False), (text[border:], True)) if part]


def _place(span: Span) -> str:
    origin = span.origin
    if origin.source is None:
        return f"template, line {origin.line}, column {origin.column}" if origin.line else "template"
    where = "" if origin.start is None else f", characters {origin.start} to {origin.end}"
    return f"{origin.source}{where}"


def _blanks(text: str) -> str:
    shown = escape(visible(text)).replace("\t", '<i class="b">→</i>\t').replace("\n", '<i class="b">↵</i>\n')
    return shown.replace("  ", ' <i class="b">·</i>')


def _rows(prompt: Prompt, tokens: Tokenised) -> Iterator[str]:
    text = prompt.text
    for token in tokens:
        shown = text[token.start : token.end] or token.piece.decode("utf-8", "replace")
        cells = (str(token.id), f"{token.start}-{token.end}", repr(shown))
        yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
