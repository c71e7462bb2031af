"""Jinja's code generator, changed so that the code it makes tells where each text came from and what it used.

- Nothing is computed while compiling: an expression of constants could run away there.
- Each string of the template is a `Marked` with its line and column; each output says where it stands.
- Loops, calls, filters and operators report to the rendering's `Meter`.
- The start of each block of statements notes that it ran.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, CompilerExit, Frame

from ..prompt import Origin
from .limits import MAX_NUMBER_BITS, LimitError
from .marked import Mark, Marked, leaf, mark
from .places import place_of

LOCALS = (
    "add",
    "call",
    "concat",
    "each",
    "getattr",
    "getitem",
    "item_slice",
    "mod",
    "mul",
    "power",
    "show",
    "tick",
    "weigh",
    "within",
)
"""Functions of the rendering that the generated code uses, each under its name with an underscore in front."""

_SCALARS = (nodes.Const, nodes.Test, nodes.Not)


class Generator(CodeGenerator):
    functions: tuple[str, ...] = LOCALS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.optimizer = None
        self.constants: dict[str, Marked | Mark] = {}
        self.blocks_of_lines: list[tuple[int, ...]] = []
        self.spots: list[tuple[int, int, nodes.Expr]] = []
        self._names: dict[tuple[Any, ...], str] = {}
        self._root_body: Sequence[nodes.Node] | None = None
        self._loop_bodies: set[int] = set()

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        """Notes where the code of each expression begins."""
        if isinstance(node, nodes.Expr) and not isinstance(node, nodes.Const):
            self.spots.append((*self._here(), node))
        return super().visit(node, *args, **kwargs)

    def _here(self) -> tuple[int, int]:
        """Line and column of the code that comes next; breaks of the line are written late."""
        if self._new_lines:
            return self.code_lineno + (0 if self._first_write else self._new_lines), 4 * self._indentation
        return self.code_lineno, self.stream.column  # type: ignore[attr-defined]

    # -- What the template says, as values with their places

    def literal(self, text: str, node: nodes.Node) -> str:
        place = place_of(node)
        return self._constant((text, *place), lambda: leaf(text, Origin("template", line=place[0], column=place[1])))

    def place(self, node: nodes.Node, kind: str = "place") -> str:
        place = place_of(node)
        return self._constant((kind, "", *place), lambda: mark(kind, *place))

    def _constant(self, key: tuple[Any, ...], make: Any) -> str:
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"_L{len(self._names)}"
            self.constants[name] = make()
        return name

    # -- Statements

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        self._root_body = node.body
        super().visit_Template(node, frame)

    def write_commons(self) -> None:
        super().write_commons()
        self.writeline("_meter, _out, _ran = context.meter, context.out, context.ran")
        for name in self.functions:
            self.writeline(f"_{name} = context.{name}")
        self.writeline("concat = _concat")

    def blockvisit(self, nodes: Iterable[nodes.Node], frame: Frame) -> None:
        body = list(nodes)
        if nodes is self._root_body:
            frame.buffer = "_out"
        if id(nodes) in self._loop_bodies:
            self.writeline("_tick()")
        if body:
            self.writeline(f"_ran[{len(self.blocks_of_lines)}] = 1")
            self.blocks_of_lines.append(tuple(int(child.lineno or 0) for child in body))
        try:
            self.writeline("pass")
            for child in body:
                self.visit(child, frame)
        except CompilerExit:
            pass

    def visit_For(self, node: nodes.For, frame: Frame) -> None:
        self._loop_bodies.add(id(node.body))
        if not isinstance(node.iter, nodes.MarkSafe):
            node.iter = nodes.MarkSafe(node.iter, lineno=node.iter.lineno)
        super().visit_For(node, frame)

    def visit_MarkSafe(self, node: nodes.MarkSafe, frame: Frame) -> None:
        """No template can write this node; it stands around what a loop goes through."""
        self.write("_each(")
        self.visit(node.expr, frame)
        self.write(")")

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        if frame.require_output_check:
            if self.has_known_extends:
                return
            self.writeline("if parent_template is None:")
            self.indent()
        for run in _runs(node.nodes):
            self._put_out(run, frame)
        if frame.require_output_check:
            self.outdent()

    def _put_out(self, run: list[nodes.Expr], frame: Frame) -> None:
        if len(run) == 1 and isinstance(run[0], nodes.TemplateData):
            self.simple_write(self.literal(run[0].data, run[0]), frame, run[0])
            return
        if frame.buffer is None:
            for child in run:
                self.simple_write(self.place(child), frame, child)
                self.start_write(frame, child)
                self._shown(child, frame)
                self.end_write(frame)
            return
        self.writeline(f"{frame.buffer}.extend((", run[0])
        for child in run:
            self.newline(child)  # so that an error knows which of them it was
            if isinstance(child, nodes.TemplateData):
                self.write(self.literal(child.data, child))
            else:
                self.write(f"{self.place(child)}, ")
                self._shown(child, frame)
            self.write(", ")
        self.write("))")

    def _shown(self, node: nodes.Expr, frame: Frame) -> None:
        if isinstance(node, nodes.Const) and isinstance(node.value, str):
            self.write(self.literal(node.value, node))
            return
        self.write("_show(")
        self.visit(node, frame)
        self.write(")")

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:
        call_frame, macro_ref = self.macro_body(node, frame)
        self.writeline("caller = ")
        self.macro_def(macro_ref, call_frame)
        self.simple_write(self.place(node), frame, node)
        self.start_write(frame, node)
        self.write("_show(")
        self.visit_Call(node.call, frame, forward_caller=True)
        self.write(")")
        self.end_write(frame)

    def visit_ScopedEvalContextModifier(self, node: nodes.ScopedEvalContextModifier, frame: Frame) -> None:
        wanted = node.options[0].value
        if not (isinstance(wanted, nodes.Const) and not wanted.value):
            self.fail("autoescape writes text for HTML; chat templates can't use it", node.lineno)
        for child in node.body:
            self.visit(child, frame)

    def visit_Scope(self, node: nodes.Scope, frame: Frame) -> None:
        """`{% generation %}` makes one that has a line, `{% autoescape %}` one that has none."""
        if node.lineno is None:
            super().visit_Scope(node, frame)
            return
        self.simple_write(self.place(node, "generation"), frame, node)
        super().visit_Scope(node, frame)
        self.simple_write(self.place(node, "endgeneration"), frame, node)

    # -- Expressions

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:
        if isinstance(node.value, str):
            self.write(self.literal(node.value, node))
            return
        if isinstance(node.value, int) and node.value.bit_length() > MAX_NUMBER_BITS:
            raise LimitError("the template writes a number with too many digits")
        super().visit_Const(node, frame)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        self.write("_getattr(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r})")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        if isinstance(node.arg, nodes.Slice):
            self._slice(node.node, node.arg, frame)
            return
        self.write("_getitem(")
        self.visit(node.node, frame)
        self.write(", ")
        if isinstance(node.arg, nodes.Const):
            self.write(repr(node.arg.value))
        else:
            self.visit(node.arg, frame)
        self.write(")")

    def _slice(self, target: nodes.Expr, bounds: nodes.Slice, frame: Frame) -> None:
        self.write("_item_slice(")
        self.visit(target, frame)
        for bound in (bounds.start, bounds.stop, bounds.step):
            self.write(", ")
            if bound is None:
                self.write("None")
            else:
                self.visit(bound, frame)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("_concat([")
        for child in node.nodes:
            self._shown(child, frame)
            self.write(", ")
        self.write("])")

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:
        """Comparing with a constant is cheap; two values may be large, and share parts."""
        operands = [node.expr, *(op.expr for op in node.ops)]
        cheap = any(isinstance(operand, _SCALARS) for operand in operands) and len(operands) == 2
        self.write("(")
        self._operand(node.expr, frame, cheap)
        for op in node.ops:
            self.write(f" {_PYTHON[op.op]} ")
            self._operand(op.expr, frame, cheap, searched=op.op in ("in", "notin"))
        self.write(")")

    def _operand(self, node: nodes.Expr, frame: Frame, cheap: bool, searched: bool = False) -> None:
        if isinstance(node, nodes.Const):
            self.write(repr(node.value))
        elif cheap:
            self.write("_within(" if searched else "")
            self.visit(node, frame)
            self.write(")" if searched else "")
        else:
            self.write("_weigh(")
            self.visit(node, frame)
            self.write(")")

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:
        self.write("{")
        for pair in node.items:
            weighed = not isinstance(pair.key, nodes.Const)
            self.write("_weigh(" if weighed else "")
            self.visit(pair.key, frame)
            self.write("): " if weighed else ": ")
            self.visit(pair.value, frame)
            self.write(", ")
        self.write("}")

    def _binary(self, function: str, node: nodes.BinExpr, frame: Frame) -> None:
        self.write(f"_{function}(")
        self.visit(node.left, frame)
        self.write(", ")
        self.visit(node.right, frame)
        self.write(")")

    def visit_Add(self, node: nodes.BinExpr, frame: Frame) -> None:
        """A chain of additions is one call."""
        chain: list[nodes.Expr] = [node.right]
        while isinstance(node.left, nodes.Add):
            node = node.left
            chain.append(node.right)
        self.write("_add(")
        self.visit(node.left, frame)
        for operand in reversed(chain):
            self.write(", ")
            self.visit(operand, frame)
        self.write(")")

    def visit_Mul(self, node: nodes.BinExpr, frame: Frame) -> None:
        self._binary("mul", node, frame)

    def visit_Mod(self, node: nodes.BinExpr, frame: Frame) -> None:
        self._binary("mod", node, frame)

    def visit_Pow(self, node: nodes.BinExpr, frame: Frame) -> None:
        self._binary("power", node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        self.write("_call(")
        self.visit(node.node, frame)
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self.write(")")


_PYTHON = {
    "eq": "==",
    "ne": "!=",
    "gt": ">",
    "gteq": ">=",
    "lt": "<",
    "lteq": "<=",
    "in": "in",
    "notin": "not in",
}


def _runs(children: list[nodes.Expr]) -> list[list[nodes.Expr]]:
    """Text of the template alone is put out alone: most outputs are just that."""
    if all(isinstance(child, nodes.TemplateData) for child in children):
        return [[child] for child in children]
    return [children]
