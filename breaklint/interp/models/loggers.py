"""Loggers: names that only loggers bear."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.values import ExternalInstance

LOGGER: Final = ExternalInstance("logging.Logger")
# No schema: the methods that loggers of every library share, and objects that only count or plot lack.
METHODS: Final = frozenset("debug info warning error critical exception".split())


def is_named_logger(node: ast.expr, method: str) -> bool:
    """Whether a method is that of a logger by its name and its receiver's, as in `self._logger.debug`."""
    if method not in METHODS or not isinstance(node, ast.Attribute):
        return False
    receiver = node.value
    name = receiver.attr if isinstance(receiver, ast.Attribute) else getattr(receiver, "id", "")
    return name.strip("_").lower() == "logger"
