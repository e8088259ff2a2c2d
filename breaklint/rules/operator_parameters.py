"""The parameters of operators that get values of a kind, from the schemas of torch."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.events import Call
from breaklint.interp.lattice import UNKNOWN, Union, Value
from breaklint.interp.predicates import is_python_number
from breaklint.interp.values import Array, Number, Tensor, is_captured
from breaklint.rules.value_kinds import certain_tensor
from breaklint.torchops.signatures import TENSOR, Parameter, Signature, newest_signature

NUMBERS: Final = frozenset({"float", "number"})
FLOATS: Final = frozenset({"float"})
INTEGERS: Final = frozenset({"int", "size"})


def needs_captured(call: Call) -> bool:
    """Whether Python needs the value of a number that `fullgraph=True` captures: `range(n)`, `n.bit_length()`."""
    interp = call.frame.interp
    if not interp.captures or not interp.facts.refuses_number(call.target or f"int.{call.method}"):
        return False
    return any(is_captured(value, True) for value in (call.args if call.target else [call.owner or UNKNOWN]))


def has_data(call: Call) -> bool:
    """Whether an argument may be computed from data: a cheap test that decides most calls."""
    return not (_WITH_DATA.isdisjoint(map(type, call.args)) and _WITH_DATA.isdisjoint(map(type, call.kwargs.values())))


def takes_only(parameter: Parameter, kinds: frozenset[str]) -> bool:
    """Whether a parameter takes these kinds and, tensor or not, nothing else that is a number."""
    return not parameter.kinds.isdisjoint(kinds) and parameter.kinds.isdisjoint(_others(kinds))


@cache
def _others(kinds: frozenset[str]) -> frozenset[str]:
    return _OTHERS - kinds


_WITH_DATA: Final = frozenset({Tensor, Array, Number, Union, Tuple, Sequence})  # or containers of them
_OTHERS: Final = frozenset({"tensor", "tensors", "other"}) | NUMBERS | INTEGERS


@cache
def has_parameter(target: str, method: str, kinds: frozenset[str]) -> bool:
    """Whether a function of torch, or a method of Tensor, has a parameter that takes one of these kinds."""
    return any(
        not parameter.kinds.isdisjoint(kinds)
        for name in (target, TENSOR + method)
        if name.startswith("torch.") and (signature := newest_signature(name)) is not None
        for overload in signature.overloads
        for parameter in overload
    )


def parameters_of(call: Call, matters: Callable[[Value], bool]) -> Iterator[Parameter]:
    """The parameters of an operator for the arguments of a call that matter.

    After a `*` only the first item is read: the positions of the others depend on their number.
    """
    arguments: list[tuple[int | str, Value]] = [*enumerate(call.args), *call.kwargs.items()]
    keys = [which for which, value in arguments if type(value) in _WITH_DATA and matters(value)]
    signature = signature_of(call) if keys else None  # few calls need it
    if signature is None:
        return
    if len(signature.overloads) > 1:
        signature = signature.with_numbers([which for which, value in arguments if is_python_number(value)])
    starred = next((at for at, node in enumerate(nodes_of(call)) if isinstance(node, ast.Starred)), len(call.args))
    for which in keys:
        parameter = signature.parameter(which) if isinstance(which, str) or which <= starred else None
        if parameter is not None:
            yield parameter


def signature_of(call: Call) -> Signature | None:
    """The schema of the called operator, if there is one."""
    if call.method:
        on_tensor = call.owner is not None and certain_tensor(call.owner) is not None
        return call.frame.interp.facts.signature(TENSOR + call.method) if on_tensor else None
    return call.frame.interp.facts.signature(call.target)


def nodes_of(call: Call) -> list[ast.expr]:
    """The positional arguments in the source of a call."""
    return call.node.args if isinstance(call.node, ast.Call) else []


def is_number_in_graph(value: Value) -> bool:
    """Whether a value is a tensor, or a number that Dynamo holds as one."""
    return certain_tensor(value) is not None or (isinstance(value, Number) and value.symbolic)
