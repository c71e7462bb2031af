"""A JSON value as it comes, out as JSON text: verbatim where it is valid, rewritten where it is drifted.

Python's literals (single quotes, True, None, tuples), trailing commas, raw line breaks and unescaped
quotes are forgiven. Nothing recurses, so nesting has no limit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from typing import Protocol

from cutaway.chat.reading.source import BLANKS, MOST_BLANKS, Source, skip_blanks

Steps = Generator[None, None, bool]
"""A reading that yields where it needs more text; its result says whether the text fitted."""

_BODY = {'"': re.compile(r'[^"\\\x00-\x1f]+'), "'": re.compile(r"""[^'"\\\x00-\x1f]+""")}
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[\"\\/bfnrt])")
_OPEN_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?|U[0-9a-fA-F]{0,7})?\Z")
_CODE_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|U([0-9a-fA-F]{8}))")
_WORD = re.compile(r"[-+.\w]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_KEY = re.compile(r"[\w$][\w$.\-]*")
_BLANK = re.compile(r"[ \t\r\n]+")

_PYTHON_ESCAPES = {"'": "'", "a": "\\u0007", "v": "\\u000b", "0": "\\u0000", "\n": "", "`": "`"}
_JSON_WORDS = ("true", "false", "null")
_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "NULL": "null"}
_OPENERS = {"}": "{", "]": "[", ")": "("}
_CLOSERS = {"{": "}", "[": "]", "(": "]"}
_MOST_WORD = 400


class Out(Protocol):
    def __call__(self, raw: str, written: str) -> None: ...


