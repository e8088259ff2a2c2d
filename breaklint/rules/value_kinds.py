"""Kinds of values, as cards name them: tensor, number, static, ..."""

from __future__ import annotations

import ast

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.lattice import Unknown, Value
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import is_static, is_tensor
from breaklint.interp.values import (
    CONSTANT,
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Shape,
    Size,
    Tensor,
    constant_kind,
    without_none,
)
from breaklint.project.module import ClassInfo


def certain_tensor(value: Value) -> Tensor | None:
    """The tensor that a value is for sure, None when it may be something else."""
    value = without_none(value)
    return value if isinstance(value, Tensor) and not value.assumed else None


def has_kind(value: Value, kind: str) -> bool:
    """Whether a value is of a kind."""
    value = without_none(value)
    if kind == "any":
        return True
    if kind in ("tensor", "bool-tensor", "int-tensor", "float-tensor", "sparse-tensor", "parameter", "computed"):
        return isinstance(value, Tensor) and _tensor_kind(value, kind)
    if kind in ("list", "sequence"):
        return isinstance(value, (Sequence, Tuple))
    if kind == "tensors":
        return _holds_tensors(value)
    if kind in ("fields", "tensor-fields"):
        if not isinstance(value, Instance) or not _shows_fields(value.cls):
            return False
        return kind == "fields" or any(map(is_tensor, value.attrs.values()))
    if kind == "static":
        return is_static(value)
    if kind == "string":
        return constant_kind(value) == "str"
    if kind in ("none", "true", "false"):
        return value == Const({"none": None, "true": True, "false": False}[kind])
    if kind in ("logger", "module"):
        return isinstance(value, (ExternalInstance, Instance)) and _object_kind(value, kind)
    if "." in kind:
        return value == ExternalName(kind) or (isinstance(value, ExternalInstance) and value.cls == kind)
    simple = {"number": Number, "size": Size, "ndarray": Array, "unknown": Unknown, "dict": Dict, "shape": Shape}
    return isinstance(value, simple[kind]) if kind in simple else constant_kind(value) == kind


def _tensor_kind(value: Tensor, kind: str) -> bool:
    if kind == "sparse-tensor":
        return value.role == "sparse"
    if kind == "computed":
        return value.role in ("", CONSTANT)  # created in the graph: neither an input nor an attribute of a module
    if kind == "parameter":
        return value.role == "parameter"
    return kind == "tensor" or value.dtype == kind.removesuffix("-tensor")


def _object_kind(value: ExternalInstance | Instance, kind: str) -> bool:
    if isinstance(value, ExternalInstance):
        return value.cls.startswith(("logging.", "loguru.") if kind == "logger" else "torch.nn.")
    return kind == "module" and not _is_plain(value.cls)


def _is_plain(cls: ClassInfo) -> bool:
    """Whether a class is not a module by its definition: without bases, or a dataclass or a named tuple."""
    bases, decorators = cls.node.bases, cls.node.decorator_list
    names = {ast.unparse(item.func if isinstance(item, ast.Call) else item) for item in (*bases, *decorators)}
    return not bases or any(name.rpartition(".")[2] in ("dataclass", "NamedTuple") for name in names)


def _shows_fields(cls: ClassInfo) -> bool:
    """Whether the text of an object contains its fields: that of a dataclass without a `__repr__` of its own."""
    marks = [ast.unparse(item) for item in cls.node.decorator_list]
    is_generated = any("dataclass" in mark and "repr=False" not in mark for mark in marks)
    return is_generated and cls.methods.keys().isdisjoint(("__repr__", "__str__"))


def _holds_tensors(value: Value) -> bool:
    if isinstance(value, Sequence):
        return value.element is not None and is_tensor(value.element)
    if isinstance(value, Dict):
        return any(map(is_tensor, value.items.values()))
    return isinstance(value, Tuple) and any(map(is_tensor, value.items))
