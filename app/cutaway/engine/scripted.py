"""A backend that plays a script: for tests, the demonstration and screenshots. No model, no llama.cpp.

It keeps a cache as strict as a real one (positions must fit, memories that cannot be rolled back
refuse) and can fail where a script says so, so that what is built on the engine meets every event.
"""

from __future__ import annotations

import hashlib
import math
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from cutaway.engine.backend import (
    Awakening,
    CacheTraits,
    DecodeError,
    InterruptedDecodeError,
    LoadCancelledError,
    LoadError,
    MemoryKind,
)
from cutaway.engine.command import Constraint, ModelSettings
from cutaway.engine.event import Alternative, ModelFacts, Token
from cutaway.engine.pieces import Added, Ids, Offsets, Pieces
from cutaway.engine.sampling import Sampling
from cutaway.engine.triggers import Triggers

_WORD = re.compile(r" ?[^\W\d_]+|\d| ?[^\w\s]+|\s+|_", re.UNICODE)

CHATML = (
    "{%- for message in messages -%}"
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}"
)
FED_KEPT = 256
CATCH_UP = 0.05
"""Seconds by which a reply may be behind its pace and make up for it; more is lost."""
BYTES_KEPT = 1 << 22
"""Room for the spelling of all tokens."""
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKERS = ("<think>", "</think>", "<tool_call>", "</tool_call>")


@dataclass(frozen=True, slots=True)
class Script:
    """What the backend plays. Times of 0 take no time at all.

    A token comes every `token_seconds`, whatever the worker does between two of them.
    """

    replies: Sequence[str] | Callable[[str], str] = ("Hello! This is a scripted reply.",)
    """One after another, from the first again at the end; or made from the prompt's text."""
    template: str | None = CHATML
    context: int = 8192
    trained_context: int = 0
    """Where it is more than `context`, the model can be loaded with so many tokens."""
    memory: MemoryKind = "attention"
    window: int = 64
    special: tuple[str, ...] = SPECIAL
    """Control tokens; the first is BOS and the third ends a turn."""
    markers: tuple[str, ...] = MARKERS
    """User-defined tokens."""
    load_seconds: float = 0.0
    load_error: str = ""
    token_seconds: float = 0.0
    prefill_tokens_per_second: float = math.inf
    fail_at_token: int | None = None
    """The generated token after which decoding fails once."""
    metadata: dict[str, object] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


