"""From a JSON Schema (draft 2020-12) to expressions, with a report of what became of each keyword.

A keyword is enforced, approximated with a note, or the schema is refused with a sentence. What is written always
satisfies the enforced keywords; an approximation says in which direction it errs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from urllib.parse import unquote

from cutaway.chat.grammar import numbers
from cutaway.chat.grammar.arrays import array_expression
from cutaway.chat.grammar.expression import (
    EMPTY,
    Expression,
    Rule,
    Rules,
    Text,
    choice,
    literals,
    optional,
    repeat,
    sequence,
)
from cutaway.chat.grammar.finite import SchemaError
from cutaway.chat.grammar.formats import STRING_FORMATS
from cutaway.chat.grammar.gbnf import MOST_REPETITIONS
from cutaway.chat.grammar.keywords import (
    HANDLED,
    KEYWORDS,
    anchored,
    bound,
    count_of,
    is_valid,
    list_at,
    most_of,
    object_at,
)
from cutaway.chat.grammar.merge import ANNOTATIONS, Schema, merge, types_of
from cutaway.chat.grammar.notation import JSON, Notation
from cutaway.chat.grammar.objects import object_expression
from cutaway.chat.grammar.pattern import PatternError, translate, within

Status: TypeAlias = Literal["enforced", "approximated", "ignored"]

DEEPEST = 64
"""Nested schemas; references that are followed into one another count too."""
LARGEST = 20_000
"""Schemas visited for one grammar."""
MOST_LENGTH = 500
"""A longer bound on a length or a count is left open: llama.cpp unrolls each step of it."""

TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")


@dataclass(frozen=True, slots=True)
class Coverage:
    """What became of one keyword."""

    path: str
    """A JSON pointer into the schema, `#/properties/city`."""
    keyword: str
    status: Status
    note: str = ""


@dataclass(slots=True)
class SchemaReader:
    """Turns one document's schemas into rules; several values of the document share them."""

    document: Any
    rules: Rules
    notation: Notation = JSON
    any_order: bool = True
    hint: str = "value"
    coverage: dict[tuple[str, str], Coverage] = field(default_factory=dict)
    _known: dict[str, Rule] = field(default_factory=dict)
    _visited: int = 0

    def value(self, schema: Any, path: str = "#", depth: int = 0) -> Expression:
        """Values that the schema allows. Raises SchemaError."""
        self._visited += 1
        if depth > DEEPEST or self._visited > LARGEST:
            raise SchemaError(f"The schema at {path} is too deep or too large to be made into a grammar.")
        if schema is True or schema == {}:
            return self._anything()
        if schema is False:
            raise SchemaError(f"The schema at {path} is false: no value can satisfy it.")
        if not isinstance(schema, dict):
            raise SchemaError(f"The schema at {path} is {type(schema).__name__}, not an object or a boolean.")
        self._check(schema, path)
        if schema.get("nullable") is True and ("type" in schema or "enum" in schema):
            self.note(path, "nullable", "enforced", "null may be written too, as OpenAPI 3.0 means it")
            rest = {key: value for key, value in schema.items() if key != "nullable"}
            return choice(self.value(rest, path, depth + 1), Text(self.notation.null))
        if "$ref" in schema or "$dynamicRef" in schema or "$recursiveRef" in schema:
            return self._referred(schema, path, depth)
        return self._combined(schema, path, depth)

    def note(self, path: str, keyword: str, status: Status, note: str = "") -> None:
        known = self.coverage.get((path, keyword))
        if known is None or known.status == "enforced":
            self.coverage[path, keyword] = Coverage(path, keyword, status, note)

    # -- references ----------------------------------------------------------------------------

    def _referred(self, schema: Schema, path: str, depth: int) -> Expression:
        keyword = next(key for key in ("$ref", "$dynamicRef", "$recursiveRef") if key in schema)
        target = self._find(schema[keyword], f"{path}/{keyword}")
        rest = {key: value for key, value in schema.items() if key != keyword and key not in ANNOTATIONS}
        self.note(path, keyword, "enforced" if keyword == "$ref" else "approximated")
        if rest:
            return self.value({"allOf": [self._resolved(target, depth), rest]}, path, depth + 1)
        pointer = str(schema[keyword])
        if pointer not in self._known:
            rule = self._known[pointer] = self.rules.reserve(f"{self.hint}-{pointer.rsplit('/', 1)[-1]}")
            self.rules.define(rule, self.value(target, pointer, depth + 1))
        return self._known[pointer]

    def _resolved(self, schema: Any, depth: int) -> Any:
        """The schema with a leading reference followed, so that it can be merged."""
        for _ in range(DEEPEST - min(depth, DEEPEST - 1)):
            if not (isinstance(schema, dict) and "$ref" in schema):
                return schema
            target = self._find(schema["$ref"], "#")
            rest = {key: value for key, value in schema.items() if key != "$ref" and key not in ANNOTATIONS}
            schema = {"allOf": [target, rest]} if rest else target
        raise SchemaError("The schema's references lead in a circle.")

    def _find(self, reference: Any, path: str) -> Any:
        if not isinstance(reference, str):
            raise SchemaError(f"The reference at {path} is not a string.")
        if reference in ("#", ""):
            return self.document
        if not reference.startswith("#"):
            raise SchemaError(f"The reference {reference!r} at {path} leaves the document; nothing is fetched.")
        if not reference.startswith("#/"):
            found = anchored(self.document, reference[1:])
            if found is None:
                raise SchemaError(f"The anchor {reference!r} at {path} is not in the document.")
            return found
        here: Any = self.document
        for part in reference[2:].split("/"):
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(here, list) and key.isdigit() and int(key) < len(here):
                here = here[int(key)]
            elif isinstance(here, dict) and key in here:
                here = here[key]
            else:
                raise SchemaError(f"The reference {reference!r} at {path} points at nothing.")
        return here

    # -- combinations --------------------------------------------------------------------------

    def _combined(self, schema: Schema, path: str, depth: int) -> Expression:
        noted = lambda keyword, sentence: self.note(path, keyword, "approximated", f"{keyword} {sentence}")  # noqa: E731
        if "allOf" in schema:
            joined = {key: value for key, value in schema.items() if key != "allOf"}
            for index, part in enumerate(list_at(schema["allOf"], f"{path}/allOf")):
                resolved = self._resolved(part, depth)
                if resolved is False:
                    raise SchemaError(f"The schema at {path}/allOf/{index} is false: no value can satisfy it.")
                if resolved is not True:
                    joined = merge(joined, object_at(resolved, f"{path}/allOf/{index}"), noted)
            self.note(path, "allOf", "enforced")
            return self.value(joined, path, depth + 1)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return self._union(schema, keyword, path, depth)
        if "if" in schema:
            return self._conditional(schema, path, depth)
        if "not" in schema:
            schema = self._negated(schema, path)
        if "const" in schema or "enum" in schema:
            return self._words(schema, path)
        return self._typed(schema, path, depth)

    def _union(self, schema: Schema, keyword: str, path: str, depth: int) -> Expression:
        base = {key: value for key, value in schema.items() if key != keyword}
        parts = list_at(schema[keyword], f"{path}/{keyword}")
        exact = keyword == "anyOf" or len(parts) == 1
        self.note(path, keyword, "enforced" if exact else "approximated", "" if exact else _ONE_OF)
        restricts = any(key not in ANNOTATIONS for key in base)
        options, faults = [], []
        for index, part in enumerate(parts):
            whole = {"allOf": [base, part]} if restricts else part
            try:
                options.append(self.value(whole, f"{path}/{keyword}/{index}", depth + 1))
            except SchemaError as error:
                faults.append(error)
        if not options:
            raise faults[0] if faults else SchemaError(f"{path}/{keyword} is empty: no value can satisfy it.")
        return choice(*options)

    def _conditional(self, schema: Schema, path: str, depth: int) -> Expression:
        base = {key: value for key, value in schema.items() if key not in ("if", "then", "else")}
        self.note(
            path, "if", "approximated", "a value is written by `then` with `if`, or by `else`, which may fit `if` too"
        )
        options, faults = [], []
        for parts in ([schema["if"], schema.get("then", True)], [schema.get("else", True)]):
            try:
                options.append(self.value({"allOf": [base, *parts]}, path, depth + 1))
            except SchemaError as error:
                faults.append(error)
        if not options:
            raise faults[0]
        return choice(*options)

    def _negated(self, schema: Schema, path: str) -> Schema:
        """`not` of a type is the other types, and of words the other words; else it is left unenforced."""
        rest = {key: value for key, value in schema.items() if key != "not"}
        waiting = [schema["not"]]
        while waiting:
            denied = waiting.pop()
            if denied is True or denied == {}:
                raise SchemaError(f"The schema at {path} denies everything: no value can satisfy it.")
            said = set(denied) - ANNOTATIONS if isinstance(denied, dict) else set()
            if said == {"anyOf"} and isinstance(denied["anyOf"], list):
                waiting.extend(denied["anyOf"])
            elif said == {"type"}:
                rest = self._without_types(rest, types_of(denied) or [], path)
            elif said and said <= {"enum", "const"} and "enum" in rest:
                gone = [*denied.get("enum", []), *([denied["const"]] if "const" in denied else [])]
                self.note(path, "not", "enforced")
                rest = {**rest, "enum": [word for word in rest["enum"] if word not in gone]}
            elif denied is not False:
                self.note(
                    path, "not", "approximated", "`not` is not enforced: a grammar can only say what may be written"
                )
        return rest

    def _without_types(self, schema: Schema, gone: list[str], path: str) -> Schema:
        found = types_of(schema)
        kept = [
            kind
            for kind in (TYPES if found is None else found)
            if kind not in gone and not (kind == "integer" and "number" in gone)
        ]
        if "integer" in gone and "number" in kept:
            self.note(path, "not", "approximated", "a number without a fraction may still be written")
        else:
            self.note(path, "not", "enforced")
        return {**schema, "type": kept}

    def _words(self, schema: Schema, path: str) -> Expression:
        words = [schema["const"]] if "const" in schema else list_at(schema["enum"], f"{path}/enum")
        if "const" in schema and "enum" in schema:
            words = [word for word in words if word in schema["enum"]]
        rest = {key: value for key, value in schema.items() if key not in ("const", "enum") and key not in ANNOTATIONS}
        kept = [word for word in words if is_valid(word, rest)]
        if not kept:
            raise SchemaError(f"No value of {path}/{'const' if 'const' in schema else 'enum'} fits its other keywords.")
        for keyword in ("const", "enum", *rest):
            if keyword in schema:
                self.note(path, keyword, "enforced")
        return literals(dict.fromkeys(map(self.notation.literal, kept)))

    # -- types ---------------------------------------------------------------------------------

    def _typed(self, schema: Schema, path: str, depth: int) -> Expression:
        kinds = types_of(schema)
        if kinds is None:
            kinds = self._implied(schema, path)
        else:
            self.note(path, "type", "enforced")
        if kinds is None:
            return self._anything()
        options, faults = [], []
        for kind in kinds:
            if kind == "integer" and "number" in kinds:
                continue
            try:
                options.append(self._of_type(kind, schema, path, depth))
            except SchemaError as error:
                faults.append(error)
        if not options:
            raise faults[0] if faults else SchemaError(f"The schema at {path} allows no type: no value can satisfy it.")
        return choice(*options)

    def _implied(self, schema: Schema, path: str) -> list[str] | None:
        """The types that the keywords speak of, where none is named."""
        found = [kind for kind, keywords in KEYWORDS.items() if keywords & schema.keys()]
        for keyword in schema.keys() - ANNOTATIONS:
            self.note(
                path, keyword, "approximated", f"without a type, only {' or '.join(found) or 'any value'} is written"
            )
        return found or None

    def _of_type(self, kind: str, schema: Schema, path: str, depth: int) -> Expression:
        match kind:
            case "object":
                return self._object(schema, path, depth)
            case "array":
                return array_expression(self, schema, path, depth)
            case "string":
                return self._string(schema, path)
            case "integer" | "number":
                return self._number(kind, schema, path)
            case "boolean":
                return literals([self.notation.true, self.notation.false])
            case "null":
                return Text(self.notation.null)
        raise SchemaError(f"The type {kind!r} at {path} is none of {', '.join(TYPES)}.")

    def _number(self, kind: str, schema: Schema, path: str) -> Expression:
        low, open_low = bound(schema, "minimum", "exclusiveMinimum", max)
        high, open_high = bound(schema, "maximum", "exclusiveMaximum", min)
        if kind == "integer":
            low = None if low is None else low + 1 if open_low and low.denominator == 1 else low
            high = None if high is None else high - 1 if open_high and high.denominator == 1 else high
            found, exact = numbers.integer(low, high), True
        else:
            found, exact = numbers.number(low, high, open_low=open_low, open_high=open_high)
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
            if keyword in schema:
                self.note(path, keyword, "enforced", "" if exact else "the last digits next to the bound are left out")
        if "multipleOf" in schema and not (kind == "integer" and schema["multipleOf"] == 1):
            self.note(path, "multipleOf", "approximated", "any number within the bounds may be written")
        if found is None:
            raise SchemaError(f"No {kind} lies within the bounds at {path}.")
        return found

    def _string(self, schema: Schema, path: str) -> Expression:
        least, most = count_of(schema, "minLength", path), most_of(schema, "maxLength", path)
        inside: Expression | None = None
        if "pattern" in schema:
            inside = self._pattern(schema, path, least, most)
        if inside is None and schema.get("format") in STRING_FORMATS:
            inside = translate(
                STRING_FORMATS[schema["format"]], lambda ranges: self.notation.character(self.rules, ranges)
            )
            self.note(path, "format", "enforced")
        elif "format" in schema:
            self.note(path, "format", "approximated", f"the format {schema['format']!r} is not enforced")
        if inside is not None:
            counted = within(str(schema.get("pattern")), least, most) is not None
            for keyword in ("minLength", "maxLength"):
                if keyword in schema:
                    status: Status = "enforced" if counted else "approximated"
                    self.note(path, keyword, status, "" if counted else "the pattern or format decides alone")
            return self.notation.string(self.rules, inside)
        return self.notation.any_string(self.rules, *self.lengths("Length", schema, path, least, most))

    def _pattern(self, schema: Schema, path: str, least: int, most: int | None) -> Expression | None:
        pattern = schema["pattern"]
        if not isinstance(pattern, str):
            raise SchemaError(f"The pattern at {path} is not a string.")
        pattern = within(pattern, least, most) or pattern
        try:
            found = translate(pattern, lambda ranges: self.notation.character(self.rules, ranges))
        except PatternError as error:
            self.note(path, "pattern", "approximated", f"the pattern is not enforced: a grammar has no {error}")
            return None
        self.note(path, "pattern", "enforced")
        return found

    def lengths(self, what: str, schema: Schema, path: str, least: int, most: int | None) -> tuple[int, int | None]:
        """Bounds of a repetition; those that llama.cpp would refuse are left open, with a note."""
        if most is not None and most < least:
            raise SchemaError(f"At {path}, max{what} is below min{what}: no value can satisfy it.")
        if f"min{what}" in schema:
            fits = least <= MOST_LENGTH
            self.note(
                path,
                f"min{what}",
                "enforced" if fits else "approximated",
                "" if fits else f"only {MOST_LENGTH} are demanded",
            )
        if f"max{what}" in schema:
            fits = most is None or most <= MOST_LENGTH
            self.note(
                path,
                f"max{what}",
                "enforced" if fits else "approximated",
                "" if fits else "so high a bound is left open",
            )
        return min(least, MOST_LENGTH), most if most is not None and most <= MOST_LENGTH else None

    # -- objects -------------------------------------------------------------------------------

    def _object(self, schema: Schema, path: str, depth: int) -> Expression:
        return object_expression(self, schema, path, depth)

    def _anything(self) -> Expression:
        """Any JSON value."""
        if "any" not in self._known:
            rule = self._known["any"] = self.rules.reserve("any")
            string = self.notation.any_string(self.rules)
            pair = sequence(self.notation.other_key(self.rules, ()), self.notation.space(self.rules), rule)
            comma = self.notation.joined(self.rules, EMPTY, ",", EMPTY)
            words = literals([self.notation.true, self.notation.false, self.notation.null])
            number, _ = numbers.number(None, None, open_low=False, open_high=False)
            assert number is not None
            of_object = self.notation.joined(self.rules, "{", optional(pair, repeat(sequence(comma, pair))), "}")
            of_array = self.notation.joined(self.rules, "[", optional(rule, repeat(sequence(comma, rule))), "]")
            self.rules.define(rule, choice(of_object, of_array, string, number, words))
        return self._known["any"]

    def any_object(self) -> Expression:
        if "any-object" not in self._known:
            pair = sequence(self.notation.other_key(self.rules, ()), self.notation.space(self.rules), self._anything())
            comma = self.notation.joined(self.rules, EMPTY, ",", EMPTY)
            body = self.notation.joined(self.rules, "{", optional(pair, repeat(sequence(comma, pair))), "}")
            self._known["any-object"] = self.rules.add("any-object", body)
        return self._known["any-object"]

    def _check(self, schema: Schema, path: str) -> None:
        """Every keyword of the schema is known to the report, whatever becomes of it. Raises SchemaError."""
        kinds = schema.get("type", "object")
        if not isinstance(kinds, str) and not (isinstance(kinds, list) and all(isinstance(one, str) for one in kinds)):
            raise SchemaError(f"The type at {path} is {type(kinds).__name__}, not a name or a list of names.")
        for keyword in NAMED_SCHEMAS:
            if not isinstance(schema.get(keyword, {}), dict):
                raise SchemaError(f"{keyword} at {path} is {type(schema[keyword]).__name__}, not an object.")
        for keyword in schema:
            if keyword in ANNOTATIONS:
                self.note(path, keyword, "ignored", "says nothing about values")
            elif keyword not in HANDLED:
                self.note(path, keyword, "approximated", f"{keyword} is not known here and not enforced")


NAMED_SCHEMAS = ("properties", "patternProperties", "$defs", "definitions")
"""Keywords that hold schemas by name."""
_ONE_OF = "any of the alternatives may be written, also a value that fits several"


assert MOST_LENGTH < MOST_REPETITIONS
