"""A template compiled once, rendered to spans as often as needed.

Rendering is a pure function of the variables, the time and the budget. Whatever the template does, the
result is a `Rendered` or a `TemplateError` that names the line.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import CodeType, TracebackType
from typing import Any

from jinja2 import nodes
from jinja2.exceptions import SecurityError, TemplateSyntaxError, UndefinedError

from ..prompt import Span, Warning
from .environment import Raised, Rendering, Sandbox, clock
from .error import ErrorKind, TemplateError
from .flatten import flatten
from .generator import Generator
from .limits import MAX_SOURCE, Budget, LimitError, Meter
from .marked import Mark, Marked
from .values import Vouched, Wrapping

FILENAME = "<chat template>"

STANDARD_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})

SPECIAL_TOKENS = frozenset(
    f"{name}_token" for name in ("bos", "eos", "pad", "unk", "sep", "cls", "mask", "image", "audio", "video")
)
"""Variables whose text the application vouches for: they come from the vocabulary."""

REQUEST_FIELDS = frozenset({"messages", "tools", "documents", "tool_choice", "response_format"})
"""Variables that are fields of the request; any other comes in through `chat_template_kwargs`."""


@dataclass(frozen=True, slots=True)
class Rendered:
    spans: tuple[Span, ...]
    warnings: tuple[Warning, ...] = ()
    generation_ranges: tuple[tuple[int, int], ...] = ()
    """Half-open character ranges of the `{% generation %}` blocks."""
    lines_used: frozenset[int] = frozenset()
    """1-based template lines that ran."""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A compiled template. It keeps nothing of a rendering, so that threads may share it."""

    source: str
    lenient: bool
    roles: frozenset[str]
    """Role names that it compares a message's role with."""
    _environment: Sandbox
    _tree: nodes.Template
    _code: CodeType
    _constants: Mapping[str, Marked | Mark]
    _lines: tuple[tuple[int, int], ...]
    """Pairs of a template line and the line of the generated code where its code begins."""
    _block_lines: tuple[tuple[int, ...], ...]

    def render(
        self,
        variables: Mapping[str, object],
        *,
        paths: Mapping[str, str] | None = None,
        vouched: Collection[str] = SPECIAL_TOKENS,
        now: datetime | None = None,
        budget: Budget | None = None,
    ) -> Rendered:
        """Puts out the prompt.

        `variables` are plain JSON values, with `Sourced`, `Vouched` and `Joined` where a value stands elsewhere
        than its field; `paths` names the field of a variable that is not called like its field; the text of
        the variables in `vouched` counts as the template's. `now` is what `strftime_now` shows.
        """
        meter = Meter(budget or Budget())
        try:
            given = self._wrapped(variables, paths or {}, vouched, meter.budget)
            given["strftime_now"] = clock(now)
            context = self._run(given, meter)
            spans, ranges = flatten(context.out, meter)
        except TemplateError:
            raise
        except Exception as error:
            raise self._explained(error) from None
        return Rendered(spans, tuple(meter.warnings.values()), ranges, self._used(context.ran))

    def _wrapped(
        self, variables: Mapping[str, object], paths: Mapping[str, str], vouched: Collection[str], budget: Budget
    ) -> dict[str, Any]:
        wrapping = Wrapping(budget.depth, STANDARD_ROLES | self.roles)
        given: dict[str, Any] = {}
        for name, value in variables.items():
            path = paths.get(name) or (name if name in REQUEST_FIELDS else f"chat_template_kwargs.{name}")
            given[name] = wrapping.wrap(Vouched(value) if name in vouched and type(value) is str else value, path)
        return given

    def _run(self, given: dict[str, Any], meter: Meter) -> Rendering:
        environment = self._environment
        names: dict[str, Any] = {"environment": environment, "__file__": FILENAME, **self._constants}
        exec(self._code, names)
        context = Rendering(environment, {**environment.globals, **given}, None, names["blocks"])
        context.begin(meter, len(self._block_lines))
        size = 0
        for _ in names["root"](context):
            pass
        for part in context.out:
            size += len(part)
        meter.text(size)
        return context

    def _used(self, ran: list[int]) -> frozenset[int]:
        return frozenset(line for lines, used in zip(self._block_lines, ran, strict=True) if used for line in lines)

    def _explained(self, error: Exception) -> TemplateError:
        line = self._line_of(error.__traceback__)
        message, kind = _sentence(error)
        return TemplateError(message, line, None, kind, source_line=_line(self.source, line))

    def _line_of(self, trace: TracebackType | None) -> int | None:
        """The template's line, from the innermost frame of generated code."""
        found = None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILENAME:
                found = trace.tb_lineno
            trace = trace.tb_next
        if found is None:
            return None
        return next((line for line, code in reversed(self._lines) if code <= found), 1)


