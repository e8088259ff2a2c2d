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
REPLACING: Final = frozenset(
    "swap_tensors functional_call _apply untyped_storage register_parametrization _reparametrize_module "
    "_buffers _parameters".split()
)
# What gives a module a tensor under the name that it is given first.
REGISTERING: Final = frozenset({"register_buffer", "register_parameter"})
OUT: Final = "out"  # into which functions write, whatever its size
DATA: Final = "data"  # the attribute of a tensor that takes another one's place


def resizes(module: Module, nodes: FileNodes, stored: Iterable[str]) -> bool:
    """Whether a file may do so to a tensor of another file; `stored` are the attributes that it stores."""
    if DATA in stored or any(keyword.arg == OUT for keyword in nodes.of(ast.keyword)):
        return True
    words = RESIZING | REPLACING
    if module.words_among(words) and any(True for _ in nodes.named(words)):
        return True
    return _is_handed_on(module, nodes)


def _is_handed_on(module: Module, nodes: FileNodes) -> bool:
    """Whether a dictionary or list of arguments may tell a function where to write, or a module what to register."""
    words = module.words_among({OUT, *REGISTERING})
    if not words:
        return False
    starred = [call for call in nodes.of(ast.Call) if any(each.arg is None for each in call.keywords)]
    keys = (key for each in nodes.of(ast.Dict) for key in each.keys) if starred and OUT in words else ()
    if any(isinstance(key, ast.Constant) and key.value == OUT for key in keys):
        return True
    listed = (call for call in nodes.of(ast.Call) if any(isinstance(each, ast.Starred) for each in call.args))
    called = (call.func for call in (*starred, *listed))
    return any(isinstance(each, ast.Attribute) and each.attr in REGISTERING for each in called)


def reshapes(root: ast.AST) -> bool:
    """Whether a function gives a tensor that it names another shape in place: what is made of it had another one."""
    return any(
        (part.attr in RESHAPING or (part.attr == DATA and isinstance(part.ctx, ast.Store)))
        and isinstance(part.value, (ast.Name, ast.Attribute, ast.Subscript))
        for part in walk(root)
        if isinstance(part, ast.Attribute)
    )
