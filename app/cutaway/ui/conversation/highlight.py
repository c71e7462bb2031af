"""Code to runs of colours, on a thread: a language's rules may take long to load, and the window never waits."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache

from cutaway.ui.text.runs import Run

log = logging.getLogger(__name__)

_executor = ThreadPoolExecutor(1, thread_name_prefix="highlight")

_KINDS = (
    ("Token.Keyword", "keyword"),
    ("Token.Name.Tag", "keyword"),
    ("Token.Literal.String", "string"),
    ("Token.Literal.Number", "number"),
    ("Token.Comment", "comment"),
    ("Token.Name.Function", "name"),
    ("Token.Name.Class", "name"),
    ("Token.Name.Builtin", "name"),
    ("Token.Name.Attribute", "name"),
    ("Token.Operator", "operator"),
    ("Token.Punctuation", "operator"),
)


@lru_cache(maxsize=512)
def runs_of(code: str, language: str) -> tuple[Run, ...]:
    """Runs of the kinds `keyword`, `string`, `number`, `comment`, `name`, `operator`; the rest has none."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    runs, at = [], 0
    for token, text in lexer.get_tokens(code):
        kind = _kind(str(token))
        if kind and text.strip():
            runs.append(Run(at, at + len(text), kind))
        at += len(text)
    return tuple(runs)


@lru_cache(maxsize=512)
def _kind(token: str) -> str:
    return next((kind for prefix, kind in _KINDS if token.startswith(prefix)), "")


def ask(code: str, language: str, answer: Callable[[str, tuple[Run, ...]], None]) -> None:
    """Work out the runs on the thread, then call `answer(code, runs)` there."""

    def work() -> None:
        with suppress(RuntimeError):  # The block that asked is gone.
            answer(code, _runs_or_none(code, language))

    _executor.submit(work)


def _runs_or_none(code: str, language: str) -> tuple[Run, ...]:
    """Code that a language's rules cannot take stays plain."""
    try:
        return runs_of(code, language)
    except Exception:
        log.exception("the code could not be coloured as %s", language)
        return ()


def warm_up() -> None:
    runs_of("def a(): pass", "python")
