"""One tool call, between its openers, in each way that a format can write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cutaway.chat.formats.format import (
    Body,
    CallId,
    Calls,
    DictCall,
    JsonCall,
    NamedCall,
    PythonCall,
    TaggedCall,
    TreeCall,
    ValueType,
)
from cutaway.chat.grammar.expression import (
    EMPTY,
    Chars,
    Expression,
    Rules,
    Text,
    chars,
    choice,
    optional,
    repeat,
    sequence,
)
from cutaway.chat.grammar.finite import SchemaError
from cutaway.chat.grammar.members import FREE_ORDER, Member, in_any_order, in_fixed_order
from cutaway.chat.grammar.merge import merge, types_of
from cutaway.chat.grammar.notation import JSON, Notation, PythonNotation, QuotedNotation, intersect, invert
from cutaway.chat.grammar.objects import properties
from cutaway.chat.grammar.schema import SchemaReader
from cutaway.chat.grammar.until import without
from cutaway.chat.message import Tool

NO_PROPERTIES: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


def parameters(tool: Tool) -> dict[str, Any]:
    """The tool's schema; an empty one means an object without properties."""
    return dict(tool.parameters) or NO_PROPERTIES


class CallWriter:
    """Writes the calls of one format; all its tools share the rules."""

    def __init__(self, rules: Rules, calls: Calls, *, any_order: bool, named_in_header: bool = False) -> None:
        """`named_in_header`: the name stands in the message's header, and the body holds the arguments alone."""
        self.named_in_header = named_in_header
        self.rules = rules
        self.calls = calls
        self.any_order = any_order
        self.readers: dict[str, SchemaReader] = {}

    def body(self, tool: Tool, index: int) -> Expression:
        """The call of one tool, without the markers around it. Raises SchemaError."""
        hint = f"tool-{index}"
        reader = SchemaReader(parameters(tool), self.rules, _notation(self.calls.body), self.any_order, hint)
        self.readers[tool.name] = reader
        match self.calls.body:
            case JsonCall() as body:
                made = self._json(body, tool, reader)
            case NamedCall() as body:
                made = self._named(body, tool, reader)
            case TaggedCall() as body:
                made = self._tagged(body, tool, reader)
            case TreeCall() as body:
                made = self._tree(body, tool, reader)
            case PythonCall():
                made = self._python(tool, reader)
            case DictCall() as body:
                made = sequence(body.name_prefix, tool.name, reader.value(reader.document))
        return self.rules.add(hint, made)

    # -- ids -----------------------------------------------------------------------------------

    def id_at(self, place: str) -> Expression:
        given = self.calls.id
        if given.place != place or given.kind == "none":
            return EMPTY
        shared = given.suffix in (
            getattr(self.calls.body, "name_prefix", ""),
            getattr(self.calls.body, "name_suffix", ""),
        )
        return sequence(given.prefix, id_text(given), "" if shared else given.suffix)

    # -- bodies --------------------------------------------------------------------------------

    def _json(self, body: JsonCall, tool: Tool, reader: SchemaReader) -> Expression:
        arguments = reader.value(reader.document)
        if body.name_is_key:
            return self._object([(tool.name, arguments)])
        pairs: dict[str, Expression] = {body.name_key: Text(JSON.literal(tool.name)), body.arguments_key: arguments}
        if body.id_key:
            pairs[body.id_key] = sequence('"', id_text(self.calls.id), '"')
        constants: dict[str, Expression] = {key: Text(JSON.literal(value)) for key, value in body.constants}
        if body.wrapper_key:
            inner = self._object([(key, pairs[key]) for key in (body.name_key, body.arguments_key)])
            outer = constants | {body.wrapper_key: inner}
            if body.id_key:
                outer[body.id_key] = pairs[body.id_key]
            return self._object(_sorted(outer, body.order))
        default = [*constants, *([body.id_key] if body.id_key else []), body.name_key, body.arguments_key]
        return self._object(_sorted(constants | pairs, body.order or tuple(default)))

    def _object(self, pairs: list[tuple[str, Expression]]) -> Expression:
        inside: list[Expression | str] = []
        for name, value in pairs:
            inside += [","] if inside else []
            inside += [sequence(JSON.key(self.rules, name), JSON.space(self.rules), value)]
        return JSON.joined(self.rules, "{", *inside, "}")

    def _named(self, body: NamedCall, tool: Tool, reader: SchemaReader) -> Expression:
        arguments = reader.value(reader.document)
        if self.named_in_header:
            return sequence(arguments, body.arguments_suffix)
        return sequence(
            self.id_at("before_name"),
            body.name_prefix,
            tool.name,
            self.id_at("in_name"),
            self.id_at("after_name"),
            body.name_suffix,
            arguments,
            self.id_at("after_arguments"),
            body.arguments_suffix,
        )

    def _tagged(self, body: TaggedCall, tool: Tool, reader: SchemaReader) -> Expression:
        members = []
        for name, (schema, required) in _properties(reader).items():
            pair = self._argument(body, reader, name, schema)
            if pair is not None:
                members.append(Member(self.rules.add(f"{reader.hint}-{name}", pair), required))
            elif required:
                raise SchemaError(f"The argument {name!r} of {tool.name} allows no value.")
        inside = self._members(reader, members, Text(body.separator))
        head = sequence(
            self.id_at("before_name"), body.name_prefix, tool.name, body.name_suffix, self.id_at("after_name")
        )
        return sequence(head, inside, body.close, self.id_at("after_arguments"))

    def _argument(self, body: TaggedCall, reader: SchemaReader, name: str, schema: Any) -> Expression | None:
        options = []
        for kind, value in self._spellings(reader, schema, f"#/properties/{name}", body.value_suffix, body.type):
            typed = EMPTY if body.type is None else sequence(body.type.prefix, kind, body.type.suffix)
            options.append(sequence(typed, body.value_prefix, value, body.value_suffix))
        if not options:
            return None
        return sequence(body.key_prefix, name, body.key_suffix, choice(*options))

    def _spellings(
        self, reader: SchemaReader, schema: Any, path: str, closer: str, types: ValueType | None = None
    ) -> list[tuple[str, Expression]]:
        """(the type's text, the value): a string stands as it is, everything else as JSON."""
        kinds = kinds_of(reader, schema)
        options: list[tuple[str, Expression]] = []
        if "string" in kinds:
            raw = self._raw(reader, _only(schema, ["string"], kinds), path, closer)
            options += [(types.text if types else "", raw)] if raw is not None else []
        others = [kind for kind in kinds if kind != "string"]
        for group in [[kind] for kind in others] if types and len(types.json) > 1 else [others] if others else []:
            try:
                options.append((_type_text(types, group), reader.value(_only(schema, group, kinds), path)))
            except SchemaError:
                if group == others and not options:
                    raise
        return options

    def _raw(self, reader: SchemaReader, schema: Any, path: str, closer: str) -> Expression | None:
        """A string without quotes, up to its closer."""
        words = _words(schema)
        if words is not None:
            fitting = [word for word in words if closer.strip() not in word or not closer.strip()]
            return choice(*map(Text, fitting)) if fitting else None
        plain = RawNotation(closer=closer)
        narrow = isinstance(schema, dict) and ({"pattern", "format", "minLength", "maxLength"} & schema.keys())
        if narrow:
            raw = SchemaReader(reader.document, self.rules, plain, reader.any_order, reader.hint, reader.coverage)
            try:
                return raw.value(schema, path)
            except SchemaError:
                return None
        return (
            without(self.rules, [closer], then=closer, hint="raw")
            if closer
            else repeat(plain.any_character(self.rules))
        )

    def _tree(self, body: TreeCall, tool: Tool, reader: SchemaReader) -> Expression:
        inside = self._branches(body, reader, reader.document, "#", 0)
        return sequence(body.name_prefix, tool.name, body.name_suffix, inside, body.close)

    def _branches(self, body: TreeCall, reader: SchemaReader, schema: Any, path: str, depth: int) -> Expression:
        members = []
        for name, (value, required) in properties(reader, schema, path, depth).items():
            leaf = self._leaf(body, reader, value, name, f"{path}/properties/{name}", depth + 1)
            pair = sequence(body.namespace, f"<{name}>", leaf)
            members.append(Member(self.rules.add(f"{reader.hint}-{name}", pair), required))
        return self._members(reader, members, EMPTY)

    def _leaf(self, body: TreeCall, reader: SchemaReader, schema: Any, name: str, path: str, depth: int) -> Expression:
        if depth > 16:
            raise SchemaError(f"The schema at {path} is too deep to be written as tags.")
        closer = f"{body.namespace}</{name}>"
        kinds = kinds_of(reader, schema)
        plain = schema if isinstance(schema, dict) else {}
        if kinds == ["object"] and plain.get("properties"):
            return sequence(self._branches(body, reader, plain, path, depth), closer)
        if kinds == ["array"] and isinstance(plain.get("items"), dict):
            leaf = self._leaf(body, reader, plain["items"], body.item, f"{path}/items", depth + 1)
            item = self.rules.add(f"{reader.hint}-item", sequence(body.namespace, f"<{body.item}>", leaf))
            return sequence(repeat(item, plain.get("minItems", 0), plain.get("maxItems")), closer)
        return sequence(choice(*(value for _, value in self._spellings(reader, schema, path, closer))), closer)

    def _python(self, tool: Tool, reader: SchemaReader) -> Expression:
        members = []
        for name, (schema, required) in _properties(reader).items():
            pair = sequence(name, "=", reader.value(schema, f"#/properties/{name}"))
            members.append(Member(self.rules.add(f"{reader.hint}-{name}", pair), required))
        inside = self._members(reader, members, sequence(",", optional(" ")))
        return sequence(tool.name, "(", inside, ")")

    def _members(self, reader: SchemaReader, members: list[Member], between: Expression) -> Expression:
        if self.any_order and len(members) <= FREE_ORDER:
            needed = {index for index, member in enumerate(members) if member.required}
            found = in_any_order(self.rules, reader.hint, members, between, None, lambda used: needed <= used)
            assert found is not None
            return found
        reader.note("#", "properties", "approximated", "so many arguments are written in the schema's order")
        return in_fixed_order(self.rules, reader.hint, members, between, None)


