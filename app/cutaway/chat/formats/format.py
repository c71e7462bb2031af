"""A format as data: the markers a family writes around its reasoning, its answer and its tool calls.

The reader, the grammar and the checks are all made from these values, whether a format was written
by hand or derived from a template. Marker texts are trimmed: the blanks that a template writes around
a marker stand beside it, because a reader forgives them and a writer does not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Marker:
    """Text between what the model says. Empty text means that there is no such marker."""

    text: str = ""
    before: str = ""
    """Blanks that the template writes in front of it: framing, not content."""
    after: str = ""
    """Blanks that the template writes behind it."""

    def __bool__(self) -> bool:
        return bool(self.text)

    @property
    def written(self) -> str:
        """The marker as the template writes it, blanks included."""
        return self.before + self.text + self.after


NO_MARKER = Marker()


@dataclass(frozen=True, slots=True)
class Wrapper:
    open: Marker
    close: Marker


# -- Reasoning -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reasoning:
    open: Marker
    """Empty where the model never writes an opener."""
    close: Marker
    other_opens: tuple[str, ...] = ()
    """Other spellings that open it (effort variants, an empty channel)."""
    other_closes: tuple[str, ...] = ()
    ended_by_call: bool = False
    """Models of this family run from it straight into a call, so that a known tool's head ends it at once.

    Elsewhere a call in the reasoning counts only when nothing but the end or another call follows it.
    """
    forced: bool = False
    """Output begins inside the reasoning although the prompt holds no opener."""
    anywhere: bool = False
    """An opener counts in the middle of the answer too, not only where a block can begin."""


# -- Calls ---------------------------------------------------------------------------------------

IdKind: TypeAlias = Literal["none", "model", "composed", "positional", "nine", "decimal"]
IdPlace: TypeAlias = Literal["nowhere", "before_name", "in_name", "after_name", "after_arguments", "in_json"]


@dataclass(frozen=True, slots=True)
class CallId:
    """Where a call's id stands and how it is made.

    `none`: the model writes no id. `model`: any text. `composed`: name and index in one
    (`functions.NAME:INDEX`). `positional`: the call's number. `nine`: nine alphanumerics.
    `decimal`: a number as text.
    """

    kind: IdKind = "none"
    place: IdPlace = "nowhere"
    prefix: str = ""
    """What stands before it (`[CALL_ID]`, ` index="`); for `in_name` what stands between name and index (`:`)."""
    suffix: str = ""
    start: int = 0
    """The first number of a composed, positional or decimal id."""


NO_ID = CallId()


@dataclass(frozen=True, slots=True)
class JsonCall:
    """The whole call is one JSON object: `{"name": ..., "arguments": {...}}`."""

    name_key: str = "name"
    arguments_key: str = "arguments"
    id_key: str = ""
    wrapper_key: str = ""
    """A key whose object holds name and arguments: `{"type": "function", "function": {...}}`."""
    name_is_key: bool = False
    """`{"get_weather": {...}}`."""
    constants: tuple[tuple[str, str], ...] = ()
    """Keys with a fixed string value, e.g. `("type", "function")`."""
    order: tuple[str, ...] = ()
    """The keys in the order in which the template writes them; empty: constants, id, name, arguments."""


@dataclass(frozen=True, slots=True)
class NamedCall:
    """The name, then the arguments as one JSON object."""

    name_prefix: str = ""
    name_suffix: str = ""
    """From the name (and the id after it) to the first character of the JSON."""
    arguments_suffix: str = ""
    """From the end of the JSON to the call's closer."""


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type that the model writes beside each value: `string="true"`, `type="number"`."""

    prefix: str
    """Between the key and the type's text."""
    suffix: str
    """Between the type's text and the value."""
    text: str
    """The type's text for a raw string (`true`, `string`)."""
    json: tuple[str, ...]
    """The type's texts for JSON; the first that fits the value's type (or the only one) is written."""


@dataclass(frozen=True, slots=True)
class TaggedCall:
    """The name, then each argument between tags.

    An argument is key_prefix KEY key_suffix [type.prefix TYPE type.suffix] value_prefix VALUE value_suffix.
    A raw string stands there as it is; everything else as JSON.
    """

    name_prefix: str
    name_suffix: str
    key_prefix: str
    key_suffix: str
    value_prefix: str
    value_suffix: str
    close: str = ""
    """After the last argument, before the call's closer."""
    separator: str = ""
    """Between two arguments (blanks)."""
    type: ValueType | None = None
    cdata: bool = False
    """A string may stand in `<![CDATA[...]]>`."""
    literals: Literal["json", "python"] = "json"
    """How the template writes a value that is no string."""


@dataclass(frozen=True, slots=True)
class TreeCall:
    """Each argument in a tag of its own name, nested: objects hold tags, arrays hold items."""

    name_prefix: str
    name_suffix: str
    namespace: str
    """The text in front of every tag."""
    item: str = "item"
    close: str = ""


@dataclass(frozen=True, slots=True)
class PythonCall:
    """`name(key=value, ...)`."""

    list_open: str = "["
    list_close: str = "]"
    separator: str = ", "
    """Between two calls of the list."""


@dataclass(frozen=True, slots=True)
class DictCall:
    """`call:name{key:value,...}`: bare keys, strings between a quote of their own."""

    name_prefix: str = "call:"
    quote: str = '<|"|>'


Body: TypeAlias = JsonCall | NamedCall | TaggedCall | TreeCall | PythonCall | DictCall


