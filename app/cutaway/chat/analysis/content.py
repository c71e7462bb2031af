"""What the answer stands in: nothing, or markers of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cutaway.chat.formats.format import Wrapper

from .probes import Prober
from .reasoning import ReasoningFound, marker
from .split import MARKER
from .turn import Said, Turn


@dataclass(frozen=True, slots=True)
class ContentFound:
    wrapper: Wrapper | None
    after: str
    """What the template writes behind the answer in the conversation's last turn, the wrapper's closer included."""
    lead: str = ""
    """The blanks in front of an answer without reasoning and without a wrapper."""

    @property
    def closer(self) -> str:
        return self.wrapper.close.text if self.wrapper else ""


def read_content(prober: Prober, thought: ReasoningFound) -> ContentFound:
    values = prober.values
    plain = prober.turn(Said(values.content))
    call = prober.turn(Said("", "", (prober.call(0),)))
    found = _wrapped(thought, plain, call)
    if not found.wrapper:
        found = replace(found, lead=_lead(thought, prober.turn(Said(values.content), thinking=False)))
    prober.conclude(
        "content",
        "Does the answer stand in markers of its own?",
        None if call is None else call.text,
        None if plain is None else plain.text,
        f"Yes, in {found.wrapper.open.text!r} and {found.wrapper.close.text!r}." if found.wrapper else "No.",
    )
    return found


def _lead(thought: ReasoningFound, plain: Turn | None) -> str:
    if plain is None or plain.content is None:
        return ""
    lead = plain.text[: plain.content.start].removeprefix(thought.head.header)
    return lead if not lead.strip() else ""


def _wrapped(thought: ReasoningFound, plain: Turn | None, call: Turn | None) -> ContentFound:
    if plain is None or plain.content is None:
        return ContentFound(None, "")
    after = plain.between(plain.content, None)
    opener = thought.after_empty(plain.text[: plain.content.start])
    reasoning_opener = thought.reasoning.open.text if thought.reasoning else ""
    if not opener.strip() or opener.strip() == reasoning_opener:
        return ContentFound(None, after)
    first = MARKER.search(after)
    closer = after[: first.end()] if first else ""
    if call is not None and closer.strip() and closer.strip() in call.text.removeprefix(thought.head.header):
        closer = ""
    return ContentFound(Wrapper(marker(opener), marker(closer)), after)
