"""Have arms record what they do, and a process in which no target's code runs tell how that differs."""

from __future__ import annotations

import threading
from itertools import count
from pathlib import Path
from typing import Any

from breaklint.verify.host.workers import Worker

Reply = dict[str, Any]


class Records:
    """Files in `folder` on their way from arms to the process that compares; none of them stays."""

    def __init__(self, folder: Path, comparer: Worker) -> None:
        self._folder, self._comparer = folder, comparer
        self._numbers, self._lock = count(), threading.Lock()

    def compared(self, worker: Worker, op: str, how: str = "", **fields: Any) -> tuple[Reply, Reply]:
        """An arm's reply to a request that records, and what the comparison `how` (that of its name) makes of it.

        Raises:
            ArmError: the arm gives no answer, or its records cannot be read.
        """
        path = str(self._folder / f"records-{next(self._numbers)}.pt")
        told = worker.ask(op, records=path, **fields)
        with self._lock:
            return told, self._comparer.ask(f"compare_{how or op}", records=path)

    def expect(self, worker: Worker, train: bool, same_state_dict: bool) -> tuple[Reply, Reply]:
        """The same of the original, with whose records all others are compared."""
        path = str(self._folder / f"records-{next(self._numbers)}.pt")
        told = worker.ask("reference", records=path)
        with self._lock:
            how = {"tf32": told["tf32"], "train": train, "same_state_dict": same_state_dict}
            return told, self._comparer.ask("compare_expect", records=path, **how)
