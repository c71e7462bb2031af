"""Jinja's filters of sequences and mappings: weighed before they start, counted item by item.

Each takes the rendering's context first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import jinja2.filters
from jinja2.exceptions import FilterArgumentError
from jinja2.runtime import Undefined

from .limits import Meter
from .marked import VOUCHED, Marked, known, leaf
from .values import InputList

FEW = 64
"""Items that a loop may go through unseen."""

Context = Any
_plain = str.__str__


def length(context: Context, value: Any) -> int:
    return len(value)


def default(context: Context, value: Any, default_value: Any = "", boolean: bool = False) -> Any:
    if isinstance(value, Undefined) or (boolean and not value):
        return leaf(default_value, VOUCHED) if type(default_value) is str else default_value
    return value


def first(context: Context, seq: Any) -> Any:
    for item in seq:
        return item
    return context.environment.undefined("No first item, sequence was empty.")


def last(context: Context, seq: Any) -> Any:
    if isinstance(seq, Marked):
        return seq[-1] if seq else context.environment.undefined("No last item, sequence was empty.")
    for item in reversed(seq):
        return item
    return context.environment.undefined("No last item, sequence was empty.")


def random(context: Context, seq: Any) -> Any:
    context.meter.warn(
        "random-choice", "The template picks something at random; here it gets the first, so that the prompt stays."
    )
    if not len(seq):
        return context.environment.undefined("No random item, sequence was empty.")
    return seq[0]


def reverse(context: Context, value: Any) -> Any:
    if isinstance(value, str):
        context.meter.text(len(value))
        return known(value)[::-1]
    try:
        return reversed(value)
    except TypeError:
        return list(_counted(context, value))[::-1]


def list_(context: Context, value: Any) -> list[Any]:
    if isinstance(value, InputList):
        return value.copy()
    return list(_counted(context, value))


def _counted(context: Context, value: Any) -> Iterable[Any]:
    if hasattr(value, "__len__"):
        context.meter.items(len(value))
        return value  # type: ignore[no-any-return]
    return _ticking(context, iter(value))


def _ticking(context: Context, items: Iterator[Any]) -> Iterator[Any]:
    for item in items:
        context.meter.tick()
        yield item


def items(context: Context, value: Any) -> Iterator[Any]:
    if isinstance(value, Undefined):
        return
    if not isinstance(value, Mapping):
        raise TypeError("Can only get item pairs from a mapping.")
    yield from value.items()


def dictsort(
    context: Context, value: Any, case_sensitive: bool = False, by: str = "key", reverse: bool = False
) -> list[Any]:
    context.meter.weigh(value)
    if by not in ("key", "value"):
        raise FilterArgumentError('You can only sort by either "key" or "value"')
    place = 0 if by == "key" else 1
    pairs = list(_counted(context, value.items()))
    return _sorted(context, pairs, [pair[place] for pair in pairs], case_sensitive, reverse)


def _sorted(
    context: Context, entries: list[Any], keys: list[Any], case_sensitive: bool, reverse: Any = False
) -> list[Any]:
    """In the order of their keys; those are made one by one, so that long texts count."""
    ready = _keys(context, keys, case_sensitive)
    context.meter.items(len(ready) * 4)
    order = sorted(range(len(ready)), key=ready.__getitem__, reverse=bool(reverse))
    return [entries[at] for at in order]


def _keys(context: Context, values: Iterable[Any], case_sensitive: bool) -> list[Any]:
    return [_sort_key(_read(context, value), case_sensitive) for value in values]


def _read(context: Context, value: Any) -> Any:
    """A value that is about to be compared many times."""
    context.meter.spend(1 + (len(value) >> 4) if isinstance(value, str) else 1)
    return value


def _sort_key(value: Any, case_sensitive: bool) -> Any:
    if isinstance(value, str):
        return _plain(value) if case_sensitive else str.lower(value)
    return value


def sort(
    context: Context, value: Any, reverse: bool = False, case_sensitive: bool = False, attribute: Any = None
) -> list[Any]:
    get = jinja2.filters.make_multi_attrgetter(context.environment, attribute)
    entries = context.meter.weigh(list(_counted(context, value)))
    keys = [_keys(context, get(item), bool(case_sensitive)) for item in entries]
    return _sorted(context, entries, keys, True, reverse)


def unique(context: Context, value: Any, case_sensitive: bool = False, attribute: Any = None) -> Iterator[Any]:
    get = _getter(context, attribute, case_sensitive)
    seen = set()
    for item in value:
        context.meter.tick()
        key = context.meter.weigh(get(item))
        if key not in seen:
            seen.add(key)
            yield item


def _getter(context: Context, attribute: Any, case_sensitive: bool, fallback: Any = None) -> Callable[[Any], Any]:
    get = jinja2.filters.make_attrgetter(context.environment, attribute, default=fallback)
    return lambda item: _sort_key(_read(context, get(item)), case_sensitive)


def min_(context: Context, value: Any, case_sensitive: bool = False, attribute: Any = None) -> Any:
    return _extreme(context, value, min, case_sensitive, attribute)


def max_(context: Context, value: Any, case_sensitive: bool = False, attribute: Any = None) -> Any:
    return _extreme(context, value, max, case_sensitive, attribute)


def _extreme(context: Context, value: Any, pick: Any, case_sensitive: bool, attribute: Any) -> Any:
    entries = context.meter.weigh(list(_counted(context, value)))
    if not entries:
        return context.environment.undefined("No aggregated item, sequence was empty.")
    return pick(entries, key=_getter(context, attribute, case_sensitive))


def groupby(
    context: Context, value: Any, attribute: Any, default: Any = None, case_sensitive: bool = False
) -> list[Any]:
    entries = context.meter.weigh(list(_counted(context, value)))
    context.meter.items(len(entries) * 4)
    get = _getter(context, attribute, True, default)
    for item in entries:
        get(item)
    return jinja2.filters.sync_do_groupby(context.environment, entries, attribute, default, case_sensitive)


def batch(context: Context, value: Any, linecount: int, fill_with: Any = None) -> Iterator[list[Any]]:
    if isinstance(linecount, int) and fill_with is not None:
        context.meter.items(linecount)
    yield from jinja2.filters.do_batch(_ticking(context, iter(value)), linecount, fill_with)


def slice_(context: Context, value: Any, slices: int, fill_with: Any = None) -> Iterator[list[Any]]:
    if isinstance(slices, int):
        context.meter.items(slices)
    yield from jinja2.filters.sync_do_slice(list(_counted(context, value)), slices, fill_with)


def map_(context: Context, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    if value:
        change = jinja2.filters.prepare_map(context, args, kwargs)
        for item in value:
            context.meter.tick()
            yield change(item)


def choosing(keep: bool, by_attribute: bool) -> Callable[..., Any]:
    def choose(context: Context, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        if value:
            wanted = jinja2.filters.prepare_select_or_reject(
                context, args, kwargs, (lambda x: x) if keep else (lambda x: not x), by_attribute
            )
            for item in value:
                context.meter.tick()
                if wanted(item):
                    yield item

    return choose


class Counted:
    """What a loop goes through, each turn reported: the body of a filtered loop may never run."""

    __slots__ = ("_items", "_meter")

    def __init__(self, items: Any, meter: Meter) -> None:
        self._items, self._meter = items, meter

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        for item in self._items:
            self._meter.tick()
            yield item


def each(context: Context, value: Any) -> Any:
    """Put around what a loop goes through."""
    if not hasattr(value, "__len__"):
        return _ticking(context, iter(value))
    return value if len(value) < FEW else Counted(value, context.meter)


def attr(context: Context, obj: Any, name: Any) -> Any:
    return jinja2.filters.do_attr(context.environment, obj, _plain(name) if isinstance(name, str) else name)
