from __future__ import annotations

from pathlib import Path

import pytest

from support.window import Journey


@pytest.fixture
def journey(tmp_path: Path) -> Journey:
    """Runs an async story with a `Driver` of the real window on the scripted engine."""
    return Journey(tmp_path)
