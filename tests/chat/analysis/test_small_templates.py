"""Formats derived from templates small enough to be read, one for each kind of call."""

from __future__ import annotations

import pytest

from cutaway.chat.analysis.derive import derive
from cutaway.chat.analysis.trial import renders
from cutaway.chat.template.limits import Budget
from support.formats import describe
from support.prepared import DAY, prepared, renders_of

TURNS = """
{%- for m in messages %}
{{- '<|' + m.role + '|>' }}
{%- if m.reasoning_content %}{{ '<think>' + m.reasoning_content + '</think>' }}{% endif %}
{{- m.content or '' }}
{%- if m.tool_calls %}CALLS{% endif %}
{{- '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}
"""


def small(calls: str) -> str:
    """A template of turns that writes a message's calls like this."""
    return TURNS.replace("CALLS", calls)


def each(text: str, before: str = "", between: str = "", after: str = "") -> str:
    parts = [f"{{% for c in m.tool_calls %}}{{% set f = c.function %}}{text}"]
    parts.append(f"{{% if not loop.last %}}{{{{ {between!r} }}}}{{% endif %}}{{% endfor %}}")
    return f"{{{{ {before!r} }}}}" + "".join(parts) + f"{{{{ {after!r} }}}}"


JSON = '{"name": "{{ f.name }}", "arguments": {{ f.arguments | tojson }}}'
TAGS = "{% for k, v in f.arguments.items() %}<k>{{ k }}</k><v>{{ v if v is string else v | tojson }}</v>{% endfor %}"
TYPED = (
    "{% for k, v in f.arguments.items() %}"
    "<arg name=\"{{ k }}\" string=\"{{ 'true' if v is string else 'false' }}\">"
    "{{ v if v is string else v | tojson }}</arg>{% endfor %}"
)

