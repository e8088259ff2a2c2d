"""Values passed to the compiler."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.interp.lattice import Value
from breaklint.project.module import Module


class Compilation(NamedTuple):
    """A value that one call passes to the compiler, with the place of the call and the name for users.

    `fullgraph`: a graph break raises an error.
    """

    value: Value
    node: ast.expr
    module: Module
    kind: str
    fullgraph: bool = False
