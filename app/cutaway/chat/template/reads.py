"""What a template reads, from its source alone: variables, keys, roles, and the values it compares them with.

The source is parsed, not run, so this holds for every branch. A variable stays known through `set`, `default` and
a choice between two values, which is how templates rename their switches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes

PROVIDED = frozenset(
    {"range", "namespace", "dict", "lipsum", "cycler", "joiner", "raise_exception", "strftime_now"}
    | {"loop", "caller", "varargs", "kwargs", "self", "super"}
)
"""Functions of the environment and names of the language, no variables of the request."""

_PROMPT = "add_generation_prompt"
_KEEPS_VALUE = frozenset({"default", "d", "lower", "upper", "trim", "string", "int", "capitalize"})
_TESTED_VALUE: Mapping[str, Any] = {"true": True, "false": False, "none": None}
_EQUAL_TESTS = frozenset({"eq", "equalto", "sameas", "==", "ne", "!="})


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that the template takes from outside."""

    name: str
    values: tuple[Any, ...] = ()
    """The constants that it compares it with, in source order."""
    tested: bool = False
    """It asks whether it is true."""
    defaults: tuple[Any, ...] = ()
    """The constants that it puts in its place."""
    printed: bool = False
    """It writes the value itself out."""


@dataclass(frozen=True, slots=True)
class Reads:
    variables: Mapping[str, Variable]
    keys: frozenset[str]
    """Every key looked up in any value: `.key`, `['key']`, `.get('key')`, `'key' in value`."""
    roles: frozenset[str]
    """The role names that it compares a message's role with."""
    part_types: frozenset[str] = frozenset()
    """The names that it compares the type of a content's part with."""
    tests_none: bool = False
    """It asks somewhere whether a content is none."""
    constants: frozenset[str] = frozenset()
    """The strings that stand alone in expressions."""
    prompt_line: int | None = None
    """From this line on the template writes nothing but the generation prompt, and asks for it nowhere else; None
    where that is not plain to see."""


def template_reads(tree: nodes.Template) -> Reads:
    """What the template with this parse tree reads."""
    return _Walk(tree).reads()


