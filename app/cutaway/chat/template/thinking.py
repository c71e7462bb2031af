"""How a template is told to think: its own switches, found by trying each value that it compares them with.

Every family has another knob (`enable_thinking`, `thinking`, `thinking_mode`, `reasoning_effort`, ..., or a word in the
messages). The table says for each wish of a person which values to pass, what the generation prompt then leaves of the
reasoning, and whether the rest of the prompt changes too, which costs the cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cutaway.chat.prompt import Warning
from cutaway.chat.template.prefill import Prefill, read_prefill
from cutaway.chat.template.reads import Reads, Variable
from cutaway.chat.template.thinking_words import Word, without, words_of

SWITCHES = (
    "enable_thinking",
    "thinking",
    "thinking_mode",
    "thinking_option",
    "reasoning_mode",
    "thinking_type",
    "enable_reasoning",
    "think",
    "reasoning",
    "open_thinking",
    "force_reasoning",
    "forced_thinking",
    "skip_thinking",
    "skip_think",
    "skip_reasoning",
    "no_thinking",
    "disable_thinking",
    "thinking_budget",
    "reasoning_budget",
    "reasoning_effort",
    "reasoning_strength",
    "thinking_effort",
)
"""Variables that switch thinking, the more direct ones first."""

_INVERTED = frozenset({"skip_thinking", "skip_think", "skip_reasoning", "no_thinking", "disable_thinking"})
_BUDGETS = frozenset({"thinking_budget", "reasoning_budget"})
_EFFORTS = frozenset({"reasoning_effort", "reasoning_strength", "thinking_effort"})
_USUAL_EFFORTS = ("low", "medium", "high")

_OFF = frozenset({"off", "none", "disabled", "disable", "no_think", "nothink", "no", "chat", "false", "non-thinking"})
_ON = frozenset({"on", "enabled", "enable", "think", "thinking", "yes", "true"})
_AUTO = frozenset({"auto", "adaptive", "dynamic"})

_OPPOSITES = {"thinking": "chat", "on": "off", "enabled": "disabled", "think": "no_think"}
"""What turns thinking off where a template asks only for what turns it on."""


@dataclass(frozen=True, slots=True)
class ThinkingRow:
    thinking: str
    """`auto`, `on`, `off` or an effort level."""
    kwargs: Mapping[str, Any]
    prefill: Prefill
    changes_prompt: bool
    """The prompt differs from that of `auto` before the generation prompt, too."""
    word: Word | None = None
    """What stands in a message's text instead of a variable."""


@dataclass(frozen=True, slots=True)
class Switch:
    """What a wish is translated to."""

    kwargs: Mapping[str, Any] = field(default_factory=dict)
    word: Word | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """One rendering of the trial conversation."""

    history: str
    """The prompt without the generation prompt."""
    generation_prompt: str

    @property
    def prefill(self) -> Prefill:
        return read_prefill(self.generation_prompt).state


Found = dict[str, tuple[Mapping[str, Any], Trial]]


class Try(Protocol):
    def __call__(self, kwargs: Mapping[str, Any], word: Word | None = None) -> Trial | None:
        """Renders the trial conversation with more variables, or a word in it; None where the template raises."""


def thinking_table(reads: Reads, attempt: Try) -> tuple[ThinkingRow, ...]:
    """The rows for one template: `auto` always, `on` and `off` where it has a switch, each effort level."""
    plain = attempt({})
    found: Found = {}
    for name in SWITCHES:
        variable = reads.variables.get(name)
        if variable is not None:
            for wish, kwargs, trial in _telling(variable, attempt, plain, found):
                found.setdefault(wish, (kwargs, trial))
    _off_by_effort(found)
    _on_by_effort(found)
    _levels_with_thinking_on(found, attempt)
    if plain is not None:
        found.setdefault("auto", ({}, plain))
    base = plain if plain is not None else found["auto"][1] if "auto" in found else None
    rows = {wish: _row(wish, *found[wish], base) for wish in found}
    if "on" not in rows and "off" not in rows:
        rows |= _rows_of_words(reads, attempt)
    return tuple(rows[wish] for wish in sorted(rows, key=_place))


def _rows_of_words(reads: Reads, attempt: Try) -> dict[str, ThinkingRow]:
    """`on` and `off` by words in the messages, where one of them makes a difference beyond itself."""
    words = words_of(reads.constants)
    for role in ("user", "system") if words else ():
        base = attempt({}, Word("", role))
        tried = [(word, attempt({}, word)) for word in (Word(text, role) for text in words)]
        rows: dict[str, ThinkingRow] = {
            word.wish: _row_of_word(word, trial, base) for word, trial in tried if trial and base
        }
        if any(base and trial and _tells(word, trial, base) for word, trial in tried):
            return rows
    return {}


def _tells(word: Word, trial: Trial, base: Trial) -> bool:
    return (without(trial.history, word), trial.prefill) != (without(base.history, word), base.prefill)


def _row_of_word(word: Word, trial: Trial, base: Trial) -> ThinkingRow:
    return ThinkingRow(word.wish, {}, trial.prefill, trial.history != base.history, word)


