"""The special methods that operators, subscripts, loops and builtins call on instances of the project's classes."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Function
from breaklint.interp.containers import Sequence
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Union, Value, each, join_all
from breaklint.interp.objects import Instance
from breaklint.interp.values import NONE, ExternalInstance

BINARY: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
UNARY: Final[dict[type[ast.unaryop], str]] = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}
COMPARISON: Final[dict[type[ast.cmpop], tuple[str, str]]] = {  # with the reflected method of the right side
    ast.Eq: ("__eq__", "__eq__"), ast.NotEq: ("__ne__", "__ne__"), ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"), ast.Gt: ("__gt__", "__lt__"), ast.GtE: ("__ge__", "__le__"),
}  # fmt: skip
# Classes of the standard library whose `__enter__` returns the object.
ENTERED: Final = frozenset({"contextlib.ExitStack", "concurrent.futures.ThreadPoolExecutor"})
ITERATING: Final = frozenset(
    "list tuple set frozenset enumerate zip map filter sorted sum max min any all iter".split()
)

CONVERTING: Final = frozenset("int float bool complex abs round str repr".split())


def call(frame: Frame, value: Value, name: str, *args: Value) -> Value | None:
    """The result of a special method of one or several instances; None if a class of the project has none."""
    if type(value) is Union and all(type(option) is Instance for option in value.options):
        context, frame.context = frame.context, frame.context.under_condition()
        results = [call(frame, option, name, *args) for option in value.options]
        frame.context = context
        return None if None in results else join_all(result for result in results if result is not None)
    if type(value) is not Instance:
        return None
    method = frame.interp.project.method(value.cls, name)
    return None if method is None else frame.interp.call(frame, Function(method, value), [*args], {})


def operate(frame: Frame, left: Value, right: Value, op: ast.operator, in_place: bool = False) -> Value | None:
    """The result of `left op right` if a class of the project defines the operator, else None."""
    name = BINARY[type(op)]
    result = call(frame, left, f"__i{name}__", right) if in_place else None
    return _either(frame, left, right, f"__{name}__", f"__r{name}__") if result is None else result


def compare(frame: Frame, left: Value, op: ast.cmpop, right: Value) -> Value | None:
    """The result of `left op right` if a class of the project defines the comparison, else None."""
    if isinstance(op, (ast.In, ast.NotIn)):
        return call(frame, right, "__contains__", left)
    return _either(frame, left, right, *COMPARISON[type(op)]) if type(op) in COMPARISON else None


def _either(frame: Frame, left: Value, right: Value, name: str, reflected: str) -> Value | None:
    """The result of the method of the left side, else of the reflected method of the right side."""
    if type(left) is not Instance and type(right) is not Instance:
        return None
    result = call(frame, left, name, right)
    return call(frame, right, reflected, left) if result is None else result


def convert(frame: Frame, value: Value, name: str) -> Value | None:
    """The result of a builtin that calls the method of its name: `float(x)` calls `x.__float__()`."""
    result = call(frame, value, f"__{name}__")
    return call(frame, value, "__repr__") if result is None and name == "str" else result


def iterated(frame: Frame, value: Value) -> Value:
    """The iterable of a loop: for an instance, the result of `__iter__`."""
    if type(value) is not Instance:
        return value
    result = call(frame, value, "__iter__")
    if type(result) is Instance:
        item = call(frame, result, "__next__")
        return result if item is None else Sequence(item, kind="generator")
    return value if result is None else result


def iterate_arguments(frame: Frame, arguments: Arguments) -> Arguments:
    """The arguments of a builtin that iterates over them; an instance is replaced by its `__iter__`."""
    if not any(type(value) is Instance for value in arguments.args):
        return arguments
    return Arguments([iterated(frame, value) for value in arguments.args], arguments.kwargs, arguments.starred)


def call_truth_method(frame: Frame, value: Value) -> None:
    """Run `__bool__` or `__len__` of an instance, which decides its truth."""
    if call(frame, value, "__bool__") is None:
        call(frame, value, "__len__")


def enter_or_leave(frame: Frame, value: Value, name: str, args: tuple[Value, ...] = ()) -> Value:
    """The result of `__enter__` or `__exit__`, Unknown if the project has none."""
    return each(value, lambda option: _enter_or_leave(frame, option, name, args))


def _enter_or_leave(frame: Frame, value: Value, name: str, args: tuple[Value, ...]) -> Value:
    result = call(frame, value, name, *args)
    if result is not None:
        return result
    if isinstance(value, Sequence) and value.kind == "generator" and name == "__enter__":
        return value.element or NONE
    if isinstance(value, ExternalInstance) and value.cls in ENTERED and name == "__enter__":
        return value
    return UNKNOWN
