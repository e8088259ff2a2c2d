"""Loggers, recognized by their usual names."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.values import ExternalInstance
from breaklint.project.module import FunctionInfo
from breaklint.project.walking import dotted_name

LOGGER: Final = ExternalInstance("logging.Logger")
# No schema: the methods of loggers of every library, which objects that only count or plot do not have.
METHODS: Final = frozenset("debug info warning error critical exception".split())


def returns_logger(info: FunctionInfo) -> bool:
    """Whether each result of a function is a logger: `return logging.getLogger(name)`."""
    if not info.may_hold("logging.getLogger"):
        return False
    values = [node.value for node in info.nodes.of(ast.Return)]
    return {isinstance(value, ast.Call) and dotted_name(value.func) for value in values} == {"logging.getLogger"}


def is_named_logger(node: ast.expr, method: str) -> bool:
    """Whether the names of a method and its receiver are those of a logger: `self._logger.debug`."""
    if method not in METHODS or not isinstance(node, ast.Attribute):
        return False
    receiver = node.value
    name = receiver.attr if isinstance(receiver, ast.Attribute) else getattr(receiver, "id", "")
    return name.strip("_").lower() == "logger"
