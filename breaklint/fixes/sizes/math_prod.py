"""`int(np.prod(sizes))`, which Dynamo traces as a tensor, in Python's own arithmetic."""

from __future__ import annotations

from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.lattice import Unknown
from breaklint.interp.values import Shape, Static

OTHER = "Python's arithmetic differs from NumPy's for numbers that are not integers"
UNSAFE = "`math.prod` takes a sequence of numbers. If they are not integers, or if there are none, the result differs."
PRODUCTS = ("numpy.prod({sizes})", "numpy.product({sizes})")
READ = tuple(read.format(product) for product in PRODUCTS for read in ("int({})", "{}.item()"))


@fix("math-prod", match=READ, other=OTHER, unsafe=UNSAFE)
def math_prod(m: Match) -> Draft:
    """`int(np.prod(x.shape))` → `math.prod(x.shape)`."""
    value = m.request.value(m["sizes"])
    row = isinstance(value, (Shape, Tuple, Sequence, Unknown)) or value == Static("")
    m.require(row, "breaklint cannot infer that it is a sequence of integers")
    math, imports = m.request.name_of("math")
    return m.replaced(f"{math}.prod({{sizes}})", "Multiply with `math.prod`", *imports)
