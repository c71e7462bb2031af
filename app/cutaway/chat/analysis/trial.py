"""Renders probes as requests are rendered: messages fitted to the template, its demands met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from cutaway.chat.message import Request
from cutaway.chat.prompt import Span
from cutaway.chat.session import prepare
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import PreparedTemplate

from .probes import Render


def renders(template: PreparedTemplate, *, now: datetime, budget: Callable[[], Budget] = Budget) -> Render:
    """Renders requests with this template. `budget` gives the limits of each rendering."""

    def render(request: Request, *, bos: str, eos: str) -> Sequence[Span]:
        return prepare(request, template, now=now, bos_token=bos, eos_token=eos, budget=budget).prompt.spans

    return render
