"""A template compiled once, rendered to spans as often as needed.

Rendering is a pure function of the variables, the time and the budget. Whatever the template does, the
result is a `Rendered` or a `TemplateError` that names the line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from jinja2 import nodes
from jinja2.exceptions import SecurityError, TemplateSyntaxError, UndefinedError

from ..prompt import Origin, Span, Warning
from .code import FILENAME, Code, Stream
from .environment import Raised, Rendering, Sandbox, clock
from .error import ErrorKind, TemplateError
from .flatten import flatten
from .generator import Generator
from .limits import MAX_SOURCE, Budget, LimitError, Meter
from .marked import Mark, Marked
from .values import Vouched, Wrapping
from .watch import Reading, Watched, WatchGenerator, WatchRendering

_R = TypeVar("_R", bound=Rendering)

SHOWN = 200
"""Characters of a line that an error shows."""

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
    steps: int = 0
    """What it took of the budget's steps."""

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
    tree: nodes.Template = field(repr=False)
    """What it was parsed to. Nobody changes it."""
    _environment: Sandbox
    _code: Code
    _watching: list[Code] = field(default_factory=list, repr=False)
    """The code for watching, made when it is first asked for."""

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
            context = self._context(Rendering, given, meter, self._code)
            self._run(context)
            spans, ranges = flatten(context.out, meter)
        except TemplateError:
            raise
        except Exception as error:
            raise self._explained(error, self._code) from None
        return Rendered(spans, tuple(meter.warnings.values()), ranges, self._code.lines_used(context.ran), meter.steps)

    def watch(
        self,
        variables: Mapping[str, object],
        *,
        paths: Mapping[str, str] | None = None,
        now: datetime | None = None,
        budget: Budget | None = None,
    ) -> Watched:
        """Renders, and tells what the template did with each value. Nothing is vouched for; an error is a result."""
        if not self._watching:
            self._watching.append(_generate(self.source, self.tree, self._environment, WatchGenerator))
        code = self._watching[0]
        meter = Meter(budget or Budget())
        readings: Mapping[str, Reading] = {}
        try:
            given = self._wrapped(variables, paths or {}, (), meter.budget, roles=())
            given["strftime_now"] = clock(now)
            context = self._context(WatchRendering, given, meter, code)
            readings = context.readings
            self._run(context)
            text = "".join(context.out)
        except TemplateError as error:
            return Watched("", error, readings)
        except Exception as error:
            return Watched("", self._explained(error, code), readings)
        return Watched(text, None, readings)

    def _wrapped(
        self,
        variables: Mapping[str, object],
        paths: Mapping[str, str],
        vouched: Collection[str],
        budget: Budget,
        roles: Collection[str] | None = None,
    ) -> dict[str, Any]:
        wrapping = Wrapping(budget.depth, STANDARD_ROLES | self.roles if roles is None else roles)
        given: dict[str, Any] = {}
        for name, value in variables.items():
            path = paths.get(name) or (name if name in REQUEST_FIELDS else f"chat_template_kwargs.{name}")
            given[name] = wrapping.wrap(Vouched(value) if name in vouched and type(value) is str else value, path)
        return given

    def _context(self, kind: type[_R], given: dict[str, Any], meter: Meter, code: Code) -> _R:
        environment = self._environment
        names: dict[str, Any] = {"environment": environment, "__file__": FILENAME, **code.constants}
        exec(code.compiled, names)
        context = kind(environment, {**environment.globals, **given}, None, names["blocks"])
        context.begin(meter, len(code.block_lines))
        context.root = names["root"]
        return context

    def _run(self, context: Rendering) -> None:
        for _ in context.root(context):
            pass
        if sum(map(len, context.out)) > context.meter.budget.output:
            raise self._too_long(context)

    def _too_long(self, context: Rendering) -> TemplateError:
        """The prompt is longer than it may be: at which line it got so."""
        size, line = 0, None
        for part in context.out:
            line = _place(part) or line
            size += len(part)
            if size > context.meter.budget.output:
                break
        message = f"the template makes a text of more than {context.meter.budget.output:,} characters"
        return TemplateError(message, line, None, "limit", source_line=_line(self.source, line))

    def _explained(self, error: Exception, code: Code) -> TemplateError:
        line, column = code.place_of(error.__traceback__) or getattr(error, "place", None) or (None, None)
        message, kind = _sentence(error)
        if kind != "raised":
            message = _OWN_NAMES.sub(lambda name: _PYTHON_NAMES[name[1]], message)
        message = message if kind == "raised" or len(message) < 1000 else message[:1000] + "..."
        return TemplateError(message, line, column, kind, source_line=_line(self.source, line, column))


