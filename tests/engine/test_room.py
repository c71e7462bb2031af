"""The room that is left for a model."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from cutaway.engine.room import free_memory


def group(folder: Path, limit: str, used: int, cache: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(limit)
    (folder / "memory.current").write_text(str(used))
    (folder / "memory.stat").write_text(f"anon {used - cache}\ninactive_file {cache}\n")


def test_the_tightest_group_around_the_process_counts_and_cached_files_are_no_use_of_memory(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("0::/user/app\n")
    groups = tmp_path / "groups"
    group(groups / "user", "9000", 5000, 1000)
    group(groups / "user" / "app", "8000", 2000, 0)

    assert free_memory(groups, own) == 5000


@pytest.mark.parametrize("limit", ["max", "nonsense"])
def test_without_a_limit_it_is_what_the_machine_has_free(limit: str, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("4:memory:/old\n0::/\n")
    group(tmp_path, limit, 5000, 0)

    free = psutil.virtual_memory().available
    assert free_memory(tmp_path, own) == pytest.approx(free, rel=0.2)
    assert free_memory(tmp_path, tmp_path / "none") == pytest.approx(free, rel=0.2)
