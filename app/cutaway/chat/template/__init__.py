"""Templates: the Jinja that models ship, run in bounds, each character of the result with its origin.

`compile_template(source)` gives a `Template`; `template.render(variables)` gives `Rendered`: spans, warnings,
the ranges of `{% generation %}` blocks and the template lines that ran. Every failure is a `TemplateError`.
`template.watch(variables)` gives `Watched`: what the template did with each value, by the field's path.
"""

from .error import ErrorKind, TemplateError
from .limits import Budget
from .render import Rendered, Template, compile_template
from .values import Joined, Sourced, Vouched
from .watch import Reading, Watched

__all__ = [
    "Budget",
    "ErrorKind",
    "Joined",
    "Reading",
    "Rendered",
    "Sourced",
    "Template",
    "TemplateError",
    "Vouched",
    "Watched",
    "compile_template",
]
