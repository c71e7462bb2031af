"""What a template can do, found by watching what it reads of trial conversations.

The nine flags and the trials behind them are llama.cpp's (its `common/jinja/caps.cpp`), so that the same template is
treated alike; each flag comes with the observation that decided it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from cutaway.chat.template.watch import Watched

Watch = Callable[[Mapping[str, Any]], Watched]
"""Renders a trial under watch; an error is in the result."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Nine flags, as llama.cpp names them."""

    supports_string_content: bool = True
    supports_typed_content: bool = False
    supports_system_role: bool = True
    supports_tools: bool = True
    supports_tool_calls: bool = True
    supports_parallel_tool_calls: bool = True
    supports_object_arguments: bool = False
    supports_preserve_reasoning: bool = False
    supports_reasoning_effort: bool = False

    def flags(self) -> dict[str, bool]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why one flag is what it is."""

    flag: str
    value: bool
    observed: str
    """A sentence: what the template did in the trial."""


def find_capabilities(watch: Watch) -> tuple[Capabilities, tuple[Evidence, ...]]:
    """Runs the trials. A trial that the template refuses tells what the rules say, and is never an error."""
    trials = _Trials(watch)
    trials.content()
    trials.system_role()
    trials.tools()
    trials.parallel_calls()
    trials.preserved_reasoning()
    trials.effort()
    return trials.caps, tuple(trials.evidence)


_MARKER = "STRING_MARKER"
_REASONING = "<REASONING_CONTENT_PLACEHOLDER>"
_CONTENT = "messages[0].content"
_CALLS = "messages[1].tool_calls"
_TOOL_NAME = "tools[0].function.name"
_REPAIRED_NAME = "tools[0].description"
"""Only the repaired trial has one there."""
_ARGUMENT = f"{_CALLS}[0].function.arguments.arg"


class _Trials:
    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.caps = Capabilities()
        self.evidence: list[Evidence] = []

    def run(self, messages: list[dict[str, Any]], **more: Any) -> Watched:
        return self.watch(
            {
                "messages": messages,
                "tools": [],
                "bos_token": "",
                "eos_token": "",
                "add_generation_prompt": True,
                **more,
            }
        )

    def decide(self, flag: str, value: bool, observed: str) -> None:
        self.caps = replace(self.caps, **{f"supports_{flag}": value})
        self.evidence.append(Evidence(f"supports_{flag}", value, observed))

    # -- Content ----------------------------------------------------------------------------------------------

    def content(self) -> None:
        seen = self.run([_user(_MARKER)])
        as_list = _gone_through(seen)
        if seen.error is not None:
            self.decide("string_content", False, f"A text as content was refused: {seen.error.message}")
        elif as_list and _MARKER not in seen.text:
            self.decide("string_content", False, "A text as content was gone through and not written out.")
        else:
            self.decide("string_content", True, "A text as content was accepted.")
        typed = as_list
        if not typed and "test:string" in seen.operations(_CONTENT):
            listed = self.run([{"role": "user", "content": []}])
            typed = _gone_through(listed) and listed.error is None
        self.decide("typed_content", typed, f"A list as content is {'gone through' if typed else 'not gone through'}.")

    def system_role(self) -> None:
        seen = self.run([{"role": "system", "content": "System message"}, _user()])
        used = seen.used(_CONTENT)
        self.decide("system_role", used, f"A system message's content is {_read(used)}.")

    # -- Tools ------------------------------------------------------------------------------------------------

    def tools(self) -> None:
        seen = self.run(_called({"arg": "value"}), tools=_TOOLS)
        self._infer(seen)
        objects = seen.error is None and seen.used(_CALLS) and seen.used(_ARGUMENT)
        how = "refused" if seen.error is not None else "gone into" if objects else "not gone into"
        self.decide("object_arguments", objects, f"Arguments given as an object are {how}.")
        if not objects:
            texts = self.run(_called('{"arg": "value"}'), tools=_TOOLS)
            if texts.error is not None:
                texts = self._repaired('{"arg": "value"}') or self._repaired({"arg": "value"}) or texts
            if texts.error is not None:
                for flag in ("tools", "tool_calls"):
                    self.decide(flag, False, f"A conversation with a call was refused: {texts.error.message}")
            else:
                self._infer(texts)
        for flag in ("tools", "tool_calls"):
            if not any(one.flag == f"supports_{flag}" for one in self.evidence):
                self.evidence.append(Evidence(f"supports_{flag}", True, "The trial told nothing against it."))

    def _repaired(self, *arguments: Any) -> Watched | None:
        """The trial with what a refused request is repaired with; None where that is refused, too."""
        messages = _called(*arguments)
        for message in messages:
            for call in message.get("tool_calls", ()):
                call |= {**call["function"], **call}
        seen = self.run(messages, tools=_REPAIRED_TOOLS)
        return None if seen.error is not None else seen

    def _infer(self, seen: Watched) -> None:
        """What a trial that was accepted tells: only the lack of a reading decides."""
        if seen.error is not None:
            return
        if not seen.used(_TOOL_NAME) and not seen.used(_REPAIRED_NAME):
            self.decide("tools", False, "The name of an offered tool is not read.")
        if not seen.used(_CALLS):
            self.decide("tool_calls", False, "A message's calls are not read.")

    def parallel_calls(self) -> None:
        arguments: Any = {"arg": "value"} if self.caps.supports_object_arguments else '{"arg": "value"}'
        seen = self.run(_called(arguments, arguments), tools=_TOOLS)
        if seen.error is not None and self.caps.supports_tool_calls:
            seen = self._repaired(arguments, arguments) or seen
        used = seen.error is None and seen.used(f"{_CALLS}[1].function")
        refused = "" if seen.error is None else f", as the template refuses: {seen.error.message}"
        self.decide("parallel_tool_calls", used, f"The second of two calls is {_read(used)}{refused}.")

    # -- Reasoning --------------------------------------------------------------------------------------------

    def preserved_reasoning(self) -> None:
        messages = [
            _user(),
            {"role": "assistant", "content": "Assistant message", "reasoning_content": _REASONING},
            _user(),
            {"role": "assistant", "content": "Assistant message", "reasoning_content": "Reasoning content"},
            _user(),
        ]
        seen = self.run(
            messages,
            enable_thinking=True,
            preserve_thinking=True,
            clear_thinking=False,
            truncate_history_thinking=False,
            drop_thinking=False,
        )
        kept = _REASONING in seen.text
        self.decide(
            "preserve_reasoning", kept, f"The reasoning of an earlier turn is {'kept' if kept else 'left out'}."
        )

    def effort(self) -> None:
        names = ("reasoning_effort", "reasoning_strength")
        seen = self.run([_user()], enable_thinking=True, **dict.fromkeys(names, "low"))
        read = [name for name in names if seen.used(f"chat_template_kwargs.{name}")]
        what = " and ".join(read) + " is read." if read else "No effort level is read."
        self.decide("reasoning_effort", bool(read), what)


def _gone_through(seen: Watched) -> bool:
    return bool(seen.operations(_CONTENT) & {"index", "iterate", "filter:selectattr"})


def _read(used: bool) -> str:
    return "read" if used else "not read"


def _user(content: str = "User message") -> dict[str, Any]:
    return {"role": "user", "content": content}


def _called(*arguments: Any) -> list[dict[str, Any]]:
    """A question, a message with one call for each of the arguments, a result, an answer, a question."""
    calls = [
        {"id": f"call0000{i}", "type": "function", "function": {"name": "tool1", "arguments": one}}
        for i, one in enumerate(arguments, 1)
    ]
    return [
        _user(),
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "content": "Tool response", "tool_call_id": "call00001"},
        {"role": "assistant", "content": "The tool response was 'tool response'"},
        _user(),
    ]


_TOOLS: list[dict[str, Any]] = [
    {
        "name": "tool",
        "type": "function",
        "function": {
            "name": "tool1",
            "description": "Tool description",
            "parameters": {
                "type": "object",
                "properties": {"arg": {"type": "string", "description": "Arg description"}},
                "required": ["arg"],
            },
        },
    }
]

_FUNCTION = {**_TOOLS[0]["function"], "parameters": {"description": "", **_TOOLS[0]["function"]["parameters"]}}
_REPAIRED_TOOLS: list[dict[str, Any]] = [{**_FUNCTION, "type": "function", "function": _FUNCTION}]