class ScriptedVocabulary:
    """Words become tokens when they are first seen. Safe from any thread."""

    kind = "script"
    size = 1 << 18
    adds_bos = False
    adds_eos = False

    def __init__(self, special: Sequence[str], markers: Sequence[str]) -> None:
        self._lock = threading.Lock()
        self._pieces: list[bytes] = [bytes([value]) for value in range(256)]
        self._table: Pieces | None = None
        self._bytes = np.zeros(BYTES_KEPT, dtype=np.uint8)
        self._begins, self._lengths = np.zeros(self.size, dtype=np.int64), np.zeros(self.size, dtype=np.int64)
        self._used = 0
        for token, piece in enumerate(self._pieces):
            self._put(token, piece)
        self._ids: dict[bytes, int] = {piece: at for at, piece in enumerate(self._pieces)}
        self._control = frozenset(self._intern(text.encode()) for text in special)
        self._user_defined = frozenset(self._intern(text.encode()) for text in markers)
        self._special_ids = self._control | self._user_defined
        self._words: dict[str, int] = {}
        """Words that were met before and are one token each."""
        self._special = re.compile(
            "|".join(map(re.escape, sorted((*special, *markers), key=len, reverse=True))) or "$^"
        )
        self.bos = self._ids[special[0].encode()] if special else -1
        self.eos = self._ids[special[2].encode()] if len(special) > 2 else self.bos

    def _intern(self, piece: bytes) -> int:
        with self._lock:
            if piece not in self._ids:
                token = len(self._pieces)
                if token == self.size or self._used + len(piece) > len(self._bytes):
                    return -1
                self._put(token, piece)
                self._pieces.append(piece)
                self._ids[piece] = token
            return self._ids[piece]

    def _put(self, token: int, piece: bytes) -> None:
        """Fill the token's entries of the table."""
        end = self._used + len(piece)
        self._bytes[self._used : end] = np.frombuffer(piece, dtype=np.uint8)
        self._begins[token], self._lengths[token] = self._used, len(piece)
        self._used = end

    def encode(self, text: str, *, special: bool) -> list[int]:
        ids: list[int] = []
        at = 0
        for match in self._special.finditer(text) if special else ():
            ids += self._plain(text[at : match.start()])
            ids.append(self._ids[match.group().encode()])
            at = match.end()
        return ids + self._plain(text[at:])

    def _plain(self, text: str) -> list[int]:
        """Words as they are; the text of a special token is cut in two, since it must not become one."""
        words, known = _WORD.findall(text), self._words
        try:
            return [known[word] for word in words]
        except KeyError:
            return self._meet(words)

    def _meet(self, words: Sequence[str]) -> list[int]:
        ids = []
        for word in words:
            piece = word.encode("utf-8", "surrogatepass")
            token = self._intern(piece)
            if token < 0 or token in self._special_ids:
                ids += [self._ids[bytes([byte])] for byte in piece]
            else:
                self._words[word] = token
                ids.append(token)
        return ids

    def encode_bytes(self, text: bytes, *, special: bool) -> Ids:
        return np.array(self.encode(text.decode("utf-8", "surrogatepass"), special=special), dtype=np.int32)

    def offsets(self, text: str, *, special: bool) -> tuple[Offsets, Offsets] | None:
        return None

    def pieces(self) -> Pieces:
        """The table of all tokens; it has room for those to come, and their entries are filled as they do."""
        with self._lock:
            if self._table is None:
                self._table = self._make_table()
            return self._table

    def _make_table(self) -> Pieces:
        control, special = np.zeros(self.size, dtype=np.bool_), np.zeros(self.size, dtype=np.bool_)
        control[sorted(self._control)] = True
        special[sorted(self._control | self._user_defined)] = True
        return Pieces(
            self._pieces,
            self._lengths,
            control,
            np.zeros(self.size, dtype=np.bool_),
            special,
            tuple(Added(token, text, is_control) for text, token, is_control in self.added()),
            {byte: byte for byte in range(256)},
            self._bytes,
            self._begins,
        )

    def piece(self, token: int) -> bytes:
        return self._pieces[token] if 0 <= token < len(self._pieces) else b""

    def is_control(self, token: int) -> bool:
        return token in self._control

    def is_user_defined(self, token: int) -> bool:
        return token in self._user_defined

    def is_end(self, token: int) -> bool:
        return token == self.eos or (token == self.bos and token in self._control)

    def added(self) -> Sequence[tuple[str, int, bool]]:
        found = [(token, token in self._control) for token in sorted(self._control | self._user_defined)]
        return [(self._pieces[token].decode(), token, control) for token, control in found]


