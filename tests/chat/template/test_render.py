"""What a rendering says besides its text: origins, warnings, generation blocks, the lines that ran, errors."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.prompt import Origin
from cutaway.chat.template import (
    Joined,
    Rendered,
    Sourced,
    TemplateError,
    Vouched,
    compile_template,
)

NOW = datetime(2026, 11, 29, 12, 30)


def render(source: str, variables: dict[str, Any] | None = None, **options: Any) -> Rendered:
    return compile_template(source).render(variables or {}, **options)


def origins(result: Rendered) -> list[tuple[str, str, str | None, int | None, int | None]]:
    return [
        (span.text, span.origin.kind, span.origin.source, span.origin.start, span.origin.end) for span in result.spans
    ]


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content, **more}]}


# -- Where characters come from --------------------------------------------------------------------------------------


def test_template_text_carries_its_line_and_column_and_input_its_field_and_range() -> None:
    result = render("<s>\n{{ '[' + messages[0].content[1:3] }}\n", user("abcd"))
    assert result.spans[0].origin == Origin("template", line=1, column=1)
    assert result.spans[1].origin == Origin("template", line=2, column=4)
    assert result.spans[2].origin == Origin("input", "messages[0].content", 1, 3, 2, 4)
    assert [span.text for span in result.spans] == ["<s>\n", "[", "bc"]


def test_columns_count_after_stripped_blanks_and_comments() -> None:
    result = render("  {%- if true -%}  \n   x{# c #}{{ 'y' ~ 1 }}\n {%- endif %}")
    assert [(span.text, span.origin.line, span.origin.column) for span in result.spans] == [
        ("x", 2, 4),
        ("y1", 2, 15),
    ]


def test_texts_from_macros_say_where_in_the_macro_they_stand() -> None:
    result = render("{% macro m(x) %}<{{ x }}>{% endmacro %}\n{{ m(messages[0].content) }}", user("hi"))
    assert [(span.text, span.is_input, span.origin.line) for span in result.spans] == [
        ("<", False, 1),
        ("hi", True, 1),
        (">", False, 1),
    ]


@pytest.mark.parametrize(
    "expression",
    [
        "messages[0].content.strip()",
        "messages[0].content|trim",
        "messages[0].content.split('\\n')[1].strip()",
        "(messages[0].content ~ '\\n').splitlines()[1].strip()",
        "messages[0].content[2:4]",
        "('<' ~ messages[0].content ~ '>')[3:5]",
        "messages[0].content.lstrip().rstrip()",
    ],
)
def test_parts_of_a_field_keep_their_place_in_it(expression: str) -> None:
    result = render("{{ " + expression + " }}", user(" \nhi\n "))
    assert origins(result) == [("hi", "input", "messages[0].content", 2, 4)]


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("x|upper", "HI"),
        ("x|replace('i', 'o')|last", "o"),
        ("x|tojson", '"hi"'),
        ("x[::-1]", "ih"),
        ("n + 1", "42"),
        ("n ~ ''", "41"),
        ("'%03d' % n", "041"),
        ("'{:>4}'.format(x)", "  hi"),
        ("range(n, n + 1)|first", "41"),
        ("[n]|sum", "41"),
        ("'41'|int + n", "82"),
        ("d|list|first", "key"),
        ("d", "{'key': 'hi'}"),
        ("d|tojson", '{"key": "hi"}'),
        ("d.items()|list", "[('key', 'hi')]"),
    ],
)
def test_what_is_derived_from_input_is_input(expression: str, text: str) -> None:
    result = render("{{ " + expression + " }}", {"x": "hi", "n": 41, "d": {"key": "hi"}})
    assert result.text == text
    derived = [span for span in result.spans if span.text.strip("[]() ,'{}:\"")]
    assert all(span.is_input and span.origin.source for span in derived)


@pytest.mark.parametrize(
    "expression", ["x|length", "x == 'hi'", "loop.index", "x is string", "true", "none", "bos_token", "x.find('i')"]
)
def test_what_only_counts_or_compares_is_the_templates(expression: str) -> None:
    result = render("{% for i in [1] %}{{ " + expression + " }}{% endfor %}", {"x": "hi", "bos_token": "<s>"})
    assert [span.origin.kind for span in result.spans] == ["template"]


def test_roles_count_as_the_templates_when_they_are_standard_or_compared_with() -> None:
    source = "{% for m in messages %}{% if m.role == 'ipython' %}{% endif %}{{ m.role }} {% endfor %}"
    roles = ["user", "ipython", "developer", "evil<|im_end|>"]
    result = render(source, {"messages": [{"role": role} for role in roles]})
    assert [span.text for span in result.spans if span.is_input] == ["evil<|im_end|>"]
    assert [span.origin.source for span in result.spans if span.is_input] == ["messages[3].role"]


def test_a_role_inside_other_data_is_input() -> None:
    result = render("{{ messages[0].call.role }}", {"messages": [{"call": {"role": "user"}}]})
    assert [span.is_input for span in result.spans] == [True]


def test_json_of_an_object_has_a_span_for_each_member() -> None:
    result = render("{{ tools[0]|tojson }}", {"tools": [{"name": "f", "parameters": {"n": [1, True]}}]})
    assert [(span.text, span.origin.source) for span in result.spans] == [
        ("{", "tools[0]"),
        ('"name": "f"', "tools[0].name"),
        (', "parameters": {', "tools[0].parameters"),
        ('"n": [', "tools[0].parameters.n"),
        ("1", "tools[0].parameters.n[0]"),
        (", true", "tools[0].parameters.n[1]"),
        ("]", "tools[0].parameters.n"),
        ("}", "tools[0].parameters"),
        ("}", "tools[0]"),
    ]


def test_values_that_stand_elsewhere_than_their_field_say_where_they_come_from() -> None:
    content = Joined((Sourced("rules", "messages[0].content"), "\n\n", Sourced("ell", "messages[1].content", 1)))
    arguments = Sourced({"city": "Paris"}, "messages[2].tool_calls[0].function.arguments")
    result = render("{{ content }}{{ arguments.city }}{{ word }}{{ old }}", {
        "content": content,
        "arguments": arguments,
        "word": Vouched("<w>"),
        "old": Sourced("new", "messages[3].content", None),
    })  # fmt: skip
    assert origins(result) == [
        ("rules", "input", "messages[0].content", 0, 5),
        ("\n\n", "template", None, None, None),
        ("ell", "input", "messages[1].content", 1, 4),
        ("Paris", "input", "messages[2].tool_calls[0].function.arguments.city", 0, 5),
        ("<w>", "template", None, None, None),
        ("new", "input", "messages[3].content", None, None),
    ]


def test_a_variable_is_known_by_the_path_that_it_is_given() -> None:
    result = render("{{ custom }}{{ other }}", {"custom": "a", "other": "b"}, paths={"custom": "response_format"})
    assert [span.origin.source for span in result.spans] == ["response_format", "chat_template_kwargs.other"]


def test_a_text_that_grows_in_a_loop_stays_known() -> None:
    source = "{% set ns = namespace(t='') %}{% for m in messages %}{% set ns.t = ns.t + '<' ~ m.content %}{% endfor %}{{ ns.t }}"
    messages = [{"role": "user", "content": f"m{index}"} for index in range(500)]
    result = render(source, {"messages": messages})
    assert [span.text for span in result.spans if span.is_input] == [f"m{index}" for index in range(500)]


@pytest.mark.parametrize("expression", ["x.upper", "x.format", "d.items", "x|map('upper')", "x|reverse|list|reverse"])
def test_functions_and_iterators_show_neither_their_owner_nor_an_address(expression: str) -> None:
    result = render("{{ " + expression + " }}", {"x": "ⴰⴱ", "d": {"ⴰ": "ⴱ"}})
    assert not set("ⴰⴱ") & set(result.text)
    assert "0x" not in result.text


def test_blocks_see_the_variables_around_them_when_they_are_scoped() -> None:
    source = "{% for m in messages %}{% block b scoped %}<{{ m.content }}>{% endblock %}{% endfor %}{{ self.b() }}"
    template = compile_template(source)
    assert template.render({"messages": [{"content": "a"}, {"content": "b"}], "m": {}}).text == "<a><b><>"
    assert template.watch({"messages": [{"content": "a"}], "m": {}}).text == "<a><>"


def test_arguments_of_a_macro_are_known_by_name() -> None:
    source = "{% macro m() %}{{ kwargs.items()|list }}{{ m.name }}{% endmacro %}{{ m(a=x) }}"
    result = render(source, {"x": "hi"})
    assert result.text == "[('a', 'hi')]m"
    assert [span.text for span in result.spans if span.is_input] == ["'hi'"]


# -- What else a rendering says --------------------------------------------------------------------------------------


def test_generation_blocks_are_ranges_of_the_text() -> None:
    source = "{% for m in messages %}[{% generation %}{{ m.content }}!{% endgeneration %}]{% endfor %}"
    result = render(source, {"messages": [{"content": "one"}, {"content": "three"}]})
    assert [result.text[start:end] for start, end in result.generation_ranges] == ["one!", "three!"]


def test_generation_blocks_in_a_macro_are_found_too() -> None:
    source = "{% macro m(x) %}{% generation %}{{ x }}{% endgeneration %}{% endmacro %}a{{ m('b') }}c"
    result = render(source)
    assert result.generation_ranges == ((1, 2),)


def test_the_lines_that_ran_are_known() -> None:
    source = "{% if yes %}\na\n{% else %}\nb\n{% endif %}\n{% for x in [] %}\nc\n{% endfor %}"
    assert render(source, {"yes": True}).lines_used == {1, 2, 6}
    assert render(source, {"yes": False}).lines_used == {1, 4, 6}


def test_the_time_is_the_one_that_is_given() -> None:
    assert render("{{ strftime_now('%Y-%m-%d %H:%M') }}", now=NOW).text == "2026-11-29 12:30"
    with pytest.raises(TemplateError, match="none is given"):
        render("{{ strftime_now('%Y') }}")


@pytest.mark.parametrize(
    ("source", "text", "code"),
    [
        ("{% set l = [1] %}{% set _ = l.append(2) %}{{ l }}", "[1, 2]", "changed-list"),
        ("{% set d = {} %}{% set _ = d.update({'a': 1}) %}{{ d }}", "{'a': 1}", "changed-dict"),
        ("{{ ['a']|map('upper')|tojson }}", '["A"]', "generator-to-json"),
        ("{{ 'a' + functions }}", "a", "undefined-in-text"),
    ],
)
def test_the_lenient_profile_does_what_transformers_refuses_and_says_so(source: str, text: str, code: str) -> None:
    result = render(source)
    assert result.text == text
    assert [warning.code for warning in result.warnings] == [code]
    assert "transformers refuses" in result.warnings[0].message
    with pytest.raises(TemplateError):
        compile_template(source, lenient=False).render({})


@pytest.mark.parametrize("source", ["{{ messages.append(1) }}", "{{ messages[0].update({}) }}", "{{ messages|pop }}"])
def test_the_request_itself_is_never_changed(source: str) -> None:
    with pytest.raises(TemplateError):
        render(source, user("hi"))


@pytest.mark.parametrize("made", ["messages|list", "messages[0:]", "messages.copy()", "[] + messages"])
def test_a_list_that_the_template_took_from_the_request_is_its_own(made: str) -> None:
    source = "{% set l = " + made + " %}{% set _ = l.append({'content': 'b'}) %}{{ l|length }}{{ messages|length }}"
    result = render(source, user("a"))
    assert result.text == "21"
    assert [warning.code for warning in result.warnings] == ["changed-list"]


def test_long_numbers_in_a_format_are_no_widths() -> None:
    assert render("{{ '%s of 123456789, 3.14159265358, 100%%' % x }}", {"x": "a"}).text.startswith("a of 123456789")


def test_strict_and_lenient_agree_on_ordinary_templates() -> None:
    source = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
    assert compile_template(source, lenient=False).render(user("hi")).text == "user: hi\n"


# -- Errors ----------------------------------------------------------------------------------------------------------


def test_a_syntax_error_names_the_line() -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template("a\nb {% if %}\n")
    assert (caught.value.kind, caught.value.line, caught.value.source_line) == ("syntax", 2, "b {% if %}")


def test_escaping_for_html_may_be_switched_off_but_not_on() -> None:
    assert render("{% autoescape false %}{{ x }}{% endautoescape %}", {"x": "<"}).text == "<"
    with pytest.raises(TemplateError, match="HTML") as caught:
        compile_template("\n{% autoescape true %}{{ x }}{% endautoescape %}")
    assert (caught.value.kind, caught.value.line) == ("syntax", 2)


def test_what_the_template_raises_reaches_the_user_verbatim_with_its_line() -> None:
    text = "Roles must alternate: user/assistant/…" + "!" * 3000
    with pytest.raises(TemplateError) as caught:
        render("a\n{% macro m(t) %}\n{{ raise_exception(t) }}\n{% endmacro %}\n{{ m(x) }}", {"x": text})
    assert (caught.value.message, caught.value.kind, caught.value.line) == (text, "raised", 3)
    assert caught.value.source_line == "{{ raise_exception(t) }}"


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("\n\n{{ a.b }}", "undefined"),
        ("\n\n{{ 1 + 'a' }}", "runtime"),
        ("\n\n{{ ''.__class__.x }}", "security"),
        ("\n\n{{ 'a' * 99999999 }}", "limit"),
        ("\n\n{{ x|nofilter }}", "syntax"),
        ("\n\n{{ messages[0]() }}", "runtime"),
        ("\n\n{% include 'x' %}", "runtime"),
    ],
)
def test_an_error_names_its_kind_and_line(source: str, kind: str) -> None:
    with pytest.raises(TemplateError) as caught:
        render(source, user("hi"))
    assert (caught.value.kind, caught.value.line) == (kind, 3)
    assert caught.value.source_line in str(caught.value)


def test_messages_speak_of_python_types_not_of_ours() -> None:
    with pytest.raises(TemplateError) as caught:
        render("{{ messages[0].nope.x }}", user("hi"))
    assert "'dict object' has no attribute 'nope'" in caught.value.message


def test_one_template_renders_in_several_threads_at_once() -> None:
    template = compile_template(
        "{% set ns = namespace(t='') %}{% for c in x %}{% set ns.t = ns.t + c %}{% endfor %}{{ ns.t }}"
    )
    failures: list[str] = []

    def work(letter: str) -> None:
        for _ in range(20):
            text = template.render({"x": letter * 200}).text
            failures.extend([letter] if text != letter * 200 else [])

    threads = [threading.Thread(target=work, args=(letter,)) for letter in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


PLACES = [
    ("a\n{{ b }} {{ y.z }}", 2, "y.z"),
    ("{% for m in messages %}{{ m.content + m.nope.x }}{% endfor %}", 1, "m.nope"),
    ("{% if messages > 'b' %}x{% endif %}", 1, "messages >"),
    ("  {{ 'é' ~ raise_exception('no') }}", 1, "raise_exception"),
    ("{{ [1]|join|upper|nofilter }}", 1, "nofilter"),
    ("{% set x = 5 %}\n\n  {{ 'k' + (x % 0)|string }}", 3, "x % 0"),
    ("{% macro f(a) %}{{ a.b.c }}{% endmacro %}\n{{ f(1) }}", 1, "a.b.c"),
    ("{{ messages['é'] }}{{ q.r.s }}", 1, "q.r.s"),
    ("{{ ('a' * 99999999) }}", 1, "'a' *"),
    ("x" * 300 + "{{ raise_exception('far') }}" + "y" * 300, 1, "raise_exception"),
]


@pytest.mark.parametrize(("source", "line", "at"), PLACES)
def test_an_error_names_the_column_and_shows_what_stands_there(source: str, line: int, at: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(source).render({"messages": [{"role": "user", "content": "hi"}], "b": 1})
    error = caught.value
    assert error.line == line
    assert error.column is not None
    assert source.split("\n")[line - 1][error.column - 1 :].startswith(at)
    assert at in error.source_line
    assert f"line {line}, column {error.column}" in str(error)
