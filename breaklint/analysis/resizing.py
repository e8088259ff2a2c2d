"""What gives a tensor that others hold another size, or puts another tensor in its place."""

from __future__ import annotations

import ast
from typing import Final

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


def reshapes(root: ast.AST) -> bool:
    """Whether a function gives a tensor that it names another shape in place: what is made of it had another one."""
    return any(
        (part.attr in RESHAPING or (part.attr == DATA and isinstance(part.ctx, ast.Store)))
        and isinstance(part.value, (ast.Name, ast.Attribute, ast.Subscript))
        for part in walk(root)
        if isinstance(part, ast.Attribute)
    )