@dataclass(frozen=True, slots=True)
class RawNotation(Notation):
    """A string without quotes or escapes, up to a closer that it does not hold."""

    closer: str = ""

    def character(self, rules: Rules, ranges: tuple[tuple[int, int], ...]) -> Expression:
        return _without_first(self.closer, ranges)

    def any_character(self, rules: Rules) -> Expression:
        return _without_first(self.closer, ((0, 0xD7FF), (0xE000, 0x10FFFF)))

    def string(self, rules: Rules, inside: Expression) -> Expression:
        return inside

    def any_string(self, rules: Rules, least: int = 0, most: int | None = None) -> Expression:
        return repeat(self.any_character(rules), least, most)


def _without_first(closer: str, ranges: tuple[tuple[int, int], ...]) -> Expression:
    """Characters that cannot begin the closer's text: stricter than need be, and never ambiguous."""
    first = closer.strip()[:1]
    kept = intersect(ranges, invert(((ord(first), ord(first)),))) if first else intersect(ranges, invert(()))
    if not kept:
        raise ValueError("no character of the class can stand before the closing tag")
    return Chars(kept)


def _type_text(types: ValueType | None, kinds: list[str]) -> str:
    """What the model writes beside a value of one of these kinds."""
    if types is None:
        return ""
    names = [*kinds, *(["number"] if "integer" in kinds else [])]
    return next((name for name in names if name in types.json), types.json[0])


