"""Spans to token ids: which characters each token stands for, and control ids from template text only.

One pass over the whole text, as the model's own tokenizer does it. Where that pass would make a control
token of input, exactly that occurrence is cut out and encoded as plain text (`engine.neutral`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from cutaway.chat.prompt import Prompt, Warning
from cutaway.engine.backend import Vocabulary
from cutaway.engine.neutral import Cut, Encoded, Guard, encode_guarded, has_space_prefix
from cutaway.engine.pieces import Ids, Offsets, Pieces

Mode = Literal["neutral", "compatible"]

_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class PromptToken:
    id: int
    start: int
    """Characters of the prompt, half-open; several tokens of one split character share them."""
    end: int
    piece: bytes
    first_span: int
    """Index of the span that its first character belongs to; -1 for an added BOS or EOS."""
    last_span: int
    control: bool = False
    neutralised: bool = False
    """Part of input that spelled a control token and was encoded as text."""


@dataclass(frozen=True, slots=True)
class Neutralised:
    """An occurrence of a control token's text in input, encoded as plain text."""

    text: str
    start: int
    """Characters of the prompt, half-open."""
    end: int
    token: int
    """The control or marker token that it would have become."""
    fields: tuple[str, ...]
    """The fields whose text it overlaps, e.g. `messages[1].content`."""
    marker: bool = False
    """A user-defined token that the template or the format uses as a marker, no control token."""

    @property
    def sentence(self) -> str:
        kind = "marker" if self.marker else "control token"
        where = ", ".join(self.fields) or "the input"
        return f"{where} spells {self.text!r}, which would have become the {kind} {self.token}; it is sent as text."