def _telling(
    variable: Variable, attempt: Try, plain: Trial | None, found: Found
) -> list[tuple[str, Mapping[str, Any], Trial]]:
    """What each value of a variable gives; nothing where no value makes a difference, with thinking on neither."""
    tried = list(_tried(variable, attempt, {}))
    if len({trial for _, _, trial in tried} | {plain}) > 1:
        return tried
    if variable.name in _EFFORTS and "on" in found:
        switched, thinking = found["on"]
        tried = list(_tried(variable, attempt, switched))
        if len({trial for _, _, trial in tried} | {thinking}) > 1:
            return tried
    return []


def _row(wish: str, kwargs: Mapping[str, Any], trial: Trial, base: Trial | None) -> ThinkingRow:
    return ThinkingRow(wish, kwargs, trial.prefill, base is not None and trial.history != base.history)


def _place(wish: str) -> tuple[int, str]:
    order = ("auto", "on", "off", "minimal", "low", "medium", "high", "xhigh", "max")
    return (order.index(wish) if wish in order else len(order), wish)


def _tried(variable: Variable, attempt: Try, base: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], Trial]]:
    for value in _candidates(variable):
        kwargs = {**base, variable.name: value}
        trial = attempt(kwargs)
        if trial is not None:
            yield _wish(variable.name, value), kwargs, trial


def _candidates(variable: Variable) -> list[Any]:
    """The values worth trying, in the order in which they are preferred for the same wish."""
    known = [*variable.values, *variable.defaults]
    if variable.name in _BUDGETS:
        return [value for value in dict.fromkeys([0, -1]) if value in known or value == 0]
    words = [value for value in known if isinstance(value, str) and value]
    compared = [value for value in variable.values if isinstance(value, str) and value]
    if variable.name in _EFFORTS:
        more = _USUAL_EFFORTS if (variable.printed and not compared) or not words else ()
        return list(dict.fromkeys([*words, *more]))
    if words:
        opposites = [] if _OFF.intersection(words) else [_OPPOSITES[word] for word in words if word in _OPPOSITES]
        return list(dict.fromkeys([*words, *opposites]))
    return [True, False]


def _wish(name: str, value: Any) -> str:
    if name in _BUDGETS:
        return "off" if value == 0 else "on"
    if isinstance(value, bool):
        return "off" if value == (name in _INVERTED) else "on"
    word = str(value).lower()
    return "off" if word in _OFF else "on" if word in _ON else "auto" if word in _AUTO else str(value)


def _levels_with_thinking_on(found: Found, attempt: Try) -> None:
    """An effort level means thinking; where the level alone leaves it off, the switch is set as well."""
    if "on" not in found or found["on"][1].prefill in ("closed", "bare closer"):
        return
    for wish, (kwargs, trial) in list(found.items()):
        if wish not in ("on", "off", "auto") and trial.prefill in ("closed", "bare closer"):
            both = {**found["on"][0], **kwargs}
            again = attempt(both)
            if again is not None and again.prefill not in ("closed", "bare closer"):
                found[wish] = (both, again)


def _off_by_effort(found: Found) -> None:
    """Where only effort levels say it, `off` is the lowest of those that leave no thinking, if another leaves some."""
    if "off" in found or "on" in found:
        return
    levels = sorted((wish for wish in found if wish != "auto"), key=_place)
    closed = [wish for wish in levels if found[wish][1].prefill in ("closed", "bare closer")]
    if closed and len(closed) < len(levels):
        found["off"] = found[closed[0]]


def _on_by_effort(found: Found) -> None:
    """Where only effort levels turn thinking on, `on` is the most usual of them."""
    if "on" in found or "off" not in found:
        return
    thinking = [wish for wish in found if found[wish][1].prefill not in ("closed", "bare closer")]
    levels = [wish for wish in ("high", "medium", "low", "max") if wish in thinking]
    if levels:
        found["on"] = found[levels[0]]


def translate(
    wish: str | None, table: tuple[ThinkingRow, ...], warnings: list[Warning], *, reasons: bool = True
) -> Switch:
    """The template's own switches for what a person wants. What can't be had is added to `warnings`.

    `reasons` says whether the template has any place for reasoning: where it has none, `off` is what it is.
    """
    if wish is None:
        return Switch()
    rows = {row.thinking: row for row in table}
    row = rows.get(wish)
    if row is not None:
        return Switch(row.kwargs, row.word)
    known = ", ".join(rows)
    if wish in ("on", "off"):
        if not _is_so_anyway(wish, rows, reasons):
            message = f"This template can't switch thinking {wish}; it knows {known}."
            warnings.append(Warning("thinking-not-switchable", message, "thinking"))
        return Switch()
    if wish != "auto":
        message = f"This template has no thinking level {wish!r}; it knows {known}."
        warnings.append(Warning("thinking-level-unknown", message, "thinking"))
        if "on" in rows:
            return Switch(rows["on"].kwargs, rows["on"].word)
    return Switch()


def _is_so_anyway(wish: str, rows: Mapping[str, ThinkingRow], reasons: bool) -> bool:
    """A template with a place for reasoning whose prompt leaves all open, and with no way to turn it off, always thinks."""
    state = rows["auto"].prefill if "auto" in rows else "none"
    if wish == "on":
        return state == "open" or (state == "none" and reasons and "off" not in rows)
    return state in ("closed", "bare closer") or (state == "none" and not reasons)
