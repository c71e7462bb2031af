"""A grammar's markers as the tokens that they are.

The grammar of a constraint spells a marker as text, so a model could write `<tool_call>` in ordinary tokens, which is
text for the reader and for any other program. Where the vocabulary has the marker as a token, the grammar demands that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from cutaway.engine.backend import Vocabulary

_PARTS = re.compile(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|#[^\n]*')
"""Literals, and what may hold a quotation mark without beginning one: classes of characters and comments."""


def marker_tokens(markers: Iterable[str], vocabulary: Vocabulary) -> dict[str, int]:
    """The markers that are one token. Those that end a generation are left out: a finished grammar allows them."""
    added = {text: token for text, token, _ in vocabulary.added()}
    known = {marker: added[marker] for marker in markers if marker in added}
    return {marker: token for marker, token in known.items() if not vocabulary.is_end(token)}


def demand_tokens(grammar: str, tokens: Mapping[str, int]) -> str:
    """GBNF in which each of these texts, within a literal, is its token: `"a<b>"` becomes `("a" <[7]>)`."""
    spelled = {_escaped(text): token for text, token in tokens.items()}
    if not spelled:
        return grammar
    # The longest first: one marker may begin as another does.
    search = re.compile("|".join(map(re.escape, sorted(spelled, key=len, reverse=True))))

    def rewrite(part: re.Match[str]) -> str:
        literal = part[0]
        if literal[0] != '"' or not search.search(literal):
            return literal
        pieces: list[str] = []
        at = 1
        for found in search.finditer(literal, 1, len(literal) - 1):
            pieces += [f'"{literal[at : found.start()]}"'] if found.start() > at else []
            pieces.append(f"<[{spelled[found[0]]}]>")
            at = found.end()
        pieces += [f'"{literal[at:-1]}"'] if at < len(literal) - 1 else []
        return f"({' '.join(pieces)})"

    return _PARTS.sub(rewrite, grammar)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
