"""Text that remembers where each of its characters came from, through everything a str can do.

`Marked` is a str. Its trace says where the characters are from:

- an `Origin`: all of them from one place (of the template), or derived from one field;
- `(path, start)`: copied from the field's characters `start` on;
- a list: put together from several, each a `Marked` leaf, another such list, or a `Mark` of no length.

What cannot be followed character by character counts as derived from the input, if any of it was input.
A plain str has no known origin; where one turns up it counts as input.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, SupportsIndex, TypeAlias, cast

from ..prompt import Origin

Trace: TypeAlias = "Origin | tuple[str, int] | list[Any]"

VOUCHED = Origin("template")
"""Written by the template or vouched for; the place is that of the output that it ends up in."""

UNKNOWN = Origin("input")

MAX_PIECES = 50_000
"""A text of more pieces is not followed through an operation; it counts as derived."""

MAX_PARTS = 20_000
"""Nor is one followed into more parts than this: each of them counts as derived from the whole."""

_new = str.__new__
_item = str.__getitem__


@lru_cache(maxsize=32768)
def derived(path: str | None) -> Origin:
    """What was made from a field's text, but is not a copy of it."""
    return Origin("input", path)


class FromField:
    """A value of the request that is not a string: it knows its field's path."""

    __slots__ = ()
    _path: str


class Mark(str):
    """No text, but something to know about the text that follows: where it is put out, or where a block starts."""

    __slots__ = ("kind", "place")
    kind: str
    place: tuple[int, int]
    """Line and column."""
    _trace = None


def mark(kind: str, line: int, column: int) -> Mark:
    """`kind` is `place`, `generation` or `endgeneration`."""
    made = Mark()
    made.kind, made.place = kind, (line, column)
    return made


class Marked(str):
    __slots__ = ("_flat", "_trace")
    _trace: Trace
    _flat: tuple[list[Marked], list[int]]

    def __str__(self) -> str:
        return self

    def __getitem__(self, index: SupportsIndex | slice) -> Marked:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return cut(self, ((start, max(start, stop)),))[0]
            return _picked(self, index, range(start, stop, step))
        _item(self, index)  # the same complaints as str's
        at = range(len(self))[index]
        return cut(self, ((at, at + 1),))[0]

    def __iter__(self) -> Iterator[str]:
        if len(self) > MAX_PARTS:
            trace = _whole(self)
            for char in str.__iter__(self):
                yield leaf(char, trace)
            return
        for piece in leaves(self):
            for at in range(len(piece)):
                yield cut(piece, ((at, at + 1),))[0]

    def __add__(self, other: str) -> str:
        if not isinstance(other, str):
            return NotImplemented
        return joined([self, known(other)], type(self))

    def __radd__(self, other: str) -> str:
        if not isinstance(other, str):
            return NotImplemented
        return joined([known(other), self], type(self))

    def __mul__(self, count: SupportsIndex) -> str:
        times = count.__index__()
        if times > 1 and type(self._trace) is not list:
            return _leaf_of(type(self), str.__mul__(self, times), _bare(self._trace))
        return joined([self] * times, type(self))

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> str:
        from .formatting import percent

        return percent(self, values)

    # Same characters, another case.

    def upper(self) -> str:
        return mapped(self, str.upper)

    def lower(self) -> str:
        return mapped(self, str.lower)

    def casefold(self) -> str:
        return mapped(self, str.casefold)

    def swapcase(self) -> str:
        return mapped(self, str.swapcase)

    def capitalize(self) -> str:
        return mapped(self, str.capitalize)

    def title(self) -> str:
        return mapped(self, str.title)

    def translate(self, table: Any) -> str:
        return mapped(self, lambda text: str.translate(text, table))

    # Parts of the text.

    def strip(self, chars: str | None = None) -> str:
        start = len(self) - len(str.lstrip(self, chars))
        return self if not start and self._ends_at(chars) == len(self) else self._part(start, self._ends_at(chars))

    def lstrip(self, chars: str | None = None) -> str:
        start = len(self) - len(str.lstrip(self, chars))
        return self._part(start, len(self)) if start else self

    def rstrip(self, chars: str | None = None) -> str:
        end = self._ends_at(chars)
        return self._part(0, end) if end < len(self) else self

    def removeprefix(self, prefix: str) -> str:
        return self._part(len(prefix), len(self)) if prefix and self.startswith(prefix) else self

    def removesuffix(self, suffix: str) -> str:
        return self._part(0, len(self) - len(suffix)) if suffix and self.endswith(suffix) else self

    def _ends_at(self, chars: str | None) -> int:
        return len(str.rstrip(self, chars))

    def _part(self, start: int, end: int) -> Marked:
        return cut(self, ((start, max(start, end)),))[0]

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._parted(str.split(self, sep, maxsplit), sep)

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._parted(str.rsplit(self, sep, maxsplit), sep)

    def splitlines(self, keepends: bool = False) -> list[str]:
        lines = str.splitlines(self, keepends)
        if len(lines) > MAX_PARTS:
            return _unfollowed(lines, self)
        bounds, at = [], 0
        for line, whole in zip(lines, str.splitlines(self, True), strict=True):
            bounds.append((at, at + len(line)))
            at += len(whole)
        return cast("list[str]", cut(self, bounds))

    def partition(self, sep: str) -> tuple[str, str, str]:
        return self._around(str.partition(self, sep))

    def rpartition(self, sep: str) -> tuple[str, str, str]:
        return self._around(str.rpartition(self, sep))

    def _around(self, parts: tuple[str, str, str]) -> tuple[str, str, str]:
        first, second = len(parts[0]), len(parts[0]) + len(parts[1])
        before, sep, after = cut(self, ((0, first), (first, second), (second, len(self))))
        return before, sep, after

    def _parted(self, parts: list[str], sep: str | None) -> list[str]:
        if len(parts) > MAX_PARTS:
            return _unfollowed(parts, self)
        bounds, at = [], 0
        for part in parts:
            if sep is None:
                at = str.find(self, part, at)
            bounds.append((at, at + len(part)))
            at += len(part) + len(sep or "")
        return cast("list[str]", cut(self, bounds))

    # More text around or between.

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        return _replaced(self, old, new, count.__index__())

    def join(self, items: Iterable[str], /) -> str:
        parts = list(items)
        for at, part in enumerate(parts):
            if not isinstance(part, str):
                raise TypeError(f"sequence item {at}: expected str instance, {type(part).__name__} found")
        woven: list[str] = []
        for part in parts:
            if woven and self:
                woven.append(self)
            woven.append(known(part))
        return joined(woven, type(self))

    def ljust(self, width: SupportsIndex, fillchar: str = " ", /) -> str:
        return self._padded(0, max(0, width.__index__() - len(self)), fillchar)

    def rjust(self, width: SupportsIndex, fillchar: str = " ", /) -> str:
        return self._padded(max(0, width.__index__() - len(self)), 0, fillchar)

    def center(self, width: SupportsIndex, fillchar: str = " ", /) -> str:
        wide = width.__index__()
        blank = max(0, wide - len(self))
        left = blank // 2 + (blank & wide & 1)
        return self._padded(left, blank - left, fillchar)

    def _padded(self, left: int, right: int, fillchar: str) -> Marked:
        str.ljust("", 0, fillchar)
        fill = known(fillchar) if isinstance(fillchar, Marked) else computed(fillchar, self)
        return joined([known(fill * left), self, known(fill * right)], type(self))

    def zfill(self, width: SupportsIndex, /) -> str:
        return computed(str.zfill(self, width), self)

    def expandtabs(self, tabsize: SupportsIndex = 8) -> str:
        return computed(str.expandtabs(self, tabsize), self)


