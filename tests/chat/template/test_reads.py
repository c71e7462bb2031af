"""What a template reads, found from its source."""

from __future__ import annotations

from cutaway.chat.template.reads import Reads, template_reads
from cutaway.chat.template.render import compile_template


def reads(source: str) -> Reads:
    return template_reads(compile_template(source).tree)


def test_values_a_variable_is_compared_with() -> None:
    found = reads("{% if mode == 'on' %}{% elif mode in ['off', 'auto'] %}{% endif %}{% if budget == -1 %}{% endif %}")
    assert found.variables["mode"].values == ("on", "off", "auto")
    assert found.variables["budget"].values == (-1,)


def test_a_variable_stays_known_through_set_and_default() -> None:
    source = "{% set deep = effort | default('low') | lower %}{% if deep == 'high' %}{{ deep }}{% endif %}"
    effort = reads(source).variables["effort"]
    assert (effort.values, effort.defaults, effort.printed) == (("high",), ("low",), True)


def test_truth_and_false_are_told_apart() -> None:
    found = reads("{% if thinking %}{% endif %}{% if enable is false %}{% endif %}")
    assert found.variables["thinking"].tested
    assert found.variables["enable"].values == (False,)


def test_a_name_that_the_template_sets_itself_is_none_of_its_variables() -> None:
    source = (
        "{% for m in messages %}{% set text = m.content %}{% endfor %}{% macro f(x) %}{{ x }}{% endmacro %}{{ f(1) }}"
    )
    assert set(reads(source).variables) == {"messages"}


def test_a_name_that_is_read_before_it_is_set_is_a_variable() -> None:
    found = reads("{% if not flag is defined %}{% set flag = true %}{% endif %}{{ flag }}")
    assert found.variables["flag"].defaults == (True,)


def test_roles_through_every_way_of_comparing() -> None:
    source = (
        "{% for m in messages %}{% set r = m['role'] %}{% if r == 'one' or m.role in ('two', 'three') %}{% endif %}"
        "{{ {'four': 1}[m.role] }}{% endfor %}{{ messages | selectattr('role', 'equalto', 'five') | list }}"
    )
    assert reads(source).roles == {"one", "two", "three", "four", "five"}


def test_keys_through_every_way_of_looking_up() -> None:
    source = "{{ m.one }}{{ m['two'] }}{{ m.get('three') }}{% if 'four' in m %}{% endif %}"
    assert {"one", "two", "three", "four"} <= reads(source).keys


def test_generation_and_loop_control_tags_are_no_obstacle() -> None:
    source = "{% for m in messages %}{% if m.role == 'x' %}{% continue %}{% endif %}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
    assert reads(source).roles == {"x"}


def test_the_line_of_a_plain_generation_prompt() -> None:
    end = "{% if add_generation_prompt %}<a>{% if enable_thinking %}<think>{% endif %}{% endif %}"
    assert reads(f"{{{{ messages[0].content }}}}\n{end}").prompt_line == 2
    assert reads(f"{{{{ messages[0].content }}}}{end}").prompt_line is None, "on one line with other text"
    assert reads(f"{{% if add_generation_prompt %}}{{% endif %}}\n{end}").prompt_line is None, "asked for twice"
    assert reads("x\n{% if add_generation_prompt %}{{ bos_token }}{% endif %}").prompt_line is None, "from elsewhere"
    assert reads("x\n{% if add_generation_prompt %}a{% else %}b{% endif %}").prompt_line is None, (
        "something else without"
    )
