"""Templates: the Jinja that models ship, run in bounds, each character of the result with its origin.

`compile_template(source)` gives a `Template`; `template.render(variables)` gives `Rendered`: spans, warnings,
the ranges of `{% generation %}` blocks and the template lines that ran. Every failure is a `TemplateError`.
"""

from .error import ErrorKind, TemplateError
from .limits import Budget
from .render import Rendered, Template, compile_template
from .values import Joined, Sourced, Vouched

__all__ = [
    "Budget",
    "ErrorKind",
    "Joined",
    "Rendered",
    "Sourced",
    "Template",
    "TemplateError",
    "Vouched",
    "compile_template",
]
