"""The workbench: everything a person can do, as methods; everything that follows, as changes.

asyncio, no Qt. All methods are called on the loop's thread and none blocks it: rendering and tokenising run on
the prompt thread, the store on its own, the model on the engine's. The window and `cutaway chat` call this and
nothing below it.
"""

from __future__ import annotations

from cutaway.workbench.adjusting import Adjusting
from cutaway.workbench.conversing import Conversing
from cutaway.workbench.inspecting import Inspecting


class Workbench(Conversing, Inspecting, Adjusting):
    """One store, one model, any number of conversations.

    `await open()` before anything else, `await close()` at the end.
    """