def compile_template(source: str, *, lenient: bool = True) -> Template:
    """Compiles a template's text, in bounded time. Raises `TemplateError`, of kind `syntax` or `limit`."""
    if len(source) > MAX_SOURCE:
        raise TemplateError(f"the template is longer than {MAX_SOURCE:,} characters", kind="limit")
    environment = Sandbox(lenient=lenient)
    try:
        tree = environment._parse(source, None, None)
        generator = Generator(environment, None, None)
        generator.visit(tree)
        code = compile(generator.stream.getvalue(), FILENAME, "exec")
    except TemplateSyntaxError as error:
        raise _syntax_error(source, error) from None
    except LimitError as error:
        raise TemplateError(str(error), kind="limit") from None
    except (RecursionError, MemoryError, SyntaxError, OverflowError, ValueError) as error:
        raise TemplateError(f"the template is nested too deeply to be compiled ({error})", kind="limit") from None
    return Template(
        source,
        lenient,
        frozenset(compared_roles(tree)),
        environment,
        tree,
        code,
        generator.constants,
        tuple((int(line), code_line) for line, code_line in generator.debug_info),
        tuple(generator.blocks_of_lines),
    )


def compared_roles(tree: nodes.Template) -> set[str]:
    """Strings that something called a role is compared with."""
    found: set[str] = set()
    for compare in tree.find_all(nodes.Compare):
        operands = [compare.expr, *(op.expr for op in compare.ops)]
        if any(_is_role(operand) for operand in operands):
            for operand in operands:
                found.update(_strings(operand))
    return found


def _is_role(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Getattr):
        return node.attr == "role"
    if isinstance(node, nodes.Getitem):
        return isinstance(node.arg, nodes.Const) and node.arg.value == "role"
    return isinstance(node, nodes.Name) and "role" in node.name


def _strings(node: nodes.Node) -> set[str]:
    if isinstance(node, nodes.Const):
        return {node.value} if isinstance(node.value, str) else set()
    if isinstance(node, (nodes.List, nodes.Tuple)):
        return set().union(*(_strings(item) for item in node.items))
    return set()


def _sentence(error: Exception) -> tuple[str, ErrorKind]:
    if isinstance(error, Raised):
        return str(error), "raised"
    if isinstance(error, LimitError):
        return str(error), "limit"
    if isinstance(error, RecursionError):
        return "the template calls itself too deeply", "limit"
    if isinstance(error, MemoryError):
        return "the template asks for more memory than there is", "limit"
    if isinstance(error, SecurityError):
        return f"the sandbox refuses: {error}", "security"
    if isinstance(error, UndefinedError):
        return f"the template uses something that is not there: {error}", "undefined"
    if isinstance(error, OverflowError) and "range" in str(error).lower():
        return str(error), "limit"
    return f"the template fails: {error or type(error).__name__}", "runtime"


def _syntax_error(source: str, error: TemplateSyntaxError) -> TemplateError:
    line = int(error.lineno)
    column = getattr(error.lineno, "column", None)
    return TemplateError(error.message or "syntax error", line, column, "syntax", source_line=_line(source, line))


def _line(source: str, line: int | None) -> str:
    lines = source.splitlines()
    return lines[line - 1].strip()[:200] if line is not None and 0 < line <= len(lines) else ""
