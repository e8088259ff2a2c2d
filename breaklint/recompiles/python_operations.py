"""Operations of Python itself on values of the program: operators, builtins, methods of strings and containers.

What they raise is what the program raises. What else raises while a program is followed is a defect of breaklint.
"""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable
from typing import Any, Final

from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.recompiles.scopes import Raised, Undecided

OPERATORS: Final[dict[type[ast.AST], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_SIGNATURES: Final[dict[Callable[..., Any], inspect.Signature]] = {}
_RAISED: Final = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, StopIteration)


class StandIn:
    """Base of values that stand for one of the program, without its operators and methods."""

    __slots__ = ()


def run_python(operation: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of an operation of Python, which has no code in Python.

    Raises:
        Raised: the program raises.
        Undecided: what raises only stands for a value of the program.
    """
    try:
        return operation(*args, **kwargs)
    except _RAISED as error:
        if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
            raise  # by code of breaklint
        if any(_has_stand_in(each) for each in (*args, *kwargs.values(), getattr(operation, "__self__", None))):
            raise Undecided from None
        raise Raised from None


def run_model(model: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of a function that stands for one of torch or of Python.

    Raises:
        Undecided: it does not know these arguments, or says that one is a tensor which is none.
    """
    if model not in _SIGNATURES:
        _SIGNATURES[model] = inspect.signature(model)
    try:
        bound = _SIGNATURES[model].bind(*args, **kwargs)
    except TypeError:
        raise Undecided from None
    for name, value in bound.arguments.items():
        if model.__annotations__.get(name) == "Tensor" and type(value).__name__ != "Tensor":
            raise Undecided
    return model(*args, **kwargs)


def _has_stand_in(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_stand_in(each) for pair in value.items() for each in pair)
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(_has_stand_in(each) for each in value)
    if isinstance(value, slice):
        return any(_has_stand_in(each) for each in (value.start, value.stop, value.step))
    return isinstance(value, (StandIn, ClassInfo, FunctionInfo, Module))
