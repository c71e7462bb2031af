"""The round trip of a template's format and the probes behind it, worked out on a thread."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cutaway.chat.analysis.verification import Verification
    from cutaway.chat.choice import Found
    from cutaway.workbench.templates import TemplateView

DAY = datetime(2024, 7, 26)
"""The clock of trial renderings; what they find does not depend on it."""


async def verify(view: TemplateView) -> Verification:
    """Known messages rendered with the template and read back by its format; once for each template."""
    from cutaway.workbench.verifications import verification

    return await asyncio.to_thread(verification, view)


async def find(view: TemplateView) -> Found:
    """The format with the evidence that it was derived from."""
    from cutaway.chat.choice import find_format

    return await asyncio.to_thread(find_format, view.prepared, now=DAY)
