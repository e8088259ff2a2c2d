"""Grids of indices, from a function that is traced."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure
from breaklint.analysis.queries import Proof, known
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.values import Const, constant_kind
from breaklint.project.scope import single_target
from breaklint.project.walking import walk

LARGEST = 2**62  # of a bound: beyond 64 bits the two raise or wrap around differently
OLDER = "an older NumPy gives a list instead of a tuple"
OTHER = "of bounds that are no integers the arrays may have other dtypes"


@fix("traced-call")
def traced_call(m: Match) -> Steps:
    """`np.ogrid[:n, :m]` -> `(np.arange(n)[:, None], np.arange(m)[None, :])`."""
    request, node = m.request, m.request.node
    if not isinstance(node, ast.Subscript) or request.qualified(node.value) != "numpy.ogrid":
        raise NotFixable("what could take its place depends on what it is for")
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    numpy, imports = request.name_of("numpy")
    axes = [_axis(request, part, numpy) for part in parts]
    places = [", ".join(":" if each == axis else "None" for each in range(len(axes))) for axis in range(len(axes))]
    texts = [f"{axis}[{place}]" for axis, place in zip(axes, places, strict=True)]
    content = f"({', '.join(texts)}{',' * (len(axes) == 1)})" if isinstance(node.slice, ast.Tuple) else axes[0]
    yield Proof("both give the same arrays of integers")
    yield known(not isinstance(node.slice, ast.Tuple) or _is_unpacked(request, node), OLDER)
    yield known(not any(_is_untold(request, part) for part in walk(node.slice)), OTHER)
    return m.exchanged(node, content, "Use `arange`", *imports)


def _is_untold(request: FixRequest, node: ast.AST) -> bool:
    """Whether a name is a parameter of which only the default tells what is passed."""
    arguments = getattr(request.scope.root, "args", None)
    if not isinstance(node, ast.Name) or not isinstance(arguments, ast.arguments) or request.scope.stores(node.id):
        return False
    given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return any(each.arg == node.id and each.annotation is None for each in given)


def _axis(request: FixRequest, part: ast.expr, numpy: str) -> str:
    if not isinstance(part, ast.Slice) or part.step is not None or part.upper is None:
        raise NotFixable("the bounds of the grid are not written as `:n`")
    bounds = [bound for bound in (part.lower, part.upper) if bound is not None]
    for bound in bounds:
        if constant_kind(request.value(bound)) != "int" or not is_pure(request, bound):
            raise NotFixable("the bounds of the grid are not known to be integers")
        known = request.value(bound)
        if isinstance(known, Const) and abs(known.value) >= LARGEST:
            raise NotFixable("the bounds of the grid are too large for it")
    return f"{numpy}.arange({', '.join(request.code(bound) for bound in bounds)})"


def _is_unpacked(request: FixRequest, node: ast.expr) -> bool:
    """Whether a row is only requested its items, so that it may be a list or a tuple."""
    around = request.scope.parent(node)
    if isinstance(around, ast.Subscript) and around.value is node:
        return isinstance(request.value(around.slice), Const)
    target = single_target(around)
    if not isinstance(target, ast.Name):
        return isinstance(target, ast.Tuple)
    loads = request.scope.loads(target.id)
    return len(request.scope.stores(target.id)) == 1 and all(_is_unpacked(request, load) for load in loads)
