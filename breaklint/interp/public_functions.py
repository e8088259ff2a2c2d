"""Public functions of packages that compute with tensors: users of the package may compile them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from breaklint.interp.annotations import from_annotation
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import Value, options
from breaklint.interp.signatures import defaults
from breaklint.interp.tensor_uses import is_used_as_tensor, only_computes
from breaklint.interp.values import NONE, Static, Tensor
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.walking import dotted_name

_ARRAYS: Final = ("np.", "numpy.")


def public_functions(interp: AbstractInterpreter, module: Module) -> Iterator[FunctionInfo]:
    """The public functions at the top level of a module that compute with tensors."""
    own = [bound for bound in module.names.values() if isinstance(bound, FunctionInfo) and bound.module is module]
    yield from (info for info in own if not info.name.startswith("_") and computes_with_tensors(interp, info))


def computes_with_tensors(interp: AbstractInterpreter, info: FunctionInfo) -> bool:
    """Whether a required parameter is a tensor, by annotation or by use, and the result is not annotated as another
    value."""
    required = [parameter for parameter, default in defaults(info.node.args) if default is None]
    nodes = (parameter.annotation for parameter in required if parameter.annotation is not None)
    if any(_is_tensor(from_annotation(interp, info.module, node)) for node in nodes):
        return _may_return_tensors(interp, info)
    names = [parameter.arg for parameter in required if parameter.annotation is None]
    is_used = any(is_used_as_tensor(interp, info, name) for name in names)
    return is_used and only_computes(info) and _may_return_tensors(interp, info)


def _may_return_tensors(interp: AbstractInterpreter, info: FunctionInfo) -> bool:
    """Whether the result is not annotated as a number, text or array."""
    returns = getattr(info.node, "returns", None)
    if returns is None:
        return True
    result = from_annotation(interp, info.module, returns)
    is_plain = result is not None and all(isinstance(each, Static) or each == NONE for each in options(result))
    return not is_plain and not (dotted_name(returns) or "").startswith(_ARRAYS)


def _is_tensor(value: Value | None) -> bool:
    """Whether an annotated value may be a tensor, and no value that is not modelled: `np.ndarray | torch.Tensor`."""
    return value is not None and any(isinstance(each, Tensor) and not each.assumed for each in options(value))
