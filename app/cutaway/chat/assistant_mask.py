"""Which characters of a rendered conversation the assistant is to learn to write, by where they came from.

A turn is what the model would have written: it reaches from behind the generation prompt, as far as the turn has it, to
the marker that ends the turn, blanks behind that left out. Between two messages stands one run of template text, the end
of the one and the header of the next; where it parts is found by rendering the conversation up to there: what the
template then writes after the last character is the end, and what it adds for the reply is the header. A template that
writes another text behind a message that stands last is asked again, with a question behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile

from cutaway.chat.draft import Conversation, Draft
from cutaway.chat.generation import generation_start
from cutaway.chat.message import Message
from cutaway.chat.prompt import Span
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.prefill import read_prefill
from cutaway.chat.template.render import Rendered
from cutaway.chat.template.values import Sourced

Range = tuple[int, int]
Render = Callable[[Conversation, "bool | None"], Rendered]
Place = tuple[int | None, int | None]


def assistant_ranges(spans: Sequence[Span], conversation: Conversation, render: Render, eos: str) -> tuple[Range, ...]:
    """Characters, half-open, one range for each assistant message of which something is written."""
    return tuple(_Mask(spans, conversation, render, eos).ranges())


@dataclass(frozen=True, slots=True)
class _Before:
    """What stands before a reply to a message of some role."""

    closers: frozenset[Place]
    closing: str
    """What is written there when no reply is asked for."""
    header: str
    """The generation prompt."""
    bare: str
    """The generation prompt up to what it says of reasoning."""


class _Mask:
    def __init__(self, spans: Sequence[Span], conversation: Conversation, render: Render, eos: str) -> None:
        self.spans = spans
        self.conversation = conversation
        self.render = render
        self.eos = eos
        self.drafts = conversation.drafts
        self.starts = [0, *accumulate(len(span.text) for span in spans)]
        self.owners = _owners(spans)
        self.stretches = _stretches(spans, self.owners)
        self.openers = self._opener_places()
        self._before_role: dict[str, _Before | None] = {}
        self._tails: dict[bool, Sequence[Span]] = {}

    def ranges(self) -> list[Range]:
        found: list[Range] = []
        for position, index, stretches in self._assistants():
            inside = index != self.drafts[position].index
            for number, (first, last) in enumerate(stretches):
                start = self.starts[first] if number or inside else self._start(position, first)
                ends_turn = number == len(stretches) - 1 and not (_is_nested(self.drafts[position]) and not inside)
                end = self._end(position, index, last) if ends_turn else self._middle_end(position, last)
                found.append((start, end))
        return _apart(sorted(found))

    def _assistants(self) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
        """Place of the draft, index of the message, its parts; where results were nested, the answer behind them is
        another message inside the same draft."""
        for position, draft in enumerate(self.drafts):
            if draft.role != "assistant":
                continue
            following = self.drafts[position + 1 :]
            beyond = following[0].index if following else draft.index + len(self.stretches) + 1
            for index in range(draft.index, beyond):
                own = index == draft.index or (_is_nested(draft) and self._is_content_of(draft, index))
                if own and index in self.stretches:
                    yield position, index, self.stretches[index]

    def _is_content_of(self, draft: Draft, index: int) -> bool:
        return any(piece.path.startswith(f"messages[{index}].") for piece in draft.text())

    def _opener_places(self) -> frozenset[Place]:
        """The places written before messages that follow no assistant's, the first included."""
        roles = {draft.index: draft.role for draft in self.drafts}
        found: set[Place] = set()
        run: list[Span] = []
        previous = ""
        for span, owner in zip(self.spans, self.owners, strict=True):
            if owner is None:
                run.append(span)
                continue
            if "assistant" not in (previous, roles.get(owner)):
                found |= _places(run)
            previous, run = roles.get(owner, ""), []
        return frozenset(found)

    # -- Where a turn begins ----------------------------------------------------------------------------------

    def _start(self, position: int, first: int) -> int:
        before = self._before(position) if position else None
        if before is None:
            return self.starts[first]
        at = first
        while at and self.owners[at - 1] is None:
            at -= 1
        while at < first and _place(self.spans[at]) in before.closers:
            at += 1
        text = "".join(span.text for span in self.spans[at:first])
        return self.starts[at] + _behind_header(text, before)

    def _before(self, position: int) -> _Before | None:
        role = self.drafts[position - 1].role
        if role not in self._before_role:
            self._before_role[role] = self._rendered_before(position)
        return self._before_role[role]

    def _rendered_before(self, position: int) -> _Before | None:
        given = self.conversation.until(position)
        try:
            opened, closed = self.render(given, True), self.render(given, False)
        except TemplateError:
            return None
        start = generation_start(opened.spans, closed.spans)
        prompt = opened.text[start:]
        tags = read_prefill(prompt)
        cuts = [prompt.find(tag) for tag in (tags.opener, tags.closer) if tag and tag in prompt]
        tail = _tail(closed.spans)
        return _Before(_places(tail), _text(tail), prompt, prompt[: min(cuts)] if cuts else prompt)

    # -- Where it ends ----------------------------------------------------------------------------------------

    def _end(self, position: int, index: int, last: int) -> int:
        run = self._run(last)
        if position == len(self.drafts) - 1:
            ending = _text(self._ending_of_last(position, index, run))
        else:
            ending = self._ending(position, run)
        return self.starts[last + 1] + self._length(position, ending)

    def _ending(self, position: int, run: Sequence[Span]) -> str:
        """As it is written behind a message that stands last, or as it is whatever follows."""
        tail = self._tail_of(position)
        text = _text(run)
        if _text(tail).strip() and text.startswith(_text(tail)):
            return _text(tail)
        places = _places(tail)
        kept = list(takewhile(lambda span: _place(span) in places, run))
        if kept and len(kept) < len(run):
            return _text(kept)
        followed = self._followed(position, self.drafts[position].index)
        shared = [one for one, _ in _while_same(run, followed)]
        return _text(_without_end(shared or run, self.openers))

    def _middle_end(self, position: int, last: int) -> int:
        """Of a part behind which something of another message is written, inside the turn."""
        ends = _places(self._tail_of(position))
        kept = takewhile(lambda span: _place(span) in ends, self._run(last))
        return self.starts[last + 1] + len(_text(list(kept)))

    def _length(self, position: int, ending: str) -> int:
        """Of the ending without what the model does not write: a reply's header, blanks behind the last marker."""
        before = self._before(position) if position else None
        header = before.bare.strip() if before is not None else ""
        again = ending.find(header[: header.find(">") + 1]) if ">" in header else -1
        ending = ending[:again] if again > 0 else ending
        return len(ending.rstrip()) or len(ending)

    def _run(self, last: int) -> Sequence[Span]:
        """The template's text behind a message's last character, up to the next message's first."""
        return _run_behind(self.spans, self.owners, last)

    def _tail_of(self, position: int) -> Sequence[Span]:
        """What is written behind a message of this kind that stands last."""
        with_calls = bool(self.drafts[position].calls)
        if with_calls not in self._tails:
            draft = self.drafts[position]
            if _is_nested(draft):
                draft = replace(draft, content=(), more={})
            until = self.conversation.with_drafts([*self.drafts[:position], draft])
            try:
                spans = self.render(until, False).spans
            except TemplateError:
                spans = ()
            self._tails[with_calls] = _run_of(spans, self.drafts[position].index)
        return self._tails[with_calls]

    def _ending_of_last(self, position: int, index: int, run: Sequence[Span]) -> Sequence[Span]:
        """As far as it is written when the conversation goes on, too; an EOS alone that ends the text belongs to it."""
        followed = self._followed(position, index)
        shared = [one for one, other in _while_same(run, followed)]
        if _text(followed).startswith(_text(run)):
            return run
        if _text(shared).strip():
            return shared
        if shared:
            return run if _text(run[len(shared) :]) == self.eos else shared
        before = self._before(position) if position else None
        return _without_end(run, before.closers) if before is not None and followed else run

    def _followed(self, position: int, index: int) -> Sequence[Span]:
        """What stands behind a message when a question follows."""
        asked = max(index, self.drafts[position].index) + 1
        question = Draft(asked, Message("user", "?"), "user", (Sourced("?", f"messages[{asked}].content"),))
        try:
            spans = self.render(self.conversation.with_drafts([*self.drafts[: position + 1], question]), False).spans
        except TemplateError:
            return ()
        return _run_of(spans, index)


