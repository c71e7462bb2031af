"""Templates made ready, each once in a test run."""

from __future__ import annotations

from datetime import datetime
from functools import cache

from cutaway.chat.analysis.derive import derive
from cutaway.chat.analysis.evidence import Derived
from cutaway.chat.analysis.probes import Render
from cutaway.chat.analysis.trial import renders
from cutaway.chat.choice import Found, find_format
from cutaway.chat.template.prepared import PreparedTemplate, prepare_template
from cutaway.chat.template.sources import TemplateSource
from support import assets

DAY = datetime(2026, 11, 29, 12)

NAMES = tuple(path.stem for path in assets.templates())


@cache
def prepared(source: str) -> PreparedTemplate:
    return prepare_template(TemplateSource(source, "a test"))


def shipped(name: str) -> PreparedTemplate:
    """One of the 70 templates."""
    return prepared(assets.template(name))


@cache
def shipped_format(name: str) -> Found:
    """The format found for one of the 70 templates."""
    return find_format(shipped(name), now=DAY)


@cache
def shipped_derived(name: str) -> Derived:
    return derive(shipped_renders(name))


def renders_of(source: str) -> Render:
    return renders(prepared(source), now=DAY)


def shipped_renders(name: str) -> Render:
    return renders_of(assets.template(name))
