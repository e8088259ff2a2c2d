"""Have arms record what they do, and a process in which no target's code runs tell how that differs."""

from __future__ import annotations

import threading
from collections.abc import Mapping
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

    def compared(
        self, worker: Worker, op: str, how: str = "", known: Mapping[str, Any] | None = None, **fields: Any
    ) -> tuple[Reply, Reply]:
        """An arm's reply to a request that records, and what the comparison `how` (that of its name) makes of it.

        The arm is given `fields`, the comparison what is `known`. Raises ArmError where the arm gives no answer, or its
        records cannot be read.
        """
        told, path = self.recorded(worker, op, **fields)
        return told, self.compare(how or op, path, **(known or {}))

    def recorded(self, worker: Worker, op: str, **fields: Any) -> tuple[Reply, str]:
        """An arm's reply to a request that records, and the file."""
        path = str(self._folder / f"records-{next(self._numbers)}.pt")
        return worker.ask(op, recorded_in=path, **fields), path

    def compare(self, how: str, path: str, **known: Any) -> Reply:
        """What a comparison makes of such a file."""
        with self._lock:
            return self._comparer.ask(f"compare_{how}", records=path, **known)