def _is_nested(draft: Draft) -> bool:
    return "tool_responses" in draft.more


def _behind_header(text: str, before: _Before) -> int:
    """Where a turn's own text begins: behind as much of the generation prompt as this kind of turn has."""
    closing = before.closing
    for size in _ends_of_parts(before):
        at = text.rfind(before.header[:size])
        if at >= 0:
            return at + size
    return next((len(closing) - i for i in range(len(closing)) if text.startswith(closing[i:])), 0)


def _ends_of_parts(before: _Before) -> list[int]:
    """Lengths of the generation prompt's beginnings that end with a marker, a line, or before reasoning, longest first."""
    prompt = before.header
    ends = {at + 1 for at, char in enumerate(prompt) if char in ">]\n" and prompt[: at + 1].strip()}
    return sorted((ends | {len(prompt), len(before.bare)}) - {0}, reverse=True)


def _without_end(run: Sequence[Span], places: frozenset[Place]) -> Sequence[Span]:
    end = len(run)
    while end and _place(run[end - 1]) in places:
        end -= 1
    return run[:end]


def _owners(spans: Sequence[Span]) -> list[int | None]:
    return [_message_of(span) for span in spans]


def _message_of(span: Span) -> int | None:
    source = span.origin.source
    if not span.is_input or source is None or not source.startswith("messages["):
        return None
    number = source[len("messages[") : source.index("]")]
    return int(number) if number.isdigit() else None


