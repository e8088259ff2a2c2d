"""NumPy as Dynamo sees it: arrays are tensors, and so are the scalars that reductions and functions return."""

from __future__ import annotations

from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.predicates import is_static
from breaklint.interp.values import (
    Array,
    Const,
    ExternalInstance,
    Number,
    Shape,
    Size,
    Static,
    Tensor,
    constant_kind,
    python_kind,
)

# NumPy has no schemas, and the measured tables of torch do not cover it: these are its functions by the kind of their
# result.
REDUCTIONS: Final = frozenset(
    "sum prod mean max min amax amin any all argmax argmin std var median ptp average nanmean nansum "
    "count_nonzero".split()
)
# NumPy: functions that return bools.
BOOLEAN: Final = frozenset(
    "any all isnan isinf isfinite equal not_equal greater less logical_and logical_or logical_not isin isclose".split()
)
# NumPy: the class of the result.
GENERATORS: Final = {
    "default_rng": ExternalInstance("numpy.random.Generator"),
    **{name: ExternalInstance(f"numpy.random.{name}") for name in ("Generator", "RandomState", "SeedSequence")},
}
# How many arguments a function of numpy.random takes before the size; a permutation is an array in any case.
NUMBER_ARGUMENTS: Final = {
    **dict.fromkeys(("rand", "randn", "random", "random_sample"), 0),
    **{"choice": 1, "permutation": -1, "poisson": 1},
}
# The kinds of their results without a size.
PYTHON_NUMBERS: Final = {
    **dict.fromkeys(("rand", "randn", "random", "random_sample", "uniform", "normal"), "float"),
    "randint": "int",
}
# Functions that create an array.
MAKERS: Final = frozenset("array asarray zeros ones arange linspace full empty stack concatenate eye".split())
# Functions that convert their argument to an array.
TYPES: Final = frozenset("array asarray int64 int32 float64 float32 float16 int8 uint8 bool_".split())
# NumPy: such a number is a tensor if the graph creates it, and a constant, like a size, if it was created before.
INTEGERS: Final = frozenset("int64 int32 int8 uint8".split())
# NumPy: such a number is a constant if the graph creates it, and a tensor if it was created before.
FLOATS: Final = {"float16": "float", "float32": "float", "float64": "float", "bool_": "bool"}
# NumPy: names of values that are not arrays, and that are constant while Dynamo traces.
STATIC: Final = frozenset(
    "dtype finfo iinfo float32 float64 int32 int64 float16 int8 uint8 bool_ issubdtype shape ndim size".split()
)
# Methods that keep the dtype.
METHODS_SAME: Final = frozenset(
    "copy flatten ravel transpose reshape squeeze round clip swapaxes conj repeat sort cumsum".split()
)


def call(frame: Frame, name: str, arguments: Arguments) -> Value:
    """The result of a call of a NumPy function."""
    short = name.rpartition(".")[2]
    if arguments.args and short in INTEGERS:
        return Array("int", 0, python_scalar=not frame.context.traced)
    if arguments.args and short in FLOATS and not frame.context.traced:
        return Array(FLOATS[short], 0)
    if short in STATIC or (short == "isscalar"):
        return Static("")
    if short in ("allclose", "array_equal"):
        return Number("bool")
    first = arguments.get(0)
    if name.startswith("numpy.random."):
        if short in GENERATORS:
            return GENERATORS[short]
        has_size = len(arguments.args) > NUMBER_ARGUMENTS.get(short, 2) or "size" in arguments.kwargs
        if not has_size and short in PYTHON_NUMBERS:
            return Static(PYTHON_NUMBERS[short])  # the graph breaks at the call, and goes on with a Python number
        return _random_array(short, arguments, has_size)
    dtype = "bool" if short in BOOLEAN else "int" if short in ("argmax", "argmin", "count_nonzero") else ""
    if short in REDUCTIONS:
        partial = "axis" in arguments.kwargs or len(arguments.args) > 1
        return Array(dtype, None if partial else 0)
    if short in ("array", "asarray") and (isinstance(first, Shape) or is_static(first or UNKNOWN)):
        return Array("", 1 if isinstance(first, (Shape, Tuple)) else None)
    if short in MAKERS:
        return Array(dtype, 1 if short in ("arange", "linspace") else None)
    if short in ("cumsum", "cumprod", "cumproduct") and "axis" not in arguments.kwargs and len(arguments.args) == 1:
        return Array(ndim=1)
    if short in ("meshgrid", "split", "array_split", "nonzero") or (short == "where" and len(arguments.args) == 1):
        return Sequence(Array())
    number = (Const, Static, Size) if frame.interp.captures else (Const, Static, Size, Number)
    if isinstance(first, number) and python_kind(first) in ("int", "float", "bool", ""):
        return Array(
            dtype or "float",
            0,
            python_scalar=len(arguments.args) == 1 and not short[:1].isupper() and short not in TYPES,
        )
    if isinstance(first, Array) and first.python_scalar and len(arguments.args) == 1:
        return Array(dtype or "float", 0, python_scalar=True)
    if isinstance(first, (Array, Tensor)):
        return Array(dtype or (first.dtype if first.dtype == "float" else ""), first.ndim)
    return Array(dtype) if first is not None and not isinstance(first, type(UNKNOWN)) else UNKNOWN


def _random_array(short: str, arguments: Arguments, has_size: bool) -> Array:
    """The result of a function of numpy.random: an array of one dimension if its size is a number."""
    first = arguments.get(0)
    places = short in ("choice", "permutation") and (
        isinstance(first, Size) or constant_kind(first or UNKNOWN) == "int"
    )
    dtype = "int" if short == "randint" or places else "" if short in ("choice", "permutation") else "float"
    size = arguments.get(NUMBER_ARGUMENTS.get(short, 2), "size") if short != "permutation" else first
    flat = size is not None and (isinstance(size, Size) or constant_kind(size) == "int")
    return Array(dtype, 1 if flat and has_size else None if has_size else 0)


def method(owner: Array, name: str, arguments: Arguments) -> Value:
    """The result of a method of an array."""
    if name == "item":
        return Number(owner.dtype if owner.dtype in ("int", "float", "bool") else "")
    if name == "tolist":
        return Sequence(Number())
    if name in REDUCTIONS:
        return Array(
            "bool" if name in BOOLEAN else "int" if name in ("argmax", "argmin") else owner.dtype,
            None if arguments.args or "axis" in arguments.kwargs else 0,
        )
    if name == "astype":
        return Array("", owner.ndim)
    if name in ("ravel", "flatten"):
        return Array(owner.dtype, 1)
    if name in METHODS_SAME:
        return Array(owner.dtype, owner.ndim if name in ("copy", "round", "clip", "sort") else None)
    return UNKNOWN
