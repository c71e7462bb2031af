"""The thread that owns the database: work is queued, done in order, and written in batches.

All that waits is done in one transaction, each piece in a part of its own, so that a failing piece harms no other.
A posted write that fails because the disk is full, read-only or busy is kept and tried again before the next
batch: nothing that was handed over is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from cutaway.store.database import Database
from cutaway.store.error import StoreError

T = TypeVar("T")

_RETRY_SECONDS = 2.0


@dataclass(slots=True)
class _Job:
    work: Callable[[Database], Any]
    future: Future[Any] | None
    """None for a posted write."""
    reads: bool = False
    """It changes nothing: it is answered outside any transaction, on a full or read-only disk too."""


class StoreThread:
    def __init__(
        self,
        path: str,
        *,
        failed: Callable[[StoreError], None] = lambda error: None,
        changed_outside: Callable[[], None] = lambda: None,
    ) -> None:
        """`failed` hears of posted writes that could not be made (yet), `changed_outside` of another program's
        changes to the file; both are called on the store's thread."""
        self.path = path
        self._failed = failed
        self._changed_outside = changed_outside
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._kept: list[_Job] = []
        self._opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._serve, name="store", daemon=True)

    @property
    def unwritten(self) -> int:
        """Posted writes that failed and wait for another try."""
        return len(self._kept)

    async def open(self) -> None:
        """Raises StoreError when the file cannot be opened."""
        self._thread.start()
        await asyncio.wrap_future(self._opened)

    async def close(self) -> None:
        """All that was handed over is written first, as far as it can be."""
        if self._thread.is_alive():
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)

    async def read(self, work: Callable[[Database], T]) -> T:
        """Ask, after everything that was handed over before. Raises StoreError."""
        future: Future[Any] = Future()
        self._queue.put(_Job(work, future, reads=True))
        return cast(T, await asyncio.wrap_future(future))

    async def write(self, work: Callable[[Database], T]) -> T:
        """Do it after everything that was handed over before; answers what it answers, once that is on disk.

        Raises StoreError.
        """
        future: Future[Any] = Future()
        self._queue.put(_Job(work, future))
        return cast(T, await asyncio.wrap_future(future))

    def post(self, work: Callable[[Database], object]) -> None:
        """Do it soon, without an answer; it is kept and tried again while the disk refuses."""
        self._queue.put(_Job(work, None))

    # -- On the store's thread ----------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            database = Database(self.path)
        except BaseException as error:
            self._opened.set_exception(error)
            return
        self._opened.set_result(None)
        if database.refused is not None:
            self._failed(database.refused)
        try:
            self._work(database)
        finally:
            database.close()

    def _work(self, database: Database) -> None:
        seen = database.changes_of_others()
        ended = False
        while not ended:
            batch, ended = self._next_batch()
            if (now := database.changes_of_others()) != seen:
                seen = now
                self._changed_outside()
            self._do(database, batch)

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """What was refused and all that waits, and whether that was the last."""
        waiting: list[_Job | None] = []
        with contextlib.suppress(queue.Empty):
            waiting.append(self._queue.get(timeout=_RETRY_SECONDS if self._kept else None))
            while True:
                waiting.append(self._queue.get_nowait())
        batch, self._kept = [*self._kept, *(job for job in waiting if job is not None)], []
        return batch, None in waiting

    def _do(self, database: Database, batch: list[_Job]) -> None:
        for reads, jobs in itertools.groupby(batch, key=lambda job: job.reads):
            if reads:
                for job in jobs:
                    _answer(job, self._try(database, job))
            else:
                self._write(database, list(jobs))

    def _write(self, database: Database, jobs: list[_Job]) -> None:
        try:
            with database.transaction():
                answers = [self._try(database, job) for job in jobs]
        except StoreError as error:
            # The transaction as a whole failed, at its beginning, in it or at its commit: nothing of it is on disk.
            for job in jobs:
                self._refuse(job, error)
            return
        for job, answer in zip(jobs, answers, strict=True):
            _answer(job, answer)

    def _try(self, database: Database, job: _Job) -> Any:
        try:
            if job.reads:
                return job.work(database)
            with database.transaction("job"):
                return job.work(database)
        except StoreError as error:
            if error.passes and not job.reads:
                raise
            self._refuse(job, error)
        except Exception as error:
            self._refuse(job, StoreError(f"The store {self.path} could not do this: {error}."))
        return _FAILED

    def _refuse(self, job: _Job, error: StoreError) -> None:
        if job.future is not None:
            if not job.future.done():
                job.future.set_exception(error)
            return
        if error.passes:
            self._kept.append(job)
        self._failed(error)


def _answer(job: _Job, answer: Any) -> None:
    if answer is not _FAILED and job.future is not None and not job.future.done():
        job.future.set_result(answer)


_FAILED = object()