def _stretches(spans: Sequence[Span], owners: Sequence[int | None]) -> dict[int, list[tuple[int, int]]]:
    """The first and the last span of each part of each message; parts are what other messages' text stands between.

    What is written again later, as the name of a call beside its result, does not count.
    """
    found: dict[int, list[tuple[int, int]]] = {}
    seen: set[tuple[object, ...]] = set()
    previous: int | None = None
    for at, (span, owner) in enumerate(zip(spans, owners, strict=True)):
        if owner is None:
            continue
        key = (span.origin.source, span.origin.start, span.origin.end, span.text)
        if key in seen:
            continue
        seen.add(key)
        parts = found.setdefault(owner, [])
        if owner == previous:
            parts[-1] = (parts[-1][0], at)
        else:
            parts.append((at, at))
        previous = owner
    return found


def _apart(ranges: Sequence[Range]) -> list[Range]:
    """In order, and none begins before another has ended."""
    apart: list[Range] = []
    for start, end in ranges:
        start = max(start, apart[-1][1] if apart else 0)
        if start < end:
            apart.append((start, end))
    return apart


def _run_of(spans: Sequence[Span], index: int) -> Sequence[Span]:
    owners = _owners(spans)
    stretches = _stretches(spans, owners).get(index)
    return _run_behind(spans, owners, stretches[-1][1]) if stretches else ()


def _run_behind(spans: Sequence[Span], owners: Sequence[int | None], last: int) -> Sequence[Span]:
    """Up to the next message's first character; what the message itself writes again is inside."""
    end = last + 1
    while end < len(spans) and owners[end] in (None, owners[last]):
        end += 1
    return spans[last + 1 : end]


def _tail(spans: Sequence[Span]) -> Sequence[Span]:
    at = len(spans)
    while at and _message_of(spans[at - 1]) is None:
        at -= 1
    return spans[at:]


def _while_same(one: Sequence[Span], other: Sequence[Span]) -> list[tuple[Span, Span]]:
    pairs = zip(one, other, strict=False)
    return list(takewhile(lambda pair: pair[0].text == pair[1].text and _place(pair[0]) == _place(pair[1]), pairs))


def _text(spans: Sequence[Span]) -> str:
    return "".join(span.text for span in spans)


def _place(span: Span) -> Place:
    return (span.origin.line, span.origin.column)


def _places(spans: Sequence[Span]) -> frozenset[Place]:
    return frozenset(_place(span) for span in spans)
