"""Where a template writes reasoning: before an answer, before a call only, or nowhere but in the generation prompt."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from cutaway.chat.formats.format import NO_MARKER, Marker, Reasoning

from .head import Head, first_word
from .probes import Prober
from .split import MARKER, blanks_after, blanks_before, common_prefix, common_suffix, last_marker
from .turn import Said, Turn

ReasoningMode: TypeAlias = Literal["none", "tag-based", "tools-only"]

_PAIR = re.compile(rf"({MARKER.pattern})\s*({MARKER.pattern})\s*$")


@dataclass(frozen=True, slots=True)
class ReasoningFound:
    mode: ReasoningMode
    reasoning: Reasoning | None
    head: Head
    """The head with the reasoning's opener taken out of the header."""

    def after_empty(self, lead: str) -> str:
        """What stands before the assistant's own words, without the header and without an empty reasoning block."""
        rest = lead[len(common_prefix((lead, self.head.header))) :]
        if self.reasoning is None:
            return rest
        close = self.reasoning.close
        at = rest.rfind(close.text)
        return rest[at + len(close.text) :].removeprefix(close.after) if at >= 0 else rest


def marker(text: str) -> Marker:
    """A marker from the text as it was written: what is trimmed off is its framing."""
    if not text.strip():
        return NO_MARKER
    return Marker(text.strip(), blanks_before(text), blanks_after(text))


def read_reasoning(prober: Prober, head: Head) -> ReasoningFound:
    values = prober.values
    plain = prober.turn(Said(values.content))
    both = prober.turn(Said(values.content, values.reasoning))
    found = _before_answer(prober, head, plain, both)
    _conclude(prober, "reasoning", "Does a turn with reasoning write it before the answer?", plain, both, found)
    if found is None:
        call = prober.turn(Said("", "", (prober.call(0),)))
        thought = prober.turn(Said("", values.reasoning, (prober.call(0),)))
        found = _before_call(prober, head, call, thought)
        _conclude(prober, "reasoning-and-call", "Does it write reasoning before a call?", call, thought, found)
    if found is None:
        found = _in_generation_prompt(prober, head, plain)
    return found or ReasoningFound("none", None, head)


# -- Written in history ------------------------------------------------------------------------------


def _before_answer(prober: Prober, head: Head, plain: Turn | None, both: Turn | None) -> ReasoningFound | None:
    if both is None or both.reasoning is None or both.content is None or both.content.start < both.reasoning.end:
        return None
    lead = "" if plain is None or plain.content is None else plain.text[: plain.content.start]
    gap = both.between(both.reasoning, both.content)
    return _found("tag-based", head, both.text[: both.reasoning.start], _closer(gap, head, lead), lead)


def _before_call(prober: Prober, head: Head, call: Turn | None, thought: Turn | None) -> ReasoningFound | None:
    if thought is None or thought.reasoning is None or call is None:
        return None
    after, alone = (
        first_word(replace(thought, said=replace(thought.said, reasoning="")), prober),
        first_word(call, prober),
    )
    if after is None or alone is None or after < thought.reasoning.end:
        return None
    lead = call.text[:alone]
    gap = thought.text[thought.reasoning.end : after]
    return _found("tools-only", head, thought.text[: thought.reasoning.start], _closer(gap, head, lead), lead)


def _closer(gap: str, head: Head, lead: str) -> str:
    """The gap between reasoning and what follows, without what stands before that in a turn without reasoning.

    Where such a turn holds an empty reasoning block, it shares the closer too; then that is the gap's first marker.
    """
    shared = common_suffix((gap, lead.removeprefix(head.header)))
    closer = gap[: len(gap) - len(shared)]
    if not shared.strip() or closer.strip():
        return closer if shared.strip() else gap
    markers = list(MARKER.finditer(gap))
    return gap if len(markers) < 2 else gap[: markers[1].start()]


