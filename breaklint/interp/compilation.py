"""The code that Dynamo compiles: values that are passed to the compiler, and the regions that are traced."""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

from breaklint.interp.callables import Function
from breaklint.interp.lattice import Value
from breaklint.model import PUBLIC_FUNCTION
from breaklint.project.module import ClassInfo, FunctionInfo, Module

FORWARD: Final = "forward"
NAMED: Final = "entry-points"
STEP: Final = "step"
# Methods that users compile or call if there is no `forward`; no schema describes the use of modules. `generate` is
# not one: a module that has it and no `forward` drives other modules, and users compile the `forward` of those.
USUAL_ENTRIES: Final = ("sample", "inverse", "encode", "decode")


class Compilation(NamedTuple):
    """A value that one call passes to the compiler, with the place of the call and the name for users.

    `fullgraph`: a graph break raises an error.
    """

    value: Value
    node: ast.expr
    module: Module
    kind: str
    fullgraph: bool = False


class Region(NamedTuple):
    """A function at which tracing begins, and its module class if it is a `forward`.

    `kind` is the reason why it is an entry point. `target` is the function passed to the compiler, None if any instance
    of the class may be the owner. `args` and `kwargs` are bound by `functools.partial`. `fullgraph`: a break is an
    error.
    """

    function: FunctionInfo
    cls: ClassInfo | None
    kind: str = FORWARD
    target: Function | None = None
    args: tuple[Value, ...] = ()
    kwargs: tuple[tuple[str, Value], ...] = ()
    fullgraph: bool = False

    @property
    def is_guess(self) -> bool:
        """Whether only the name of the method indicates that it is compiled."""
        usual = self.kind == FORWARD and self.target is None and self.function.name.rpartition(".")[2] in USUAL_ENTRIES
        return usual or self.kind == PUBLIC_FUNCTION
