"""NumPy functions of sizes and settings, in Python's own arithmetic."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt, Proof, known, required
from breaklint.analysis.sizes import is_dimension, is_of_one_shape
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.fixes.sizes.sizes_without_numpy import REDUCED, REMOVED, REMOVED_WHY
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.lattice import Value
from breaklint.interp.values import Const, Shape, constant_kind

ROUNDING = frozenset({"ceil", "floor"})
NO_TWIN = "Python's math has no function that gives the same number"
WRAPS = "what exceeds 64 bits wraps around in NumPy, and not in Python"
# torch makes no tensor with more elements; of one without any it is taken for granted that the sizes in a row fit.
LONG_BITS = 63
AS_INTEGER = ("{x}.astype(int)", "{x}.astype('int')", "{x}.astype('int64')")
# Names that math, NumPy and torch share; no schema says that two functions compute the same.
MATH = frozenset({"log", "log2", "log10", "sqrt", "exp"})


@fix("math-function")
def math_function(m: Match) -> Steps:
    """`int(np.prod(shape))` -> `math.prod(shape)`: Python's own arithmetic on sizes and settings."""
    request, call = m.request, m.request.call
    inner = call.args[0] if call.args else call.func.value if isinstance(call.func, ast.Attribute) else None
    if not isinstance(inner, ast.Call):
        raise NotFixable("it is no function of sizes")
    twin = REDUCED.get(request.qualified(inner.func))
    if twin is None:
        return (yield from _rounded(m, call))
    whole = request.qualified(call.func) == "builtins.int" or (not call.args and isinstance(call.func, ast.Attribute))
    alone = len(inner.args) == 1 and len(call.args) <= 1 and not (inner.keywords or call.keywords)
    yield required(alone and whole, NO_TWIN)
    return (yield from _reduced(m, call, inner, twin))


def _reduced(m: Match, call: ast.Call, inner: ast.Call, twin: str) -> Steps:
    """A product, sum or bound of a row of integers."""
    argument = inner.args[0]
    request, value = m.request, m.request.value(argument)
    unordered = isinstance(value, Sequence) and value.kind not in ("list", "tuple")
    yield required(not unordered, "NumPy takes a set or a generator as one object, and Python as its items")
    converted, whole = request.qualified(call.func) == "builtins.int", _whole_numbers(value)
    if not whole and (twin != "math.prod" or not isinstance(value, (Sequence, Tuple))):
        raise _no_row(request, argument)
    yield Proof("sizes are integers, of which Python computes the same")
    yield known(request.qualified(inner.func) != REMOVED, REMOVED_WHY)
    if not whole:
        yield Doubt("math.prod raises for what is no number, multiplies each item alone")
    yield known(whole and (converted or _has_items(value)), "of an empty row NumPy gives a float and Python an integer")
    bound = "." not in twin and twin != "sum"
    yield known(not bound, f"{twin} words its error about an empty row differently")
    yield known(bound or not whole or _fits(request, argument), WRAPS)
    content = f"{twin.rpartition('.')[2]}({request.code(argument)})"
    if "." not in twin:
        request.builtin(twin)
        return m.exchanged(call, content, f"Use `{twin}`")
    math, imports = request.name_of("math")
    content = f"{math}.{content}"
    if not whole and converted:
        content = f"{request.builtin('int')}({content})"
    return m.exchanged(call, content, f"Use `{twin}`", *imports)


def _fits(request: FixRequest, node: ast.expr) -> bool:
    """Whether NumPy's 64 bits surely hold the product of a row: of sizes of one tensor, which torch keeps within them,
    of one size alone, or of constants.

    Sizes of two tensors may be those of views that `expand` made, of which memory says nothing.
    """
    if is_of_one_shape(request, node):
        return True
    items = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
    sizes = [item for item in items if not isinstance(request.value(item), Const)]
    values = [value.value for item in items if isinstance(value := request.value(item), Const)]
    bits = sum(abs(value).bit_length() for value in values if isinstance(value, int))
    if not sizes:
        return bool(items) and bits < LONG_BITS
    return bits <= len(values) and all(is_dimension(request, each) for each in sizes) and _of_one_tensor(request, sizes)


def _of_one_tensor(request: FixRequest, sizes: list[ast.expr]) -> bool:
    """Whether sizes are different ones of a tensor that has one name: `x.shape[0]` and `x.size(1)`."""
    if len(sizes) == 1:
        return True
    found = [_dimension(request, each) for each in sizes]
    tensors = {each[0] for each in found if each is not None}
    places = {each[1] for each in found if each is not None}
    return len(tensors) == 1 and len(places) == len(sizes) and len({place < 0 for place in places}) == 1


def _dimension(request: FixRequest, node: ast.expr) -> tuple[object, int] | None:
    """What defines the tensor of `x.shape[0]` or `x.size(0)`, and the place of the size."""
    found = request.matched(node, "{x}.shape[{place}]", "{x}.size({place})") or {}
    tensor, place = found.get("x"), request.value(found["place"]) if found else None
    if not isinstance(tensor, ast.Name) or not isinstance(place, Const) or type(place.value) is not int:
        return None
    return (tensor.id, request.definition(tensor.id, tensor).version), place.value


def _no_row(request: FixRequest, argument: ast.expr) -> NotFixable:
    text = request.text(argument)
    return NotFixable(f"`{text}` is not known to be a row of integers; math.prod raises for a single number")


def _rounded(m: Match, call: ast.Call) -> Steps:
    """`np.ceil(np.log(n)).astype("int").item()` -> `math.ceil(math.log(n))`."""
    math, imports = m.request.name_of("math")
    content = _in_python(m.request, call, math)
    yield Doubt(
        "for zero and negative numbers Python raises where NumPy gives infinity or NaN, and the last digit may differ"
    )
    return m.exchanged(call, content, "Use Python's `math`", *imports)


def _in_python(request: FixRequest, node: ast.expr, math: str) -> str:
    """The source of a NumPy expression of one number, in Python's own functions."""
    if constant_kind(request.value(node)) in ("int", "float"):
        return request.code(node)
    called = request.matched(node, *(f"numpy.{name}({{x}})" for name in ROUNDING | MATH))
    if called is not None and isinstance(node, ast.Call):
        return f"{math}.{request.qualified(node.func)[6:]}({_in_python(request, called['x'], math)})"
    source = (request.matched(node, "int({x})", "{x}.item()", *AS_INTEGER) or {}).get("x")
    if source is None or request.matched(source, *(f"numpy.{name}({{*x}})" for name in ROUNDING), *AS_INTEGER) is None:
        raise NotFixable(NO_TWIN)
    return _in_python(request, source, math)


def _has_items(value: Value) -> bool:
    """Whether a row surely has an item: a shape may be that of a 0-dim tensor."""
    return bool(value.ndim if isinstance(value, Shape) else isinstance(value, (Tuple, Sequence)) and value.items)


def _whole_numbers(value: Value) -> bool:
    if isinstance(value, Shape):
        return True
    items = value.items if isinstance(value, (Tuple, Sequence)) else None
    if items is None and isinstance(value, Sequence) and value.element is not None:
        items = [value.element]
    return bool(items) and all(constant_kind(item) == "int" for item in items or ())
