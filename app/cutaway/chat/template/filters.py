"""Jinja's filters, so that every character keeps its origin and no call runs away.

Each takes the rendering's context first; what Jinja's own filter refuses is refused here as well.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import Any

import jinja2.filters
from jinja2.exceptions import FilterArgumentError
from jinja2.utils import pass_context

from . import sequences
from .formatting import percent
from .guards import check_case, check_strip
from .limits import MAX_DIGITS, MAX_WORKED, LimitError, check_power
from .marked import VOUCHED, FromField, Marked, computed, cut, input_of, joined, known, leaf, mapped
from .safe import SafeMarked, escaped
from .safe import safe as made_safe
from .shown import represent, show
from .tojson import Writer
from .values import number

Context = Any
_plain = str.__str__
_JINJA = jinja2.filters.FILTERS


def _soft(context: Context, value: Any) -> Marked:
    """Jinja's `soft_str`: strings as they are, safe ones included."""
    return _charged(context, value if isinstance(value, Marked) else show(value, context.meter))


def _text(context: Context, value: Any) -> Marked:
    return _charged(context, show(value, context.meter))


def _charged(context: Context, text: Any) -> Marked:
    if len(text) > 1024:
        context.meter.text(len(text))
    return text  # type: ignore[no-any-return]


def _cased(context: Context, value: Any) -> Marked:
    text = _soft(context, value)
    check_case(context.meter, text)
    return text


def upper(context: Context, value: Any) -> str:
    return _cased(context, value).upper()


def lower(context: Context, value: Any) -> str:
    return _cased(context, value).lower()


def capitalize(context: Context, value: Any) -> str:
    return _cased(context, value).capitalize()


def title(context: Context, value: Any) -> str:
    text = _soft(context, value)
    context.meter.work(len(text), MAX_WORKED)
    return mapped(text, jinja2.filters.do_title)


def trim(context: Context, value: Any, chars: str | None = None) -> str:
    text = _soft(context, value)
    if chars is not None:
        check_strip(context.meter, text, chars)
    return text.strip(chars)


def string(context: Context, value: Any) -> str:
    return _soft(context, value)


def center(context: Context, value: Any, width: int = 80) -> str:
    context.meter.width(width)
    return _soft(context, value).center(width)


def replace(context: Context, value: Any, old: Any, new: Any, count: int | None = None) -> str:
    text, old, new = (_text(context, part) for part in (value, old, new))
    times = text.count(old) if len(new) > len(old) else 0
    context.meter.text(len(text) + times * (len(new) - len(old)))
    return text.replace(old, new, -1 if count is None else count)


def join(context: Context, value: Any, d: Any = "", attribute: Any = None) -> str:
    if attribute is not None:
        get = jinja2.filters.make_attrgetter(context.environment, attribute)
        value = map(get, value)
    separator = _text(context, d)
    parts: list[str] = []
    size = 0
    for item in value:
        if parts and separator:
            parts.append(separator)
        parts.append(_text(context, item))
        size += len(parts[-1]) + len(separator)
        context.meter.spend(1 + (size >> 16))
    context.meter.text(size)
    return joined(parts)


def format_(context: Context, value: Any, *args: Any, **kwargs: Any) -> str:
    if args and kwargs:
        raise FilterArgumentError("can't handle positional and keyword arguments at the same time")
    return percent(_soft(context, value), kwargs or args, context.meter)


