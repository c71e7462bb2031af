"""The visual language, computed: contrast, and what colour-blind eyes can tell apart."""

from __future__ import annotations

from itertools import combinations

import pytest

from cutaway.ui.look.colour import DEFICIENCIES, contrast, distance, mix, seen_with
from cutaway.ui.look.marks import MARKS, ORIGINS
from cutaway.ui.look.theme import HEAT_STEPS, THEMES, Theme

THEME = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
CLEAR = 6.0
"""CIE 1976 difference that is plainly seen; marks nearer than this must differ in their underline."""


def test_contrast_of_black_and_white_is_21() -> None:
    assert round(contrast("#000000", "#ffffff"), 1) == 21.0
    assert contrast("#777777", "#777777") == 1.0


@THEME
def test_text_on_every_tint_has_contrast_7(theme: Theme) -> None:
    assert all(contrast(theme.text, theme.behind(mark)) >= 7 for mark in MARKS)
    assert contrast(theme.text, theme.window) >= 7


@THEME
def test_marks_and_quiet_text_have_contrast_4_5(theme: Theme) -> None:
    assert {mark.kind: contrast(theme.mark(mark), theme.window) >= 4.5 for mark in MARKS} == dict.fromkeys(
        (mark.kind for mark in MARKS), True
    )
    for behind in (theme.window, theme.side, theme.raised):
        assert contrast(theme.quiet, behind) >= 4.5
        assert contrast(theme.text, behind) >= 7
    assert contrast(theme.error, theme.window) >= 4.5
    assert contrast(theme.accent, theme.window) >= 4.5
    assert contrast(theme.on_accent, theme.accent) >= 4.5


@THEME
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_every_two_marks_differ_in_colour_or_in_underline(theme: Theme, deficiency: str) -> None:
    for one, other in combinations(MARKS, 2):
        far = distance(seen_with(deficiency, theme.mark(one)), seen_with(deficiency, theme.mark(other))) >= CLEAR
        assert far or one.underline is not other.underline, (one.kind, other.kind)


def test_tags_are_two_letters_and_unique() -> None:
    assert len({mark.tag for mark in MARKS}) == len(MARKS)
    assert all(len(mark.tag) == 2 for mark in ORIGINS)


@THEME
def test_heat_has_five_steps_of_one_hue_and_keeps_text_readable(theme: Theme) -> None:
    assert len(HEAT_STEPS) == 5
    assert theme.heat_step(0.95) is None
    shades = {theme.heat_step(p) for p in (0.7, 0.4, 0.2, 0.01)}
    assert len(shades) == 4
    assert all(shade and contrast(theme.text, shade) >= 4.5 for shade in shades)


def test_mixing_goes_from_one_to_the_other() -> None:
    assert mix("#ff0000", "#0000ff", 1.0) == "#ff0000"
    assert mix("#ff0000", "#0000ff", 0.0) == "#0000ff"
