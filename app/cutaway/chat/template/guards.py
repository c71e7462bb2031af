"""Methods of Python's own values that could run away in one call: what is checked before they are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .limits import MAX_AT_ONCE, MAX_DIGITS, MAX_WORKED, LimitError, Meter

MAX_ODD_KEYS = 2000

Guard = Callable[[Meter, Any, "tuple[Any, ...]", "Mapping[str, Any]"], None]


def _width(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    for value in (*args[:1], *kwargs.values()):
        meter.width(value)
    meter.text(len(text) + (abs(args[0]) if args and isinstance(args[0], int) else 0))


def _tabs(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    size = args[0] if args else kwargs.get("tabsize", 8)
    tab = "\t" if isinstance(text, str) else b"\t"
    if isinstance(size, int):
        meter.text(len(text) + text.count(tab) * max(0, size))


def _replace(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    if len(args) < 2 or not all(isinstance(part, (str, bytes)) for part in args[:2]):
        return
    old, new = args[:2]
    times = text.count(old) if len(new) > len(old) else 0
    if len(args) > 2 and isinstance(args[2], int) and args[2] >= 0:
        times = min(times, args[2])
    meter.text(len(text) + times * (len(new) - len(old)))


def _translate(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    table = args[0] if args else None
    widest = 1
    if isinstance(table, Mapping):
        widest = max((len(value) for value in table.values() if isinstance(value, str)), default=1)
    elif isinstance(table, (str, list, tuple)):
        widest = max((len(value) for value in table if isinstance(value, str)), default=1)
    meter.text(len(text) * max(1, widest))


def _join(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    if args and isinstance(args[0], (list, tuple)):
        meter.items(len(args[0]))
        sizes = sum(len(part) for part in args[0] if isinstance(part, (str, bytes)))
        meter.text(sizes + len(text) * max(0, len(args[0]) - 1))


def _split(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    meter.text(len(text))
    separator = args[0] if args else kwargs.get("sep")
    if isinstance(separator, (str, bytes)) and separator:
        meter.items(text.count(separator) + 1)
    else:
        meter.items(len(text) >> 1)


def _bytes(meter: Meter, number: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    for value in (*args, *kwargs.values()):
        meter.width(value)
        if isinstance(value, (bytes, list, tuple)) and len(value) > MAX_DIGITS:
            raise LimitError(f"the template reads a number of more than {MAX_DIGITS:,} digits")


def _compare(meter: Meter, value: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    meter.weigh(value)
    for arg in args:
        meter.weigh(arg)


def _grow(meter: Meter, value: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    size = len(value)
    for arg in args:
        check_keys(arg)
        size += len(arg) if hasattr(arg, "__len__") and not isinstance(arg, str) else 1
    if size > MAX_AT_ONCE:
        meter.items(size)
    meter.spend(1 + ((size - len(value)) >> 2))


def _copy(meter: Meter, value: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    meter.items(len(value))


def _drain(meter: Meter, value: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    for arg in args:
        meter.weigh(arg)
        check_keys(arg)
    if args and hasattr(args[0], "__len__"):
        meter.items(len(args[0]))


def check_keys(pairs: Any) -> None:
    """Before a list becomes the keys of a dict: numbers can be chosen so that each insertion takes longer."""
    if isinstance(pairs, (list, tuple)) and len(pairs) > MAX_ODD_KEYS:
        keys = (pair[0] if isinstance(pair, (list, tuple)) and pair else pair for pair in pairs)
        if sum(not isinstance(key, str) for key in keys) > MAX_ODD_KEYS:
            raise LimitError(f"the template makes a mapping of more than {MAX_ODD_KEYS:,} keys that are not texts")


def _strip(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    check_strip(meter, text, args[0] if args else None)


def check_strip(meter: Meter, text: Any, chars: Any) -> None:
    """Before a text's ends are cut: each of their characters is searched in `chars`."""
    meter.text(len(text))
    if isinstance(chars, (str, bytes)) and len(chars) * len(text) > 1 << 28:
        raise LimitError("the template cuts too many kinds of characters off too long a text")


def _case(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    check_case(meter, text)


def check_case(meter: Meter, text: Any) -> None:
    """Before a text's case is changed: letters beyond ASCII are looked up one by one."""
    meter.text(len(text)) if text.isascii() else meter.work(len(text), 5 * MAX_WORKED)


def _encode(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    if isinstance(text, str) and not text.isascii() and (len(args) > 1 or kwargs or args[:1] not in _FAST_CODES):
        meter.work(len(text), MAX_WORKED // 2)
    meter.text(len(text))


def _title(meter: Meter, text: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    meter.work(len(text), MAX_WORKED)


_FAST_CODES = ((), ("utf-8",), ("utf8",), ("UTF-8",), ("utf-16",), ("utf-32",))

_OF_TEXT: dict[str, Guard] = {
    "center": _width,
    "ljust": _width,
    "rjust": _width,
    "zfill": _width,
    "expandtabs": _tabs,
    "replace": _replace,
    "translate": _translate,
    "join": _join,
    "split": _split,
    "rsplit": _split,
    "splitlines": _split,
    "encode": _encode,
    "strip": _strip,
    "lstrip": _strip,
    "rstrip": _strip,
    "upper": _case,
    "lower": _case,
    "casefold": _case,
    "swapcase": _case,
    "capitalize": _case,
    "title": _title,
}
_OF_SEQUENCES: dict[str, Guard] = {
    "index": _compare,
    "count": _compare,
    "remove": _compare,
    "append": _grow,
    "extend": _grow,
    "insert": _grow,
    "update": _grow,
    "copy": _copy,
    "get": _compare,
    "pop": _compare,
    "setdefault": _compare,
    "fromkeys": _drain,
    "sort": _compare,
}
_OF_NUMBERS: dict[str, Guard] = {"to_bytes": _bytes, "from_bytes": _bytes}


def check_call(meter: Meter, owner: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Before the method `name` of a built-in value is called."""
    if isinstance(owner, (str, bytes)):
        guard = _OF_TEXT.get(name)
        if guard is not None:
            guard(meter, owner, args, kwargs)
        elif len(owner) > 64:
            meter.text(len(owner))
        if args and isinstance(args[0], str) and len(args[0]) * len(owner) > 1 << 34:
            raise LimitError("the template searches too long a text for too long a text")
    elif isinstance(owner, (list, tuple, dict)):
        guard = _OF_SEQUENCES.get(name)
        if guard is not None:
            guard(meter, owner, args, kwargs)
        else:
            meter.spend(len(owner) >> 4)
    elif isinstance(owner, int):
        guard = _OF_NUMBERS.get(name)
        if guard is not None:
            guard(meter, owner, args, kwargs)
    elif isinstance(owner, type):
        if issubclass(owner, int):
            _bytes(meter, owner, args, kwargs)
        _drain(meter, owner, args, kwargs)
