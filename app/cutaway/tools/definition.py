"""Tools as a person writes them: OpenAI JSON, or signatures as in Python."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from typing import Any

from cutaway.chat.message import Tool
from cutaway.chat.plain import RequestError
from cutaway.chat.read import read_request

LONGEST = 1_000_000
"""Characters of a definition."""


class ToolError(Exception):
    """A tool definition cannot be read. The message names the place and what was expected."""


def read_tools(text: str) -> list[Tool]:
    """Tools from a pasted OpenAI request, a list of tools, one tool, a function object, or signatures.

    Raises ToolError.
    """
    if len(text) > LONGEST:
        raise ToolError(f"The definition has {len(text):,} characters; {LONGEST:,} is the most that is read.")
    stripped = text.strip()
    if not stripped:
        return []
    if stripped[0] in "[{":
        return _of_json(stripped)
    return _of_signatures(stripped)


# -- JSON -----------------------------------------------------------------------------------------------


def read_definitions(definitions: list[Any]) -> list[Tool]:
    """Tools from JSON values in the shape of the OpenAI API. Raises ToolError."""
    return _checked([_wrapped(item) for item in definitions])


def _of_json(text: str) -> list[Tool]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ToolError(f"The JSON breaks at line {error.lineno}, column {error.colno}: {error.msg}.") from error
    except RecursionError as error:
        raise ToolError("The JSON is nested too deeply to be a tool definition.") from error
    return read_definitions(_listed(value))


def _listed(value: Any) -> list[Any]:
    """The tools in a request, a list, or a single definition; `functions` is the older name."""
    if isinstance(value, list):
        return value
    for key in ("tools", "functions"):
        if isinstance(value.get(key), list):
            return list(value[key])
    return [value]


def _wrapped(item: Any) -> Any:
    """MCP's and bare function objects in the shape of the OpenAI API."""
    if not isinstance(item, Mapping) or "function" in item or "name" not in item:
        return item
    function = {key: value for key, value in item.items() if key != "type"}
    if "parameters" not in function:
        for other in ("inputSchema", "input_schema"):
            if other in function:
                function["parameters"] = function.pop(other)
                break
    return {"type": "function", "function": function}


def _checked(definitions: list[Any]) -> list[Tool]:
    try:
        return list(read_request({"messages": [], "tools": definitions}).tools)
    except RequestError as error:
        raise ToolError(error.message) from error


# -- Signatures -----------------------------------------------------------------------------------------

_HEAD = re.compile(r"^(?:async\s+)?(?:def\s+)?([A-Za-z_]\w*)\s*\(", re.MULTILINE)


