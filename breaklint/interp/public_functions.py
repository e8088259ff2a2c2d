"""Public functions and methods of packages that compute with tensors: users of the package may compile them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from breaklint.interp.annotations import from_annotation, has_fields
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.docstrings import documented
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.signatures import defaults
from breaklint.interp.tensor_uses import FILES, does_other_work, is_used_as_tensor, only_computes
from breaklint.interp.values import NONE, Static, Tensor
from breaklint.project.module import ClassInfo, FunctionInfo, ImportedName, Module
from breaklint.project.walking import dotted_name

_ARRAYS: Final = ("np.", "numpy.")
# Prefixes of methods of modules that drive other modules.
_DRIVING: Final = ("generate", "prepare_inputs", "training_", "validation_", "test_", "predict_")
# Methods that read the values of a tensor.
_READS: Final = frozenset("item tolist numpy nonzero unique masked_select".split())
# Special methods that compiled code does not call on tensors.
_NO_OPERATORS: Final = frozenset(
    "__init__ __new__ __post_init__ __setstate__ __torch_function__ __torch_dispatch__".split()
)


def public_functions(interp: AbstractInterpreter, module: Module) -> Iterator[FunctionInfo]:
    """The public functions at the top level of a module that compute with tensors."""
    own = [bound for bound in module.names.values() if isinstance(bound, FunctionInfo) and bound.module is module]
    yield from (info for info in own if not info.name.startswith("_") and computes_with_tensors(interp, info))


def public_methods(interp: AbstractInterpreter, cls: ClassInfo, is_module: bool) -> Iterator[FunctionInfo]:
    """The public methods of a public class that compute with tensors: those of samplers, losses, distributions, and
    those of a module beside `forward`."""
    if not (is_module or _may_hold_torch(cls)) or any(map(_is_data, interp.project.external_bases(cls))):
        return
    has_forward = interp.project.method(cls, "forward") is not None
    for name, info in cls.methods.items():
        if is_module and (name.startswith(_DRIVING) or (has_forward and _is_variant(info, name))):
            continue
        is_plain = has_public_name(info) and all(map(_keeps_parameters, info.decorators))
        if is_plain and _computes(interp, info, is_module):
            yield info


def _is_variant(info: FunctionInfo, name: str) -> bool:
    """Whether a method is `forward`, or a variant of it that calls the same modules and reads no values itself."""
    if not name.startswith("forward_"):
        return name in ("forward", "__call__")
    reads = any(isinstance(call.func, ast.Attribute) and call.func.attr in _READS for call in info.nodes.of(ast.Call))
    tests = [node.test for node in info.nodes.of(ast.If)] + [node.test for node in info.nodes.of(ast.While)]
    compared = (part for test in tests if isinstance(test, ast.Compare) for part in (test.left, *test.comparators))
    return not reads and not any(isinstance(part, ast.BinOp) for part in compared)


def _may_hold_torch(cls: ClassInfo) -> bool:
    """Whether the text of a class may name torch, also under another name: `import torch as th`."""
    if cls.may_hold("Tensor") or cls.may_hold("torch"):
        return True
    names = cls.module.names.items()
    aliases = [name for name, bound in names if isinstance(bound, ImportedName) and bound.qualified == "torch"]
    return any(map(cls.may_hold, aliases))


def has_public_name(info: FunctionInfo) -> bool:
    """Whether users of a package may call a function by its name: no function in another one, no private class."""
    *outer, name = info.name.split(".")
    is_inner = info.cls is None and bool(outer)
    is_operator = name.startswith("__") and name.endswith("__") and name not in _NO_OPERATORS
    return not is_inner and not any(each.startswith("_") for each in (*outer, "" if is_operator else name))


def _computes(interp: AbstractInterpreter, info: FunctionInfo, is_module: bool) -> bool:
    """Whether a method computes with tensors, and neither it nor a method that it calls on its object uses files."""
    if not computes_with_tensors(interp, info, is_module) or does_other_work(info, FILES):
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


def computes_with_tensors(interp: AbstractInterpreter, info: FunctionInfo, is_module: bool = False) -> bool:
    """Whether a required parameter is a tensor, by annotation or by use, and the result is not annotated as another
    value, or the result is annotated as a tensor. A method of a module may have defaults."""
    pairs = defaults(info.node.args)[info.cls is not None and not info.is_staticmethod :]
    required = [parameter for parameter, default in pairs if default is None or is_module]
    nodes = (parameter.annotation for parameter in required if parameter.annotation is not None)
    if any(_holds_tensors(interp, from_annotation(interp, info.module, node)) for node in nodes):
        return _may_return_tensors(interp, info)
    returns = getattr(info.node, "returns", None)
    if returns is not None and _holds_tensors(interp, from_annotation(interp, info.module, returns)):
        return not does_other_work(info, FILES)
    names = [parameter.arg for parameter in required if parameter.annotation is None]
    if not names:
        return False
    is_used = any(is_used_as_tensor(interp, info, name, is_module) for name in names) and only_computes(info)
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


def _holds_tensors(interp: AbstractInterpreter, value: Value | None) -> bool:
    """Whether an annotated value may be a tensor, or a sequence or dataclass with one, and no value that is not
    modelled: `np.ndarray | torch.Tensor`."""
    return any(
        (isinstance(each, Tensor) and not each.assumed)
        or any(_holds_tensors(interp, part) for part in _parts(interp, each))
        for each in (() if value is None else options(value))
    )


def _parts(interp: AbstractInterpreter, value: Value) -> Iterable[Value | None]:
    """The items of a sequence, and the tensors among the fields of a dataclass."""
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Sequence):
        return (value.element,)
    if isinstance(value, Instance) and has_fields(interp, value.cls):
        return (field for name in value.cls.annotations if isinstance(field := value.stored(name), Tensor))
    return ()
