"""Templates are prepared once, and those that were not used for longest go first."""

from __future__ import annotations

import pytest

from cutaway.chat.plain import RequestError
from cutaway.chat.shelf import Shelf
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.sources import TemplateSource
from support.sides import CHATML


def test_each_template_is_made_once_while_there_is_room() -> None:
    shelf = Shelf(2, preparing=lambda: Budget, rendering=Budget)
    first, second, third = (TemplateSource(CHATML + " " * count, "given") for count in range(3))
    one, two = shelf.template(first), shelf.template(second)
    assert shelf.template(first) is one
    shelf.template(third)
    assert shelf.template(first) is one
    assert shelf.template(second) is not two
    assert shelf.format(one) is shelf.format(one)


def test_a_format_by_name() -> None:
    shelf = Shelf(2, preparing=lambda: Budget, rendering=Budget)
    template = shelf.template(TemplateSource(CHATML, "given"))
    assert shelf.format(template, "hermes").name == "hermes"
    with pytest.raises(RequestError, match="no format"):
        shelf.format(template, "unheard of")
