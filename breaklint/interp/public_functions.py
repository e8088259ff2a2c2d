"""Public functions of packages that compute with tensors: users of the package may compile them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.annotations import from_annotation
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import options
from breaklint.interp.parameter_inference import Evidence, evidence
from breaklint.interp.signatures import defaults
from breaklint.interp.values import NONE, Static, Tensor
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.walking import dotted_name

_ARRAYS: Final = ("np.", "numpy.")


def public_functions(interp: AbstractInterpreter, module: Module) -> Iterator[FunctionInfo]:
    """The public functions at the top level of a module that compute with tensors."""
    own = [bound for bound in module.names.values() if isinstance(bound, FunctionInfo) and bound.module is module]
    yield from (info for info in own if not info.name.startswith("_") and computes_with_tensors(interp, info))


def computes_with_tensors(interp: AbstractInterpreter, info: FunctionInfo) -> bool:
    """Whether a required parameter is a tensor, and the result is not annotated as another value."""
    required = [parameter for parameter, default in defaults(info.node.args) if default is None]
    if not any(_is_tensor(interp, info, parameter) for parameter in required):
        return False
    returns = getattr(info.node, "returns", None)
    if returns is None:
        return True
    result = from_annotation(interp, info.module, returns)
    is_plain = result is not None and all(isinstance(each, Static) or each == NONE for each in options(result))
    return not is_plain and not (dotted_name(returns) or "").startswith(_ARRAYS)


def _is_tensor(interp: AbstractInterpreter, info: FunctionInfo, parameter: ast.arg) -> bool:
    """Whether a parameter is a tensor by its annotation, or without one by its use.

    A union with a value that is not modelled is no tensor: `np.ndarray | torch.Tensor`.
    """
    if parameter.annotation is None:
        return evidence(info, parameter.arg) is Evidence.TENSOR
    value = from_annotation(interp, info.module, parameter.annotation)
    return value is not None and any(isinstance(each, Tensor) and not each.assumed for each in options(value))
