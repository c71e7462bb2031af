"""Every setting in words a person understands: what it is, what it does, how it is entered. No widgets."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cutaway.ui.sentences import told
from cutaway.ui.words import tr

Kind = Literal[
    "text",
    "line",
    "choice",
    "bool",
    "int",
    "float",
    "lines",
    "json",
    "tool choice",
    "format",
    "order",
    "bias",
    "offered",
    "below",
]
"""How it is entered. `offered` is a choice of what the template has; `below`: by what stands below it."""
CHECKED = frozenset({"tools", "response_format", "grammar"})
"""Settings whose text is checked while it is written."""


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    """As in `workbench.settings.NAMES`."""
    title: str
    help: str
    kind: Kind
    choices: tuple[tuple[Any, str], ...] = ()
    low: float = 0.0
    high: float = 1e9
    step: float = 1.0
    optional: bool = False
    """May be left empty: None."""
    group: str = ""


_YES_NO_OWN = ((None, "As the template does"), (True, "Yes"), (False, "No"))

ROWS = (
    Row("system", "System prompt", "Stands before the conversation; empty sends none.", "text", group="Words"),
    Row("stops", "Stop at", "The reply ends where it writes one of these; one a line.", "lines", group="Words"),
    Row("max_tokens", "Longest reply", "Tokens after which the reply is cut; empty for no limit.", "int", optional=True,
        group="Words"),
    Row("thinking", "Thinking", "Whether the model reasons before it answers, where its template offers it.", "offered",
        ((None, "As the template does"), ("on", "On"), ("off", "Off"), ("auto", "Auto"), ("low", "Low effort"),
         ("medium", "Medium effort"), ("high", "High effort")), group="Thinking"),
    Row("reasoning_budget", "Thinking budget", "Tokens of reasoning after which the answer is asked for.", "int",
        optional=True, group="Thinking"),
    Row("keep_reasoning", "Send old reasoning again", "Keeps the cache whole where the template allows it; costs context.",
        "choice", _YES_NO_OWN, group="Thinking"),
    Row("reasoning_format", "Show reasoning apart", "Off leaves it in the text of the reply.", "choice",
        (("auto", "Yes"), ("none", "No")), group="Thinking"),
    Row("sampling.temperature", "Temperature", "0 always takes the likeliest token; higher is more varied.", "float",
        low=0, high=100, step=0.05, group="Sampling"),
    Row("sampling.top_k", "Top k", "Only the k likeliest tokens are considered; 0 for all.", "int", low=0, high=1000,
        group="Sampling"),
    Row("sampling.top_p", "Top p", "Only the likeliest tokens that together have this probability.", "float", low=0,
        high=1, step=0.01, group="Sampling"),
    Row("sampling.min_p", "Min p", "Only tokens at least this likely against the likeliest.", "float", low=0, high=1,
        step=0.01, group="Sampling"),
    Row("sampling.typical_p", "Typical p", "Prefers tokens whose surprise is near the average; drops the too likely and the too unlikely. 1 is off.", "float", low=0, high=1,
        step=0.01, group="Sampling"),
    Row("sampling.top_n_sigma", "Top n σ", "Only tokens whose logit is within n standard deviations of the best one; -1 is off.", "float", low=-1,
        high=1000, step=0.1, group="Sampling"),
    Row("sampling.seed", "Seed", "The same seed and prompt give the same reply; empty draws a new one.", "int",
        optional=True, high=4294967295, group="Sampling"),
    Row("sampling.logit_bias", "Banned and favoured tokens", "Single tokens made likelier, less likely or impossible.",
        "bias", group="Sampling"),
    Row("sampling.repeat_penalty", "Repeat penalty", "Makes recent tokens less likely; 1 is off.", "float", low=0.001, high=100,
        step=0.01, group="Repetition"),
    Row("sampling.repeat_last_n", "Repeat window", "How many recent tokens the penalties look at; -1 for all.", "int",
        low=-1, high=1_000_000, group="Repetition"),
    Row("sampling.frequency_penalty", "Frequency penalty", "Grows with how often a token came; 0 is off.", "float", low=-100,
        high=100, step=0.05, group="Repetition"),
    Row("sampling.presence_penalty", "Presence penalty", "For tokens that came at all; 0 is off.", "float", low=-100, high=100,
        step=0.05, group="Repetition"),
    Row("sampling.dry_multiplier", "DRY strength", "Against repeated phrases; 0 is off.", "float", low=0, high=100,
        step=0.05, group="Repetition"),
    Row("sampling.dry_base", "DRY base", "How fast the DRY penalty grows with the phrase.", "float", low=0, high=100,
        step=0.05, group="Repetition"),
    Row("sampling.dry_allowed_length", "DRY free length", "Repeats up to this length are free.", "int", low=0, high=100,
        group="Repetition"),
    Row("sampling.dry_penalty_last_n", "DRY window", "How far back DRY looks; -1 for all.", "int", low=-1, high=1_000_000,
        group="Repetition"),
    Row("sampling.dry_sequence_breakers", "DRY breakers", "Texts that a repeated phrase does not reach across, of any length; one a line, \\n for a line break.", "lines",
        group="Repetition"),
    Row("sampling.xtc_probability", "XTC chance", "How often the likeliest tokens are left out; 0 is off.", "float", low=0,
        high=1, step=0.05, group="Advanced sampling"),
    Row("sampling.xtc_threshold", "XTC threshold", "All tokens at least this likely but the last of them are left out then; above 0.5 that is none.", "float", low=0,
        high=1, step=0.01, group="Advanced sampling"),
    Row("sampling.dynatemp_range", "Dynamic temperature", "How far temperature moves with the entropy; 0 is off.",
        "float", low=0, high=100, step=0.05, group="Advanced sampling"),
    Row("sampling.dynatemp_exponent", "Its exponent", "Above 1 keeps the temperature low until the model is quite unsure; below 1 raises it early.", "float", low=0, high=100,
        step=0.05, group="Advanced sampling"),
    Row("sampling.mirostat", "Mirostat", "Keeps the surprise at a target. Of the other stages only the temperature is used then.", "choice",
        ((0, "Off"), (1, "Version 1"), (2, "Version 2")), group="Advanced sampling"),
    Row("sampling.mirostat_tau", "Mirostat target", "The surprise that is kept, in bits: lower is more focused.", "float", low=0, high=1000, step=0.1,
        group="Advanced sampling"),
    Row("sampling.mirostat_eta", "Mirostat rate", "How fast it is corrected.", "float", low=0, high=10, step=0.01,
        group="Advanced sampling"),
    Row("sampling.adaptive_target", "Adaptive target", "Adaptive p draws tokens whose probability is near this; -1 is off.", "float", low=-1, high=1,
        step=0.05, group="Advanced sampling"),
    Row("sampling.adaptive_decay", "Adaptive decay", "How long earlier tokens count when it corrects its aim: 0.9 is about ten tokens.", "float", low=0, high=0.99, step=0.01,
        group="Advanced sampling"),
    Row("sampling.order", "Order of the stages", "From first to last; an unchecked stage is left out.", "order",
        group="Advanced sampling"),
    Row("sampling.alternatives", "Candidates kept", "How many the Tokens pane can show; 0 switches its numbers off.", "int",
        low=0, high=50, group="Advanced sampling"),
    Row("sampling.trace", "Which stage decided", "Finds out which stage removed each candidate; slower.", "bool",
        group="Advanced sampling"),
    Row("tools", "Tools", "OpenAI definitions as JSON, or signatures such as: def add(a: int, b: int) -> int.", "json", group="Tools"),
    Row("built_ins", "Built-in tools", "They need no server and can do no harm; none is offered until it is checked here.",
        "below", group="Tools"),
    Row("tool_choice", "Tool choice", "A demanded call is enforced by a grammar.", "tool choice", group="Tools"),
    Row("parallel_tool_calls", "Several calls at once", "Whether one reply may make more than one call.", "bool",
        group="Tools"),
    Row("tool_rounds", "Rounds of calls", "After so many the loop waits for you.", "int", low=1, high=100, group="Tools"),
    Row("response_format", "Response format", "JSON is enforced by a grammar: nothing else can be written.", "format",
        optional=True, group="Form"),
    Row("grammar", "Grammar", "Your own GBNF; empty for none.", "text", optional=True, group="Form"),
    Row("template", "Template", "Another template for this model: a path, or chatml; empty takes its own.", "line",
        group="Prompt"),
    Row("jinja", "Render with Jinja", "Off lets llama.cpp render: no tools, no reasoning.", "bool", group="Prompt"),
    Row("kwargs", "Template variables", "Further variables as JSON.", "json", group="Prompt"),
    Row("format", "Reply format", "By name; empty takes the one found.", "line", group="Prompt"),
    Row("profile", "Reading", "Tolerant repairs drifted output and names each repair.", "choice",
        (("tolerant", "Tolerant"), ("strict", "Strict")), group="Prompt"),
    Row("control_tokens", "Control tokens in input", "Neutral never lets input become one.", "choice",
        (("neutral", "Neutral"), ("compatible", "As other programs do")), group="Prompt"),
    Row("overflow", "When the context is full", "What happens to a prompt that does not fit.", "choice",
        (("ask", "Ask"), ("drop", "Leave out old messages"), ("shorten", "Shorten"), ("stop", "Don't send")),
        group="Prompt"),
    Row("idle_prefill", "Prepare the next turn while idle", "Feeds what the next turn will surely need.", "bool",
        group="Prompt"),
    Row("typing_prefill", "Read along while you type", "Feeds your message up to its last whole word before you send it.", "bool",
        group="Prompt"),
    Row("chunk_reuse", "Move held text (approximate)", "Runs of so many tokens behind a break are moved, not fed; 0 is off.",
        "int", high=1 << 31, group="Prompt"),
)  # fmt: skip


STAGES: Mapping[str, str] = {
    "logit_bias": "Banned and favoured tokens",
    "penalties": "Penalties",
    "dry": "DRY",
    "top_n_sigma": "Top n σ",
    "top_k": "Top k",
    "typical_p": "Typical p",
    "top_p": "Top p",
    "min_p": "Min p",
    "xtc": "XTC",
    "temperature": "Temperature",
    "mirostat_1": "Mirostat",
    "mirostat_2": "Mirostat",
    "adaptive_p": "Adaptive p",
    "greedy": "Temperature",
}
"""The stages of the sampler chain, as they are named to a person."""


def shown(row: Row, value: Any) -> str:
    """A value as the text that is edited."""
    if value is None:
        return ""
    if row.kind == "json":
        return json.dumps(_plain(value), ensure_ascii=False, indent=1) if value not in ((), {}, []) else ""
    if row.kind == "lines":
        return "\n".join(str(one).replace("\\", "\\\\").replace("\n", "\\n") for one in value)
    return str(value)


def read(row: Row, text: str) -> Any:
    """The value of an edited text. Raises ValueError with a sentence."""
    if row.kind == "lines":
        lines = [line for line in text.split("\n") if line]
        return tuple(line.replace("\\n", "\n").replace("\\\\", "\\") for line in lines)
    if row.name == "tools":
        return text  # JSON or signatures: the workbench reads them.
    if row.kind == "json":
        return _read_json(row, text)
    if not text and row.optional:
        return None
    if row.kind == "int":
        try:
            return int(text)
        except ValueError:
            raise ValueError(tr("{0} takes a whole number, not {1}.", tr(row.title), repr(text))) from None
    return text


def _read_json(row: Row, text: str) -> Any:
    if not text.strip():
        return None if row.optional else {} if row.name == "kwargs" else ()
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        place = (error.lineno, error.colno, told(error.msg))
        raise ValueError(tr("{0} is not JSON: line {1}, column {2}: {3}.", tr(row.title), *place)) from None
    except RecursionError:
        raise ValueError(tr("{0} is nested too deeply.", tr(row.title))) from None
    return tuple(value) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(one) for one in value]
    return value
