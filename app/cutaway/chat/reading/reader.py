"""Reads one reply while it grows.

    reader = Reader(format, tools, generation_prompt="<|im_start|>assistant\\n")
    events = reader.feed("Hel") + reader.feed("lo") + reader.finish()
    reader.reply()

`feed` returns what has become certain; nothing that was returned is ever taken back. Held back is at most
what may still be a marker, or a call's head that is not decided yet. `finish` releases the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Literal

from cutaway.chat import call_ids
from cutaway.chat.formats.format import Format
from cutaway.chat.message import Tool
from cutaway.chat.reading.bytes import Utf8Decoder
from cutaway.chat.reading.context import Context
from cutaway.chat.reading.leniency import Leniency
from cutaway.chat.reading.messages import MessageReader
from cutaway.chat.reading.record import Record
from cutaway.chat.reading.source import Source
from cutaway.chat.reading.start import Continued, start_of
from cutaway.chat.reading.tokens import MarkerTokens, shortened, texts_of
from cutaway.chat.reading.turn import TurnOptions, TurnReader
from cutaway.chat.reply import Event, Reply

Profile = Literal["tolerant", "strict"]


class Reader:
    def __init__(
        self,
        format: Format,
        tools: Sequence[Tool] = (),
        *,
        generation_prompt: str = "",
        continued: Continued | None = None,
        profile: Profile = "tolerant",
        reasoning_format: Literal["auto", "none"] = "auto",
        fenced: bool = False,
        calls_before: int = 0,
        marker_tokens: Mapping[int, str] | None = None,
    ) -> None:
        """`tools` are the declared ones; without any, call syntax is content.

        `fenced`: the answer is JSON by request, so a fence around it is framing. `calls_before`: how many
        calls the conversation holds already; ids are made from it. `marker_tokens`: with a vocabulary, its
        control and user-defined tokens by id; each `feed` then needs the ids of its text.
        """
        self._tokens = MarkerTokens(marker_tokens, texts_of(format)) if marker_tokens is not None else None
        self._pieces: list[str] = []
        self._text = ""
        self._decoder: Utf8Decoder | None = None
        start = start_of(format, generation_prompt, continued)
        known = shortened(format, self._tokens) if self._tokens else format
        record = Record(self._tokens.expand if self._tokens else _same)
        declared = {tool.name: tool for tool in tools if tool.name}
        calls = known.calls if declared else None
        self._context = Context(
            Source(), record, Leniency(record, profile == "strict"), declared, self._id_maker(format, calls_before)
        )
        if self._tokens:
            start = shortened(start, self._tokens)
        options = TurnOptions(start, reasoning_format == "auto", fenced)
        self._record = record
        self._give(format, continued, reasoning_format == "auto")
        self._reader = (MessageReader if known.messages else TurnReader)(self._context, known, calls, options)
        self._steps: Generator[None, None, None] | None = self._reader.run()
        self._advance()

    # -- feeding ----------------------------------------------------------------------------------

    def feed(self, text: str, ids: Sequence[int] = ()) -> tuple[Event, ...]:
        """Takes the next text of the output, and with a vocabulary the ids of exactly this text."""
        if text:
            self._pieces.append(text)
            self._context.source.add(self._tokens.read(text, tuple(ids)) if self._tokens else text)
            self._advance()
        return self._record.take_events()

    def feed_bytes(self, data: bytes, ids: Sequence[int] = ()) -> tuple[Event, ...]:
        """Takes the next bytes of the output; half a character waits for its other half."""
        self._decoder = self._decoder or Utf8Decoder()
        return self.feed(self._decoder.decode(data), ids)

    def finish(self) -> tuple[Event, ...]:
        """The output is over: everything held back is told."""
        events = self.feed(self._decoder.finish()) if self._decoder else self._record.take_events()
        self._decoder = None
        self._context.source.ended = True
        self._advance()
        return events + self._record.take_events()

    def _advance(self) -> None:
        if self._steps is None:
            return
        try:
            next(self._steps)
        except StopIteration:
            self._steps = None

    # -- what has been read -------------------------------------------------------------------------

    def reply(self) -> Reply:
        """The reply as read so far."""
        self._text += "".join(self._pieces)
        self._pieces = []
        return self._record.reply(self._text)

    @property
    def reasoning_open(self) -> bool:
        """Whether the next character belongs to the reasoning, as far as the text so far says."""
        return self._reader.reasoning_open

    @property
    def in_call(self) -> bool:
        """Whether the text at hand is part of a call that has begun and not ended."""
        return self._record.in_call

    # -- parts --------------------------------------------------------------------------------------

    def _id_maker(self, format: Format, calls_before: int) -> Callable[[str, int], str]:
        rule = format.calls.id if format.calls else call_ids.NO_RULE
        return lambda name, index: call_ids.make(rule, name, calls_before + index)

    def _give(self, format: Format, continued: Continued | None, separate: bool) -> None:
        """The text that the output goes on with comes first."""
        if continued is None:
            return
        tagged = format.reasoning is not None and bool(format.reasoning.open)
        if tagged or (format.messages and format.messages.reasoning):
            self._record.given("reasoning" if separate else "content", continued.reasoning)
        self._record.given("content", continued.content)


def _same(text: str) -> str:
    return text


def read_reply(reader: Reader, text: str) -> Reply:
    """The whole of a text in one piece."""
    reader.feed(text)
    reader.finish()
    return reader.reply()
