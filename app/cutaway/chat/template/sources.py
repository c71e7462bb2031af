"""Where a chat template comes from, and which of several variants a request gets.

The texts come in as values; who read them from a file, a GGUF or a folder lives in `engine.template_files`.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from cutaway.chat.prompt import Warning

CHATML = (
    "{%- for message in messages -%}\n"
    "{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}\n"
    "{%- endfor -%}\n"
    "{%- if add_generation_prompt -%}\n"
    "{{- '<|im_start|>assistant\\n' -}}\n"
    "{%- endif -%}"
)
"""The built-in template: every role between `<|im_start|>` and `<|im_end|>`."""

DIFFERENCE_LINES = 40


@dataclass(frozen=True, slots=True)
class TemplateSource:
    """One template's text, and where it came from."""

    text: str
    origin: str
    """In words, for a person: `given`, `chatml`, or the name of the file it was found in."""
    variant: str = "default"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class TemplateSources:
    """A model's templates: the default one, and those with a name."""

    default: TemplateSource
    named: Mapping[str, TemplateSource] = field(default_factory=dict)
    warnings: tuple[Warning, ...] = ()

    def choose(self, *, tools: bool, variant: str | None = None) -> TemplateSource:
        """The named variant when asked for; `tool_use` when there are tools; else the default.

        Raises `KeyError` for a variant that there isn't.
        """
        if variant is not None and variant != "default":
            return self.named[variant]
        if tools and variant is None and "tool_use" in self.named:
            return self.named["tool_use"]
        return self.default


def given(text: str, origin: str = "given") -> TemplateSources:
    """The template that the user named; the word `chatml` asks for the built-in one, and an empty text is none."""
    if not text.strip():
        message = f"The template ({origin}) is empty. ChatML is used instead, which this model may never have seen."
        return TemplateSources(TemplateSource(CHATML, "chatml"), {}, (Warning("no-template", message),))
    if text.strip() == "chatml":
        return TemplateSources(TemplateSource(CHATML, "chatml"))
    return TemplateSources(TemplateSource(text, origin))


def found(templates: Mapping[str, str], origin: str, warnings: tuple[Warning, ...] = ()) -> TemplateSources:
    """The templates of a model by their variants' names, `default` among them where there is one.

    Without a default, or with one that only asks for ChatML, `tool_use` stands in; without any, ChatML does, and a
    warning says so.
    """
    named = {name: TemplateSource(text, origin, name) for name, text in templates.items() if text.strip()}
    default = named.pop("default", None)
    if default is not None and default.text.strip() == "chatml":
        default = None if "tool_use" in named else TemplateSource(CHATML, f"{origin}, which asks for chatml")
    if default is not None:
        return TemplateSources(default, named, warnings)
    if "tool_use" in named:
        message = f"{origin} has no default template; its tool_use template is used for everything."
        return TemplateSources(named["tool_use"], named, (*warnings, Warning("no-default-template", message)))
    message = f"{origin} has no chat template. ChatML is used instead, which this model may never have seen."
    fallback = TemplateSource(CHATML, "chatml")
    return TemplateSources(fallback, named, (*warnings, Warning("no-template", message)))


def difference(left: str, right: str, left_name: str, right_name: str) -> str:
    """How two texts differ, as a unified diff of at most `DIFFERENCE_LINES` lines; empty when they don't."""
    lines = difflib.unified_diff(left.splitlines(), right.splitlines(), left_name, right_name, lineterm="", n=1)
    shown = [line for _, line in zip(range(DIFFERENCE_LINES), lines, strict=False)]
    return "\n".join(shown)