def _found(mode: ReasoningMode, head: Head, lead: str, closer: str, plain_lead: str) -> ReasoningFound | None:
    """The opener is what the lead has beyond the header, or the header's last marker if it has nothing more."""
    if not closer.strip():
        return None
    opener = lead.removeprefix(head.header)
    prefilled = head.generation_on.removeprefix(head.header)
    if not opener.strip() and prefilled.strip() and closer.strip() not in prefilled:
        opener = prefilled
    elif not opener.strip() and closer.strip() in plain_lead:
        last = last_marker(head.header)
        if last is not None:
            opener, head = head.header[last.start() :] + opener, replace(head, header=head.header[: last.start()])
    return ReasoningFound(mode, Reasoning(marker(opener), marker(closer)), head)


# -- Only in the generation prompt ---------------------------------------------------------------------


def _in_generation_prompt(prober: Prober, head: Head, plain: Turn | None) -> ReasoningFound | None:
    """A prefilled opener, or a prefilled empty block, of a template that keeps no reasoning in history."""
    lead = "" if plain is None or plain.content is None else plain.text[: plain.content.start]
    found = None
    for text in (head.generation_off, head.generation_on, lead):
        pair = _PAIR.search(text)
        if pair and mirrored(pair[1], pair[2]):
            found = _with_pair(head, text[pair.start() :], pair[1], pair[2])
            break
    opener = last_marker(head.generation_on)
    if found is None and opener is not None and not head.generation_on[opener.end() :].strip():
        closer = _closer_that_is_cut(prober, opener.group())
        if closer:
            found = _with_pair(head, head.generation_on[opener.start() :], opener.group(), closer)
    prober.conclude(
        "reasoning-prefill",
        "Does the generation prompt open a reasoning block that history does not keep?",
        head.generation_off,
        head.generation_on,
        _sentence(found),
    )
    return found


def _with_pair(head: Head, text: str, opener: str, closer: str) -> ReasoningFound:
    at = head.header.rfind(opener)
    if at >= 0 and not head.header[at + len(opener) :].strip():
        head = replace(head, header=head.header[:at])
    inner, _, rest = text[len(opener) :].partition(closer)
    after = inner[: len(inner) - len(inner.lstrip("\n"))] if inner else ""
    half = after[: (len(after) + 1) // 2]
    return ReasoningFound(
        "tag-based", Reasoning(Marker(opener, "", half), Marker(closer, half, blanks_before(rest))), head
    )


def _closer_that_is_cut(prober: Prober, opener: str) -> str:
    """The closer that belongs to this opener, if the template cuts reasoning off where it stands in the content."""
    values = prober.values
    for closer in _mirrors(opener):
        said = Said(values.reasoning + closer + values.content)
        turn = prober.old_turn(said)
        if turn is None:
            continue
        kept, cut = turn.find(values.content), turn.find(values.reasoning)
        prober.conclude(
            "inline-reasoning",
            f"What becomes of text before {closer!r} in the content?",
            said.content,
            turn.text,
            "It is cut off." if kept and not cut else "It stays.",
        )
        if kept and not cut:
            return closer
    return ""


def _mirrors(opener: str) -> list[str]:
    """Closers that could belong to an opener: `</think>` for `<think>`, `<|END_X|>` for `<|START_X|>`."""
    found = [opener[0] + "/" + opener[1:]]
    for begin, end in (("START", "END"), ("start", "end"), ("begin", "end"), ("BEGIN", "END")):
        if begin in opener:
            found.append(opener.replace(begin, end))
    return found


def mirrored(opener: str, closer: str) -> bool:
    return closer in _mirrors(opener)


# -- Evidence ------------------------------------------------------------------------------------------


def _conclude(
    prober: Prober, name: str, question: str, left: Turn | None, right: Turn | None, found: ReasoningFound | None
) -> None:
    texts = [None if turn is None else turn.text for turn in (left, right)]
    prober.conclude(name, question, texts[0], texts[1], _sentence(found) if right else "The template refuses it.")


def _sentence(found: ReasoningFound | None) -> str:
    if found is None or found.reasoning is None:
        return "No."
    return f"Yes, between {found.reasoning.open.text!r} and {found.reasoning.close.text!r}."
