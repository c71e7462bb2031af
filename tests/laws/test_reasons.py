"""A break is named by what happened, in every real template: what the person did, or what the template did."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.read import RequestError
from cutaway.chat.template.error import TemplateError
from cutaway.engine.cache import common_prefix
from cutaway.engine.plan import Plan
from cutaway.engine.remedies import NAMES
from support import assets
from support.sides import CLOCK, SYSTEM, WEATHER, Messages, explained, said, side

BY_TEMPLATE = {"M6", "M13", "M14", "M15", "M16", "M17", "M18", "M19", "M21"}
"""What may stand in the way of an edit later in the prompt: the template itself, or its tokens."""
TALK: Messages = [
    {"role": "user", "content": "One?"},
    {"role": "assistant", "content": "Uno."},
    {"role": "user", "content": "Two?"},
]
LATER: Messages = [*TALK, {"role": "assistant", "content": "Dos."}, {"role": "user", "content": "Three?"}]
OTHER: Messages = [{"role": "user", "content": "Ten?"}]


def plan(
    name: str, before: Messages, after: Messages, old: dict[str, Any] | None = None, new: dict[str, Any] | None = None
) -> Plan | None:
    """None where the template refuses one of the two conversations."""
    try:
        held = side(assets.template(name), before, said("Dos."), end="", **(old or {}))
        wanted = side(assets.template(name), after, **(new or {}))
    except (TemplateError, RequestError):
        return None
    found = explained(held, wanted)
    shared = common_prefix(held.all_ids, wanted.ids)
    assert bool(found.breaks) == (min(shared, len(wanted.ids) - 1) < len(held.all_ids))
    for one in found.breaks:
        assert one.reason in NAMES
        assert one.detail
        assert one.held_place
        assert one.wanted_place
    return found


def check(found: Plan | None, *allowed: str) -> None:
    if found is not None:
        assert found.reason in allowed, (found.reason, found.detail)


@pytest.mark.parametrize("name", [path.stem for path in assets.templates()])
def test_each_change_has_its_name(name: str) -> None:
    check(plan(name, TALK, LATER), *BY_TEMPLATE)
    check(plan(name, TALK, [*OTHER, *TALK[1:]]), "M9")
    check(plan(name, TALK, [*TALK[:2], *OTHER]), "M9")
    check(plan(name, TALK, [*TALK, {"role": "assistant", "content": "Due."}, *OTHER]), "M9", *BY_TEMPLATE)
    check(plan(name, [SYSTEM, *TALK], [{"role": "system", "content": "Be long."}, *TALK]), "M7")
    check(plan(name, TALK, [SYSTEM, *TALK]), "M7")
    check(plan(name, TALK, TALK[2:]), "M12")
    check(plan(name, TALK, TALK[:1]), "M10")
    check(plan(name, TALK, TALK), "M5")
    check(plan(name, TALK, TALK, new={"tools": [WEATHER]}), "M8", "M5")
    both = {"tools": [WEATHER, CLOCK]}
    check(plan(name, TALK, LATER, both, {"tools": [CLOCK, WEATHER]}), "M8", *BY_TEMPLATE)
    check(plan(name, TALK, LATER, {"thinking": "on"}, {"thinking": "off"}), "M4", *BY_TEMPLATE)
    check(plan(name, TALK, LATER, new={"now": datetime(2027, 1, 3, 4, 5)}), *BY_TEMPLATE)
