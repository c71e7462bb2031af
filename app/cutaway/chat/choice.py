"""Which format a template's model writes: the one asked for by name, a hand-written one, the derived one, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from cutaway.chat.analysis.causes import causes
from cutaway.chat.analysis.derive import derive
from cutaway.chat.analysis.evidence import Derived
from cutaway.chat.analysis.fit import fitted
from cutaway.chat.analysis.probes import Render
from cutaway.chat.analysis.trial import renders
from cutaway.chat.analysis.verification import Verification
from cutaway.chat.analysis.verify import verify
from cutaway.chat.formats.format import Format
from cutaway.chat.formats.registry import by_name, choose, named
from cutaway.chat.message import Tool
from cutaway.chat.plain import RequestError
from cutaway.chat.reading.reader import Reader, read_reply
from cutaway.chat.reply import Reply
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import PreparedTemplate

FormatOrigin: TypeAlias = Literal["named", "hand-written", "derived", "plain"]


@dataclass(frozen=True, slots=True)
class Found:
    """The format of a template's model, and what else was known of it."""

    format: Format
    origin: FormatOrigin
    derived: Derived


@dataclass(frozen=True, slots=True)
class Candidate:
    format: Format
    origin: FormatOrigin
    verification: Verification


@dataclass(frozen=True, slots=True)
class Verified:
    """The format that passed, and the others that were tried."""

    chosen: Candidate
    others: tuple[Candidate, ...]
    derived: Derived

    @property
    def disagreements(self) -> tuple[str, ...]:
        """What the others would have read otherwise, one sentence for each that fails where the chosen one doesn't."""
        return tuple(filter(None, (_disagreement(self.chosen, other) for other in self.others)))


def format_named(name: str, template: PreparedTemplate) -> Format:
    """The format of that name. Raises `RequestError` where there is none."""
    found = named(name, template.source.text)
    if found is None:
        raise RequestError("format", f"There is no format {name!r}. Known: {', '.join(sorted(by_name()))}.")
    return found


def find_format(template: PreparedTemplate, *, now: datetime, budget: Callable[[], Budget] = Budget) -> Found:
    """The format of a template's model, from its text alone. Total: where nothing is known it is plain.

    A hand-written format that knows more than renders can show goes first; it takes over the template's blanks, and
    gives way where it fails a short round trip that the derived one passes. Then what could be derived; then a
    hand-written one that at least fits the source.
    """
    render = renders(template, now=now, budget=budget)
    derived = derive(render)
    certain = choose(template.source.text)
    if certain is not None:
        fit = fitted(certain, derived.format, template.source.text)
        faults = 0 if derived.limited else _faults(render, fit)
        if faults and _faults(render, derived.format) < faults:
            return Found(derived.format, "derived", derived)
        return Found(fit, "hand-written", derived)
    if derived.format.calls is None and template.caps.supports_tool_calls:
        likely = choose(template.source.text, certain_only=False)
        if likely is not None:
            return Found(fitted(likely, derived.format, template.source.text), "hand-written", derived)
    format = derived.format
    shown = format.reasoning or format.content or format.calls
    return Found(_explained(format, template), "derived" if shown else "plain", derived)


def _explained(format: Format, template: PreparedTemplate) -> Format:
    """Where there are no calls, the first note also says what about the template stands in the way."""
    if format.calls is not None or not format.notes:
        return format
    more = causes(template.source.text, template.reads)
    return replace(format, notes=(f"{format.notes[0]} {more}".strip(), *format.notes[1:]))


def _faults(render: Render, format: Format) -> int:
    return verify(render, read_whole, format, quick=True).failed


def format_of(template: PreparedTemplate, *, now: datetime, budget: Callable[[], Budget] = Budget) -> Format:
    """The format alone."""
    return find_format(template, now=now, budget=budget).format


# -- By round trip ---------------------------------------------------------------------------------------------


def verify_formats(
    template: PreparedTemplate,
    *,
    now: datetime,
    bos_token: str = "",
    eos_token: str = "",
    budget: Callable[[], Budget] = Budget,
    published: Sequence[Format] = (),
) -> Verified:
    """Checks every format that could be meant; the one with the fewest faults is chosen, of equals the first.

    `published` are formats that the model's maker ships; they say nothing of blanks, so they get the template's. The result depends on the template's text, BOS and EOS
    only, so it can be kept by them.
    """
    found = find_format(template, now=now, budget=budget)
    render = renders(template, now=now, budget=budget)
    formats: list[tuple[Format, FormatOrigin]] = [(found.format.with_eos(eos_token), found.origin)]
    if found.origin == "hand-written":
        formats.append((found.derived.format.with_eos(eos_token), "derived"))
    source = template.source.text
    formats += [(fitted(format, found.derived.format, source).with_eos(eos_token), "named") for format in published]
    tried = [
        Candidate(format, origin, verify(render, read_whole, format, bos=bos_token, eos=eos_token))
        for format, origin in formats
    ]
    chosen = min(tried, key=lambda one: one.verification.failed)
    return Verified(chosen, tuple(one for one in tried if one is not chosen), found.derived)


def read_whole(format: Format, text: str, *, generation_prompt: str, tools: Sequence[Tool]) -> Reply:
    """Reads a whole output as a stream would."""
    return read_reply(Reader(format, tools, generation_prompt=generation_prompt), text)


def _disagreement(chosen: Candidate, other: Candidate) -> str:
    good = {case.name for case in chosen.verification.cases if case.outcome == "ok"}
    bad = [case for case in other.verification.cases if case.outcome == "parsed wrongly" and case.name in good]
    if not bad:
        return ""
    name = f"the {other.origin} format" if other.origin == "derived" else f"the format {other.format.name}"
    return f"In {len(bad)} cases {name} reads otherwise, e.g. {bad[0].name}: {bad[0].detail}"
