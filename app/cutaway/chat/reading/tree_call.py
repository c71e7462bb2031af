"""A call whose arguments stand in tags of their own names, nested: `NS<city>Rome NS</city>`, arrays as items."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from dataclasses import dataclass, field

from cutaway.chat.formats.format import Calls, TreeCall
from cutaway.chat.message import Tool
from cutaway.chat.reading.arguments import check_keys
from cutaway.chat.reading.context import Context, Outcome, Reading, cores
from cutaway.chat.reading.names import read_name
from cutaway.chat.reading.source import MOST_HEAD, scan_for
from cutaway.chat.reading.types import ALL_TYPES, Schema, item, member, read_untyped, required, types_of

_RUN = re.compile(r"\s+|\S+")
_MOST_DEPTH = 10_000


@dataclass(slots=True)
class _Node:
    tag: str
    schema: Schema
    kind: str = ""
    """`object`, `array`, or empty while only text has come."""
    count: int = 0
    string: bool = False
    """Told as a string, piece by piece."""
    held: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Tree:
    body: TreeCall
    tool: Tool
    nodes: list[_Node]
    closers: tuple[str, ...]
    keys: list[str] = field(default_factory=list)

    @property
    def top(self) -> _Node:
        return self.nodes[-1]


def read_tree_call(context: Context, calls: Calls) -> Reading:
    body = calls.body
    assert isinstance(body, TreeCall)
    if not (yield from context.take_marker(body.name_prefix)):
        return "no"
    found = yield from read_name(context, cores(body.name_suffix), calls.id)
    if found is None or not (yield from context.take_marker(body.name_suffix)):
        return "no"
    tool = context.tools[found[0]]
    start = context.record.at
    context.begin_call(found[0], found[1])
    root = _Node("", tool.parameters, "object")
    tree = _Tree(
        body, tool, [root], cores(body.close, calls.section_close.text, calls.call_close.text, *calls.other_closes)
    )
    outcome = yield from _run(context, tree)
    if outcome == "done":
        check_keys(context, tool, tree.keys, start)
    return outcome


def _run(context: Context, tree: _Tree) -> Reading:
    """Tag after tag until the call's closer; text between tags belongs to the innermost one."""
    source, body = context.source, tree.body
    scan = scan_for((body.namespace or "<",))
    while True:
        found, end = scan.find(source)
        if found is None:
            _text(context, tree, end)
            if source.ended:
                return _cut(context, tree)
            yield
            continue
        _text(context, tree, found.start())
        outcome = yield from _tag(context, tree)
        if outcome != "no":
            return outcome


def _text(context: Context, tree: _Tree, end: int) -> None:
    source, record, node = context.source, context.record, tree.top
    raw = source.text[source.at : end]
    source.at = end
    if not raw:
        return
    if node.string:
        record.arguments(raw, json.dumps(raw, ensure_ascii=False)[1:-1])
    elif node.tag and not node.kind:
        node.held.append(raw)
        record.mark("call_args", raw)
    else:
        for run in _RUN.findall(raw):
            blank = not run.strip()
            if node.held or not blank:
                node.held.append(run)
            record.mark("space" if blank else "call_args", run)


def _tag(context: Context, tree: _Tree) -> Reading:
    """What the namespace begins: an opening or closing tag, the call's closer, or text. `no`: go on."""
    source, namespace, node = context.source, tree.body.namespace, tree.top
    end = yield from _tag_end(context, len(namespace))
    tag = source.text[source.at + len(namespace) : end] if end is not None else ""
    closes = tag.startswith("</")
    name = tag[2 if closes else 1 : -1].strip()
    tag = tag if name else ""
    if closes and name != node.tag and any((namespace + tag).startswith(closer) for closer in tree.closers):
        return _end(context, tree, namespace + tag)
    if not tag and not node.string and (node.kind or not node.tag):
        context.take("markup", len(namespace))
    elif not tag or (_is_text_only(tree, node) and not (closes and name == node.tag)):
        _text(context, tree, source.at + max(len(namespace), 1))
    elif closes:
        _close(context, tree, name, len(namespace) + len(tag))
    elif len(tree.nodes) > _MOST_DEPTH:
        return "broken"
    else:
        _open(context, tree, name, len(namespace) + len(tag))
    return "no"


def _is_text_only(tree: _Tree, node: _Node) -> bool:
    """Whether no tag can stand inside the node: it may be a string, or can hold nothing."""
    types = types_of(node.schema, tree.tool.parameters)
    return bool(node.tag) and types != ALL_TYPES and ("string" in types or not types & {"object", "array"})