def _of_signatures(text: str) -> list[Tool]:
    source = _as_python(text)
    try:
        module = ast.parse(source)
    except SyntaxError as error:
        raise ToolError(
            f"Line {error.lineno} is neither JSON nor a signature like `get_weather(city: str, days: int = 1)`: "
            f"{error.msg}."
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise ToolError("The text is neither JSON nor signatures.") from error
    definitions = []
    for statement in module.body:
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            raise ToolError(f"Line {statement.lineno} is no signature like `get_weather(city: str, days: int = 1)`.")
        definitions.append(_definition(statement))
    return _checked(definitions)


def _as_python(text: str) -> str:
    """Bare signatures get the `def` and the body that Python asks for."""
    lines = []
    depth = 0
    for line in text.splitlines():
        if depth == 0 and _HEAD.match(line) and not line.lstrip().startswith(("def ", "async ")):
            line = "def " + line
        opens_here = depth == 0 and line.startswith(("def ", "async def "))
        lines.append(line)
        depth = max(0, depth + _depth(line))
        if depth == 0 and (opens_here or lines[-1].strip().startswith(")")) and not _has_colon_at_end(line):
            lines[-1] = _with_body(line)
    return "\n".join(lines)


def _depth(line: str) -> int:
    bare = re.sub(r"\"[^\"]*\"|'[^']*'|#.*", "", line)
    return sum(bare.count(bracket) for bracket in "([{") - sum(bare.count(bracket) for bracket in ")]}")


def _has_colon_at_end(line: str) -> bool:
    bare = re.sub(r"#.*", "", line).rstrip()
    return bare.endswith((":", "...", '"""', "'''")) or re.search(r"\)\s*(->[^:]+)?:", bare) is not None


def _with_body(line: str) -> str:
    code, hash_sign, comment = line.partition("#")
    told = f" {json.dumps(comment.strip(), ensure_ascii=False)}" if hash_sign and comment.strip() else " ..."
    return code.rstrip() + ":" + told


def _definition(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, Any]:
    told, described = _docstring(ast.get_docstring(function) or "")
    if function.args.vararg or function.args.kwarg:
        raise ToolError(f"Line {function.lineno}: {function.name} has * or ** parameters, which a tool cannot have.")
    properties: dict[str, Any] = {}
    required = []
    for argument, default in _arguments(function.args):
        schema = _schema(argument.annotation)
        if argument.arg in described:
            schema["description"] = described[argument.arg]
        if default is None:
            required.append(argument.arg)
        else:
            schema |= _default(default)
        properties[argument.arg] = schema
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        parameters["required"] = required
    described_function: dict[str, Any] = {"name": function.name}
    if told:
        described_function["description"] = told
    return {"type": "function", "function": {**described_function, "parameters": parameters}}


def _arguments(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = list(zip(positional, [*defaults, *arguments.defaults], strict=True))
    pairs += list(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    return [pair for pair in pairs if pair[0].arg not in ("self", "cls")]


def _default(expression: ast.expr) -> dict[str, Any]:
    try:
        value = ast.literal_eval(expression)
        json.dumps(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return {}
    return {} if value is None or value is ... else {"default": value}


_NAMED: Mapping[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "list": {"type": "array"},
    "dict": {"type": "object"},
    "tuple": {"type": "array"},
    "set": {"type": "array", "uniqueItems": True},
    "None": {"type": "null"},
    "any": {},
    "object": {},
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
}


def _schema(annotation: ast.expr | None) -> dict[str, Any]:
    """The JSON Schema of an annotation; anything for what it does not say."""
    match annotation:
        case None:
            return {}
        case ast.Constant(value=None):
            return {"type": "null"}
        case ast.Constant(value=str(text)):
            return {"type": "string", "enum": [text]}
        case ast.Constant(value=value):
            return {"enum": [value]}
        case ast.Name(id=name):
            return dict(_NAMED.get(name, _NAMED.get(name.lower(), {})))
        case ast.Attribute(attr=name):
            return dict(_NAMED.get(name.lower(), {}))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _either([_schema(left), _schema(right)])
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
            return _generic(name.lower(), inner.elts if isinstance(inner, ast.Tuple) else [inner])
    return {}


def _generic(name: str, inner: list[ast.expr]) -> dict[str, Any]:
    if name in ("list", "sequence", "tuple", "set", "iterable"):
        items = _schema(inner[0])
        return {"type": "array", **({"items": items} if items else {})}
    if name in ("dict", "mapping"):
        values = _schema(inner[1]) if len(inner) > 1 else {}
        return {"type": "object", **({"additionalProperties": values} if values else {})}
    if name == "optional":
        return _either([_schema(inner[0]), {"type": "null"}])
    if name == "union":
        return _either([_schema(one) for one in inner])
    if name == "annotated":
        told = [one.value for one in inner[1:] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        return _schema(inner[0]) | ({"description": told[0]} if told else {})
    if name == "literal":
        return _literal([one.value for one in inner if isinstance(one, ast.Constant)])
    return {}


def _literal(values: list[Any]) -> dict[str, Any]:
    text = all(isinstance(value, str) for value in values)
    return {**({"type": "string"} if text else {}), "enum": values}


def _either(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    flat = [one for schema in schemas for one in schema.get("anyOf", [schema])]
    if all("enum" in one for one in flat):
        return _literal([value for one in flat for value in one["enum"]])
    if all(set(one) == {"type"} for one in flat):
        return {"type": [one["type"] for one in flat]}
    return {"anyOf": flat}


_SECTION = re.compile(r"^\s*(args|arguments|parameters|params|returns|raises|yields|example|examples)\s*:?\s*$", re.I)
_PARAMETER = re.compile(r"^\s*(?::param\s+)?\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.+)$")


def _docstring(text: str) -> tuple[str, dict[str, str]]:
    """(what the function does, what each parameter is)."""
    told: list[str] = []
    described: dict[str, str] = {}
    section = ""
    for line in text.splitlines():
        if match := _SECTION.match(line):
            section = match.group(1).lower()
        elif (match := _PARAMETER.match(line)) and (section.startswith(("arg", "param")) or ":param" in line):
            described[match.group(1)] = match.group(2).strip()
        elif not section:
            told.append(line.strip())
    return " ".join(" ".join(told).split()), described
