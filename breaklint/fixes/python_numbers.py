"""Python and NumPy functions of numbers, where a twin is traced."""

from __future__ import annotations

import ast

from breaklint.analysis.values import (
    Const,
    Sequence,
    Shape,
    Size,
    Static,
    Tuple,
    Value,
    constant_kind,
)
from breaklint.fixes.base import SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict

REDUCED = {
    "numpy.prod": "math.prod",
    "numpy.product": "math.prod",
    "numpy.max": "max",
    "numpy.amax": "max",
    "numpy.min": "min",
    "numpy.amin": "min",
    "numpy.sum": "sum",
}


def power_operator(request: FixRequest) -> Outcome:
    """`pow(a, b)` -> `a**b`."""
    call = request.node
    if not isinstance(call, ast.Call) or len(call.args) != 2 or call.keywords or isinstance(call.args[1], ast.Starred):
        raise NotFixable("it has no two plain arguments")
    base, exponent = call.args
    right = request.text(exponent) if isinstance(exponent, ast.Constant) else request.operand(exponent)
    return request.replace(
        call, f"{request.operand(base)}**{right}", Verdict(SAFE, "pow(a, b) is a ** b", "Write it with `**`")
    )


def random_uniform(request: FixRequest) -> Outcome:
    """`random.random()` -> `random.uniform(0, 1)`."""
    call = request.node
    assert isinstance(call, ast.Call)
    if request.qualified(call.func) != "random.random":
        raise NotFixable("only random.random() has a traced twin that draws the same number")
    if not isinstance(call.func, ast.Attribute):
        raise NotFixable("`uniform` is not imported here; import the module `random`")
    verdict = Verdict(SAFE, request.rule.fix_why, "Use `random.uniform(0, 1)`, which is traced")
    return request.replace(call, f"{request.text(call.func.value)}.uniform(0, 1)", verdict)


def math_function(request: FixRequest) -> Outcome:
    """`int(np.prod(shape))` -> `math.prod(shape)`: Python's own arithmetic on sizes."""
    call = request.node
    assert isinstance(call, ast.Call)
    inner = call.args[0] if call.args else call.func.value if isinstance(call.func, ast.Attribute) else None
    if not isinstance(inner, ast.Call) or len(inner.args) != 1 or inner.keywords:
        raise NotFixable("it is no reduction of sizes with one argument")
    twin = REDUCED.get(request.qualified(inner.func))
    whole = request.qualified(call.func) == "builtins.int" or (not call.args and isinstance(call.func, ast.Attribute))
    if twin is None or not whole:
        raise NotFixable("Python's math has no function that gives the same number")
    argument = inner.args[0]
    if not _whole_numbers(request.value(argument)):
        raise NotFixable("its argument is not known to be a row of integers; math.prod raises for a single number")
    verdict = Verdict(SAFE, "sizes are integers, of which Python computes the same", f"Use `{twin}`")
    if twin in ("max", "min"):
        verdict = Verdict(UNSAFE, f"{twin} words its error about an empty row differently", verdict.message)
    if "." not in twin:
        return request.replace(call, f"{request.builtin(twin)}({request.text(argument)})", verdict)
    math, imports = request.name_of("math")
    return request.replace(call, f"{math}.{twin.partition('.')[2]}({request.text(argument)})", verdict, imports)


def _whole_numbers(value: Value) -> bool:
    if isinstance(value, Shape):
        return True
    items = value.items if isinstance(value, (Tuple, Sequence)) else None
    if items is None and isinstance(value, Sequence) and value.element is not None:
        items = [value.element]
    return bool(items) and all(
        isinstance(item, (Const, Static, Size)) and constant_kind(item) == "int" for item in items or ()
    )
