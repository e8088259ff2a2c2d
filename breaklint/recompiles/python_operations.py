"""Operations of Python itself on values of the program: operators, builtins, methods of strings and containers.

What they raise is what the program raises. What else raises while a program is followed is a defect of breaklint.
"""

from __future__ import annotations

import ast
import inspect
import math
import operator
import re
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
MAX_ITEMS: Final = 100_000  # of a text or container that an operation takes or may give
MAX_BITS: Final = 64_000  # of an int, likewise
_SIZED: Final = (str, bytes, list, tuple, set, frozenset, dict, range)
_LARGE: Final = frozenset({math.factorial, math.comb, math.perm})
_WIDTH: Final = re.compile(r"[0-9]{6}")  # of a format
_SIGNATURES: Final[dict[Callable[..., Any], inspect.Signature]] = {}
_RAISED: Final = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, StopIteration)


class StandIn:
    """Base of values that stand for one of the program, without its operators and methods."""

    __slots__ = ()


def run_python(operation: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of an operation of Python, which has no code in Python.

    Raises:
        Raised: the program raises.
        Undecided: what raises only stands for a value of the program, or the result may be too large to be worked out.
    """
    if _may_be_large(operation, (*args, *kwargs.values())):
        raise Undecided
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


def _may_be_large(operation: Callable[..., Any], given: tuple[Any, ...]) -> bool:
    """Whether an operation takes, or may give, more than a check of a file should work out."""
    owner = getattr(operation, "__self__", None)
    lengths = [_length(each) for each in (*given, owner) if isinstance(each, _SIZED)]
    numbers = [each for each in given if type(each) is int]
    bits = [each.bit_length() for each in numbers]
    if sum(lengths) > MAX_ITEMS or sum(bits) > MAX_BITS:
        return True
    if operation in (operator.mul, operator.imul) and lengths and numbers:
        return sum(lengths) * numbers[0] > MAX_ITEMS
    if operation in (operator.pow, pow, operator.lshift) and len(numbers) > 1:
        shift = operation is operator.lshift
        return numbers[1] > MAX_BITS if shift else bits[0] > 1 and bits[0] * numbers[1] > MAX_BITS
    if operation is operator.mod and given and isinstance(given[0], str):
        return _WIDTH.search(given[0]) is not None
    if operation in _LARGE or isinstance(owner, _SIZED):
        return any(abs(each) > MAX_ITEMS for each in numbers)
    return False


def _length(value: Any) -> int:
    """How many items a value has; more than can be counted are as many as need not be."""
    try:
        return len(value)
    except OverflowError:
        return MAX_ITEMS + 1


def _has_stand_in(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_stand_in(each) for pair in value.items() for each in pair)
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(_has_stand_in(each) for each in value)
    if isinstance(value, slice):
        return any(_has_stand_in(each) for each in (value.start, value.stop, value.step))
    return isinstance(value, (StandIn, ClassInfo, FunctionInfo, Module))
