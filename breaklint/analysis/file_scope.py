"""The enclosing nodes of a node, up to the whole file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.project.module import FunctionInfo, Module
from breaklint.project.own_names import COMPREHENSIONS, NESTED
from breaklint.project.scope import Scope


class FileScope:
    """The parents of the nodes of a file.

    Nodes of a function at the top level, or of a method of a class there, need no walk over the file.
    """

    def __init__(self, module: Module, own: Scope, function: FunctionInfo | None) -> None:
        self._module, self._own = module, own
        self._outer = _outer(module, own.root, function)

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
    """The nodes around a function, innermost first; () if they are not stored."""
    if root in module.skeleton.body:
        return (module.skeleton,)
    cls = function.cls if function is not None else None
    if cls is None or cls.module is not module or cls.body is None:
        return ()
    return (cls.node, module.skeleton) if root in cls.node.body and cls.node in module.skeleton.body else ()


def functions_around(node: ast.AST, whole: FileScope) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The functions, comprehensions and classes whose names a node sees, innermost first, each with its part that holds
    the node; `whole` is the scope of the file."""
    part, deep = node, False
    for parent in whole.parents(node):
        if isinstance(parent, NESTED) and _is_inside(part, parent):
            if not (deep and isinstance(parent, ast.ClassDef)):
                yield parent, part
            deep = True
        part = parent


def _is_inside(part: ast.AST, enclosing: ast.AST) -> bool:
    """Whether a child of a function, class or comprehension sees the names that it binds."""
    if isinstance(enclosing, ast.Lambda):
        return part is enclosing.body
    return isinstance(enclosing, COMPREHENSIONS) or isinstance(part, ast.stmt)
