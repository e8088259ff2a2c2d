"""Values by annotation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import MAY_HOLD_CONTAINERS, Dict, Sequence, Tuple, containers_in
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import UNKNOWN, Union, Unknown, Value, join, join_all, options
from breaklint.interp.models.torch_names import CONTAINERS
from breaklint.interp.objects import Instance
from breaklint.interp.values import NONE, Const, ExternalInstance, Shape, Static, Tensor, constant_kind
from breaklint.project.module import ClassInfo, Module
from breaklint.project.walking import dotted_name
from breaklint.torchops.names import tensor_types

# No schema: libraries of torch whose objects rules know by their class.
UNTRACED: Final = ("torch.optim.", "torch.utils.data.", "torch.amp.Grad", "torch.cuda.amp.Grad")
# Types of Python.
PLAIN: Final = {"int": "int", "float": "float", "bool": "bool", "str": "str", "bytes": "bytes"}
SEQUENCES: Final = frozenset({"List", "list", "Sequence", "Iterable", "Set", "set", "Collection"})
NAMED_TUPLES: Final = frozenset({"typing.NamedTuple", "collections.namedtuple"})
DICTS: Final = frozenset({"Dict", "dict", "Mapping", "OrderedDict", "DefaultDict"})
ARRAY_LIBRARIES: Final = frozenset("Float Int Bool Shaped Num Integer Real Complex Inexact UInt Int64 Float32".split())
# The annotation `Tensor` promises no dtype, though `torch.Tensor(2)` makes floats.
TENSOR_DTYPES: Final = {name: kind for name, kind in tensor_types().items() if name != "Tensor"}


class _Promises(dict[ast.expr, Value | None]):
    """Values by annotation."""


def from_annotation(interp: AbstractInterpreter, module: Module, node: ast.expr) -> Value | None:
    """The value of an annotation; Unknown for a type that is not modelled, None without annotation."""
    cache = interp.memo(_Promises)
    if node in cache:
        return cache[node]
    cache[node] = UNKNOWN  # an alias that names itself
    cache[node] = value = _promised(interp, module, node)
    if type(value) in MAY_HOLD_CONTAINERS and any(containers_in(value)):  # type: ignore[arg-type]
        del cache[node]  # each use makes containers of its own
    return value


def _promised(interp: AbstractInterpreter, module: Module, node: ast.expr) -> Value | None:
    if isinstance(node, ast.Constant):
        return _from_string(interp, module, node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = [from_annotation(interp, module, side) for side in (node.left, node.right)]
        return _either([side or UNKNOWN for side in sides])
    if isinstance(node, ast.Subscript):
        return _from_generic(interp, module, node)
    dotted = dotted_name(node)
    if dotted is None:
        return UNKNOWN
    return _from_name(interp, module, dotted)


def declared(interp: AbstractInterpreter, module: Module, node: ast.expr, value: Union) -> Value:
    """The options of a union that fit an annotation as a tensor (or None)."""
    tensors = [option for option in value.options if isinstance(option, Tensor)]
    promised = from_annotation(interp, module, node) if tensors else None
    if promised is None or not all(option == NONE or isinstance(option, Tensor) for option in options(promised)):
        return value
    return join_all([*tensors, *(option for option in value.options if option == NONE)]) or value


def _from_string(interp: AbstractInterpreter, module: Module, text: object) -> Value | None:
    if text is None:
        return NONE
    if not isinstance(text, str):
        return UNKNOWN
    try:
        return from_annotation(interp, module, ast.parse(text, mode="eval").body)
    except SyntaxError:
        return UNKNOWN


def _from_name(interp: AbstractInterpreter, module: Module, dotted: str) -> Value:
    if dotted in PLAIN:
        return Static(PLAIN[dotted])
    if dotted == "None":
        return NONE
    resolved = interp.project.resolve(module, dotted)
    name = resolved if isinstance(resolved, str) else dotted
    short = name.rpartition(".")[2]
    if isinstance(resolved, ClassInfo):
        return _of_class(interp, resolved)
    if isinstance(resolved, tuple):
        return (
            from_annotation(interp, resolved[0], resolved[1]) or UNKNOWN
            if isinstance(resolved[1], (ast.Subscript, ast.BinOp))
            else UNKNOWN
        )
    if short in ("Tensor", "Variable", "Parameter") or short in TENSOR_DTYPES:
        return Tensor(TENSOR_DTYPES.get(short, "")) if name.startswith("torch.") or "." not in name else UNKNOWN
    if short == "Size":
        return Shape()
    if short in SEQUENCES or short in ("Tuple", "tuple"):
        return Sequence(UNKNOWN, kind="tuple" if short in ("Tuple", "tuple") else "list")
    if short in ("device", "dtype"):
        return Static(short)
    if name.startswith("torch.nn.") and (layer := _layer(interp, short)) is not None:
        return layer
    if name in ("logging.Logger", "logging.LoggerAdapter") or name.startswith(UNTRACED):
        return ExternalInstance(name)
    return UNKNOWN


def _layer(interp: AbstractInterpreter, short: str) -> Value | None:
    """A layer of torch.nn; None for a class without a result, and for a pool, which may also return indices."""
    name = f"torch.nn.{short}"
    if name in CONTAINERS:
        return Sequence(UNKNOWN, kind=name)
    result = interp.facts.module(name)
    return ExternalInstance(name) if result is not None and result.kind != "none" and "Pool" not in short else None


def _of_class(interp: AbstractInterpreter, cls: ClassInfo) -> Value:
    """An instance of an annotated class: a dataclass or named tuple whose fields have the values of their annotations,
    or any other instance."""
    if not has_fields(interp, cls):
        return interp.any_instance(interp, cls)
    instance = interp.instances.get((_of_class, cls))
    if instance is None:
        instance = interp.instances[_of_class, cls] = Instance(cls, outside=True)
        instance.ready = True
        for _, store in declarations(interp, instance):
            store()
    return instance


def declarations(interp: AbstractInterpreter, instance: Instance) -> Iterator[tuple[str, Callable[[], None]]]:
    """The annotated fields of the class of an instance of unknown origin, each with the function that stores it."""
    for base in reversed([each for each in interp.project.mro(instance.cls) if isinstance(each, ClassInfo)]):
        for name in base.annotations:
            yield name, partial(_declare, interp, instance, base, name)


def _declare(interp: AbstractInterpreter, instance: Instance, base: ClassInfo, name: str) -> None:
    """Store an annotated field of a class; a default is one possible value."""
    value = from_annotation(interp, base.module, base.annotations[name]) or UNKNOWN
    default = base.attributes.get(name)
    if value == Static("str") and isinstance(default, ast.Constant) and isinstance(default.value, str):
        value = Static("str", default.value)
    instance.store(name, value, strong=True)


def has_fields(interp: AbstractInterpreter, cls: ClassInfo) -> bool:
    """Whether a class is a dataclass, or a named tuple, without a constructor of its own."""
    if interp.project.method(cls, "__init__") is not None:
        return False
    bases = NAMED_TUPLES.intersection(interp.project.external_bases(cls))
    return bool(bases) or interp.project.is_dataclass(cls)


def _from_generic(interp: AbstractInterpreter, module: Module, node: ast.Subscript) -> Value | None:
    name = (dotted_name(node.value) or "").rpartition(".")[2]
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional":
        return join(from_annotation(interp, module, inner[0]) or UNKNOWN, NONE)
    if name == "Union":
        return _either([from_annotation(interp, module, item) or UNKNOWN for item in inner])
    if name in SEQUENCES:
        return Sequence(from_annotation(interp, module, inner[0]) or UNKNOWN)
    if name in DICTS:
        return Dict(rest=from_annotation(interp, module, inner[-1]) or UNKNOWN)
    if name in ("Tuple", "tuple"):
        return _from_tuple(interp, module, inner)
    if name in ("Annotated", "Final", "ClassVar") or name in ARRAY_LIBRARIES:
        return from_annotation(interp, module, inner[0])
    if name in ("Type", "type"):
        instance = from_annotation(interp, module, inner[0])
        return ClassValue(instance.cls) if isinstance(instance, Instance) else UNKNOWN
    if name == "Literal":
        return join_all([Static(constant_kind(Const(item.value))) for item in inner if isinstance(item, ast.Constant)])
    return UNKNOWN


def _either(sides: list[Value]) -> Value:
    """One of several types. A union of a tensor and a type that is not modelled (a cache, a sparse class) is assumed to
    be a tensor."""
    flat = [option for side in sides for option in options(side)]
    values = [side for side in flat if not isinstance(side, Unknown)]
    if len(values) < len(flat) and any(isinstance(side, Tensor) for side in values):
        rest = [side for side in values if not isinstance(side, Tensor)]
        return join_all([Tensor(assumed=True), *rest]) or UNKNOWN
    return join_all(sides) or UNKNOWN


def _from_tuple(interp: AbstractInterpreter, module: Module, inner: list[ast.expr]) -> Value:
    values = [from_annotation(interp, module, item) or UNKNOWN for item in inner if not _is_ellipsis(item)]
    if any(_is_ellipsis(item) for item in inner):
        return Sequence(join_all(values), kind="tuple")
    return Tuple(tuple(values))


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis
