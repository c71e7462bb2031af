"""How values become text: as `str()` and `repr()` write them, each leaf with its origin."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, Mapping, ValuesView
from typing import Any

from jinja2.runtime import LoopContext, Macro, Undefined
from jinja2.utils import Namespace

from .limits import Meter
from .marked import VOUCHED, FromField, Mark, Marked, derived, input_of, joined, known, leaf, leaves, origin_of
from .safe import SafeMarked
from .values import View

_EMPTY = leaf("", VOUCHED)


def show(value: Any, meter: Meter | None = None) -> str:
    """The text that `{{ value }}` puts out."""
    kind = type(value)
    if kind is Marked or kind is Mark:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return known(value)
    if value is None or kind is int or kind is bool or kind is float:
        return leaf(str(_counted(value, meter)), VOUCHED)
    if isinstance(value, SafeMarked):
        return str(value)
    if isinstance(value, Undefined):
        return _EMPTY if not str(value) else leaf(str(value), VOUCHED)
    return represent(value, meter)


def represent(value: Any, meter: Meter | None = None, level: int = 0) -> Marked:
    """The text that `repr(value)` gives; of functions and iterators, only what they are: no address, no owner."""
    if isinstance(value, SafeMarked):
        return joined([leaf("Markup(", VOUCHED), _quoted(known(str(value))), leaf(")", VOUCHED)])
    if isinstance(value, str):
        return _quoted(known(value))
    if isinstance(value, FromField) and not isinstance(value, (list, dict)):
        return leaf(repr(value), derived(value._path))
    if meter is not None and level == 0:
        meter.weigh(value)
    if isinstance(value, (list, tuple, Mapping, View)) and (meter is None or level < meter.budget.depth):
        return _container(value, meter, level)
    if isinstance(value, Namespace):
        attributes = object.__getattribute__(value, "_Namespace__attrs")
        return joined([leaf("<Namespace ", VOUCHED), represent(attributes, meter, level), leaf(">", VOUCHED)])
    if isinstance(value, (KeysView, ValuesView, ItemsView)):
        return represent(View(type(value).__name__, list(value)), meter, level)
    if value is None or isinstance(value, (int, float, Undefined, Macro, LoopContext, type)):
        return leaf(repr(_counted(value, meter)), VOUCHED)
    if callable(value) or hasattr(value, "__next__"):
        return leaf(f"<{type(value).__name__} {getattr(value, '__name__', '')}>", VOUCHED)
    text = repr(value)
    if meter is not None:
        meter.text(len(text))
    return leaf(text, input_of([value]) or derived(None))


def _counted(value: Any, meter: Meter | None) -> Any:
    """Before a number is written: a long one takes its time."""
    if meter is not None and isinstance(value, int) and value.bit_length() > 1024:
        meter.spend(value.bit_length() >> 4)
    return value


def bounded(value: Any, meter: Meter | None) -> Any:
    """The value, once it is sure that its text is not too long."""
    if isinstance(value, tuple):
        for one in value:
            _counted(one, meter)
    _counted(value, meter)
    if isinstance(value, (list, tuple, dict, View, Namespace)):
        represent(value, meter)
    return value


def _container(value: Any, meter: Meter | None, level: int) -> Marked:
    origin = derived(value._path) if isinstance(value, FromField) else VOUCHED
    before, after = "[", "]"
    parts: list[str] = []
    size = 2
    entries: Any = value
    if isinstance(value, View):
        before, after, entries = f"{value._name}([", "])", value._entries
    elif isinstance(value, Mapping):
        before, after, entries = "{", "}", value.items()
    elif isinstance(value, tuple):
        before, after = "(", ",)" if len(value) == 1 else ")"
    for entry in entries:
        if parts:
            parts.append(leaf(", ", origin))
        if isinstance(value, Mapping):
            parts += [represent(entry[0], meter, level + 1), leaf(": ", origin), represent(entry[1], meter, level + 1)]
        else:
            parts.append(represent(entry, meter, level + 1))
        if meter is not None:
            size += len(parts[-1])
            meter.spend(1 + (len(parts[-1]) >> 8))
            meter.room(size)
    if meter is not None:
        meter.text(size)
    return joined([leaf(before, origin), *parts, leaf(after, origin)])


def _quoted(text: Marked) -> Marked:
    whole = repr(str.__str__(text))
    quote = whole[0]
    pieces = leaves(text)
    bodies = [_body(piece, quote) for piece in pieces]
    if len(pieces) < 2 or "".join(bodies) != whole[1:-1]:
        return leaf(whole, origin_of(text))
    shown = [
        piece if body == piece else leaf(body, origin_of(piece)) for piece, body in zip(pieces, bodies, strict=True)
    ]
    return joined([leaf(quote, origin_of(pieces[0])), *shown, leaf(quote, origin_of(pieces[-1]))])


def _body(piece: str, quote: str) -> str:
    plain = str.__str__(piece)
    return repr(plain + '"')[1:-2] if quote == "'" else repr(plain)[1:-1]
