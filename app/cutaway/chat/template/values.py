"""What a template is given: plain JSON values whose every leaf knows the field it came from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from .error import TemplateError
from .marked import VOUCHED, FromField, Marked, derived, joined, leaf

MAX_VALUES = 2_000_000


@dataclass(frozen=True, slots=True)
class Sourced:
    """A value of the request, standing somewhere else than its field's path says.

    A string keeps its characters' places: `start` is where it begins in the field, None when it is derived
    (rewritten, decoded). In a list or an object the leaves' paths go on from `path`.
    """

    value: Any
    path: str
    start: int | None = 0


@dataclass(frozen=True, slots=True)
class Vouched:
    """A value that the application vouches for (BOS, a role name): its text counts as the template's."""

    value: Any


@dataclass(frozen=True, slots=True)
class Joined:
    """One string made of several: each is a `Sourced`, a `Vouched`, or a plain string (vouched for)."""

    parts: tuple[Sourced | Vouched | str, ...]


class InputInt(FromField, int):
    pass


class InputFloat(FromField, float):
    pass


def number(value: Any, path: str) -> Any:
    """A number that comes from a field; anything else as it is."""
    kind = type(value)
    if issubclass(kind, bool) or not issubclass(kind, (int, float)):
        return value
    made: Any = InputInt(value) if issubclass(kind, int) else InputFloat(value)
    made._path = path
    return made


def _arithmetic(name: str, base: type) -> Callable[..., Any]:
    plain = getattr(base, name)

    def operation(self: Any, *others: Any) -> Any:
        return number(plain(self, *others), self._path)

    operation.__name__ = name
    return operation


for _name in ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]:
    for _class in (InputInt, InputFloat):
        for _full in (f"__{_name}__", f"__r{_name}__"):
            setattr(_class, _full, _arithmetic(_full, _class.__mro__[2]))
for _full in ("__neg__", "__pos__", "__abs__", "__round__"):
    for _class in (InputInt, InputFloat):
        setattr(_class, _full, _arithmetic(_full, _class.__mro__[2]))


class InputList(FromField, list[Any]):
    """An array of the request."""

    __slots__ = ("_path",)
    _path: str

    def copy(self) -> InputList:
        return taken(self, self._path)


class TakenList(InputList):
    """A copy or a part of an array: a list of the template's own, with the request's values."""

    __slots__ = ()


class InputDict(FromField, dict[str, Any]):
    """An object of the request. Its keys are input too: whoever goes through them gets them marked."""

    __slots__ = ("_path",)
    _path: str
    fromkeys = staticmethod(dict.fromkeys)  # type: ignore[assignment]

    def __iter__(self) -> Iterator[str]:
        for key in dict.__iter__(self):
            yield _key(key, self._path)

    def __reversed__(self) -> Iterator[str]:
        for key in [*dict.__iter__(self)][::-1]:
            yield _key(key, self._path)

    def keys(self) -> Any:
        return View("dict_keys", list(self))

    def items(self) -> Any:
        return View("dict_items", [(_key(key, self._path), value) for key, value in dict.items(self)])

    def copy(self) -> InputDict:
        return mapped_to(dict(dict.items(self)), self._path)


class View:
    """The keys or items of an `InputDict`, as Python's own views show themselves."""

    __slots__ = ("_entries", "_name")

    def __init__(self, name: str, entries: list[Any]) -> None:
        self._name, self._entries = name, entries

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries)

    def __reversed__(self) -> Iterator[Any]:
        return iter(self._entries[::-1])

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, entry: object) -> bool:
        return entry in self._entries

    def __repr__(self) -> str:
        return f"{self._name}({self._entries!r})"


def _key(key: str, path: str) -> str:
    return key if isinstance(key, Marked) else leaf(key, derived(f"{path}.{key}"))


def listed(items: list[Any], path: str) -> InputList:
    made = InputList(items)
    made._path = path
    return made


