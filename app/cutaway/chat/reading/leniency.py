"""What a reading forgives, and what a strict one refuses."""

from __future__ import annotations

from cutaway.chat.reading.record import Record

MESSAGES = {
    "missing-opener": "The call's opener is missing.",
    "missing-closer": "A closing marker is missing.",
    "stray-closer": "A closing marker stands here without its opener.",
    "blank-between-markers": "Blanks stand where the template writes none.",
    "python-literal": "A value is written as in Python, not as JSON.",
    "trailing-comma": "A comma stands before a closing bracket.",
    "raw-control-character": "A string holds a control character that JSON wants escaped.",
    "invalid-escape": "A string holds an escape that JSON does not know.",
    "unescaped-quote": "A string holds its own quote, not escaped.",
    "unquoted-key": "A key stands without quotes.",
    "other-quotes": "A string stands in other quotes than the format's.",
    "value-as-string": "A string holds the JSON of the type that the tool declares.",
    "arguments-as-string": "The arguments are a string that holds JSON.",
    "fenced-call": "A code fence stands around the call or its arguments.",
    "flat-arguments": "An argument stands beside the name, not among the arguments.",
    "doubled-brace": "The call's braces are doubled.",
    "stray-bracket": "There is a bracket too many.",
    "no-arguments": "The call has no arguments; an empty object is taken.",
    "arguments-not-an-object": "The arguments are no JSON object.",
    "extra-key": "The call has a key that the format does not know.",
    "other-key": "The call uses another key than the format's.",
    "other-wrapper": "The call stands in another wrapper than the format's.",
    "other-body": "Between the wrappers the call is written as another family writes it.",
    "other-spelling": "The call's head is not spelled as the format has it.",
    "unknown-argument": "The tool declares no such argument.",
    "missing-argument": "A required argument is missing.",
    "repeated-argument": "An argument is given twice.",
    "wrong-type": "A value is not of the type that the tool declares; its text is kept.",
    "positional-argument": "An argument stands without its name.",
    "truncated-call": "The output ends inside the call.",
    "unparsed-text": "Text that fits nowhere in the call is shown as content.",
    "undeclared-tool": "No tool of this name is declared, so the text is content.",
    "call-in-reasoning": "A call stands inside the reasoning and ends it.",
    "text-after-end": "Text follows the end of the turn.",
    "other-header": "The message's header is not spelled as the format has it.",
}

ABSENCES = frozenset({"missing-opener", "missing-closer", "missing-argument", "no-arguments", "positional-argument"})
"""What is forgiven is that something is not there: it has a place, and no length."""


class Leniency:
    """Notes each leniency with its span; under the strict profile refuses it instead."""

    def __init__(self, record: Record, strict: bool) -> None:
        self._record = record
        self.strict = strict

    def allows(self, code: str, start: int, end: int, detail: str = "") -> bool:
        """Whether the leniency may be used. `start` and `end` are characters of the output."""
        message = MESSAGES[code] + (f" ({detail})" if detail else "")
        if self.strict:
            self._record.refusal(f"refused-{code}", f"{message} The strict profile does not forgive it.", start, end)
            return False
        self._record.repair(code, message, start, end)
        return True

    def notes(self, code: str, start: int, end: int, detail: str = "") -> None:
        """A fact about the output that nothing can refuse."""
        self._record.repair(code, MESSAGES[code] + (f" ({detail})" if detail else ""), start, end)
