"""Errors that a target's text alone shows, so that no process is started to find them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from breaklint.errors import SourceError
from breaklint.source.decoding import read_source
from breaklint.verify.targets.targets import Target

NO_INPUTS = "no get_inputs(); add one that returns the list of forward's arguments, or describe them as " + (
    "[[tool.breaklint.verify]]"
)
_CUDA = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg", "/dev/nvhost-gpu")
"""Where Linux has the devices that torch calls CUDA."""


def predicted_error(target: Target) -> str:
    """Why the target cannot be loaded, where its file says so; "" where it may be."""
    if target.recipe.keys() & {"captured", "library"}:
        return ""
    try:
        tree = ast.parse(read_source(str(target.path)).text)
    except (SourceError, SyntaxError, ValueError):
        return ""  # reported with its place when it is checked
    names = set(_bound(tree.body))
    if "*" in names or "__getattr__" in names:
        return ""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    attribute = target.attribute.partition(".")[0]
    if attribute and attribute not in names:
        listed = f"its classes are {', '.join(classes)}" if classes else "it defines no class"
        return f"{target.path}: no {target.attribute!r} in it; {listed}"
    if target.factory:
        return ""
    if not attribute and not classes and "case" not in target.recipe:
        return f"{target.path}: it defines no nn.Module; name a factory in it as FILE:name"
    if "get_inputs" not in names and not target.recipe.keys() & {"inputs", "case"}:
        return f"{target.path}: {NO_INPUTS}"
    return ""


def is_cuda_missing(devices: Sequence[str | None]) -> bool:
    """Is a GPU requested on a machine that has none?"""
    wanted = any(device is not None and device.startswith("cuda") for device in devices)
    return wanted and sys.platform == "linux" and not any(Path(place).exists() for place in _CUDA)


def _bound(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Every name that statements at a file's top level bind, `*` for those of another module."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
        else:
            yield from _names_in(statement)


def _names_in(statement: ast.stmt) -> Iterator[str]:
    """Those that assignments and blocks bind; what text is run may bind any."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and (isinstance(node.ctx, ast.Store) or node.id in ("exec", "globals", "vars")):
            yield node.id if isinstance(node.ctx, ast.Store) else "*"
        elif isinstance(node, ast.stmt) and node is not statement:
            yield from _bound([node])
