"""The arguments of an entry's calls: from `get_inputs()` of its file, else from its parameters, then varied."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from breaklint.errors import UsageError
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.recompiles.machine import Machine
from breaklint.recompiles.objects import UNKNOWN, Obj, Tensor, copied
from breaklint.recompiles.scopes import OutOfBudget, Raised, Undecided
from breaklint.recompiles.vary import LENGTH, TENSOR, Variation

# A value for each type of a number that an annotation names.
NUMBERS = {"int": 2, "float": 0.5, "bool": False, "str": ""}


def listed(machine: Machine, module: Module, name: str) -> tuple[list[Any], dict[str, Any]] | None:
    """The arguments that a function of the file returns, None where it has no such function."""
    found = module.names.get(name)
    if not isinstance(found, FunctionInfo):
        return None
    try:
        value = machine.force(machine.call(machine.function(found), [], {}))
    except (Raised, Undecided, OutOfBudget):
        return None
    if not isinstance(value, (list, tuple)):
        return None
    if len(value) == 2 and isinstance(value[0], (list, tuple)) and isinstance(value[1], dict):
        return list(value[0]), value[1]
    return list(value), {}


def instance(machine: Machine, module: Module, cls: ClassInfo) -> Obj:
    """An instance of the entry's class, made with what `get_init_inputs()` says."""
    args, kwargs = listed(machine, module, "get_init_inputs") or ([], {})
    made = machine.instantiate(cls, args, kwargs)
    return made if isinstance(made, Obj) else Obj(cls, {}, is_module=True)


def base_arguments(
    machine: Machine, module: Module, function: FunctionInfo, owner: Any, variations: Sequence[Variation]
) -> dict[str, Any]:
    """The arguments of a call before anything varies."""
    spec = function.node.args
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
    made: dict[str, Any] = {}
    if owner is not None and names:  # else it is the first of `*args`, of which nothing is known
        made[names.pop(0)] = owner
    given = listed(machine, module, "get_inputs")
    if given is not None:
        made.update(zip(names, given[0], strict=False))
        made.update(given[1])
        if spec.vararg is not None and len(given[0]) > len(names):
            made[f"*{spec.vararg.arg}"] = tuple(given[0][len(names) :])
    optional = {*names[len(names) - len(spec.defaults) :]} if spec.defaults else set()
    for parameter in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        name = parameter.arg
        required = name in names and name not in optional
        varied = [each for each in variations if each.argument == name]
        if name not in made and (required or varied):
            made[name] = _object(machine, function, parameter) or _guessed(function, parameter, varied)
    return made


def _object(machine: Machine, function: FunctionInfo, parameter: ast.arg) -> Obj | None:
    """An instance of the class of the project that an annotation names, where its constructor needs nothing."""
    if not isinstance(parameter.annotation, ast.Name):
        return None
    cls = machine.project.resolve(function.module, parameter.annotation.id)
    made = machine.instantiate(cls, [], {}) if isinstance(cls, ClassInfo) else None
    return made if isinstance(made, Obj) else None


def _guessed(function: FunctionInfo, parameter: ast.arg, varied: Sequence[Variation]) -> Any:
    """A value for a parameter of which only its use is known: sizes that are not varied are not known."""
    dims = [each.dim for each in varied if each.dim is not None]
    annotation = parameter.annotation.id if isinstance(parameter.annotation, ast.Name) else ""
    if annotation in NUMBERS and not dims:
        return NUMBERS[annotation]
    if any(each.part == LENGTH for each in varied):
        return [_tensor(function, parameter.arg, [])]
    return _tensor(function, parameter.arg, dims)


def _tensor(function: FunctionInfo, name: str, dims: Sequence[int]) -> Tensor:
    rank = _unpacked_rank(function, name)
    if rank is None and not dims:
        return Tensor(None)
    return Tensor((UNKNOWN,) * (rank or max(max(dims, default=0) + 1, 2)))


def _unpacked_rank(function: FunctionInfo, name: str) -> int | None:
    """The number of dimensions that `b, c, h, w = x.shape` tells."""
    for node in ast.walk(function.node):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            value = node.value.func if isinstance(node.value, ast.Call) else node.value
            if isinstance(value, ast.Attribute) and value.attr in ("shape", "size"):
                targets = node.targets[0].elts
                if isinstance(value.value, ast.Name) and value.value.id == name and not _has_star(targets):
                    return len(targets)
    return None


def _has_star(targets: Sequence[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in targets)


def varied(base: dict[str, Any], variations: Sequence[Variation], call: int, names: Sequence[str]) -> dict[str, Any]:
    """The arguments of one call. Modules stay the same objects from call to call.

    Raises:
        UsageError: a variation names no argument, or one that has no such dimension.
    """
    made = dict(base)
    for each in variations:
        value = each.values[call]
        if each.argument.startswith("self."):
            store(base, each.argument, value)
            continue
        if each.argument not in names:
            raise UsageError(f"--vary {each.key}: no argument {each.argument}; it takes {', '.join(names) or 'none'}")
        made[each.argument] = _with(made.get(each.argument), each, value, base)
    return made


def number_tensor() -> Tensor:
    """A tensor in place of a number."""
    return Tensor(())


def as_tensors(variation: Variation) -> Variation:
    """A variation whose numbers are tensors."""
    return replace(variation, values=tuple(number_tensor() for _ in variation.values))


def store(base: dict[str, Any], name: str, value: Any) -> None:
    """Set an attribute of the module, named as `self.block.step`."""
    owner: Any = next(iter(base.values()), None)
    path = name.split(".")[1:]
    for name in path[:-1]:
        owner = owner.attrs.get(name) if isinstance(owner, Obj) else None
    if isinstance(owner, Obj):
        owner.attrs[path[-1]] = value


def _with(old: Any, variation: Variation, value: Any, base: dict[str, Any]) -> Any:
    if variation.part == LENGTH:
        item = old[0] if isinstance(old, (list, tuple)) and old else Tensor(None)
        items = [copied(item, {}) for _ in range(value)]
        return tuple(items) if isinstance(old, tuple) else items
    if variation.dim is not None:
        return _resized(old, variation, value)
    if variation.part:
        changed = copied(old, {})
        if isinstance(changed, Tensor):
            setattr(changed, variation.part, str(value).removeprefix("torch.") if variation.part == "dtype" else value)
        return changed
    if value == TENSOR and isinstance(value, str):
        first = next((each for each in base.values() if isinstance(each, Tensor)), Tensor(None))
        return old if isinstance(old, Tensor) else copied(first, {})
    return value


def _resized(old: Any, variation: Variation, size: int) -> Any:
    dim = variation.dim
    assert dim is not None
    if isinstance(old, (list, tuple)):
        return type(old)(_resized(each, variation, size) for each in old)
    if not isinstance(old, Tensor):
        raise UsageError(f"--vary {variation.key}: {variation.argument} is not a tensor")
    shape = (UNKNOWN,) * (dim + 1) if old.shape is None else old.shape
    if dim >= len(shape):
        raise UsageError(f"--vary {variation.key}: {variation.argument} has {len(shape)} dimensions, from 0 on")
    made = copied(old, {})
    made.shape = (*shape[:dim], size, *shape[dim + 1 :])
    return made