def indent(context: Context, s: Any, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    context.meter.width(width)
    margin = known(width) if isinstance(width, str) else leaf(" " * width, VOUCHED)
    if isinstance(s, str):
        context.meter.items(s.count("\n"))
    lines = (known(s) if isinstance(s, str) else s).__add__(leaf("\n", VOUCHED)).splitlines()
    context.meter.text(len(s) + len(lines) * len(margin))
    breaks = computed("\n", s)
    parts: list[str] = [margin] if first else []
    for index, line in enumerate(lines):
        if index:
            parts.append(breaks)
            if blank or line:
                parts.append(margin)
        parts.append(line)
    return joined(parts, SafeMarked if isinstance(s, SafeMarked) else Marked)


def truncate(
    context: Context, s: Any, length: int = 255, killwords: bool = False, end: Any = "...", leeway: int | None = None
) -> Any:
    leeway = context.environment.policies["truncate.leeway"] if leeway is None else leeway
    if length < len(end):
        raise AssertionError(f"expected length >= {len(end)}, got {length}")
    if leeway < 0:
        raise AssertionError(f"expected leeway >= 0, got {leeway}")
    if len(s) <= length + leeway:
        return s
    kept = known(s)[: length - len(end)]
    return (kept if killwords else kept.rsplit(" ", 1)[0]) + (end if isinstance(end, Marked) else leaf(end, VOUCHED))


def wordwrap(
    context: Context,
    s: Any,
    width: int = 79,
    break_long_words: bool = True,
    wrapstring: str | None = None,
    break_on_hyphens: bool = True,
) -> str:
    if not isinstance(s, str):
        raise AttributeError(f"{type(s).__name__!r} object has no attribute 'splitlines'")
    text = known(s)
    between = leaf(context.environment.newline_sequence, VOUCHED) if wrapstring is None else known(wrapstring)
    context.meter.work(len(text), MAX_WORKED // 10)
    lines: list[str] = []
    for line in text.splitlines():
        paragraph = known(line)
        wrapped = textwrap.wrap(
            _plain(paragraph),
            width=width,
            expand_tabs=False,
            replace_whitespace=False,
            break_long_words=break_long_words,
            break_on_hyphens=break_on_hyphens,
        )
        lines.append(between.join(_found_in_order(paragraph, wrapped)))
    context.meter.text(len(text) + len(text) * len(between))
    return between.join(lines)


def _found_in_order(text: Marked, pieces: list[str]) -> list[str]:
    """The pieces as parts of the text that they were taken from."""
    bounds, at = [], 0
    for piece in pieces:
        at = _plain(text).find(piece, at)
        if at < 0:
            return [computed(piece, text) for piece in pieces]
        bounds.append((at, at + len(piece)))
        at += len(piece)
    return list(cut(text, bounds))


def escape(context: Context, value: Any) -> str:
    return escaped(_escapable(context, value if isinstance(value, str) else _text(context, value)))


def forceescape(context: Context, value: Any) -> str:
    return escaped(_escapable(context, _text(context, value)))


def _escapable(context: Context, text: str) -> str:
    if not isinstance(text, SafeMarked):
        context.meter.text(len(text) + 4 * sum(map(text.count, "<>&'\"")))
    return text


def safe(context: Context, value: Any) -> str:
    return made_safe(_text(context, value))


def tojson(
    context: Context,
    value: Any,
    ensure_ascii: bool = False,
    indent: Any = None,
    separators: Any = None,
    sort_keys: bool = False,
) -> str:
    writer = Writer(
        context.meter,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
        lenient=context.environment.lenient,
    )
    return writer.write(value)


def int_(context: Context, value: Any, default: int = 0, base: int = 10) -> Any:
    if isinstance(value, str) and len(value) > MAX_DIGITS:
        raise LimitError(f"the template reads a number of more than {MAX_DIGITS:,} digits")
    return _as_number(jinja2.filters.do_int(_unmarked(value), default, base), value, default)


def float_(context: Context, value: Any, default: float = 0.0) -> Any:
    return _as_number(jinja2.filters.do_float(_unmarked(value), default), value, default)


def _as_number(result: Any, value: Any, default: Any) -> Any:
    if result is default:
        return result
    origin = input_of([value])
    return result if origin is None else number(result, origin.source or "?")


def _unmarked(value: Any) -> Any:
    return _plain(value) if isinstance(value, str) else value


def round_(context: Context, value: Any, precision: int = 0, method: Any = "common") -> Any:
    if isinstance(precision, int) and abs(precision) > 400:
        check_power(10, abs(precision) * 100)
    return _as_number(jinja2.filters.do_round(value, precision, method), value, None)


def abs_(context: Context, value: Any) -> Any:
    return abs(value)


def sum_(context: Context, iterable: Any, attribute: Any = None, start: Any = 0) -> Any:
    if attribute is not None:
        iterable = map(jinja2.filters.make_attrgetter(context.environment, attribute), iterable)
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    total = start
    for item in iterable:
        context.meter.tick()
        total = context.add_two(total, item)
    return total


def filesizeformat(context: Context, value: Any, binary: bool = False) -> str:
    return computed(jinja2.filters.do_filesizeformat(_unmarked(value), binary), value)


def pprint(context: Context, value: Any) -> str:
    context.meter.work(len(represent(value, context.meter)), MAX_WORKED)
    text = jinja2.filters.do_pprint(_unwrapped(value))
    context.meter.text(len(text))
    return computed(text, value)


def _unwrapped(value: Any) -> Any:
    """Plain Python values, for a function that looks at exact types."""
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, Mapping) and isinstance(value, dict):
        return {_unwrapped(key): _unwrapped(item) for key, item in value.items()}
    if (isinstance(value, FromField) and isinstance(value, list)) or type(value) is list:
        return [_unwrapped(item) for item in value]
    return value


def _untraced(name: str) -> Callable[..., Any]:
    """A filter of Jinja's whose result is only known to come from its operands."""
    original = _JINJA[name]

    def apply(context: Context, value: Any, *args: Any, **kwargs: Any) -> Any:
        context.meter.work(len(_text(context, value)), MAX_WORKED // 10)
        first: tuple[Any, ...] = ()
        if name in ("xmlattr", "urlize"):
            first = (context.eval_ctx,)
        plain = [_unwrapped(arg) for arg in args]
        named = {key: _unwrapped(arg) for key, arg in kwargs.items()}
        for arg in plain:
            context.meter.text(len(arg) if isinstance(arg, str) else 0)
        result = original(*first, _unwrapped(value), *plain, **named)
        context.meter.text(len(result))
        return computed(_plain(result), value, *args, *kwargs.values())

    return apply


def wordcount(context: Context, value: Any) -> int:
    text = _text(context, value)
    context.meter.work(len(text), MAX_WORKED)
    return int(jinja2.filters.do_wordcount(_plain(text)))


_OWN: dict[str, Callable[..., Any]] = {
    "abs": abs_,
    "attr": sequences.attr,
    "batch": sequences.batch,
    "capitalize": capitalize,
    "center": center,
    "count": sequences.length,
    "d": sequences.default,
    "default": sequences.default,
    "dictsort": sequences.dictsort,
    "e": escape,
    "escape": escape,
    "filesizeformat": filesizeformat,
    "first": sequences.first,
    "float": float_,
    "forceescape": forceescape,
    "format": format_,
    "groupby": sequences.groupby,
    "indent": indent,
    "int": int_,
    "items": sequences.items,
    "join": join,
    "last": sequences.last,
    "length": sequences.length,
    "list": sequences.list_,
    "lower": lower,
    "map": sequences.map_,
    "max": sequences.max_,
    "min": sequences.min_,
    "pprint": pprint,
    "random": sequences.random,
    "reject": sequences.choosing(False, False),
    "rejectattr": sequences.choosing(False, True),
    "replace": replace,
    "reverse": sequences.reverse,
    "round": round_,
    "safe": safe,
    "select": sequences.choosing(True, False),
    "selectattr": sequences.choosing(True, True),
    "slice": sequences.slice_,
    "sort": sequences.sort,
    "string": string,
    "striptags": _untraced("striptags"),
    "sum": sum_,
    "title": title,
    "tojson": tojson,
    "trim": trim,
    "truncate": truncate,
    "unique": sequences.unique,
    "upper": upper,
    "urlencode": _untraced("urlencode"),
    "urlize": _untraced("urlize"),
    "wordcount": wordcount,
    "wordwrap": wordwrap,
    "xmlattr": _untraced("xmlattr"),
}

FILTERS: dict[str, Callable[..., Any]] = {name: pass_context(function) for name, function in _OWN.items()}