class ValueReader:
    """Reads one value from the source. `out` gets each consumed text with the JSON text it comes to.

    `allows` is asked for each leniency with its code. `stops` are characters that may follow a string
    at the outermost level; `ends_at`, where given, says it instead: whether what stands at an offset of the
    source's text can follow, None while that is not known.
    """

    def __init__(
        self,
        source: Source,
        out: Out,
        allows: Callable[[str, str], bool],
        stops: str = "",
        ends_at: Callable[[int], bool | None] | None = None,
    ) -> None:
        self._source = source
        self._out = out
        self._allows = allows
        self._stops = stops
        self._ends_at = ends_at
        self._nest: list[str] = []
        self._state = "value"
        self._quote = ""
        self._owed = ""
        self.truncated = False
        self.depth_one_keys: list[str] = []
        """The keys of the outermost object."""
        self.kind = ""
        """`object`, `array`, `string`, `number`, `word`: what the outermost value is."""
        self._key_text: list[str] | None = None

    def closing(self) -> str:
        """The text that makes JSON of what was put out, when the reading stopped inside the value."""
        end = '"' if self._quote else ""
        if self._quote and self._state == "key":
            end += ": null"
        elif not self._quote and self._state == "value" and (not self._nest or self._nest[-1] == "{"):
            end += "null"
        elif not self._quote and self._state == "colon":
            end += ": null"
        return end + "".join(_CLOSERS[bracket] for bracket in reversed(self._nest))

    def run(self) -> Steps:
        source = self._source
        while True:
            text, at = source.text, source.at
            if at >= len(text):
                if source.ended:
                    self.truncated = True
                    return False
                yield
                continue
            if text[at] in BLANKS:
                self._blanks()
                continue
            fitted = yield from self._token(text[at])
            if not fitted:
                return False
            if not self._nest and self._state == "after":
                return True

    # -- tokens -----------------------------------------------------------------------------------

    def _blanks(self) -> None:
        match = _BLANK.match(self._source.text, self._source.at)
        assert match is not None
        if self._owed:
            self._owed += match[0]
            self._take(len(match[0]), "")
        else:
            self._take(len(match[0]), match[0] if self._nest else "")

    def _token(self, first: str) -> Steps:
        if self._state == "after":
            return self._after(first)
        if self._state == "colon":
            return self._colon(first)
        if first in "}])" and self._nest and self._state in ("key", "value"):
            return self._close(first)
        if self._state == "key":
            return (yield from self._key(first))
        return (yield from self._value(first))

    def _after(self, first: str) -> bool:
        if first == ",":
            self._owed = ","
            self._take(1, "")
            self._state = "key" if self._nest[-1] == "{" else "value"
            return True
        return first in "}])" and self._close(first)

    def _colon(self, first: str) -> bool:
        if first not in ":=":
            return False
        if first == "=" and not self._allows("python-literal", first):
            return False
        self._take(1, ":")
        self._state = "value"
        return True

    def _close(self, first: str) -> bool:
        opened = self._nest[-1]
        if _OPENERS[first] != opened:
            return self._close_inner(first)
        if self._state == "value" and opened == "{":
            return False
        if self._owed:
            lonely = opened == "("
            if not lonely and not self._allows("trailing-comma", first):
                return False
            self._owed = ""
        self._nest.pop()
        self._take(1, _CLOSERS[opened])
        self._state = "after"
        return True

    def _close_inner(self, first: str) -> bool:
        """A bracket that closes an outer container: the ones inside it lack theirs."""
        opener = _OPENERS[first]
        if self._state != "after" or opener not in self._nest or not self._allows("missing-closer", first):
            return False
        while self._nest[-1] != opener:
            self._out("", _CLOSERS[self._nest.pop()])
        return self._close(first)

    def _key(self, first: str) -> Steps:
        self._pay()
        collects = len(self._nest) == 1
        self._key_text = [] if collects else None
        if first in "\"'":
            if first == "'" and not self._allows("python-literal", first):
                return False
            fitted = yield from self._string(first, ":")
        else:
            fitted = yield from self._bare_key()
        if fitted and self._key_text is not None:
            self.depth_one_keys.append(_decoded("".join(self._key_text)))
        self._key_text = None
        self._state = "colon" if fitted else "key"
        return fitted

    def _bare_key(self) -> Steps:
        source = self._source
        while True:
            match = _KEY.match(source.text, source.at)
            if match is None:
                return False
            if match.end() < len(source.text) or source.ended:
                break
            if len(match[0]) > _MOST_WORD:
                return False
            yield
        if not self._allows("unquoted-key", match[0]):
            return False
        if self._key_text is not None:
            self._key_text.append(match[0])
        self._take(len(match[0]), json.dumps(match[0], ensure_ascii=False))
        return True

    def _value(self, first: str) -> Steps:
        self._pay()
        if first in "{[(":
            if first == "(" and not self._allows("python-literal", first):
                return False
            self.kind = self.kind or ("object" if first == "{" else "array")
            self._nest.append(first)
            self._take(1, "[" if first == "(" else first)
            self._state = "key" if first == "{" else "value"
            return True
        if first in "\"'":
            self.kind = self.kind or "string"
            if first == "'" and not self._allows("python-literal", first):
                return False
            fitted = yield from self._string(first, "")
        else:
            self.kind = self.kind or ("word" if first.isalpha() else "number")
            fitted = yield from self._word()
        if fitted:
            self._state = "after"
        return fitted

    def _word(self) -> Steps:
        source = self._source
        while True:
            match = _WORD.match(source.text, source.at)
            assert match is not None
            if match.end() < len(source.text) or source.ended:
                break
            if len(match[0]) > _MOST_WORD:
                return False
            yield
        word = match[0]
        written = word if word in _JSON_WORDS or _NUMBER.fullmatch(word) else self._forgiven(word)
        if written is None:
            return False
        self._take(len(word), written)
        return True

    def _forgiven(self, word: str) -> str | None:
        """A word or number that JSON does not know, as JSON."""
        written = _PYTHON_WORDS.get(word) or python_number(word)
        if written is None or not self._allows("python-literal", word):
            return None
        return written

    # -- strings ----------------------------------------------------------------------------------

    def _string(self, quote: str, after: str) -> Steps:
        source = self._source
        closer = yield from self._opened(quote)
        self._quote = quote
        while True:
            text, at = source.text, source.at
            if at >= len(text):
                if source.ended:
                    self.truncated = True
                    return False
                yield
                continue
            body = _BODY[quote].match(text, at)
            if body is not None:
                self._put(body[0], body[0])
                continue
            if text[at] == quote:
                verdict = self._closes(closer, after)
                if verdict is None:
                    yield
                elif verdict:
                    self._take(len(closer), '"')
                    self._quote = ""
                    return True
                elif not self._literal_quote(quote, len(closer) > 1):
                    return False
                continue
            if text[at] == "\\":
                if _OPEN_ESCAPE.match(text, at) and not source.ended:
                    yield
                elif not self._escape():
                    return False
                continue
            if not self._control(text[at]):
                return False

    def _opened(self, quote: str) -> Generator[None, None, str]:
        """Consumes the opening quote, or Python's three of them; returns what closes the string."""
        source = self._source
        while len(source.text) - source.at < 3 and not source.ended and source.rest() == quote * len(source.rest()):
            yield
        closer = quote
        if source.text.startswith(quote * 3, source.at) and self._allows("python-literal", quote * 3):
            closer = quote * 3
        self._take(len(closer), '"')
        return closer

    def _closes(self, closer: str, after: str) -> bool | None:
        """Whether the quote at hand ends the string: only where what follows it fits. None: not known yet."""
        source = self._source
        text, at = source.text, source.at
        if not text.startswith(closer, at):
            short = len(text) - at < len(closer) and closer.startswith(text[at:]) and not source.ended
            return None if short else False
        next_at = skip_blanks(text, at + len(closer))
        if next_at >= len(text):
            return True if source.ended or next_at - at > MOST_BLANKS else None
        if self._ends_at and not self._nest:
            return self._ends_at(next_at)
        allowed = after or ",:}])" if self._nest else self._stops
        return not allowed or text[next_at] in allowed or text[next_at] in "<["

    def _literal_quote(self, quote: str, tripled: bool) -> bool:
        if not tripled and not self._allows("unescaped-quote", quote):
            return False
        self._put(quote, '\\"' if quote == '"' else quote)
        return True

    def _escape(self) -> bool:
        text, at = self._source.text, self._source.at
        match = _ESCAPE.match(text, at)
        if match is not None:
            self._put(match[0], match[0])
            return True
        if at + 1 >= len(text):
            self._put("\\", "\\\\")
            return True
        code = _CODE_ESCAPE.match(text, at)
        raw = code[0] if code else text[at : at + 2]
        if not self._allows("python-literal" if code or raw[1] in _PYTHON_ESCAPES else "invalid-escape", raw):
            return False
        if code:
            written = _escaped_code(int(code[1] or code[2], 16))
        else:
            written = _PYTHON_ESCAPES.get(raw[1], json.dumps(raw, ensure_ascii=False)[1:-1])
        self._put(raw, written)
        return True

    def _control(self, character: str) -> bool:
        if character == '"':
            self._put(character, '\\"')
            return True
        if not self._allows("raw-control-character", character):
            return False
        self._put(character, json.dumps(character)[1:-1])
        return True

    # -- output -----------------------------------------------------------------------------------

    def _pay(self) -> None:
        if self._owed:
            self._out("", self._owed)
            self._owed = ""

    def _put(self, raw: str, written: str) -> None:
        if self._key_text is not None:
            self._key_text.append(written)
        self._take(len(raw), written)

    def _take(self, size: int, written: str) -> None:
        source = self._source
        raw = source.text[source.at : source.at + size]
        source.at += size
        self._out(raw, written)


def python_number(word: str) -> str | None:
    """A number as Python writes it, as JSON; None where it is none or JSON has no such number."""
    if not re.fullmatch(r"[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?", word):
        return None
    plain = word.replace("_", "").lstrip("+")
    sign, digits = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
    whole, point, rest = digits.partition(".")
    if not point:
        head = re.match(r"[0-9]+", digits)
        assert head is not None
        return sign + (head[0].lstrip("0") or "0") + digits[head.end() :]
    fraction = re.match(r"[0-9]*", rest)
    assert fraction is not None
    return f"{sign}{whole.lstrip('0') or '0'}.{fraction[0] or '0'}{rest[fraction.end() :]}"


def _escaped_code(code: int) -> str:
    return json.dumps(chr(code))[1:-1] if code <= 0x10FFFF else "\\ufffd"


def _decoded(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text