def _tag_end(context: Context, skip: int) -> Generator[None, None, int | None]:
    """The offset behind the tag's `>`; None where no tag stands behind the namespace."""
    source = context.source
    while True:
        start = source.at + skip
        if start < len(source.text) and source.text[start] != "<":
            return None
        end = source.text.find(">", start)
        if end >= 0:
            return end + 1
        if source.ended or len(source.text) - start > MOST_HEAD:
            return None
        yield


def _open(context: Context, tree: _Tree, name: str, size: int) -> None:
    node, record = tree.top, context.record
    context.take("markup", size)
    if not node.kind:
        node.kind = "array" if _is_item(tree, node, name) else "object"
        record.arguments("", "[" if node.kind == "array" else "{")
    separator = "" if not node.count else ", "
    node.count += 1
    if node.kind == "array":
        record.arguments("", separator)
        child = _Node(name, item(node.schema, tree.tool.parameters))
    else:
        opener = "{" if not node.tag and node.count == 1 else ""
        record.arguments("", opener + separator + json.dumps(name, ensure_ascii=False) + ": ")
        child = _Node(name, member(node.schema, name, tree.tool.parameters))
    if len(tree.nodes) == 1:
        tree.keys.append(name)
    child.string = types_of(child.schema, tree.tool.parameters) == {"string"}
    if child.string:
        record.arguments("", '"')
    tree.nodes.append(child)


def _is_item(tree: _Tree, node: _Node, name: str) -> bool:
    types = types_of(node.schema, tree.tool.parameters)
    if "array" in types and "object" not in types:
        return True
    return name == tree.body.item and "array" in types


def _close(context: Context, tree: _Tree, name: str, size: int) -> None:
    node, record = tree.top, context.record
    if name != node.tag:
        _other_closer(context, tree, name, size)
        return
    context.take("markup", size)
    tree.nodes.pop()
    if node.string:
        record.arguments("", '"')
    elif node.kind:
        record.arguments("", "]" if node.kind == "array" else "}")
    else:
        _tell_held(context, tree, node)


def _tell_held(context: Context, tree: _Tree, node: _Node) -> None:
    text = "".join(node.held)
    types = types_of(node.schema, tree.tool.parameters)
    if not text.strip() and "string" not in types:
        written, code = ("[]" if "array" in types else "{}" if "object" in types else "null"), ""
    else:
        written, code = read_untyped(text, types)
    if code:
        context.leniency.allows(code, context.record.at, context.record.at)
    context.record.arguments("", written)


def _other_closer(context: Context, tree: _Tree, name: str, size: int) -> None:
    """A closer of another tag: of an outer one, or of one whose opener is missing."""
    node, record = tree.top, context.record
    depth = next((depth for depth, other in enumerate(reversed(tree.nodes[1:])) if other.tag == name), None)
    if depth is not None and context.allows_here("missing-closer", name):
        for _ in range(depth):
            _close(context, tree, tree.top.tag, 0)
        _close(context, tree, name, size)
        return
    text = "".join(node.held)
    if text.strip() and context.allows_here("missing-opener", name):
        node.held.clear()
        _elided(context, tree, name, text)
    elif not context.leniency.strict:
        context.leniency.notes("stray-closer", record.at, record.at, name)
    context.take("markup", size)


def _elided(context: Context, tree: _Tree, name: str, text: str) -> None:
    """A value whose opening tag is missing: its closer says whose it is."""
    _open(context, tree, name, 0)
    child = tree.nodes.pop()
    if child.string:
        context.record.arguments("", json.dumps(text, ensure_ascii=False)[1:])
    else:
        child.held.append(text)
        _tell_held(context, tree, child)


def _finish_nodes(context: Context, tree: _Tree) -> None:
    while len(tree.nodes) > 1:
        _close(context, tree, tree.top.tag, 0)
    context.record.arguments("", "}" if tree.keys else "{}")
    left = "".join(tree.top.held).strip()
    if left:
        context.leniency.notes("unparsed-text", context.record.at, context.record.at)
        context.record.given("content", left)


def _end(context: Context, tree: _Tree, marker: str) -> Outcome:
    if len(tree.nodes) > 1 and not context.allows_here("missing-closer", tree.top.tag):
        _finish_nodes(context, tree)
        return "broken"
    _finish_nodes(context, tree)
    if marker.startswith(tree.body.close.strip()):
        context.take("markup", len(tree.body.close.strip()))
    return "done"


def _cut(context: Context, tree: _Tree) -> Outcome:
    """The output ends inside the call."""
    if len(tree.nodes) > 1 or any(key not in tree.keys for key in required(tree.tool)):
        return "truncated"
    if not context.allows_here("missing-closer", tree.body.close.strip()):
        return "truncated"
    _finish_nodes(context, tree)
    return "done"
