"""`int(np.prod(sizes))`, which Dynamo traces as a tensor, in Python's own arithmetic."""

from __future__ import annotations

import ast

from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.lattice import Unknown, Value
from breaklint.interp.values import Shape, Static, constant_kind

OTHER = "Python's arithmetic differs from NumPy's for numbers that are not integers"
UNSAFE = "`math.prod` takes a sequence of numbers. If they are not integers, or if there are none, the result differs."
PRODUCTS = ("numpy.prod({sizes})", "numpy.product({sizes})")
READ = tuple(read.format(product) for product in PRODUCTS for read in ("int({})", "{}.item()"))


@fix("math-prod", match=READ, other=OTHER, safe="Python multiplies sizes as NumPy does.", unsafe=UNSAFE)
def math_prod(m: Match) -> Draft:
    """`int(np.prod(x.shape))` → `math.prod(x.shape)`."""
    value = m.request.value(m["sizes"])
    row = isinstance(value, (Shape, Tuple, Sequence))
    m.require(
        row or isinstance(value, Unknown) or value == Static(""),
        "breaklint cannot infer that it is a sequence of integers",
    )
    converted = m.request.call is not None and isinstance(m.request.call.func, ast.Name)  # `int` of no number is 1
    m.safe_if(_of_integers(value) and (converted or not _may_be_empty(value)))
    math, imports = m.request.name_of("math")
    return m.replaced(f"{math}.prod({{sizes}})", "Multiply with `math.prod`", *imports)


def _of_integers(value: Value) -> bool:
    """Whether a value is a shape, or a row of sizes and integers."""
    if isinstance(value, Tuple):
        return all(constant_kind(item) == "int" for item in value.items)
    return isinstance(value, Shape)


def _may_be_empty(value: Value) -> bool:
    """Whether a shape or row may have no items: NumPy's product is then a float."""
    return not (value.ndim if isinstance(value, Shape) else value.items if isinstance(value, Tuple) else None)
