"""The inferred value of an expression, in terms that are independent of the interpreter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from breaklint.interp.callables import ClassValue, Function, Method, Partial
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import Value, options
from breaklint.interp.models.instances import is_module, qualified
from breaklint.interp.objects import Instance
from breaklint.interp.values import (
    NONE,
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Shape,
    Size,
    Static,
    Tensor,
    constant_kind,
    without_none,
)
from breaklint.model import Effect, Finding


@dataclass(frozen=True, slots=True)
class InferredValue:
    """The value of an expression while Dynamo traces it, joined over all paths.

    Attributes:
        kind: `tensor`; `number` (a Python number read from a tensor's data); `size` (an int from a shape); `shape`
            (a `torch.Size`); `array` (of NumPy); `static` (a Python value that does not depend on tensor data: a
            flag, a string, a dtype); `none`; `list`, `tuple`, `dict`; `module` (an instance of `torch.nn.Module`);
            `object` (another instance); `function`, `method`, `class`; `name` (an import from outside the project);
            `unknown`.
        dtype: of a tensor or an array: `bool`, `int`, `float`, `complex`, or "" if unknown.
        ndim: of a tensor, an array or a shape: the number of dimensions, None if unknown.
        python_type: of a number, a size or a static value: `int`, `float`, `bool`, `str`, …, or "".
        qualified_name: the name of the object: `torch.where`, `torch.Tensor.item`, `package.module.helper`; of
            an instance its class, `torch.nn.Linear`; "" when it has no name.
        certain: False for a parameter that is assumed to be a tensor, and for results computed from it.
        optional: whether it may also be None.
    """

    kind: str = "unknown"
    dtype: str = ""
    ndim: int | None = None
    python_type: str = ""
    qualified_name: str = ""
    certain: bool = True
    optional: bool = False


@dataclass(frozen=True, slots=True)
class TraceInfo:
    """The trace and the breaks of a node.

    Attributes:
        traced: whether Dynamo traces it, from a `forward` or a compiled function that begins in this file. A statement
            is traced if an expression in it is, a function if its body is. Code in a `raise` or under an `except`
            is not: Dynamo meets it only in some runs.
        findings: breaklint's findings for exactly this node, each with `code`, `name`, `message` and `effect`.
    """

    traced: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def breaks(self) -> bool:
        """Whether the graph breaks here."""
        return any(finding.effect is Effect.BREAK for finding in self.findings)


UNKNOWN_VALUE = InferredValue()
UNTRACED, TRACED = TraceInfo(), TraceInfo(traced=True)


def described(interp: AbstractInterpreter, value: Value) -> InferredValue:
    """A value of the interpreter in these words."""
    rest = without_none(value)
    optional = rest is not value and value is not NONE
    if isinstance(rest, (Tensor, Array)):
        certain = not (isinstance(rest, Tensor) and rest.assumed)
        kind = "tensor" if isinstance(rest, Tensor) else "array"
        return InferredValue(kind, rest.dtype, rest.ndim, certain=certain, optional=optional)
    if isinstance(rest, Shape):
        return InferredValue("shape", ndim=rest.ndim, optional=optional)
    if isinstance(rest, Number):
        return InferredValue("number", python_type=rest.kind, optional=optional)
    if isinstance(rest, (Size, Static, Const)) and rest is not NONE:
        kind = "size" if isinstance(rest, Size) else "static"
        return InferredValue(kind, python_type=constant_kind(rest), optional=optional)
    return InferredValue(_kind(interp, rest), qualified_name=qualified_name(rest), optional=optional)


def _kind(interp: AbstractInterpreter, value: Value) -> str:
    if value is NONE:
        return "none"
    if isinstance(value, Sequence):
        return "module" if value.kind.startswith("torch.nn.") else "tuple" if value.kind == "tuple" else "list"
    if isinstance(value, ExternalInstance):
        return "module" if value.cls.startswith("torch.nn.") else "object"
    if isinstance(value, Instance):
        return "module" if is_module(interp, value.cls) else "object"
    return KINDS.get(type(value), "unknown")


KINDS: Mapping[type[Value], str] = {
    Tuple: "tuple",
    Dict: "dict",
    Function: "function",
    Partial: "function",
    Method: "method",
    ClassValue: "class",
    ExternalName: "name",
}


def qualified_name(value: Value) -> str:
    """The dotted name of a value, or of the class of an instance; "" if it has none."""
    if isinstance(value, ExternalName):
        return value.name
    if isinstance(value, ExternalInstance):
        return value.cls
    if isinstance(value, Sequence):
        return value.kind if "." in value.kind else ""
    if isinstance(value, Instance):
        return qualified(value.cls)
    if isinstance(value, ClassValue):
        return qualified(value.info)
    if isinstance(value, Function):
        return f"{value.info.module.name}.{value.info.name}"
    if isinstance(value, Method):
        owner = _class_name(value.owner)
        return f"{owner}.{value.name}" if owner else ""
    return ""


def _class_name(owner: Value) -> str:
    """The class that a bound method is looked up in."""
    names = {
        "torch.Tensor" if isinstance(option, Tensor) else
        "numpy.ndarray" if isinstance(option, Array) else qualified_name(option)
        for option in options(without_none(owner))
    }  # fmt: skip
    return names.pop() if len(names) == 1 else ""
