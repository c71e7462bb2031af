from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.window import Journey


@pytest.fixture
def journey(tmp_path: Path) -> Journey:
    """Runs an async story with a `Driver` of the real window on the scripted engine."""
    return Journey(tmp_path)


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """What a test leaves of Qt is deleted here, on the window's thread, not on whichever thread allocates next."""
    yield
    gc.collect()
