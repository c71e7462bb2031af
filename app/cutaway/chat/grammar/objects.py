"""Objects of a JSON Schema: which pairs, in which order, and when they are enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutaway.chat.grammar.expression import EMPTY, Expression, Text, choice, optional, repeat, sequence
from cutaway.chat.grammar.finite import SchemaError
from cutaway.chat.grammar.keywords import count_of, is_valid, most_of
from cutaway.chat.grammar.members import FREE_ORDER, Member, in_any_order, in_fixed_order
from cutaway.chat.grammar.merge import Schema
from cutaway.chat.grammar.pattern import PatternError, translate

if TYPE_CHECKING:
    from cutaway.chat.grammar.schema import SchemaReader


def properties(reader: SchemaReader, schema: Schema, path: str, depth: int) -> dict[str, tuple[Any, bool]]:
    """Name → (schema, whether it is required), required names without a schema among them."""
    named = schema.get("properties", {})
    required = schema.get("required", [])
    if not isinstance(named, dict):
        raise SchemaError(f"{path}/properties is {type(named).__name__}, not an object.")
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise SchemaError(f"{path}/required is not a list of names.")
    for keyword in ("properties", "required"):
        if keyword in schema:
            reader.note(path, keyword, "enforced")
    out = {name: (value, name in required) for name, value in named.items()}
    names = schema.get("propertyNames", True)
    for name in dict.fromkeys((*named, *required)):
        if names is False or (isinstance(names, dict) and not is_valid(name, names)):
            if name in required:
                raise SchemaError(f"{path} requires {name!r}, which its propertyNames do not allow.")
            del out[name]
    unnamed = schema.get("additionalProperties", True)
    for name in required:
        if name not in out:
            if unnamed is False:
                raise SchemaError(f"{path} requires {name!r}, which it does not allow.")
            out[name] = (unnamed, True)
    return out


def object_expression(reader: SchemaReader, schema: Schema, path: str, depth: int) -> Expression:
    named = properties(reader, schema, path, depth)
    joined, rules, notation = reader.notation.joined, reader.rules, reader.notation
    names, members = [], []
    for name, (value, required) in named.items():
        try:
            made = reader.value(value, f"{path}/properties/{name}", depth + 1)
        except SchemaError:
            if required:
                raise
            continue
        pair = sequence(notation.key(rules, name), notation.space(rules), made)
        names.append(name)
        members.append(Member(rules.add(f"{reader.hint}-{name}", pair), required))
    extra = _extra(reader, schema, path, depth, tuple(named))
    if not members and extra is None and not _has_keys(schema):
        return reader.any_object()
    comma = joined(rules, EMPTY, ",", EMPTY)
    inside = _inside(reader, schema, path, names, members, comma, extra)
    return joined(rules, "{", inside, "}")


def _inside(
    reader: SchemaReader,
    schema: Schema,
    path: str,
    names: list[str],
    members: list[Member],
    comma: Expression,
    extra: Expression | None,
) -> Expression:
    least, most = _counts(reader, schema, path)
    if not members:
        if extra is None and least:
            raise SchemaError(f"{path} wants {least} properties, and none can be written.")
        return _extras_only(extra, comma, least, most)
    free = reader.any_order and len(members) <= FREE_ORDER
    dependent = schema.get("dependentRequired", {})
    if free and isinstance(dependent, dict):
        needed = {index for index, member in enumerate(members) if member.required}
        place = {name: index for index, name in enumerate(names)}

        def enough(used: frozenset[int]) -> bool:
            asked = {name for index in used for name in dependent.get(names[index], [])}
            present = needed <= used and all(place.get(name, -1) in used for name in asked)
            return present and len(used) >= least and (most is None or len(used) <= most)

        found = in_any_order(reader.rules, reader.hint, members, comma, extra if most is None else None, enough)
        if found is None:
            raise SchemaError(f"No choice of properties satisfies {path}.")
        for keyword in ("minProperties", "maxProperties", "dependentRequired"):
            if keyword in schema:
                reader.note(path, keyword, "enforced")
        return found
    for keyword in ("minProperties", "maxProperties", "dependentRequired"):
        if keyword in schema:
            reader.note(path, keyword, "approximated", f"{keyword} is not enforced among so many properties")
    reader.note(path, "properties", "approximated", "so many properties are written in the schema's order")
    return in_fixed_order(reader.rules, reader.hint, members, comma, extra)


def _extras_only(extra: Expression | None, comma: Expression, least: int, most: int | None) -> Expression:
    if extra is None or most == 0:
        return EMPTY
    more = sequence(extra, repeat(sequence(comma, extra), max(0, least - 1), None if most is None else most - 1))
    return more if least else optional(more)


def _counts(reader: SchemaReader, schema: Schema, path: str) -> tuple[int, int | None]:
    least, most = count_of(schema, "minProperties", path), most_of(schema, "maxProperties", path)
    return reader.lengths("Properties", schema, path, least, most)


def _extra(reader: SchemaReader, schema: Schema, path: str, depth: int, known: tuple[str, ...]) -> Expression | None:
    """Pairs beyond the named ones. Without a word about them, none are written where some are named."""
    rules, notation = reader.rules, reader.notation
    options: list[Expression] = []
    for pattern, value in schema.get("patternProperties", {}).items():
        try:
            key = translate(pattern, lambda ranges: notation.character(rules, ranges))
        except PatternError as error:
            reader.note(path, "patternProperties", "approximated", f"keys by {pattern!r} are left out: no {error}")
            continue
        reader.note(path, "patternProperties", "approximated", "a key may fit another pattern or name as well")
        try:
            made = reader.value(value, f"{path}/patternProperties", depth + 1)
        except SchemaError:
            continue  # no value fits, so no such key is written
        options.append(sequence(notation.pair_key(rules, key), notation.space(rules), made))
    given = schema.get("additionalProperties")
    if given is None:
        named = bool(known or options)
        given = not named and ("propertyNames" in schema or _counted(schema))
    if "additionalProperties" in schema:
        reader.note(path, "additionalProperties", "enforced")
    if given is not False:
        try:
            value = reader.value(given, f"{path}/additionalProperties", depth + 1)
        except SchemaError:
            value = None
        if value is not None:
            options.append(sequence(_other_key(reader, schema, path, known), notation.space(rules), value))
    for keyword in ("dependentSchemas", "dependencies", "unevaluatedProperties"):
        if keyword in schema and schema[keyword] is not True:
            closed = keyword == "unevaluatedProperties" and not options
            reader.note(
                path, keyword, "enforced" if closed else "approximated", "" if closed else f"{keyword} is not enforced"
            )
    return rules.add(f"{reader.hint}-more", choice(*options)) if options else None


def _other_key(reader: SchemaReader, schema: Schema, path: str, known: tuple[str, ...]) -> Expression:

    wanted = schema.get("propertyNames")
    if isinstance(wanted, dict) and wanted:
        words = wanted.get("enum", [wanted["const"]] if "const" in wanted else None)
        if isinstance(words, list):
            reader.note(path, "propertyNames", "enforced")
            free = [word for word in words if isinstance(word, str) and word not in known]
            return choice(*(reader.notation.key(reader.rules, word) for word in free)) if free else Text("")
        if isinstance(wanted.get("pattern"), str):
            try:
                key = translate(wanted["pattern"], lambda ranges: reader.notation.character(reader.rules, ranges))
                again = "a key that is named already may be written again" if known else ""
                reader.note(path, "propertyNames", "approximated" if again else "enforced", again)
                return reader.notation.pair_key(reader.rules, key)
            except PatternError as error:
                reader.note(
                    path, "propertyNames", "approximated", f"its pattern is not enforced: a grammar has no {error}"
                )
        else:
            reader.note(path, "propertyNames", "approximated", "only enum, const and pattern of a name are enforced")
    return reader.notation.other_key(reader.rules, known)


def _counted(schema: Schema) -> bool:
    return "minProperties" in schema or "maxProperties" in schema


def _has_keys(schema: Schema) -> bool:
    return any(
        key in schema and schema[key] not in (True, {}, [])
        for key in (
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "maxProperties",
        )
    )