class _Walk:
    def __init__(self, tree: nodes.Template) -> None:
        self.tree = tree
        self.nodes = list(_in_order(tree))
        self.outside = _read_before_set(tree) - PROVIDED
        self.names: dict[str, set[str]] = {name: {name} for name in self.outside}
        self.role_names: set[str] = {"role"}
        self._learn_names()
        self.values: dict[str, list[Any]] = {}
        self.defaults: dict[str, list[Any]] = {}
        self.tested: set[str] = set()
        self.roles: set[str] = set()
        self.part_types: set[str] = set()

    def reads(self) -> Reads:
        for node in self.nodes:
            self._look(node)
        printed = {n for node in self.nodes if isinstance(node, nodes.Output) for n in self._printed(node.nodes)}
        variables = {
            name: Variable(
                name,
                tuple(self.values.get(name, ())),
                name in self.tested,
                tuple(self.defaults.get(name, ())),
                name in printed,
            )
            for name in sorted(self.outside)
        }
        return Reads(
            variables,
            frozenset(key for node in self.nodes for key in _keys(node)),
            frozenset(self.roles),
            frozenset(self.part_types),
            any(isinstance(n, nodes.Test) and n.name == "none" and _key_of(n.node) == "content" for n in self.nodes),
            frozenset(n.value for n in self.nodes if isinstance(n, nodes.Const) and isinstance(n.value, str)),
            _prompt_line(self.tree, self.nodes),
        )

    # -- Names that stand for outside variables, or for a message's role ---------------------------------------

    def _learn_names(self) -> None:
        assignments = [node for node in self.nodes if isinstance(node, nodes.Assign)]
        for _ in range(4):  # chains of renaming are short
            for assign in assignments:
                target = _target_of(assign.target)
                if target is None:
                    continue
                self.names.setdefault(target, set()).update(self._stands_for(assign.node))
                if self._is_role(assign.node):
                    self.role_names.add(target)

    def _stands_for(self, node: nodes.Node) -> set[str]:
        name = _target_of(node)
        if name is not None:
            return set(self.names.get(name, ()))
        return {n for part in _same_value(node) for n in self._stands_for(part)}

    def _is_role(self, node: nodes.Node) -> bool:
        if _key_of(node) == "role" or _target_of(node) in self.role_names:
            return True
        return any(self._is_role(part) for part in _same_value(node))

    # -- Single nodes -----------------------------------------------------------------------------------------

    def _look(self, node: nodes.Node) -> None:
        if isinstance(node, nodes.Compare):
            self._comparison(node)
        elif isinstance(node, nodes.Test):
            self._test(node)
        elif isinstance(node, nodes.If | nodes.CondExpr):
            self._truth(node.test)
        elif isinstance(node, nodes.Not):
            self._truth(node.node)
        elif isinstance(node, nodes.And | nodes.Or):
            self._truth(node.left)
            self._truth(node.right)
        elif isinstance(node, nodes.Filter):
            self._filter(node)
        elif isinstance(node, nodes.Assign):
            self._default(_target_of(node.target), node.node)
        elif isinstance(node, nodes.Getitem) and isinstance(node.node, nodes.Dict) and self._is_role(node.arg):
            self.roles.update(_strings(pair.key for pair in node.node.items))

    def _comparison(self, node: nodes.Compare) -> None:
        left: nodes.Expr = node.expr
        for operand in node.ops:
            self._compared(left, operand.expr)
            if operand.op in ("eq", "ne"):
                self._compared(operand.expr, left)
            left = operand.expr

    def _compared(self, value: nodes.Expr, other: nodes.Expr) -> None:
        constants = list(_constants(other))
        if self._is_role(value):
            self.roles.update(c for c in constants if isinstance(c, str))
        if _key_of(value) == "type":
            self.part_types.update(c for c in constants if isinstance(c, str))
        for name in self._stands_for(value):
            _add(self.values.setdefault(name, []), constants)

    def _test(self, node: nodes.Test) -> None:
        for name in self._stands_for(node.node):
            if node.name in _TESTED_VALUE:
                _add(self.values.setdefault(name, []), [_TESTED_VALUE[node.name]])
        if node.name in _EQUAL_TESTS or node.name == "in":
            for argument in node.args:
                self._compared(node.node, argument)

    def _truth(self, node: nodes.Node | None) -> None:
        if node is not None:
            self.tested.update(self._stands_for(node))

    def _filter(self, node: nodes.Filter) -> None:
        if node.name in ("default", "d") and node.node is not None and node.args:
            for name in self._stands_for(node.node):
                _add(self.defaults.setdefault(name, []), _constants(node.args[0]))
        if node.name in ("selectattr", "rejectattr") and len(node.args) > 2 and "role" in _constants(node.args[0]):
            self.roles.update(c for c in _constants(node.args[2]) if isinstance(c, str))

    def _default(self, target: str | None, value: nodes.Node) -> None:
        if target in self.outside and isinstance(value, nodes.Const):
            _add(self.defaults.setdefault(str(target), []), [value.value])
        if isinstance(value, nodes.CondExpr):
            names = self._stands_for(value)
            constants = [c for branch in (value.expr1, value.expr2) for c in _constants(branch)]
            for name in names:
                _add(self.defaults.setdefault(name, []), constants)

    def _printed(self, written: Iterable[nodes.Node]) -> Iterator[str]:
        for node in written:
            name = _target_of(node)
            if name is not None:
                yield from self.names.get(name, ())
            elif isinstance(node, nodes.Add | nodes.Concat | nodes.Filter | nodes.CondExpr):
                yield from self._printed(node.iter_child_nodes())