@dataclass(frozen=True, slots=True)
class Calls:
    body: Body
    section_open: Marker = NO_MARKER
    """Around all calls of a turn."""
    section_close: Marker = NO_MARKER
    call_open: Marker = NO_MARKER
    """Around each call."""
    call_close: Marker = NO_MARKER
    separator: str = ""
    """Between two calls of a section: blanks, or `, ` in an array."""
    array: bool = False
    """The JSON calls of a section stand in `[...]`."""
    id: CallId = NO_ID
    parallel: bool = True
    """Several calls in one turn are part of the format."""
    other_opens: tuple[str, ...] = ()
    """Other spellings that open a call or a section."""
    other_closes: tuple[str, ...] = ()
    code_opens: tuple[str, ...] = ()
    """Markers behind which code for an interpreter stands as it is, or a call of a built-in tool."""
    opener_optional: bool = False
    """Models are known to leave the wrapper out: the body's own head opens a call."""


# -- Messages ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Messages:
    """The turn is a sequence of messages, each with a header that says whom it is for.

    A message is start HEADER body TEXT end. The header is read by `header`:
    `channel`: `<|channel|>NAME`, ` to=RECIPIENT` and `<|constrain|>TYPE` in any order (harmony);
    `recipient`: ` to=RECIPIENT`; `line`: the whole header is the recipient.
    """

    header: Literal["channel", "recipient", "line"]
    start: str
    """Begins each message after the first: `<|start|>assistant`."""
    body: str
    """Ends the header: `<|message|>`."""
    ends: tuple[str, ...]
    """End a message; the turn's own end markers are among them."""
    reasoning: tuple[str, ...]
    """Channels or recipients whose text is reasoning."""
    content: tuple[str, ...]
    """Channels or recipients whose text the person sees; the first is written."""
    call: str = ""
    """The channel of calls (`commentary`)."""
    call_end: str = ""
    """The end that the template writes after a call."""
    tool_prefix: str = ""
    """In front of a tool's name in the recipient: `functions.`."""
    channel: str = ""
    """The marker before a channel's name."""
    constrain: str = ""
    """The marker before the type of the text."""
    content_end: str = ""
    """The end that the template writes after the answer."""
    reasoning_end: str = ""


# -- The whole -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    """`hermes`, `gpt-oss`, ...; `derived` for one that was read off a template."""
    reasoning: Reasoning | None = None
    content: tuple[Wrapper, ...] = ()
    """What the answer stands in; the first is written. Empty: nothing."""
    calls: Calls | None = None
    """In a format of messages: how a call's message is written inside."""
    messages: Messages | None = None
    fillers: tuple[str, ...] = ()
    """Markup wherever it stands between the regions: message borders, a repeated role header."""
    ends: tuple[str, ...] = ()
    """Texts that end the turn as the template writes it, trimmed."""
    ends_with_eos: bool = False
    """The template ends the turn with the vocabulary's EOS, which is then an end too."""
    eos: str = ""
    """The vocabulary's EOS where the template does not end the turn with it: an end at the end of the output only."""
    end_before: str = ""
    """Blanks that the template writes in front of the turn's end."""
    lead: str = ""
    """Blanks that the template writes between the turn's header and an answer that stands in nothing."""
    notes: tuple[str, ...] = ()
    """Sentences for the person: what could not be derived, and why."""

    @property
    def modes(self) -> FormatModes:
        return FormatModes(
            handler=self.name,
            reasoning=_reasoning_mode(self),
            content="channels" if self.messages else "wrapped" if self.content else "plain",
            tools=_tools_mode(self.calls),
            call_id=self.calls.id.kind if self.calls else "none",
        )

    @property
    def thinking_start(self) -> str:
        """The text that opens reasoning, trimmed; empty where there is none."""
        if self.messages:
            return _message_opener(self.messages)
        return self.reasoning.open.text if self.reasoning else ""

    @property
    def thinking_ends(self) -> tuple[str, ...]:
        """The texts that end reasoning, trimmed; empty where there is none."""
        if self.messages:
            return (self.messages.reasoning_end,) if self.thinking_start else ()
        return (self.reasoning.close.text, *self.reasoning.other_closes) if self.reasoning else ()

    def named(self, name: str) -> Format:
        return replace(self, name=name)

    def with_eos(self, eos: str) -> Format:
        """The format for a vocabulary with this EOS."""
        if not eos or eos in self.ends:
            return self
        return replace(self, ends=(*self.ends, eos)) if self.ends_with_eos else replace(self, eos=eos)


@dataclass(frozen=True, slots=True)
class FormatModes:
    """A format in five words."""

    handler: str
    reasoning: str
    """`none`, `tags`, `forced`, `channels`."""
    content: str
    """`plain`, `wrapped`, `channels`."""
    tools: str
    """`none`, `json`, `json array`, `name and json`, `tags`, `tree`, `python`, `dict`."""
    call_id: str


PLAIN = Format("plain")
"""Content only: for templates from which nothing can be derived."""


def _reasoning_mode(format: Format) -> str:
    if format.messages and format.messages.reasoning:
        return "channels"
    if not format.reasoning:
        return "none"
    return "forced" if format.reasoning.forced else "tags"


def _tools_mode(calls: Calls | None) -> str:
    if calls is None:
        return "none"
    words = {
        JsonCall: "json array" if calls.array else "json",
        NamedCall: "name and json",
        TaggedCall: "tags",
        TreeCall: "tree",
        PythonCall: "python",
        DictCall: "dict",
    }
    return words[type(calls.body)]


def _message_opener(messages: Messages) -> str:
    """What opens reasoning in a format of messages; where only a recipient says so, no text does."""
    if messages.header != "channel" or not messages.reasoning:
        return ""
    return messages.channel + messages.reasoning[0] + messages.body
