"""What is around a node, up to the whole file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.project.module import FunctionInfo, Module
from breaklint.project.scope import Scope


class FileScope:
    """The parents of the nodes of a file.

    For nodes of one function they are known without a walk over the file, where that is a function at the top level or
    a method of a class there.
    """

    def __init__(self, module: Module, own: Scope, function: FunctionInfo | None) -> None:
        self._module, self._own = module, own
        self._outer = _outer(module, own.root, function)

    @property
    def root(self) -> ast.Module:
        """The tree of the file."""
        return self._module.tree

    @property
    def _whole(self) -> Scope:
        return self._module.scope(self._module.tree)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node right around `node`, None at the root."""
        return next(self.parents(node), None)

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around `node`, innermost first."""
        if self._outer and node in self._own:
            yield from self._own.parents(node)
            yield from self._outer
        else:
            yield from self._whole.parents(node)


def _outer(module: Module, root: ast.AST, function: FunctionInfo | None) -> tuple[ast.AST, ...]:
    """The nodes around a function, innermost first; () where they are not known without looking."""
    if root in module.skeleton.body:
        return (module.skeleton,)
    cls = function.cls if function is not None else None
    if cls is None or cls.module is not module or cls.body is None:
        return ()
    return (cls.node, module.skeleton) if root in cls.node.body and cls.node in module.skeleton.body else ()