def _in_order(tree: nodes.Node) -> Iterator[nodes.Node]:
    """Every node of the tree, roughly as it is evaluated."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(_children_in_order(node)))


def _children_in_order(node: nodes.Node) -> list[nodes.Node]:
    """What is assigned stands before the name it goes to."""
    if isinstance(node, nodes.Assign):
        return [node.node, node.target]
    if isinstance(node, nodes.For):
        return [node.iter, node.target, *([node.test] if node.test else []), *node.body, *node.else_]
    return list(node.iter_child_nodes())


def _read_before_set(tree: nodes.Template) -> set[str]:
    """Names that are read somewhere before the template has given them a value itself.

    Jinja's own analysis also counts names that are set in one branch and read after it.
    """
    outer = _first_uses(tree)
    read = {name for name, is_read in outer.items() if is_read}
    macros = list(tree.find_all((nodes.Macro, nodes.CallBlock)))
    for macro in macros:
        inside = _first_uses(macro)
        read.update(name for name, is_read in inside.items() if is_read and name not in outer)
    return read - {macro.name for macro in macros if isinstance(macro, nodes.Macro)}


def _first_uses(scope: nodes.Node) -> dict[str, bool]:
    """Name to whether its first use in a scope reads it. Macros inside are scopes of their own."""
    uses: dict[str, bool] = {}
    waiting = [scope]
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.Name):
            uses.setdefault(node.name, node.ctx == "load")
        if isinstance(node, nodes.Macro | nodes.CallBlock) and node is not scope:
            continue
        waiting.extend(reversed(_children_in_order(node)))
    return uses


def _prompt_line(tree: nodes.Template, every: list[nodes.Node]) -> int | None:
    """The line of the last statement, when that is a plain `if add_generation_prompt` and the only use of it."""
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, nodes.If) or last.elif_ or last.else_:
        return None
    if not (isinstance(last.test, nodes.Name) and last.test.name == _PROMPT):
        return None
    uses = [node for node in every if isinstance(node, nodes.Name) and node.name == _PROMPT]
    inside = set(map(id, _in_order(last)))
    before = max((node.lineno for node in every if id(node) not in inside and node.lineno), default=0)
    outputs = [node for node in every if isinstance(node, nodes.Output) and id(node) in inside]
    from_elsewhere = any(isinstance(node, nodes.Name | nodes.Call) for out in outputs for node in _in_order(out))
    return last.lineno if len(uses) == 1 and not from_elsewhere and before < last.lineno else None


def _keys(node: nodes.Node) -> Iterator[str]:
    """The keys that a node looks up."""
    key = _key_of(node)
    if key is not None:
        yield key
    elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr) and node.node.attr == "get":
        yield from _strings(node.args[:1])
    elif isinstance(node, nodes.Compare) and node.ops and node.ops[0].op in ("in", "notin"):
        yield from _strings([node.expr])


def _target_of(node: nodes.Node | None) -> str | None:
    """`x` for a name, `ns.x` for an attribute of a namespace."""
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.NSRef):
        return f"{node.name}.{node.attr}"
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        return f"{node.node.name}.{node.attr}"
    return None


def _same_value(node: nodes.Node) -> list[nodes.Node]:
    """The parts of an expression any of which may be its value."""
    if isinstance(node, nodes.Filter) and node.name in _KEEPS_VALUE and node.node is not None:
        return [node.node]
    if isinstance(node, nodes.CondExpr):
        return [part for part in (node.expr1, node.expr2) if part is not None]
    if isinstance(node, nodes.And | nodes.Or):
        return [node.left, node.right]
    return []


def _key_of(node: nodes.Node) -> str | None:
    if isinstance(node, nodes.Getattr):
        return node.attr
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
        return node.arg.value
    return None


def _constants(node: nodes.Node | None) -> Iterator[Any]:
    if isinstance(node, nodes.Const):
        yield from node.value if isinstance(node.value, list | tuple) else (node.value,)
    elif isinstance(node, nodes.List | nodes.Tuple):
        yield from (constant for item in node.items for constant in _constants(item))
    elif isinstance(node, nodes.Neg):
        yield from (-value for value in _constants(node.node) if isinstance(value, int | float))


def _strings(found: Iterable[nodes.Node]) -> Iterator[str]:
    for node in found:
        if isinstance(node, nodes.Const) and isinstance(node.value, str):
            yield node.value


def _add(known: list[Any], more: Iterable[Any]) -> None:
    """Adds what is not there yet; True and 1 are different values."""
    for value in more:
        if not any(type(value) is type(old) and value == old for old in known):
            known.append(value)
