"""What gives a tensor that others hold another size, or puts another tensor in its place."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from breaklint.analysis.file_nodes import FileNodes
from breaklint.project.module import Module
from breaklint.project.walking import walk

# Methods of tensors. Those that only add or drop dimensions of size 1 are among them: a number is read from any.
RESIZING: Final = frozenset({"resize_", "resize_as_", "resize", "set_", "squeeze_", "unsqueeze_", "as_strided_"})
# Methods that give a tensor another shape in place.
RESHAPING: Final = RESIZING | {"t_", "transpose_", "swapaxes_", "swapdims_"}
# What gives an object or a module other tensors under no name.
REPLACING: Final = frozenset({"swap_tensors", "functional_call", "_apply", "untyped_storage"})
OUT: Final = "out"  # into which functions write, whatever its size
DATA: Final = "data"  # the attribute of a tensor that takes another one's place


def resizes(module: Module, nodes: FileNodes, stored: Iterable[str]) -> bool:
    """Whether a file may do so to a tensor of another file; `stored` are the attributes that it stores."""
    if DATA in stored or any(keyword.arg == OUT for keyword in nodes.of(ast.keyword)):
        return True
    words = RESIZING | REPLACING
    return bool(module.words_among(words)) and any(True for _ in nodes.named(words))


def reshapes(root: ast.AST) -> bool:
    """Whether a function gives a tensor that it names another shape in place: what is made of it had another one."""
    return any(
        (part.attr in RESHAPING or (part.attr == DATA and isinstance(part.ctx, ast.Store)))
        and isinstance(part.value, (ast.Name, ast.Attribute, ast.Subscript))
        for part in walk(root)
        if isinstance(part, ast.Attribute)
    )
