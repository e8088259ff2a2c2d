"""Sizes that NumPy reduces out of a row of numbers, which Dynamo traces as tensors: reduced by Python."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt, known
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.lattice import Value
from breaklint.interp.values import Array, Number, Shape, Tensor, constant_kind

# NumPy has no schemas: its functions, and those of Python that compute the same from integers.
REDUCED = {
    "numpy.prod": "math.prod",
    "numpy.product": "math.prod",
    "numpy.max": "max",
    "numpy.amax": "max",
    "numpy.min": "min",
    "numpy.amin": "min",
    "numpy.sum": "sum",
}
REMOVED = "numpy.product"  # which NumPy 2 does not have
REMOVED_WHY = "NumPy 2 has no `product`, which raises there, and NumPy 1.25 warns of it"
WHY = (
    "an empty row counts where NumPy's float is refused, a row of rows raises, what exceeds 64 bits is refused, and "
    "the error about what is no integer shows it in other words"
)
WORDED = ", and the error about an empty row has other words"
DATA = (Array, Number, Tensor, Sequence, Tuple)  # what makes a row one of rows, or one of data
# Whose first argument, or every one, is refused unless it is an integer: no schema here says so.
SHAPED = frozenset({"numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full"})


@fix("sizes-without-numpy")
def sizes_without_numpy(m: Match) -> Steps:
    """`np.zeros((n, np.sum(counts)))` -> `np.zeros((n, sum(counts)))`.

    Only a list or tuple that holds no tensor, array or row qualifies. Where its items are not known to be integers, the
    place must be one that takes nothing else.
    """
    request = m.request
    for size, strict in _sizes(request):
        twin = REDUCED.get(request.qualified(size.func)) if isinstance(size, ast.Call) else None
        if not isinstance(size, ast.Call) or twin is None or len(size.args) != 1 or size.keywords:
            continue
        row = size.args[0]
        if isinstance(row, ast.Starred) or not _of_numbers(request.value(row), strict):
            continue
        library, _, name = twin.rpartition(".")
        named, imports = request.name_of(library) if library else ("", ())
        content = f"{named}.{name}({request.code(row)})" if library else f"{request.builtin(name)}({request.code(row)})"
        yield Doubt(WHY + (WORDED if name in ("max", "min") else ""))
        yield known(request.qualified(size.func) != REMOVED, REMOVED_WHY)
        return m.exchanged(size, content, f"Use `{twin}`", *imports)
    raise NotFixable


def _sizes(request: FixRequest) -> list[tuple[ast.expr, bool]]:
    """What may be a size in a call, and whether nothing but an integer may be there: arguments, and items of rows."""
    call = request.node
    if not isinstance(call, ast.Call):
        return []
    name, found = request.qualified(call.func), []
    for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
        strict = name == "builtins.range" or (name in SHAPED and argument in call.args[:1])
        items = argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else [argument]
        found += [(item, strict) for item in items]
    return found


def _of_numbers(value: Value, strict: bool) -> bool:
    """Whether a value is a list or tuple in which nothing is a row or data, as far as inference tells."""
    if isinstance(value, Shape):
        return True
    if not isinstance(value, (Sequence, Tuple)) or (
        isinstance(value, Sequence) and value.kind not in ("list", "tuple")
    ):
        return False
    items = list(value.items or ())
    if isinstance(value, Sequence) and value.element is not None:
        items.append(value.element)
    if not strict:
        return bool(items) and all(constant_kind(item) == "int" for item in items)
    return bool(items) and not any(isinstance(item, DATA) for item in items)