def taken(items: list[Any], path: str) -> TakenList:
    made = TakenList(items)
    made._path = path
    return made


def mapped_to(items: dict[str, Any], path: str) -> InputDict:
    made = InputDict(items)
    made._path = path
    return made


@dataclass(slots=True)
class Wrapping:
    """Turns JSON values into what a template may have, once per rendering."""

    depth: int
    roles: Collection[str] = ()
    """Role names that count as the template's."""
    _count: int = 0
    _open: set[int] = field(default_factory=set)

    def wrap(self, value: Any, path: str, level: int = 0) -> Any:
        kind = type(value)
        if kind is str:
            return leaf(value, (path, 0))
        if value is None or kind is bool:
            return value
        if kind is dict:
            return self._object(value, path, level)
        if kind is list:
            return self._array(value, path, level)
        return self._rarer(value, path, level)

    def _rarer(self, value: Any, path: str, level: int) -> Any:
        if isinstance(value, (int, float)):
            return number(value, path)
        if isinstance(value, Sourced):
            return self._sourced(value, level)
        if isinstance(value, Vouched):
            return vouch(value.value)
        if isinstance(value, Joined):
            return joined([self._part(part, level) for part in value.parts])
        if isinstance(value, str):
            return leaf(str.__str__(value), (path, 0))
        if isinstance(value, Mapping):
            return self._object(value, path, level)
        if isinstance(value, (list, tuple)):
            return self._array(value, path, level)
        _refuse(f"{path} is a {kind_name(value)}; a template takes JSON values only", path)

    def _part(self, part: Sourced | Vouched | str, level: int) -> str:
        text = vouch(part) if isinstance(part, str) else self.wrap(part, "", level)
        assert isinstance(text, str)
        return text

    def _sourced(self, value: Sourced, level: int) -> Any:
        if isinstance(value.value, str):
            trace = derived(value.path) if value.start is None else (value.path, value.start)
            return leaf(str.__str__(value.value), trace)
        return self.wrap(value.value, value.path, level)

    def _object(self, value: Mapping[str, Any], path: str, level: int) -> InputDict:
        self._enter(value, path, level)
        made: dict[str, Any] = {}
        for key, child in value.items():
            if not isinstance(key, str):
                _refuse(f"{path} has a key that is not a string: {key!r:.80}", path)
            if key == "role" and path[:9] == "messages[" and path[-1:] == "]" and path.find("]") == len(path) - 1:
                made[key] = self._role(child, f"{path}.role", level)
            else:
                made[key] = self.wrap(child, f"{path}.{key}", level + 1)
        self._open.discard(id(value))
        return mapped_to(made, path)

    def _role(self, role: Any, path: str, level: int) -> Any:
        return vouch(role) if isinstance(role, str) and role in self.roles else self.wrap(role, path, level + 1)

    def _array(self, value: Any, path: str, level: int) -> InputList:
        self._enter(value, path, level)
        made = [self.wrap(child, f"{path}[{index}]", level + 1) for index, child in enumerate(value)]
        self._open.discard(id(value))
        return listed(made, path)

    def _enter(self, value: Any, path: str, level: int) -> None:
        self._count += len(value) + 1
        if id(value) in self._open:
            _refuse(f"{path} contains itself", path)
        if level > self.depth:
            _refuse(f"{_short(path)} is nested more than {self.depth} levels deep", path)
        if self._count > MAX_VALUES:
            _refuse(f"{_short(path)}: the request holds more than {MAX_VALUES:,} values", path)
        self._open.add(id(value))


def vouch(value: Any) -> Any:
    return leaf(str.__str__(value), VOUCHED) if isinstance(value, str) else value


def kind_name(value: Any) -> str:
    return type(value).__name__


def _short(path: str) -> str:
    return path if len(path) <= 200 else f"{path[:200]}..."


def _refuse(message: str, path: str) -> NoReturn:
    raise TemplateError(message, kind="input", field=_short(path))
