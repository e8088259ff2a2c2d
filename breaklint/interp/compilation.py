"""What a call hands to the compiler."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.interp.lattice import Value
from breaklint.project.module import Module


class Compilation(NamedTuple):
    """What one call hands to the compiler: the value, where the call is written, and what users call it.

    `fullgraph`: the compiler is told to raise an error where the graph breaks.
    """

    value: Value
    node: ast.expr
    module: Module
    kind: str
    fullgraph: bool = False
