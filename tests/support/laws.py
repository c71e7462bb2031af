"""How often a law is tried: a few cases in CI, many by hand with CUTAWAY_DEEP set. No case has a deadline."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

DEEP = bool(os.environ.get("CUTAWAY_DEEP"))


def tried(times: int) -> settings:
    return settings(
        max_examples=times * 50 if DEEP else times,
        deadline=None,
        derandomize=not DEEP,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
