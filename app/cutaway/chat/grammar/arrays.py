"""Arrays of a JSON Schema: the first items, each with a schema of its own, then the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutaway.chat.grammar.expression import EMPTY, Expression, optional, repeat, sequence
from cutaway.chat.grammar.finite import SchemaError
from cutaway.chat.grammar.keywords import count_of, list_at, most_of
from cutaway.chat.grammar.merge import Schema

if TYPE_CHECKING:
    from cutaway.chat.grammar.schema import SchemaReader


def array_expression(reader: SchemaReader, schema: Schema, path: str, depth: int) -> Expression:
    least, most = count_of(schema, "minItems", path), most_of(schema, "maxItems", path)
    least, most = reader.lengths("Items", schema, path, least, most)
    for keyword in ("uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems"):
        if schema.get(keyword):
            reader.note(path, keyword, "approximated", f"{keyword} is not enforced")
    listed = schema["items"] if isinstance(schema.get("items"), list) else None
    first = list_at(schema.get("prefixItems", listed or []), f"{path}/prefixItems")
    other = schema.get("additionalItems", True) if isinstance(schema.get("items"), list) else schema.get("items", True)
    fixed: list[Expression] = []
    for index, part in enumerate(first):
        try:
            fixed.append(reader.value(part, f"{path}/prefixItems/{index}", depth + 1))
        except SchemaError:
            if index < least:
                raise
            most = index  # no item fits here, so the array ends before it
            break
    for keyword in ("prefixItems", "items"):
        if keyword in schema:
            reader.note(path, keyword, "enforced")
    if "prefixItems" in schema and "items" not in schema and len(fixed) >= least:
        most = len(fixed) if most is None else min(most, len(fixed))  # narrower than the draft: no surprise items
    rest = None if most is not None and most <= len(fixed) else _rest(reader, other, path, depth, len(fixed) < least)
    return _listed(reader, fixed, rest, least, most)


def _rest(reader: SchemaReader, schema: Any, path: str, depth: int, needed: bool) -> Expression | None:
    """Further items, as a rule of their own; None when there can be none."""
    if schema is False and not needed:
        return None
    try:
        return reader.rules.add(f"{reader.hint}-item", reader.value(schema, f"{path}/items", depth + 1))
    except SchemaError:
        if needed:
            raise
        return None


def _listed(
    reader: SchemaReader, fixed: list[Expression], rest: Expression | None, least: int, most: int | None
) -> Expression:
    joined = reader.notation.joined
    comma = joined(reader.rules, EMPTY, ",", EMPTY)
    tail: Expression = EMPTY
    if rest is not None:
        more = None if most is None else most - max(len(fixed), 1)
        needed = max(0, least - max(len(fixed), 1))
        further = repeat(sequence(comma, rest), needed, more)
        tail = further if fixed else sequence(rest, further)
        if not fixed and least == 0:
            tail = optional(tail)
    for index in range(len(fixed) - 1, -1, -1):
        part = sequence(comma, fixed[index], tail) if index else sequence(fixed[index], tail)
        tail = part if index < least else optional(part)
        if most is not None and index >= most:
            tail = EMPTY
    return joined(reader.rules, "[", tail, "]")
