"""Public functions and methods of packages that compute with tensors: users of the package may compile them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.annotations import from_annotation
from breaklint.interp.docstrings import documented
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import Value, options
from breaklint.interp.signatures import defaults
from breaklint.interp.tensor_uses import FILES, does_other_work, is_used_as_tensor, only_computes
from breaklint.interp.values import NONE, Static, Tensor
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.walking import dotted_name

_ARRAYS: Final = ("np.", "numpy.")


def public_functions(interp: AbstractInterpreter, module: Module) -> Iterator[FunctionInfo]:
    """The public functions at the top level of a module that compute with tensors."""
    own = [bound for bound in module.names.values() if isinstance(bound, FunctionInfo) and bound.module is module]
    yield from (info for info in own if not info.name.startswith("_") and computes_with_tensors(interp, info))


def public_methods(interp: AbstractInterpreter, cls: ClassInfo) -> Iterator[FunctionInfo]:
    """The public methods of a public class that compute with tensors: those of samplers, losses, distributions."""
    hidden = not (cls.may_hold("Tensor") or cls.may_hold("torch"))
    hidden = hidden or any(map(_is_data, interp.project.external_bases(cls)))
    for info in () if hidden else cls.methods.values():
        if has_public_name(info) and all(map(_keeps_parameters, info.decorators)) and _computes(interp, info):
            yield info


def has_public_name(info: FunctionInfo) -> bool:
    """Whether users of a package may call a function by its name: no function in another one, no private class."""
    *outer, name = info.name.split(".")
    is_inner = info.cls is None and bool(outer)
    return not is_inner and not any(each.startswith("_") for each in (*outer, name if name != "__call__" else ""))


def _computes(interp: AbstractInterpreter, info: FunctionInfo) -> bool:
    """Whether a method computes with tensors, and neither it nor a method that it calls on its object uses files."""
    if not computes_with_tensors(interp, info) or does_other_work(info, FILES):
        return False
    calls = (node.func for node in info.nodes.of(ast.Call) if isinstance(node.func, ast.Attribute))
    own = {each.attr for each in calls if dotted_name(each.value) == "self"}
    called = (interp.project.method(info.cls, name) for name in own) if info.cls is not None else ()
    return not any(each is not None and does_other_work(each, FILES) for each in called)


def _keeps_parameters(decorator: ast.expr) -> bool:
    """Whether a decorator is a context of torch, such as `torch.no_grad()`, or makes a static method."""
    name = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
    return name == "staticmethod" or name.startswith("torch.")


def _is_data(base: str) -> bool:
    """Whether a base class of a library stands for data sets and their samplers, or for a function of autograd."""
    return base.startswith(("torch.utils.data.", "torch.autograd."))


def computes_with_tensors(interp: AbstractInterpreter, info: FunctionInfo) -> bool:
    """Whether a required parameter is a tensor, by annotation or by use, and the result is not annotated as another
    value."""
    pairs = defaults(info.node.args)[info.cls is not None and not info.is_staticmethod :]
    required = [parameter for parameter, default in pairs if default is None]
    nodes = (parameter.annotation for parameter in required if parameter.annotation is not None)
    if any(_is_tensor(from_annotation(interp, info.module, node)) for node in nodes):
        return _may_return_tensors(interp, info)
    names = [parameter.arg for parameter in required if parameter.annotation is None]
    is_used = any(is_used_as_tensor(interp, info, name) for name in names) and only_computes(info)
    is_documented = not documented(info).keys().isdisjoint(names) and not does_other_work(info, FILES)
    return (is_used or is_documented) and _may_return_tensors(interp, info)


def _may_return_tensors(interp: AbstractInterpreter, info: FunctionInfo) -> bool:
    """Whether the result is not annotated as a number, text or array; a method without result changes its object."""
    returns = getattr(info.node, "returns", None)
    if returns is None:
        return True
    result = from_annotation(interp, info.module, returns)
    if result == NONE and info.cls is not None:
        return True
    is_plain = result is not None and all(isinstance(each, Static) or each == NONE for each in options(result))
    return not is_plain and not (dotted_name(returns) or "").startswith(_ARRAYS)


def _is_tensor(value: Value | None) -> bool:
    """Whether an annotated value may be a tensor, and no value that is not modelled: `np.ndarray | torch.Tensor`."""
    return value is not None and any(isinstance(each, Tensor) and not each.assumed for each in options(value))