class ScriptedBackend:
    """Plays a `Script`. What it did last is in `fed`, for tests: (position, tokens) of every batch."""

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or Script()
        self.fed: deque[tuple[int, int]] = deque(maxlen=FED_KEPT)
        self._vocabulary = ScriptedVocabulary(self.script.special, self.script.markers)
        self._held: list[int] = []
        self._floor = 1
        self._loaded = False
        self._raised = 0
        self._replies = 0
        self._reply: list[int] = []
        self._logits = False
        self._threads = (1, 1)
        self._failed = False
        self._interrupted = threading.Event()
        self._due = 0.0

    # -- Loading -------------------------------------------------------------------------------

    def load(self, path: str, settings: ModelSettings, progress: Callable[[float], bool]) -> ModelFacts:
        steps = 20 if self.script.load_seconds else 2
        for step in range(steps):
            if not progress(step / steps):
                raise LoadCancelledError("Loading was stopped.")
            time.sleep(self.script.load_seconds / steps)
        if self.script.load_error:
            raise LoadError(self.script.load_error)
        progress(1.0)
        self._loaded = True
        self._held = []
        self._raised = min(settings.context or 0, self.script.trained_context)
        self._threads = (settings.threads or 1, settings.threads_batch or settings.threads or 1)
        return self._facts(path)

    def _facts(self, path: str) -> ModelFacts:
        return ModelFacts(
            path=path,
            name="Scripted",
            architecture="scripted",
            quantisation="none",
            parameters=0,
            file_bytes=0,
            vocabulary_size=self._vocabulary.size,
            trained_context=max(self.script.context, self.script.trained_context),
            context=self._context,
            template=self.script.template,
            templates={},
            bos=self._vocabulary.bos,
            eos=self._vocabulary.eos,
            threads=self._threads[0],
            threads_batch=self._threads[1],
            device="script",
            memory={"weights": 0, "kv": 0, "compute": 0, "measured": 0},
            metadata=dict(self.script.metadata),
            notices=self.script.notices,
        )

    @property
    def _context(self) -> int:
        return max(self.script.context, self._raised)

    def unload(self) -> None:
        self._loaded = False
        self._held = []

    def close(self) -> None:
        self.unload()

    def vocabulary(self) -> ScriptedVocabulary:
        return self._vocabulary

    def traits(self) -> CacheTraits:
        window = self.script.window if self.script.memory == "sliding" else 0
        plain = self.script.memory == "attention"
        return CacheTraits(self.script.memory, self._context, window, interruptible=plain, movable=plain)

    # -- The cache -----------------------------------------------------------------------------

    def feed(self, tokens: Sequence[int], position: int, *, logits: bool = True, interruptible: bool = True) -> None:
        if position != len(self._held):
            raise DecodeError(f"the tokens were to follow {position} others, but the cache holds {len(self._held)}")
        if position + len(tokens) > self._context:
            raise DecodeError("the context is full", full=True)
        self._pretend_work(len(tokens), interruptible=interruptible and self.traits().interruptible)
        self._held.extend(tokens)
        self.fed.append((position, len(tokens)))
        if self.script.memory != "attention":
            self._floor = len(self._held)
        if self.script.memory == "sliding":
            self._floor = max(1, len(self._held) - self.script.window)
        self._logits = logits

    def _pretend_work(self, tokens: int, *, interruptible: bool) -> None:
        decoding = tokens == 1 and bool(self._reply)
        seconds = self._until_next() if decoding else tokens / self.script.prefill_tokens_per_second
        if self._interrupted.wait(seconds) and interruptible:
            raise InterruptedDecodeError("The script was interrupted.")

    def _until_next(self) -> float:
        """Seconds until the reply's next token is due."""
        now = time.perf_counter()
        self._due = max(self._due, now - CATCH_UP) + self.script.token_seconds
        return max(self._due - now, 0.0)

    def interrupt(self) -> None:
        self._interrupted.set()

    def resume(self) -> None:
        self._interrupted.clear()

    def floor(self) -> int:
        return self._floor if self.script.memory != "attention" else 1

    def keep(self, length: int) -> int:
        if length >= len(self._held):
            return len(self._held)
        if 0 < length < self.floor():
            length = 0
        del self._held[length:]
        self._logits = False
        if not length:
            self._floor = 1
        return length

    def move(self, start: int, end: int, to: int) -> None:
        moved = self._held[start:end]
        self._held[to : to + len(moved)] = moved

    def save(self) -> bytes:
        return b"".join(token.to_bytes(4, "little") for token in (self._floor, *self._held))

    def restore(self, state: bytes) -> bool:
        values = [int.from_bytes(state[at : at + 4], "little") for at in range(0, len(state), 4)]
        self._floor, self._held = (values[0], values[1:]) if values else (1, [])
        self._logits = False
        return bool(values)

    def checkpoint(self) -> bytes:
        return len(self._held).to_bytes(4, "little") + self._floor.to_bytes(4, "little")

    def rewind(self, checkpoint: bytes, length: int) -> bool:
        if int.from_bytes(checkpoint[:4], "little") != length or length > len(self._held):
            self.keep(0)
            return False
        self._floor = int.from_bytes(checkpoint[4:8], "little")
        del self._held[length:]
        self._logits = False
        return True

    # -- Sampling ------------------------------------------------------------------------------

    def start(self, sampling: Sampling, constraint: Constraint | None, seed: int, prompt: Sequence[int]) -> None:
        if constraint is not None and "root" not in constraint.grammar:
            raise ValueError("The grammar has no rule named root, so it cannot restrict the reply.")
        replies = self.script.replies
        if callable(replies):
            text = replies(b"".join(map(self._vocabulary.piece, prompt)).decode("utf-8", "replace"))
        else:
            text = replies[self._replies % len(replies)]
        self._replies += 1
        self._reply = [*self._vocabulary.encode(text, special=True), self._vocabulary.eos]
        self._reply.reverse()
        self._due = time.perf_counter()
        self._alternatives = sampling.alternatives
        self._constraint, self._awake, self._text = constraint, False, bytearray()
        self._triggers = Triggers(self._vocabulary, constraint) if constraint is not None and constraint.lazy else None
        self._slept = False
        self._awakening: Awakening | None = None

    def sample(self, index: int, *, constrained: bool) -> Token:
        if not self._logits:
            raise DecodeError("there is nothing to sample from: the last tokens were fed without logits")
        if self.script.fail_at_token == index and not self._failed:
            self._failed = True
            raise DecodeError("The script made decoding fail here.")
        token = self._reply.pop() if self._reply else self._vocabulary.eos
        self._awakening = self._wake(index, token, constrained)
        self._text += self._vocabulary.piece(token)
        return self._token(index, token, forced=False)

    def _wake(self, index: int, token: int, constrained: bool) -> Awakening | None:
        """As llama's: at a trigger outside reasoning, or at the end of the reasoning where it waits for none."""
        if self._constraint is None or self._awake:
            return None
        if not constrained:
            self._slept = True
            return None
        found = self._triggers.find(self._text, token) if self._triggers is not None else None
        self._awake = found is not None or self._triggers is None
        if found is not None:
            return Awakening(index, found.start, found.trigger)
        return Awakening(index - 1, len(self._text), "") if self._awake and self._slept else None

    def awakening(self) -> Awakening | None:
        return self._awakening

    def force(self, index: int, token: int) -> Token:
        self._awakening = None
        self._text += self._vocabulary.piece(token)
        return self._token(index, token, forced=True)

    def _token(self, index: int, token: int, *, forced: bool) -> Token:
        piece = self._vocabulary.piece(token)
        probability, alternatives = _odds(index, token, piece, self._alternatives)
        entropy = -sum(a.probability * math.log2(a.probability) for a in alternatives if a.probability > 0)
        return Token(
            index=index,
            id=token,
            piece=piece,
            probability=probability,
            rank=0,
            alternatives=alternatives,
            entropy=entropy,
            ms=0.0,
            control=self._vocabulary.is_control(token),
            forced=forced,
            chosen_probability=0.0 if forced else probability,
        )

    def threads(self) -> tuple[int, int]:
        return self._threads

    def set_threads(self, decode: int, batch: int) -> None:
        self._threads = (decode, batch)


def _odds(index: int, token: int, piece: bytes, count: int) -> tuple[float, tuple[Alternative, ...]]:
    """A probability that looks alive and is the same at every run, and alternatives that share the rest."""
    digest = hashlib.blake2b(piece + index.to_bytes(4, "little"), digest_size=4 + count).digest()
    probability = 0.35 + 0.64 * digest[0] / 255
    found = [Alternative(token, piece, probability, probability)]
    rest = 1.0 - probability
    for at in range(1, count):
        share = rest * 0.5
        rest -= share
        other = 97 + digest[3 + at] % 26
        found.append(Alternative(other, bytes([other]), share, 0.0))
    return probability, tuple(found[:count])