@dataclass(frozen=True, slots=True)
class Tokenised(Sequence[PromptToken]):
    """A prompt's tokens, in columns of equal length; as a sequence it makes each `PromptToken` when asked."""

    ids: Ids
    starts: Offsets
    """Characters of the prompt, half-open with `ends`."""
    ends: Offsets
    first_spans: NDArray[np.integer[Any]]
    last_spans: NDArray[np.integer[Any]]
    neutral: NDArray[np.bool_]
    pieces: Pieces
    neutralised: tuple[Neutralised, ...] = ()
    warnings: tuple[Warning, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> PromptToken: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[PromptToken]: ...

    def __getitem__(self, index: int | slice) -> PromptToken | Sequence[PromptToken]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        token = int(self.ids[index])
        return PromptToken(
            token,
            int(self.starts[index]),
            int(self.ends[index]),
            self.pieces.bytes[token],
            int(self.first_spans[index]),
            int(self.last_spans[index]),
            bool(self.pieces.control[token]),
            bool(self.neutral[index]),
        )

    def __iter__(self) -> Iterator[PromptToken]:
        return (self[at] for at in range(len(self)))

    @property
    def tokens(self) -> Sequence[PromptToken]:
        return self

    def triples(self) -> list[tuple[int, int, int]]:
        """(id, start, end) of every token."""
        return list(zip(self.ids.tolist(), self.starts.tolist(), self.ends.tolist(), strict=True))


def tokenise(
    prompt: Prompt,
    vocabulary: Vocabulary,
    *,
    markers: frozenset[str] = frozenset(),
    mode: Mode = "neutral",
    add_bos: bool | None = None,
    add_eos: bool | None = None,
) -> Tokenised:
    """The prompt's tokens.

    `markers` are texts that the template or the format uses as markers: those that are user-defined tokens
    may come from template text only, as control tokens do, unless the mode is `compatible`. What the
    template wrote into this very prompt is found here and need not be named. `add_bos` and `add_eos`
    default to what the vocabulary asks for; neither is added where the text has it already, and no EOS
    goes behind an open generation prompt.
    """
    text = prompt.text
    repaired = _without_surrogates(text)
    guard = _make_guard(prompt, vocabulary, markers, mode)
    span_of = guard.span_of
    encoded, cuts = encode_guarded(repaired, guard)
    neutralised = tuple(_neutralised(prompt, cuts, guard, span_of))
    warnings = [*_text_warnings(text, repaired, encoded), *_field_warnings(neutralised)]
    is_open = prompt.generation_start < len(text)
    before, after, more = _frame(encoded, vocabulary, add_bos, add_eos, is_open=is_open)
    return _columns(span_of, encoded, before, after, guard.pieces, neutralised, (*warnings, *more))


def _without_surrogates(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


def template_markers(source: str, vocabulary: Vocabulary, spelled: Sequence[str] = ()) -> frozenset[str]:
    """Texts of user-defined tokens that a template's source writes as markers, e.g. `<tool_call>`, or a format does.

    `spelled` are the texts that the format writes; a hand-written one knows markers that no template spells.
    """
    written = "\0".join((source, *spelled))
    return frozenset(
        added.text
        for added in vocabulary.pieces().added
        if not added.control and added.is_marker and added.text in written
    )


def _lay_out(prompt: Prompt) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(the span of each character and of the text's end, the number of spans of input before each span and in all)."""
    count = max(len(prompt.spans), 1)
    lengths = np.array([len(span.text) for span in prompt.spans] or [0], dtype=np.int64)
    is_input = [span.origin.kind == "input" for span in prompt.spans] or [False]
    lengths[-1] += 1
    span_of = np.repeat(np.arange(count, dtype=np.int32), lengths)
    return span_of, np.concatenate(([0], np.cumsum(is_input))).astype(np.int32)


def _make_guard(prompt: Prompt, vocabulary: Vocabulary, markers: frozenset[str], mode: Mode) -> Guard:
    pieces = vocabulary.pieces()
    guarded = pieces.control
    if mode == "neutral":
        written = "\0".join({span.text for span in prompt.spans if span.origin.kind == "template"})
        more = [
            added.id
            for added in pieces.added
            if not added.control and (added.text in markers or (added.is_marker and added.text in written))
        ]
        if more:
            guarded = guarded.copy()
            guarded[more] = True
    return Guard(vocabulary, pieces, guarded, has_space_prefix(vocabulary), *_lay_out(prompt))


def _neutralised(
    prompt: Prompt, cuts: tuple[Cut, ...], guard: Guard, span_of: NDArray[np.int32]
) -> Iterator[Neutralised]:
    for cut in cuts:
        for start, end, token in cut.occurrences:
            spans = prompt.spans[int(span_of[start]) : int(span_of[end - 1]) + 1]
            fields = dict.fromkeys(span.origin.source or "" for span in spans if span.is_input and span.text)
            marker = not (guard.pieces.control[token] or guard.pieces.unknown[token])
            yield Neutralised(prompt.text[start:end], start, end, token, tuple(fields), marker)


def _text_warnings(text: str, repaired: str, encoded: Encoded) -> Iterator[Warning]:
    if repaired != text:
        yield Warning(
            "lone-surrogates",
            "The text holds halves of characters (lone surrogates), which no tokenizer takes; each is sent as U+FFFD.",
        )
    if not encoded.joined:
        yield Warning(
            "pieces-differ",
            "The tokens' pieces do not join to the prompt: this tokenizer changes the text (case, accents, blanks, "
            "characters that it does not know). The text shown is the prompt; where a token ends is approximate.",
        )


def _field_warnings(neutralised: tuple[Neutralised, ...]) -> Iterator[Warning]:
    """One warning a field, with what was found in it and how often."""
    counts: dict[str, Counter[str]] = {}
    for found in neutralised:
        counts.setdefault(" and ".join(found.fields), Counter())[found.text] += 1
    for name, texts in counts.items():
        listed = ", ".join(f"{text!r}" + (f" ({count} times)" if count > 1 else "") for text, count in texts.items())
        yield Warning(
            "control-text-neutralised",
            f"{name or 'The input'} spells control tokens or markers of this model: {listed}. Sent as plain text.",
            name or None,
        )


def _frame(
    encoded: Encoded, vocabulary: Vocabulary, add_bos: bool | None, add_eos: bool | None, *, is_open: bool
) -> tuple[list[int], list[int], list[Warning]]:
    """(ids to put before, ids to put after, warnings): one BOS and one EOS at most, whoever adds them."""
    ids = encoded.ids
    bos, eos = vocabulary.bos, vocabulary.eos
    wants_bos = vocabulary.adds_bos if add_bos is None else add_bos
    wants_eos = vocabulary.adds_eos if add_eos is None else add_eos
    starts_with = len(ids) > 0 and int(ids[0]) == bos
    before = [bos] if wants_bos and bos >= 0 and not starts_with else []
    warnings = []
    if starts_with and len(ids) > 1 and int(ids[1]) == bos:
        warnings.append(Warning("double-bos", "The template itself writes the BOS token twice at the start."))
    ends_with = len(ids) > 0 and int(ids[-1]) == eos
    after = [eos] if wants_eos and eos >= 0 and not ends_with else []
    if after and is_open and add_eos is None and vocabulary.kind != "wpm":
        after = []
        warnings.append(
            Warning(
                "eos-left-out",
                "The vocabulary asks for an EOS token after every text; behind an open generation prompt it would "
                "end the reply before it begins, so it is left out.",
            )
        )
    return before, after, warnings


def _columns(
    span_of: NDArray[np.int32],
    encoded: Encoded,
    before: list[int],
    after: list[int],
    pieces: Pieces,
    neutralised: tuple[Neutralised, ...],
    warnings: tuple[Warning, ...],
) -> Tokenised:
    first = span_of[encoded.starts]
    last = span_of[np.maximum(encoded.ends - 1, encoded.starts)]
    end = len(span_of) - 1

    def framed(column: NDArray[Any], head: int, tail: int) -> NDArray[Any]:
        if not before and not after:
            return column
        return np.concatenate(([head] * len(before), column, [tail] * len(after))).astype(column.dtype)

    return Tokenised(
        np.concatenate((before, encoded.ids, after)).astype(np.int32) if before or after else encoded.ids,
        framed(encoded.starts, 0, end),
        framed(encoded.ends, 0, end),
        framed(first, -1, -1),
        framed(last, -1, -1),
        framed(encoded.neutral, 0, 0),
        pieces,
        neutralised,
        warnings,
    )
