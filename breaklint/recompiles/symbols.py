"""Symbolic numbers: a value of this call, and the expression over sources that gives it in any call.

As with `torch.SymInt`, Python code may compute with them. What needs their value (a truth test, an index, a hash) adds
a guard to the trace that is being made.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

from breaklint.recompiles.python_operations import run_python
from breaklint.recompiles.sources import Source

Expr = Any  # a Source, a number, or (operator, operand, …)


# What a symbolic number can be made of.
OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "/": operator.truediv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "neg": operator.neg,
    "abs": abs,
    "not": operator.not_,
    "max": max,
    "min": min,
    "int": int,
    "float": float,
    "round": round,
    "sqrt": math.sqrt,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
}
# What makes an int of a float: these are Python's, which no schema of torch has.
ROUNDING: Final = ("int", "round", "floor", "ceil", "trunc")
_NEGATED: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def evaluate(expr: Expr, world: Any) -> Any:
    """The value of an expression in a call."""
    if isinstance(expr, Source):
        return expr.read(world)
    if isinstance(expr, tuple):
        return OPERATIONS[expr[0]](*(evaluate(part, world) for part in expr[1:]))
    return expr


def text_of(expr: Expr) -> str:
    """An expression as it is shown."""
    if isinstance(expr, Source):
        return expr.text
    if not isinstance(expr, tuple):
        return repr(expr)
    operation, *parts = expr
    texts = [f"({text_of(part)})" if _is_infix(part) else text_of(part) for part in parts]
    if len(texts) == 2 and not operation.isalpha():
        return f"{texts[0]} {operation} {texts[1]}"
    if operation == "neg":
        return f"-{texts[0]}"
    if operation == "not":
        return f"not {texts[0]}"
    return f"{operation}({', '.join(text_of(part) for part in parts)})"


def _is_infix(expr: Expr) -> bool:
    return isinstance(expr, tuple) and not expr[0].isalpha()


def sources_of(expr: Expr) -> list[Source]:
    """The sources that an expression reads."""
    if isinstance(expr, Source):
        return [expr]
    return [found for part in expr[1:] for found in sources_of(part)] if isinstance(expr, tuple) else []


def is_made_of_float(expr: Expr) -> bool:
    """Whether an int is computed from a float."""
    return isinstance(expr, tuple) and (expr[0] in ROUNDING or any(map(is_made_of_float, expr[1:])))


class Sym:
    """A symbolic number or truth value. `val` is its value in the call that is traced."""

    __slots__ = ("expr", "trace", "val")

    def __init__(self, val: Any, expr: Expr, trace: Any) -> None:
        self.val, self.expr, self.trace = val, expr, trace

    def __repr__(self) -> str:
        return f"Sym({text_of(self.expr)} = {self.val})"

    def specialise(self) -> Any:
        """The value, fixed by a guard."""
        if isinstance(self.val, bool):
            return bool(self)
        self.trace.guard_expression(("==", self.expr, self.val))
        return self.val

    def __bool__(self) -> bool:
        result = bool(self.val)
        expr = self.expr
        if not isinstance(self.val, bool):
            expr = ("!=", expr, 0)
        if not result:
            expr = (_NEGATED[expr[0]], *expr[1:]) if isinstance(expr, tuple) and expr[0] in _NEGATED else ("not", expr)
        self.trace.guard_expression(expr)
        return result

    def __index__(self) -> int:
        return int(self.specialise())

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.specialise())

    def __hash__(self) -> int:
        return hash(self.specialise())

    def __str__(self) -> str:
        return str(self.specialise())

    def __format__(self, spec: str) -> str:
        return format(self.specialise(), spec)

    def __add__(self, other: Any) -> Any:
        return symbolic("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return symbolic("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return symbolic("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return symbolic("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return symbolic("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return symbolic("*", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return symbolic("//", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return symbolic("//", other, self)

    def __truediv__(self, other: Any) -> Any:
        return symbolic("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return symbolic("/", other, self)

    def __mod__(self, other: Any) -> Any:
        return symbolic("%", self, other)

    def __rmod__(self, other: Any) -> Any:
        return symbolic("%", other, self)

    def __pow__(self, other: Any) -> Any:
        return symbolic("**", self, other)

    def __rpow__(self, other: Any) -> Any:
        return symbolic("**", other, self)

    def __and__(self, other: Any) -> Any:
        return symbolic("&", self, other)

    def __or__(self, other: Any) -> Any:
        return symbolic("|", self, other)

    def __neg__(self) -> Any:
        return symbolic("neg", self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return symbolic("abs", self)

    def __eq__(self, other: object) -> Any:
        return symbolic("==", self, other)

    def __ne__(self, other: object) -> Any:
        return symbolic("!=", self, other)

    def __lt__(self, other: Any) -> Any:
        return symbolic("<", self, other)

    def __le__(self, other: Any) -> Any:
        return symbolic("<=", self, other)

    def __gt__(self, other: Any) -> Any:
        return symbolic(">", self, other)

    def __ge__(self, other: Any) -> Any:
        return symbolic(">=", self, other)


def symbolic(operation: str, *operands: Any) -> Any:
    """The result of an operation of which some operand is symbolic."""
    if not all(isinstance(each, (Sym, int, float, complex)) for each in operands):
        if operation in ("==", "!="):
            return operation == "!="
        return NotImplemented
    trace = next(each.trace for each in operands if isinstance(each, Sym))
    values = [each.val if isinstance(each, Sym) else each for each in operands]
    result = run_python(OPERATIONS[operation], *values)
    trace.operations += 1
    return Sym(result, (operation, *(each.expr if isinstance(each, Sym) else each for each in operands)), trace)


def concrete(value: Any) -> Any:
    """The value of a number in the call that is traced, without a guard."""
    return value.val if isinstance(value, Sym) else value


def specialised(value: Any) -> Any:
    """A value that code needs: a symbolic one is fixed by a guard."""
    return value.specialise() if isinstance(value, Sym) else value


def key_of(value: Any) -> Any:
    """A value as a key of a dict or a member of a set: one that can be none makes the program raise."""
    key = specialised(value)
    run_python(hash, key)
    return key
