"""How a turn begins and ends: the assistant's header, the user's, and what closes the turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .probes import Prober
from .split import common_prefix, common_suffix, first_marker
from .turn import Said, Turn


@dataclass(frozen=True, slots=True)
class Head:
    header: str
    """What the template writes between the user's words and what the assistant says, thinking markers left out."""
    generation_on: str
    """The generation prompt from the user's words on; empty where it could not be rendered."""
    generation_off: str
    turn_end: str
    """What ends the assistant's turn; the private-use EOS may be in it."""
    user_start: str


def read_head(prober: Prober) -> Head:
    """Compares every beginning that an assistant turn can have: what all share is the header."""
    on = prober.generation(thinking=True) or ""
    off = prober.generation(thinking=False) or ""
    user_start, turn_end, old = _borders(prober)
    header = common_prefix(_leads(prober) or [old])
    for generation in (on, off):
        header = _shortened(header, generation)
    if old.strip() and header.startswith(old):
        header = old
    prober.conclude(
        "generation-prompt",
        "What does the template write when it is the assistant's turn?",
        prober.generation(thinking=True, prompt=False),
        on,
        f"The assistant's turn begins with {header!r}." if header else "The assistant's turn has no header.",
    )
    prober.conclude(
        "thinking-switch",
        "What does the thinking switch change in the generation prompt?",
        off,
        on,
        "Nothing." if on == off else "It changes how the turn begins.",
    )
    return Head(header, on, off, turn_end or first_marker(_after_last_turn(prober)), user_start)


def _shortened(header: str, generation: str) -> str:
    """The header as far as the generation prompt agrees.

    Where the prompt puts a text of its own in between (a reminder, `/nothink`), it says nothing about the header.
    Where it adds nothing, the model writes the header itself.
    """
    shared = common_prefix((header, generation))
    if generation and not generation.strip():
        return shared
    aside = not shared.strip() or (shared != generation and generation.endswith(header[len(shared) :]))
    return header if aside and header.strip() else shared


def _leads(prober: Prober) -> list[str]:
    """What stands before the first thing the assistant says: in turns with an answer, else in turns with a call."""
    values = prober.values
    answers = [Said(values.content), Said(values.content, values.reasoning)]
    calls = [Said("", "", (prober.call(0),)), Said("", values.reasoning, (prober.call(0),))]
    return _leads_of(prober, answers) or _leads_of(prober, calls)


def _leads_of(prober: Prober, kinds: Iterable[Said]) -> list[str]:
    found = []
    for said in kinds:
        turn = prober.turn(said)
        first = None if turn is None else first_word(turn, prober)
        if turn is not None and first is not None:
            found.append(turn.text[:first])
    return found


def first_word(turn: Turn, prober: Prober) -> int | None:
    """Where the assistant's own words begin."""
    values = prober.values
    said = turn.said
    words = [said.content, said.reasoning, *(call.name for call in said.calls), *(call.id for call in said.calls)]
    if said.calls:
        words += values.keys
    starts = [place.start for place in map(turn.find, words) if place is not None]
    return min(starts, default=None)


def _borders(prober: Prober) -> tuple[str, str, str]:
    """(the user's header, the end of an assistant's turn, the beginning of an older assistant turn)."""
    values = prober.values
    turn = prober.old_turn(Said(values.content))
    opening = prober.opening()
    if turn is None or turn.content is None:
        return "", "", ""
    next_user = turn.find_from(values.next_user, turn.content.end)
    old = turn.text[: turn.content.start]
    if next_user is None or opening is None:
        return "", "", old
    border = turn.between(turn.content, next_user)
    turn_end = common_prefix((border, _after_last_turn(prober)))
    if not turn_end.strip():
        turn_end = border[: len(border) - len(common_suffix((opening, border)))]
    user_start = border[len(turn_end) :]
    prober.conclude(
        "turn-end",
        "What stands between an assistant's turn and the user's next?",
        opening,
        border,
        f"The turn ends with {turn_end!r}; the user's begins with {user_start!r}.",
    )
    return user_start, turn_end, old


def _after_last_turn(prober: Prober) -> str:
    turn = prober.turn(Said(prober.values.content), tools=False)
    return "" if turn is None or turn.content is None else turn.between(turn.content, None)
