"""A hand-written format takes over the blanks of the template at hand, and nothing else."""

from __future__ import annotations

from cutaway.chat.analysis.fit import fitted
from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, Reasoning

HAND = Format(
    "family",
    reasoning=Reasoning(Marker("<think>", after="\n"), Marker("</think>", "\n", "\n\n"), other_closes=("</thought>",)),
    calls=Calls(JsonCall(), call_open=Marker("<call>", after="\n"), call_close=Marker("</call>", before="\n")),
    ends=("<|end|>",),
)
SEEN = Format(
    "derived",
    reasoning=Reasoning(Marker("<think>"), Marker("</think>", after="\n")),
    calls=Calls(JsonCall(), call_open=Marker("<call>", before="\n\n"), call_close=Marker("</tool>"), separator="\n"),
    ends=("<|stop|>",),
    lead=" ",
    ends_with_eos=True,
)


def test_blanks_of_the_same_markers_are_the_templates() -> None:
    fit = fitted(HAND, SEEN, "... <|end|> ...")
    assert fit.reasoning is not None
    assert (fit.reasoning.open, fit.reasoning.close) == (Marker("<think>"), Marker("</think>", after="\n"))
    assert fit.calls is not None
    assert fit.calls.call_open == Marker("<call>", before="\n\n")
    assert fit.calls.separator == "\n"


def test_other_markers_stay_the_familys() -> None:
    fit = fitted(HAND, SEEN, "... <|end|> ...")
    assert fit.name == "family"
    assert fit.reasoning is not None
    assert fit.reasoning.other_closes == ("</thought>",)
    assert fit.calls is not None
    assert fit.calls.call_close == Marker("</call>", before="\n")


def test_turn_ends_are_the_familys_where_the_template_has_them() -> None:
    assert fitted(HAND, SEEN, "... <|end|> ...").ends == ("<|end|>",)
    assert fitted(HAND, SEEN, "... <|stop|> ...").ends == ("<|stop|>",)


def test_eos_is_an_end_only_where_the_template_writes_it() -> None:
    assert fitted(HAND, SEEN, "<|end|>").with_eos("</s>").ends == ("<|end|>", "</s>")
    assert HAND.with_eos("</s>").ends == HAND.ends
