"""For every test: no display, no file of the person's own, and a Qt message is never overheard."""

from __future__ import annotations

import os
import tempfile

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_ACCESSIBILITY", "1")
if "CUTAWAY_HOME" not in os.environ:
    os.environ["CUTAWAY_HOME"] = tempfile.mkdtemp(prefix="cutaway-tests-")
