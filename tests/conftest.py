"""For every test: no display, no file of the person's own, and a Qt message is never overheard."""

from __future__ import annotations

import os
import tempfile

from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_ACCESSIBILITY", "1")
if "CUTAWAY_HOME" not in os.environ:
    os.environ["CUTAWAY_HOME"] = tempfile.mkdtemp(prefix="cutaway-tests-")

# No test measures time: a busy machine must not fail one.
settings.register_profile("cutaway", deadline=None)
settings.load_profile("cutaway")
