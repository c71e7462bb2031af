"""Grammars whose every text can be finished: what could be entered and never left is taken out."""

from __future__ import annotations

from collections.abc import Mapping

from cutaway.chat.grammar.expression import (
    EMPTY,
    Choice,
    Expression,
    Repeat,
    Rule,
    Sequence,
    choice,
    productive,
    references,
    repeat,
    sequence,
)


class SchemaError(ValueError):
    """A schema that cannot be followed. The message says where in it and why."""


def pruned(expression: Expression, finishing: frozenset[str]) -> Expression | None:
    """The expression without the alternatives that could be entered and never finished; None when nothing is left."""
    match expression:
        case Rule(name):
            return expression if name in finishing else None
        case Sequence(items):
            parts = [pruned(item, finishing) for item in items]
            return None if any(part is None for part in parts) else sequence(*(part for part in parts if part))
        case Choice(items):
            kept = [part for item in items if (part := pruned(item, finishing)) is not None]
            return choice(*kept) if kept else None
        case Repeat(item, least, most):
            part = pruned(item, finishing)
            return repeat(part, least, most) if part is not None else (EMPTY if least == 0 else None)
        case _:
            return expression


def prune(rules: Mapping[str, Expression], root: Expression, what: str) -> dict[str, Expression]:
    """The rules that `root` needs, without what has no finite instance. Raises SchemaError when `root` has none."""
    finishing = productive({**rules, "": root})
    whole = pruned(root, finishing)
    if whole is None or "" not in finishing:
        raise SchemaError(f"{what} has no finite instance: every value would have to hold itself.")
    out = {"root": whole}
    waiting = list(references(whole))
    while waiting:
        name = waiting.pop()
        if name not in out:
            rule = pruned(rules[name], finishing)
            assert rule is not None
            out[name] = rule
            waiting.extend(references(rule))
    return out
