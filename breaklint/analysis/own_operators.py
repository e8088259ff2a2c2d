"""Which operators the classes of a file define: by their methods, by assignment, and by the names that `type` and
`setattr` take."""

from __future__ import annotations

import ast

from breaklint.project.module import Module
from breaklint.project.own_names import FUNCTIONS
from breaklint.project.walking import rows_with, walk_rows

# Names that make, show, copy or describe an object, which no expression of a traced function runs.
UNASKED = frozenset(
    "__init__ __new__ __del__ __repr__ __str__ __init_subclass__ __post_init__ __reduce__ __reduce_ex__ __getstate__ "
    "__setstate__ __deepcopy__ __copy__ __dir__ __sizeof__ __class_getitem__ __set_name__ __name__ __qualname__ "
    "__doc__ __module__ __wrapped__ __annotations__ __version__ __all__ __slots__ __constants__ __match_args__ "
    "__signature__ __defaults__ __file__ __path__ __package__ __dict__".split()
)
OTHER = frozenset({"__main__", "__call__", "__enter__", "__exit__"})  # which no operator runs


class OwnOperators(frozenset[str]):
    """The names of the operators that a file defines."""


def is_operator(name: str) -> bool:
    """Whether Python itself calls a method of this name: for an operator, a call, a loop, a `with` statement."""
    return name.startswith("__") and name.endswith("__") and name not in UNASKED


def own_operators(file: Module) -> OwnOperators:
    """The operators that a file defines."""
    return file.derive(OwnOperators, lambda: OwnOperators(_found(file)))


def defines_operators(file: Module) -> bool:
    """Whether a file defines an operator."""
    return bool(own_operators(file))


def _found(file: Module) -> set[str]:
    names: set[str] = set()
    for part in walk_rows(file.tree, rows_with(file.text, ["__"])):
        if isinstance(part, FUNCTIONS) and not isinstance(part, ast.Lambda):
            names.add(part.name)
        elif isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            names.add(part.id)
        elif isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
            names.add(part.attr)
        elif isinstance(part, ast.keyword) and part.arg:
            names.add(part.arg)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            names.add(part.value)
    return {name for name in names if is_operator(name) and name not in OTHER}
