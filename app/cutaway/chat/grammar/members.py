"""What stands inside an object or between a call's tags: pairs in any order or in a fixed one, each at most once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cutaway.chat.grammar.expression import EMPTY, Expression, Rules, choice, repeat, sequence

FREE_ORDER = 5
"""Up to so many properties may come in any order; each further one would double the rules."""


@dataclass(frozen=True, slots=True)
class Member:
    pair: Expression
    required: bool


Enough = Callable[[frozenset[int]], bool]
"""Whether the members with these indices may be all."""


def in_any_order(
    rules: Rules, hint: str, members: Sequence[Member], between: Expression, extra: Expression | None, enough: Enough
) -> Expression | None:
    """Every order of every allowed subset: a rule for each subset. None when no subset is enough."""
    made: dict[tuple[frozenset[int], bool], Expression | None] = {}

    def rest(used: frozenset[int], first: bool) -> Expression | None:
        key = (used, first)
        if key not in made:
            made[key] = rest_of(used, first)
        return made[key]

    def rest_of(used: frozenset[int], first: bool) -> Expression | None:
        options: list[Expression] = []
        gap = EMPTY if first else between
        for index, member in enumerate(members):
            following = None if index in used else rest(used | {index}, False)
            if following is not None:
                options.append(sequence(gap, member.pair, following))
        if extra is not None and first:
            following = rest(used, False)
            options += [sequence(extra, following)] if following is not None else []
        if enough(used):
            options.append(EMPTY)
        if not options:
            return None
        more = EMPTY if extra is None or first else repeat(sequence(between, extra))
        return rules.add(f"{hint}-rest", sequence(more, choice(*options)))

    return rest(frozenset(), True)


def in_fixed_order(
    rules: Rules, hint: str, members: Sequence[Member], between: Expression, extra: Expression | None
) -> Expression:
    """The members as they are listed, optional ones left out at will, further ones at the end."""
    tail_first = EMPTY if extra is None else repeat(sequence(extra, repeat(sequence(between, extra))), 0, 1)
    tail_later = EMPTY if extra is None else repeat(sequence(between, extra))
    later, first = tail_later, tail_first
    for member in reversed(members):
        taken = sequence(member.pair, later)
        new_first = taken if member.required else choice(taken, first)
        new_later = sequence(between, taken) if member.required else choice(sequence(between, taken), later)
        first = rules.add(f"{hint}-first", new_first)
        later = rules.add(f"{hint}-later", new_later)
    return first