def id_text(given: CallId) -> Expression:
    match given.kind:
        case "composed" | "positional" | "decimal":
            return choice("0", sequence(chars("1-9"), repeat(chars("0-9"), 0, 3)))
        case "nine":
            return repeat(chars("a-z", "A-Z", "0-9"), 9, 9)
        case _:
            return repeat(chars("a-z", "A-Z", "0-9", "_", "-"), 1, 64)


def kinds_of(reader: SchemaReader, schema: Any, depth: int = 0) -> list[str]:
    """The types that a value may have, as far as the schema says; all of them where it does not."""
    every = ["object", "array", "string", "number", "boolean", "null"]
    if not isinstance(schema, dict) or depth > 16:
        return every
    if "$ref" in schema:
        return kinds_of(reader, reader._resolved(schema, depth), depth + 1)
    words = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(words, list):
        return list(dict.fromkeys(_kind(word) for word in words))
    found = types_of(schema)
    if found is not None:
        return ["number" if kind == "integer" and "number" in found else kind for kind in found]
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            parts = [kind for part in schema[keyword] for kind in kinds_of(reader, part, depth + 1)]
            return list(dict.fromkeys(parts))
    if isinstance(schema.get("allOf"), list):
        kinds = every
        for part in schema["allOf"]:
            allowed = kinds_of(reader, part, depth + 1)
            kinds = [kind for kind in kinds if kind in allowed or (kind == "number" and "integer" in allowed)]
        return kinds
    if "properties" in schema:
        return ["object"]
    if "pattern" in schema or "minLength" in schema or "maxLength" in schema:
        return ["string"]
    return every


