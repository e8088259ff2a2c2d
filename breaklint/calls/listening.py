"""Listen to the calls of modules in this process: the one wrapper of `torch.nn.Module.__call__`."""

# mypy: disable-error-code="method-assign"

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

Call = Callable[..., Any]
OnCall = Callable[[Call, torch.nn.Module, tuple[Any, ...], dict[str, Any], int], Any]
"""Gets the plain call, the module, its arguments, and how many modules are running around it in this thread."""
WRAPPERS = ("DataParallel", "DistributedDataParallel", "FullyShardedDataParallel", "OptimizedModule")
"""Classes of torch that only call the module they hold: they are called as they are, and do not count."""


class Listening:
    """Hands every call of a module to `on_call`, which makes the call and returns its result."""

    def __init__(self, on_call: OnCall) -> None:
        self.plain_call: Call = torch.nn.Module.__call__
        plain, local = self.plain_call, threading.local()

        def call_and_listen(self: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
            if type(self).__name__ in WRAPPERS and type(self).__module__.startswith("torch."):
                return plain(self, *args, **kwargs)
            depth = getattr(local, "depth", 0)
            local.depth = depth + 1
            try:
                return on_call(plain, self, args, kwargs, depth)
            finally:
                local.depth = depth

        self.wrapper = torch.nn.Module.__call__ = call_and_listen
        self._pauses = 0

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Inside, `Module.__call__` is torch's own."""
        self._pauses += 1
        torch.nn.Module.__call__ = self.plain_call
        try:
            yield
        finally:
            self._pauses -= 1
            if not self._pauses and torch.nn.Module.__call__ is self.plain_call:
                torch.nn.Module.__call__ = self.wrapper


def file_of(kind: type) -> str:
    """The file of the module that a class belongs to, "" if there is none."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return str(Path(file).resolve()) if file else ""