def leaf(text: str, trace: Trace) -> Marked:
    made = _new(Marked, text)
    made._trace = trace
    return made


def _leaf_of(kind: type[Marked], text: str, trace: Trace) -> Marked:
    made = _new(kind, text)
    made._trace = trace
    return made


def known(text: str) -> Marked:
    """The text itself where its origin is known; a plain str counts as input of an unknown field."""
    return text if isinstance(text, Marked) else leaf(text, UNKNOWN)


def joined(parts: Sequence[Any], kind: type[Marked] = Marked) -> Marked:
    """Parts are `Marked` or `Mark`; lists of pieces are shared, so that a growing text doesn't keep its past."""
    made = _new(kind, "".join(parts))
    made._trace = [part if type(trace := part._trace) is not list else trace for part in parts]
    return made


def concat(parts: Iterable[str]) -> Marked:
    """What a block of the template put out, as one text."""
    return joined(parts if type(parts) is list else list(parts))


def computed(text: str, *operands: Any) -> Marked:
    """A text that was computed from the operands, in ways that were not followed."""
    return leaf(text, input_of(operands) or VOUCHED)


def input_of(values: Iterable[Any]) -> Origin | None:
    """The first input found among values of any shape, as what is derived from it; None when there is none."""
    stack = list(values)
    seen: set[int] = set()
    while stack:
        value = stack.pop()
        trace = value._trace if isinstance(value, Marked) else value
        if type(trace) is tuple and len(trace) == 2 and isinstance(value, Marked):
            return derived(trace[0])
        if isinstance(trace, Origin):
            if trace.kind == "input":
                return derived(trace.source)
            continue
        if isinstance(value, FromField):
            return derived(value._path)
        if type(value) is str and value:
            return UNKNOWN
        if id(trace) in seen:
            continue
        if isinstance(trace, Mapping):
            seen.add(id(trace))
            stack += [*trace.keys(), *trace.values()]
        elif isinstance(trace, (list, tuple)):
            seen.add(id(trace))
            stack += trace
    return None


def leaves(text: Marked) -> list[Marked]:
    return [text] if type(text._trace) is not list else flat(text)[0]