KINDS = {
    "one object a call": (
        each(f"<call>\n{JSON}\n</call>", between="\n"),
        "object of name arguments, call '<call>\\n…\\n</call>', between '\\n'",
    ),
    "an array": (
        each(JSON, before="<calls>[", between=", ", after="]</calls>"),
        "array of name arguments, section '<calls>…</calls>', between ', '",
    ),
    "objects in lines of a section": (
        each(JSON, before="<calls>\n", between="\n", after="\n</calls>"),
        "object of name arguments, section '<calls>\\n…\\n</calls>', between '\\n'",
    ),
    "the id in the object": (
        each('<call>{"id": "{{ c.id }}", "tool": "{{ f.name }}", "args": {{ f.arguments | tojson }}}</call>'),
        "object of id tool args, call '<call>…</call>', id model in_json #, between ''",
    ),
    "the name as the key": (
        each('{"{{ f.name }}": {{ f.arguments | tojson }}}', before="<calls>[", between=", ", after="]</calls>"),
        "array of {NAME: ARGUMENTS}, section '<calls>…</calls>', between ', '",
    ),
    "as the API has it": (
        each(f'<call>{{"type": "function", "function": {JSON}}}</call>'),
        "object of type function in function, call '<call>…</call>', between ''",
    ),
    "the name, then JSON": (
        each("[CALL]{{ f.name }}[ARGS]{{ f.arguments | tojson }}"),
        "'NAME[ARGS]JSON', call '[CALL]…', between ''",
    ),
    "name, id, JSON": (
        each("[CALL]{{ f.name }}[ID]{{ c.id }}[ARGS]{{ f.arguments | tojson }}"),
        "'NAME[ARGS]JSON', call '[CALL]…', id model after_name [ID]#, between ''",
    ),
    "id, name, JSON": (
        each("<c>{{ c.id }}<n>{{ f.name }}<a>{{ f.arguments | tojson }}</c>", before="<s>", after="</s>"),
        "'NAME<a>JSON', section '<s>…</s>', call '<c>…</c>', id model before_name #<n>, between ''",
    ),
    "name and number": (
        each("<c>functions.{{ f.name }}:{{ loop.index0 }}<a>{{ f.arguments | tojson }}</c>"),
        "'functions.NAME<a>JSON', call '<c>…</c>', id composed in_name :#, between ''",
    ),
    "a fence around the JSON": (
        each("<c>{{ f.name }}\n```json\n{{ f.arguments | tojson }}\n```</c>", between="\n"),
        "'NAME\\n```json\\nJSON\\n```', call '<c>…</c>', between '\\n'",
    ),
    "arguments in tags": (
        each(f"<call>{{{{ f.name }}}}{TAGS}</call>"),
        "'NAME(<k>KEY</k><v>VALUE</v>)', call '<call>…</call>', between ''",
    ),
    "arguments in tags that say their type": (
        each(f"<call>{{{{ f.name }}}}\n{TYPED}</call>"),
        "'NAME\\n(<arg name=\"KEY\" string=\"TYPE\">VALUE</arg>)', call '<call>…</call>', between ''",
    ),
    "values as Python prints them": (
        each("<call>{{ f.name }}{% for k, v in f.arguments.items() %}<k>{{ k }}</k><v>{{ v }}</v>{% endfor %}</call>"),
        "'NAME(<k>KEY</k><v>VALUE</v>)' in python, call '<call>…</call>', between ''",
    ),
    "invocations in a section": (
        each(f'<invoke name="{{{{ f.name }}}}">\n{TAGS}</invoke>\n', before="<calls>\n", after="</calls>"),
        "'<invoke name=\"NAME\">\\n(<k>KEY</k><v>VALUE</v>)</invoke>', section '<calls>\\n…\\n</calls>', between '\\n'",
    ),
    "call expressions": (
        each(
            "{{ f.name }}({% for k, v in f.arguments.items() %}{{ k }}='{{ v }}'"
            "{% if not loop.last %}, {% endif %}{% endfor %})",
            before="<calls>[",
            between=", ",
            after="]</calls>",
        ),
        "[NAME(KEY=VALUE), ], section '<calls>…</calls>', between ''",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_call_is_derived(kind: str) -> None:
    calls, expected = KINDS[kind]
    derived = derive(renders_of(small(calls)))
    assert derived.problems == ()
    assert describe(derived.format) == f"reasoning '<think>…</think>'; {expected}; ends <|end|>"


def test_one_call_only_is_said() -> None:
    one = "{% if m.tool_calls | length > 1 %}{{ raise_exception('one call at a time') }}{% endif %}"
    derived = derive(renders_of(small(one + each(f"<call>{JSON}</call>"))))
    assert derived.format.calls is not None
    assert not derived.format.calls.parallel
    assert "one call at a time" in " ".join(probe.conclusion for probe in derived.evidence)


def test_calls_that_are_not_written_are_no_format() -> None:
    derived = derive(renders_of(small("")))
    assert derived.format.calls is None
    assert [problem.code for problem in derived.problems] == ["calls-not-rendered"]


def test_a_template_that_refuses_calls_is_quoted() -> None:
    derived = derive(renders_of(small("{{ raise_exception('no tools here') }}")))
    assert [problem.code for problem in derived.problems] == ["calls-refused"]
    assert "no tools here" in derived.problems[0].message


def test_a_name_written_twice_is_never_taken_for_a_marker() -> None:
    twice = each("<to={{ f.name }}><call>{{ f.name }}{{ f.arguments | tojson }}</call>")
    derived = derive(renders_of(small(twice)))
    assert derived.format.calls is None
    assert derived.problems


def test_what_changes_with_the_name_is_not_certain() -> None:
    odd = each("{{ '<a>' if f.name < 'fnm' else '<b>' }}{{ f.name }}\n{{ f.arguments | tojson }}</a>")
    derived = derive(renders_of(small(odd)))
    assert derived.format.calls is None
    assert derived.problems


def test_reasoning_before_calls_only() -> None:
    source = small(
        "{{ '<plan>' + (m.thinking or m.reasoning_content or '') + '</plan>' }}" + each(f"<call>{JSON}</call>")
    )
    source = source.replace(
        "{%- if m.reasoning_content %}{{ '<think>' + m.reasoning_content + '</think>' }}{% endif %}\n", ""
    )
    reasoning = derive(renders_of(source)).format.reasoning
    assert reasoning is not None
    assert (reasoning.open.text, reasoning.close.text) == ("<plan>", "</plan>")


def test_reasoning_that_only_the_generation_prompt_opens() -> None:
    source = small(each(f"<call>{JSON}</call>")).replace(
        "{{- m.content or '' }}", "{{- (m.content or '').split('</think>')[-1] }}"
    )
    source = source.replace(
        "{%- if m.reasoning_content %}{{ '<think>' + m.reasoning_content + '</think>' }}{% endif %}\n", ""
    )
    source = source.replace("{{ '<|assistant|>' }}{% endif %}", "{{ '<|assistant|><think>' }}{% endif %}")
    reasoning = derive(renders_of(source)).format.reasoning
    assert reasoning is not None
    assert (reasoning.open.text, reasoning.close.text) == ("<think>", "</think>")


def test_an_answer_in_markers_of_its_own() -> None:
    source = small(each(f"<call>{JSON}</call>")).replace(
        "{{- m.content or '' }}",
        "{%- if m.role == 'assistant' %}{% if m.content %}{{ '<say>' + m.content + '</say>' }}{% endif %}"
        "{% else %}{{ m.content }}{% endif %}",
    )
    format = derive(renders_of(source)).format
    assert [(one.open.text, one.close.text) for one in format.content] == [("<say>", "</say>")]
    assert format.ends == ("<|end|>",)


def test_a_turn_that_ends_with_eos_ends_with_the_vocabularys_own() -> None:
    source = small(each(f"<call>{JSON}</call>")).replace("{{- '<|end|>' }}", "{{- eos_token }}")
    derived = derive(renders_of(source))
    assert derived.format.ends_with_eos
    assert derived.format.with_eos("</s>").ends == ("</s>",)
    assert derived.format.with_eos("").ends == ()


def test_a_template_that_fails_everywhere_is_plain_with_a_sentence() -> None:
    derived = derive(renders_of("{{ raise_exception('never') }}"))
    assert derived.format.calls is None
    assert derived.problems
    assert derived.evidence


def test_a_template_that_never_ends_is_asked_once() -> None:
    asked = []

    def used_up() -> bool:
        asked.append(1)
        return True

    endless = "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}"
    derived = derive(renders(prepared(endless), now=DAY, budget=lambda: Budget(used_up, steps=50_000)))
    assert [problem.code for problem in derived.problems][:1] == ["limit"]
    assert derived.format.calls is None
    assert len(asked) < 100