def _properties(reader: SchemaReader) -> dict[str, tuple[Any, bool]]:
    schema = reader._resolved(reader.document, 0)
    if isinstance(schema, dict) and "allOf" in schema:
        joined = {key: value for key, value in schema.items() if key != "allOf"}
        for part in schema["allOf"]:
            resolved = reader._resolved(part, 0)
            joined = merge(joined, resolved, lambda *_: None) if isinstance(resolved, dict) else joined
        schema = joined
    if not isinstance(schema, dict):
        raise SchemaError("A tool's parameters are no JSON Schema object.")
    reader._check(schema, "#")
    for keyword in schema.keys() - {"type", "properties", "required", "additionalProperties"}:
        if ("#", keyword) not in reader.coverage:
            reader.note("#", keyword, "approximated", f"{keyword} is not enforced among tagged arguments")
    return properties(reader, schema, "#", 0)


def _only(schema: Any, kept: list[str], kinds: list[str]) -> Any:
    """The schema narrowed to some of its types."""
    if kept == kinds or not isinstance(schema, dict):
        return schema if kept == kinds else {"type": kept}
    words = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(words, list):
        return {
            "enum": [word for word in words if _kind(word) in kept or (_kind(word) == "integer" and "number" in kept)]
        }
    if types_of(schema) is not None:
        return {**schema, "type": kept}
    return {"allOf": [schema, {"type": kept}]}


def _words(schema: Any) -> list[str] | None:
    if not isinstance(schema, dict):
        return None
    words = [schema["const"]] if "const" in schema else schema.get("enum")
    return [word for word in words if isinstance(word, str)] if isinstance(words, list) else None


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    kinds = {dict: "object", list: "array", str: "string", int: "integer", float: "number", type(None): "null"}
    return kinds.get(type(value), "string")


def _notation(body: Body) -> Notation:
    if isinstance(body, PythonCall) or (isinstance(body, TaggedCall) and body.literals == "python"):
        return PythonNotation()
    if isinstance(body, DictCall):
        return QuotedNotation(quote=body.quote)
    return JSON


def _sorted(pairs: dict[str, Expression], order: tuple[str, ...]) -> list[tuple[str, Expression]]:
    listed = [name for name in order if name in pairs]
    return [(name, pairs[name]) for name in [*listed, *(name for name in pairs if name not in listed)]]
