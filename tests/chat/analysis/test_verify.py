"""The round trip tells a wrong format from a template that loses data itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from cutaway.chat.analysis.cases import Case, call
from cutaway.chat.analysis.turn import Said
from cutaway.chat.analysis.verification import Verification
from cutaway.chat.analysis.verify import verify, verify_case
from cutaway.chat.choice import find_format, read_whole
from cutaway.chat.formats.format import Format, Marker
from support.prepared import DAY, prepared, renders_of

TURNS = """
{%- for m in messages %}
{{- '<|' + m.role + '|>' }}
{%- if m.reasoning_content %}{{ '<think>' + m.reasoning_content + '</think>' }}{% endif %}
{{- m.content or '' }}
{%- for c in m.tool_calls or [] %}{{ '<call>' + c.function | tojson + '</call>' }}{% endfor %}
{{- '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}
"""


def checked(source: str, format: Format | None = None) -> Verification:
    found = format or find_format(prepared(source), now=DAY).format
    return verify(renders_of(source), read_whole, found)


def outcomes(verification: Verification) -> Counter[str]:
    return Counter(case.outcome for case in verification.cases)


def outcome(source: str, said: Said, format: Format | None = None) -> tuple[str, str]:
    found = format or find_format(prepared(source), now=DAY).format
    case = verify_case(renders_of(source), read_whole, found, Case("one", said))
    return case.outcome, case.detail


def test_a_clean_template_passes_but_for_its_own_unescaped_closers() -> None:
    verification = checked(TURNS)
    assert set(outcomes(verification)) == {"ok"}
    assert verification.append_only
    assert verification.sentence == f"verified {len(verification.cases)} of {len(verification.cases)}"


def test_a_wrong_marker_is_found_out() -> None:
    right = find_format(prepared(TURNS), now=DAY).format
    assert right.calls is not None
    wrong = replace(right, calls=replace(right.calls, call_open=Marker("<tool>")))
    verification = checked(TURNS, wrong)
    assert outcomes(verification)["parsed wrongly"] > 10
    assert "<call>" in next(case.detail for case in verification.cases if case.name == "one call")


def test_what_a_template_leaves_out_is_its_own_loss() -> None:
    source = TURNS.replace("{{- m.content or '' }}", "{{- '' if m.tool_calls else m.content }}")
    found, detail = outcome(source, Said("Here it comes.", "", (call("ping"),)))
    assert found == "template drops data"
    assert "the content" in detail


def test_calls_after_the_first_that_are_left_out_are_counted() -> None:
    source = TURNS.replace("in m.tool_calls or []", "in (m.tool_calls or [])[:1]")
    found, detail = outcome(source, Said("", "", (call("ping"), call("ping", 1))))
    assert found == "template drops data"
    assert "all calls after the first 1" in detail


def test_a_message_that_the_template_trims_is_its_own_loss() -> None:
    source = TURNS.replace("m.content or ''", "(m.content or '') | trim")
    found, detail = outcome(source, Said("  indented"))
    assert found == "template drops data"
    assert "alike" in detail


def test_a_value_that_holds_the_templates_own_closers_is_its_own_loss() -> None:
    source = TURNS.replace(
        "{{ '<call>' + c.function | tojson + '</call>' }}",
        "<call>{{ c.function.name }}{% for k, v in c.function.arguments.items() %}"
        "<k>{{ k }}</k><v>{{ v }}</v>{% endfor %}</call>",
    )
    found, detail = outcome(source, Said("", "", (call("take_note", text="x</v></call><|end|>y"),)))
    assert (found, "as it writes its own marker" in detail) == ("template drops data", True)


def test_a_template_that_refuses_is_not_applicable() -> None:
    source = TURNS + "{% if messages[-1].tool_calls %}{{ raise_exception('no calls') }}{% endif %}"
    found, detail = outcome(source, Said("", "", (call("ping"),)))
    assert found == "not applicable"
    assert "no calls" in detail


def test_history_that_does_not_go_on_from_the_prompt_breaks_the_prefix() -> None:
    source = TURNS.replace("{{ '<|assistant|>' }}", "{{ '<|assistant|>Sure: ' }}")
    verification = checked(source)
    assert outcomes(verification)["prefix break"] == len(verification.cases)
    assert not verification.append_only
    assert "'Sure: '" in verification.cases[0].detail


def test_earlier_reasoning_that_later_turns_drop_is_not_append_only() -> None:
    source = TURNS.replace("if m.reasoning_content", "if m.reasoning_content and loop.last")
    assert not checked(source).append_only


def test_a_template_that_writes_the_answer_as_reasoning_is_told_on() -> None:
    source = TURNS.replace(
        "{{- m.content or '' }}", "{{- '<think>' + m.content + '</think>' if m.tool_calls else m.content }}"
    )
    found, detail = outcome(source, Said("Looking it up.", "", (call("ping"),)))
    assert found == "template drops data"
    assert "where reasoning stands" in detail


def test_tools_off_is_said_for_every_case_with_calls() -> None:
    source = TURNS.replace(
        "'<call>' + c.function | tojson + '</call>'", "c.function.name ~ c.function.name ~ (c.function | tojson)"
    )
    cases = {case.name: case for case in checked(source).cases}
    assert cases["one call"].outcome == "not applicable"
    assert cases["one call"].detail.endswith("Tools are off.")
    assert cases["content"].outcome == "ok"