def compile_template(source: str, *, lenient: bool = True) -> Template:
    """Compiles a template's text, in bounded time. Raises `TemplateError`, of kind `syntax` or `limit`."""
    if len(source) > MAX_SOURCE:
        raise TemplateError(f"the template is longer than {MAX_SOURCE:,} characters", kind="limit")
    environment = Sandbox(lenient=lenient)
    tree = _parse(source, environment)
    code = _generate(source, tree, environment, Generator)
    return Template(source, lenient, code.roles, tree, environment, code)


def _parse(source: str, environment: Sandbox) -> nodes.Template:
    with _compiling(source):
        return environment._parse(source, None, None)


def _generate(source: str, tree: nodes.Template, environment: Sandbox, kind: type[Generator]) -> Code:
    with _compiling(source):
        stream = Stream()
        generator = kind(environment, None, None, stream)
        generator.visit(tree)
        compiled = compile(stream.getvalue(), FILENAME, "exec")
    return Code(
        compiled,
        generator.constants,
        tuple((int(line), code_line) for line, code_line in generator.debug_info),
        tuple(generator.spots),
        tuple(generator.blocks_of_lines),
        frozenset(compared_roles(tree)),
    )


@contextmanager
def _compiling(source: str) -> Iterator[None]:
    """Whatever goes wrong while compiling, as a `TemplateError`."""
    try:
        yield
    except TemplateSyntaxError as error:
        raise _syntax_error(source, error) from None
    except LimitError as error:
        raise TemplateError(str(error), kind="limit") from None
    except (RecursionError, MemoryError, SyntaxError, OverflowError, ValueError) as error:
        raise TemplateError(f"the template is nested too deeply to be compiled ({error})", kind="limit") from None
    except Exception as error:
        raise TemplateError(f"the template can't be compiled: {error or type(error).__name__}", kind="syntax") from None


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


_OWN_NAMES = re.compile(
    r"(?:cutaway(?:\.\w+)*\.)?\b(SafeMarked|Marked|InputDict|InputList|TakenList|InputRange|InputInt|InputFloat|GuardedNamespace)\b"
)
_PYTHON_NAMES = {
    "SafeMarked": "str",
    "Marked": "str",
    "InputDict": "dict",
    "InputList": "list",
    "TakenList": "list",
    "InputRange": "range",
    "InputInt": "int",
    "InputFloat": "float",
    "GuardedNamespace": "namespace",
}


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
    line = int(error.lineno or 1)
    column = getattr(error.lineno, "column", None)
    shown = _line(source, line, column)
    return TemplateError(error.message or "syntax error", line, column, "syntax", source_line=shown)


def _place(part: str) -> int | None:
    """The template's line that a piece of output says it stands at."""
    if isinstance(part, Mark):
        return part.place[0]
    trace = part._trace if isinstance(part, Marked) else None
    return trace.line if isinstance(trace, Origin) else None


def _line(source: str, line: int | None, column: int | None = None) -> str:
    """The template's line without its indentation; of a long one, what stands around the column."""
    lines = source.splitlines()
    if line is None or not 0 < line <= len(lines):
        return ""
    text, start = lines[line - 1], (column or 1) - 1
    shown = text.strip()
    if len(shown) <= SHOWN or start < SHOWN // 2:
        return shown[:SHOWN]
    return f"...{text[start - SHOWN // 4 : start + SHOWN * 3 // 4].strip()}"
