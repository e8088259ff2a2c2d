"""What a call does outside of its process: files that it writes, programs that it starts.

Runs inside an arm's process.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR
_EVENTS = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.system", "subprocess.Popen", "socket.connect")


class Outside:
    """Counts such events while `noted` is open, by what Python's audit hooks tell of them."""

    def __init__(self) -> None:
        self._seen: Counter[str] | None = None
        self._hooked = False

    @contextmanager
    def noted(self) -> Iterator[Counter[str]]:
        """Those that happen inside."""
        if not self._hooked:
            sys.addaudithook(self._note)
            self._hooked = True
        seen = self._seen = Counter()
        try:
            yield seen
        finally:
            self._seen = None

    def _note(self, event: str, args: tuple[Any, ...]) -> None:
        if self._seen is None:
            return
        if event == "open" and opens_for_writing(args):
            self._seen[f"writes {args[0]}"] += 1
        elif event in _EVENTS:
            self._seen[f"{event} {args[0]}"] += 1


def opens_for_writing(args: tuple[Any, ...]) -> bool:
    """Of the arguments of an audit event `open`: may the file be written?"""
    _, mode, flags = args
    return bool(isinstance(mode, str) and set(mode) & set("wax+")) or bool(isinstance(flags, int) and flags & _WRITING)


OUTSIDE = Outside()