def flat(text: Marked) -> tuple[list[Marked], list[int]]:
    """The pieces that the text consists of, and where each begins."""
    try:
        return text._flat
    except AttributeError:
        pass
    pieces: list[Marked] = []
    starts: list[int] = []
    at = visited = 0
    stack: list[Iterator[Any]] = [iter(cast("list[Any]", text._trace))]
    while stack:
        for part in stack[-1]:
            visited += 1
            if type(part) is list:
                stack.append(iter(part))
                break
            if part and type(part) is not Mark:
                pieces.append(part)
                starts.append(at)
                at += len(part)
        else:
            stack.pop()
        if visited > MAX_PIECES:
            pieces, starts = [leaf(text, input_of([text]) or VOUCHED)], [0]
            break
    text._flat = (pieces, starts)
    return text._flat


def cut(text: Marked, bounds: Iterable[tuple[int, int]]) -> list[Marked]:
    """The parts `[start, end)` of the text."""
    kind, trace = type(text), text._trace
    if type(trace) is tuple:
        path, at = trace
        return [_leaf_of(kind, _item(text, slice(a, b)), (path, at + a)) for a, b in bounds]
    if type(trace) is not list:
        return [_leaf_of(kind, _item(text, slice(a, b)), trace) for a, b in bounds]
    pieces, starts = flat(text)
    return [_across(kind, pieces, starts, a, b) for a, b in bounds]


def _across(kind: type[Marked], pieces: list[Marked], starts: list[int], start: int, end: int) -> Marked:
    found: list[str] = []
    index = max(0, bisect_right(starts, start) - 1)
    while index < len(pieces) and starts[index] < end:
        piece, at = pieces[index], starts[index]
        if start <= at and at + len(piece) <= end:
            found.append(piece)
        else:
            found += cut(piece, ((max(0, start - at), min(len(piece), end - at)),))
        index += 1
    return joined(found, kind)


def _picked(text: Marked, index: slice, places: range) -> Marked:
    """Every n-th character, or backwards."""
    if type(text._trace) is list and len(places) <= MAX_PARTS:
        return joined([cut(text, ((at, at + 1),))[0] for at in places], type(text))
    return _leaf_of(type(text), _item(text, index), input_of([text]) or _bare(text._trace))


def origin_of(text: Marked) -> Origin:
    """One origin for what is made from the whole text."""
    trace = text._trace
    return input_of([text]) or (trace if isinstance(trace, Origin) else VOUCHED)


def _bare(trace: Trace) -> Trace:
    """The trace of what is derived, not copied, from text of this trace."""
    if type(trace) is tuple:
        return derived(trace[0])
    return VOUCHED if type(trace) is list else trace


def _whole(text: Marked) -> Trace:
    """The trace of parts that are not followed."""
    return input_of([text]) or _bare(text._trace)


def _unfollowed(parts: Sequence[str], text: Marked) -> list[str]:
    kind, trace = type(text), _whole(text)
    return [_leaf_of(kind, part, trace) for part in parts]


def mapped(text: Marked, change: Callable[[str], str]) -> Marked:
    """A change that works character by character, or at least keeps their number and order."""
    changed = change(text)
    kind = type(text)
    if changed == text:
        return text
    if type(text._trace) is not list:
        return _leaf_of(kind, changed, _bare(text._trace))
    pieces = leaves(text)
    parts = [change(piece) for piece in pieces]
    if "".join(parts) != changed:
        if len(changed) != len(text):
            return _leaf_of(kind, changed, input_of([text]) or VOUCHED)
        starts = flat(text)[1]
        parts = [changed[at : at + len(piece)] for piece, at in zip(pieces, starts, strict=True)]
    return joined(
        [
            piece if part == piece else leaf(part, _bare(piece._trace))
            for piece, part in zip(pieces, parts, strict=True)
        ],
        kind,
    )


def _replaced(text: Marked, old: str, new: str, count: int) -> Marked:
    changed = str.replace(text, old, new, count)
    if changed == text and (old not in text or count == 0):
        return text
    if text.count(old) > MAX_PARTS:
        return _leaf_of(type(text), changed, input_of([text, new]) or VOUCHED)
    if not old or (type(text._trace) is not list and type(text._trace) is not tuple and _plain(text) and _plain(new)):
        return _leaf_of(type(text), changed, input_of([text, new]) or _bare(text._trace))
    bounds, at = [], 0
    while count != 0 and (found := str.find(text, old, at)) >= 0:
        bounds += [(at, found), (found, found + len(old))]
        at, count = found + len(old), count - 1
    parts = cut(text, [*bounds, (at, len(text))])
    parts[1::2] = [_in_place_of(part, new) for part in parts[1::2]]
    return joined(parts, type(text))


def _plain(text: str) -> bool:
    """Written by the template as a whole."""
    return isinstance(text, Marked) and isinstance(text._trace, Origin) and text._trace.kind == "template"


def _in_place_of(part: Marked, new: str) -> Marked:
    """What replaces input is derived from it, unless it has an origin of its own."""
    was_input = input_of([part])
    return leaf(new, was_input) if was_input and _plain(new) else known(new)
