"""The calls of a turn: their openers, their bodies, what separates and closes them."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import replace

from cutaway.chat.formats.format import (
    Body,
    Calls,
    DictCall,
    JsonCall,
    Marker,
    NamedCall,
    PythonCall,
    TaggedCall,
    TreeCall,
)
from cutaway.chat.reading.arguments import FENCE
from cutaway.chat.reading.code_call import read_code_call
from cutaway.chat.reading.context import Context, Outcome, Reading, cores
from cutaway.chat.reading.dict_call import read_dict_call
from cutaway.chat.reading.json_call import read_json_call
from cutaway.chat.reading.named_call import read_named_call
from cutaway.chat.reading.python_call import read_python_call
from cutaway.chat.reading.source import MOST_BLANKS, MOST_HEAD, scan_for, skip_blanks
from cutaway.chat.reading.tagged_call import read_tagged_call
from cutaway.chat.reading.tokens import is_token
from cutaway.chat.reading.tree_call import read_tree_call

_SHORTEST_HEAD = 4
"""A shorter marker behind a name says nothing: it is found in any text."""

FUNCTION_TAGS = TaggedCall("<function=", ">\n", "<parameter=", ">\n", "", "\n</parameter>", close="\n</function>")


_BODY_BEHIND: dict[str, Body] = {
    "{": NamedCall(),
    "[ARGS]": NamedCall(name_suffix="[ARGS]"),
    "(": PythonCall(list_open="", list_close=""),
    ">": NamedCall(name_suffix=">"),
}
"""What a bare name is followed by, and how the call is read then."""

_NAMED_HEAD = re.compile(r"\s*([\w.\-]+)\s*((?:\[ARGS\]|>)(?=\s*\{)|[{(])")
_NAMED_HEAD_SO_FAR = re.compile(r"\s*[\w.\-]*\s*(?:\[?A?R?G?S?|\[ARGS\]\s*|>\s*)\Z")

_KIN = {
    "<tool_call>": (
        ("<tools>", "<function_call>", "<|tool_call|>"),
        ("</tools>", "</function_call>", "<|/tool_call|>", "</|tool_call|>"),
    )
}
"""Other wrappers that models write around the same JSON, and their closers."""


def _with_kin(calls: Calls) -> Calls:
    if not isinstance(calls.body, JsonCall):
        return calls
    opens, closes = _KIN.get(calls.call_open.text, ((), ()))
    return replace(calls, other_opens=calls.other_opens + opens, other_closes=calls.other_closes + closes)


class CallReader:
    """Reads one call and the list that it begins; a call that follows later is read by another `read`."""

    def __init__(self, context: Context, calls: Calls, ends: tuple[str, ...]) -> None:
        self._context = context
        self._calls = _with_kin(calls)
        self._ends = cores(*ends)
        self._in_section = False
        self._in_list = False
        self._fenced = False
        self.after = calls.call_close.after or calls.section_close.after

    # -- markers ----------------------------------------------------------------------------------

    def roles(self) -> dict[str, str]:
        """What each marker means to a reader that looks for calls."""
        calls = self._calls
        closers = cores(calls.call_close.text, calls.section_close.text, *calls.other_closes)
        roles = dict.fromkeys(closers, "call close")
        roles |= dict.fromkeys(self._heads(), "head")
        return roles | dict.fromkeys(self.openers(), "call")

    def openers(self) -> tuple[str, ...]:
        return (*self._wrappers(), *cores(*self._calls.other_opens, *self._calls.code_opens))

    def _wrappers(self) -> tuple[str, ...]:
        """The openers that the format itself writes."""
        return cores(self._calls.section_open.text, self._calls.call_open.text)

    def framed_markers(self) -> list[Marker]:
        calls = self._calls
        if not self.openers() and isinstance(calls.body, TaggedCall | TreeCall):
            return [Marker(calls.body.name_prefix.strip(), calls.separator)]
        return [calls.section_open, calls.section_close, calls.call_open, calls.call_close]

    def _heads(self) -> tuple[str, ...]:
        """The texts with which a call's body begins."""
        body = self._calls.body
        if isinstance(body, TaggedCall | TreeCall | DictCall):
            return cores(body.name_prefix)
        if isinstance(body, PythonCall):
            return cores(body.list_open)
        return (
            ("[", "{")
            if isinstance(body, JsonCall) and self._calls.array
            else ("{",)
            if isinstance(body, JsonCall)
            else ()
        )

    def head_counts(self, marker: str, fresh: bool) -> bool:
        """Whether a body may begin here although no opener stands before it."""
        return fresh or not self._wrappers() or isinstance(self._calls.body, TaggedCall | TreeCall)

    def named_head(self) -> Generator[None, None, str]:
        """The declared name at hand with the marker behind it, where the call's opener is missing; else empty."""
        body, rule = self._calls.body, self._calls.id
        if not isinstance(body, NamedCall) or not self._wrappers():
            return ""
        places = [rule.prefix] if rule.place == "in_name" else [rule.prefix, body.name_suffix]
        before = body.name_prefix if rule.place == "in_name" else ""
        for after in [] if rule.place == "before_name" else cores(*places):
            if len(before + after) < _SHORTEST_HEAD and not is_token(after):
                continue
            for name in self._context.tools:
                if (yield from self._context.starts_with(before + name + after)):
                    return before + name + after
        return ""

    # -- reading ----------------------------------------------------------------------------------

    def read(self, marker: str, role: str) -> Reading:
        """Reads the call at hand, inside a draft that the caller began."""
        context = self._context
        context.call_start, context.bare, context.pending = context.record.at, role == "head", []
        close = self._calls.call_close.text.strip()
        if marker in cores(*self._calls.code_opens):
            context.take("markup", len(marker))
            outcome, close = (yield from read_code_call(context, self._calls, self._ends)), ""
        else:
            yield from self._beginning(marker, role)
            outcome = yield from self._body()
        if outcome == "no":
            return "no"
        yield from self._close(outcome, close)
        while outcome == "done":
            again = yield from self._next_in_list()
            if again is None:
                break
            outcome = again
        return outcome

    def _beginning(self, marker: str, role: str) -> Generator[None, None, None]:
        """Consumes what stands before the call's body, or notes that it is missing."""
        if role == "call":
            yield from self._openers(marker)
            return
        if self._wrappers() and not self._in_section:
            self._context.pending.append("missing-opener")
        yield from self._open_list()

    def _openers(self, marker: str) -> Generator[None, None, None]:
        """Consumes the openers that begin with the marker at hand."""
        context, calls = self._context, self._calls
        context.take("markup", len(marker))
        self._fenced = marker.startswith(FENCE)
        section = cores(calls.section_open.text)
        other = marker in cores(*calls.other_opens)
        if self._wrappers() and other:
            context.pending.append("other-wrapper")
        if marker in section or (other and section):
            self._in_section = True
            yield from self._open_list()
            inner = calls.call_open.text.strip()
            if inner and inner != marker and not (yield from context.take_marker(inner)):
                context.pending.append("missing-opener")
        else:
            if section and not self._in_section:
                context.pending.append("missing-opener")
            yield from self._open_list()

    def _open_list(self) -> Generator[None, None, None]:
        """Consumes the bracket around a list of calls."""
        context, body = self._context, self._calls.body
        bracket = body.list_open if isinstance(body, PythonCall) else "[" if self._calls.array else ""
        if not bracket and self.openers() and not isinstance(body, PythonCall):
            bracket = "["
        if bracket and (yield from context.take_marker(bracket)):
            self._in_list = True
        elif isinstance(body, PythonCall) and bracket:
            context.pending.append("missing-opener")

    def _body(self) -> Reading:
        context, calls, body = self._context, self._calls, self._calls.body
        if isinstance(body, JsonCall) and not context.bare and (yield from context.starts_with(FENCE)):
            context.pending.append("fenced-call")
            context.take("markup", len(FENCE))
            yield from context.take_marker("json")
            self._fenced = True
        other = yield from self._other_body()
        if other is not None:
            context.pending.append("other-body")
            calls, body = replace(calls, body=other), other
        if isinstance(body, JsonCall):
            return (yield from read_json_call(context, calls))
        if isinstance(body, NamedCall):
            return (yield from read_named_call(context, calls))
        if isinstance(body, TaggedCall):
            return (yield from read_tagged_call(context, calls, self._after_call()))
        if isinstance(body, TreeCall):
            return (yield from read_tree_call(context, calls))
        if isinstance(body, PythonCall):
            return (yield from read_python_call(context, self._in_list))
        return (yield from read_dict_call(context, calls))

    def _other_body(self) -> Generator[None, None, Body | None]:
        """What another family writes between this one's wrappers: JSON, or function tags. None for the format's own."""
        context, body = self._context, self._calls.body
        if context.bare:
            return None
        if isinstance(body, TreeCall):
            return (yield from self._without_namespace(body))
        if isinstance(body, JsonCall):
            other = (yield from self._peek()) == "<" and (yield from self._comes_next(FUNCTION_TAGS.name_prefix))
            return FUNCTION_TAGS if other else (yield from self._named_body())
        return JsonCall() if (yield from self._peek()) == "{" else None

    def _named_body(self) -> Generator[None, None, Body | None]:
        """A declared name, then its arguments as JSON or in parentheses."""
        source = self._context.source
        while True:
            head = _NAMED_HEAD.match(source.text, source.at)
            if head is not None:
                known = head[1] in self._context.tools
                return _BODY_BEHIND[head[2]] if known else None
            begun = _NAMED_HEAD_SO_FAR.match(source.text, source.at)
            if source.ended or begun is None or len(begun[0]) > MOST_HEAD:
                return None
            yield

    def _without_namespace(self, body: TreeCall) -> Generator[None, None, Body | None]:
        """Tags without the text in front of each. Where that is a token, only the token makes a tag one."""
        space = body.namespace
        head = body.name_prefix.removeprefix(space)
        if not space or is_token(space) or not (yield from self._comes_next(head)):
            return None
        return replace(body, name_prefix=head, namespace="", close=body.close.removeprefix(space))

    def _after_call(self) -> tuple[str, ...]:
        section = cores(self._calls.section_close.text)
        return (*section, *self.openers(), *self._heads(), *self._ends)

    # -- closing ----------------------------------------------------------------------------------

    def _close(self, outcome: Outcome, close: str) -> Generator[None, None, None]:
        """Ends the call and consumes its closer."""
        context = self._context
        if outcome == "truncated":
            context.take("markup", len(context.source.rest()))
            context.leniency.notes("truncated-call", context.call_start, context.record.at)
        context.record.end_call(outcome == "done")
        if outcome == "broken":
            yield from self._unparsed()
        if outcome == "done" and isinstance(self._calls.body, JsonCall | NamedCall):
            yield from self._take_stray(close)
        listed = self._in_list and not isinstance(self._calls.body, PythonCall)
        if close and not listed and (yield from self._comes_next(close)):
            yield from context.take_marker(close)
        elif close and not listed and outcome == "done" and not (yield from self._closed_by_opener()):
            context.allows_here("missing-closer", "")

    def _take_stray(self, close: str) -> Generator[None, None, None]:
        """Consumes what models write between a call's JSON and its closer: a fence's end, a brace too many."""
        context = self._context
        yield from self._take_fence()
        markers = cores(close, self._calls.section_close.text, *self._ends, *self.openers())
        yield from context.take_stray_braces((*markers, *(("]",) if self._in_list else ())))

    def _take_fence(self) -> Generator[None, None, None]:
        """Consumes the end of the fence that the call stands in."""
        if self._fenced and (yield from self._comes_next(FENCE)):
            yield from self._context.take_marker(FENCE)
            self._fenced = False

    def _closed_by_opener(self) -> Generator[None, None, bool]:
        """Consumes the opener where it stands at the end of the turn in place of the closer."""
        context, opener = self._context, self._calls.call_open.text.strip()
        if not opener or not (yield from self._comes_next(opener)):
            return False
        at = skip_blanks(context.source.text, context.source.at) - context.source.at
        if not (yield from context.followed(at + len(opener), self._ends)):
            return False
        if not context.allows_here("other-spelling", ""):
            return False
        return (yield from context.take_marker(opener))

    def _unparsed(self) -> Generator[None, None, None]:
        """The rest of a call that does not fit is shown as content, up to the next marker."""
        context, source = self._context, self._context.source
        closers = cores(self._calls.call_close.text, self._calls.section_close.text, *self._calls.other_closes)
        scan = scan_for((*closers, *self.openers(), *self._ends))
        start = context.record.at
        while True:
            found, end = scan.find(source)
            raw = source.text[source.at : end]
            source.at = end
            context.record.text("content", raw, "unparsed")
            if found or source.ended:
                break
            yield
        if context.record.at > start:
            context.leniency.notes("unparsed-text", start, context.record.at)

    def _comes_next(self, marker: str) -> Generator[None, None, bool]:
        """Whether the marker follows, blanks in between; consumes nothing."""
        source = self._context.source
        while True:
            at = skip_blanks(source.text, source.at)
            rest = source.text[at : at + len(marker)]
            if rest == marker:
                return True
            if source.ended or not marker.startswith(rest) or at - source.at > MOST_BLANKS:
                return False
            yield

    # -- lists ------------------------------------------------------------------------------------

    def _next_in_list(self) -> Generator[None, None, Outcome | None]:
        """What follows a call: the next one of its list (its outcome), or None where the list is over."""
        context, calls = self._context, self._calls
        character = yield from self._peek()
        if character == "]" and self._in_list:
            self._in_list = False
            yield from context.take_marker("]")
            yield from self._take_fence()
            close = calls.call_close.text.strip()
            if close and (yield from self._comes_next(close)):
                yield from context.take_marker(close)
            return (yield from self._next_in_list())
        section_close = calls.section_close.text.strip()
        if section_close and self._in_section and (yield from self._comes_next(section_close)):
            yield from context.take_marker(section_close)
            self._in_section = self._in_list = False
            return None
        separated = character in (",", ";") and character != ""
        if not separated and not (self._begins_body(character) and not cores(calls.call_open.text)):
            return None
        return (yield from self._another(separated))

    def _peek(self) -> Generator[None, None, str]:
        """The first character behind blanks; empty at the end of the output or behind too many of them."""
        source = self._context.source
        while True:
            at = skip_blanks(source.text, source.at)
            if at - source.at > MOST_BLANKS:
                return ""
            if at < len(source.text):
                return source.text[at]
            if source.ended:
                return ""
            yield

    def _begins_body(self, character: str) -> bool:
        """Whether a call without an opener may begin with the character."""
        body = self._calls.body
        if isinstance(body, JsonCall):
            return character == "{"
        return isinstance(body, PythonCall) and self._in_section and bool(character) and character.isidentifier()

    def _another(self, separated: bool) -> Generator[None, None, Outcome | None]:
        context = self._context
        context.record.begin_draft()
        context.pending, context.bare = [], not self._in_list and not self._in_section
        context.call_start = context.record.at
        yield from context.take_blanks()
        if separated:
            context.take("markup", 1)
            yield from context.take_blanks()
        opener = self._calls.call_open.text.strip()
        if opener:
            yield from context.take_marker(opener)
        outcome = yield from self._body()
        if outcome == "no":
            raw = context.record.give_up_draft()
            context.record.text("content", raw)
            context.note_unknown()
            return None
        yield from self._close(outcome, self._calls.call_close.text.strip())
        return outcome
