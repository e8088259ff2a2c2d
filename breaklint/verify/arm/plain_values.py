"""Other values for the plain parts of a call and a model: numbers, flags, strings that a rewrite may have baked in."""

from __future__ import annotations

import ast
import enum
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import torch
from torch.utils._pytree import keystr, tree_flatten_with_path, tree_unflatten

from breaklint.verify.arm.branches import Rows

Change = tuple[str, tuple[Any, ...], Any]
"""The path of a module, that of a value in it (names of attributes, keys, positions), and another value."""
PLAIN = (bool, int, float, str)
MOST, MOST_WORDS, MOST_ITEMS, DEPTH = 32, 4, 8, 3
"""How many changes are made to a call and to a model, strings tried, items of a container, and how deep these lie."""
_MODULES_OWN = {"training", "forward", "call_super_init", "dump_patches"}


def is_plain(value: Any) -> bool:
    """Is it a number, a flag, a string, or a member of an enumeration?"""
    return type(value) in PLAIN or isinstance(value, enum.Enum)


def others(value: Any, words: Collection[str]) -> Sequence[Any]:
    """A few values of the same type, near this one; of strings, those that the code has."""
    if isinstance(value, enum.Enum):
        return [member for member in type(value) if member is not value][:MOST_WORDS]
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return value + 1, value - 1
    if isinstance(value, float):
        return value + 1, value * 0.5 if value else 0.5
    return [word for word in sorted(words) if word != value][:MOST_WORDS]


def other_arguments(call: Any, words: Collection[str]) -> Iterator[tuple[str, Any]]:
    """The call with one plain value in its arguments changed, in containers too."""
    leaves, structure = tree_flatten_with_path(call)
    values = [leaf for _, leaf in leaves]
    changes = ((n, other) for n, value in enumerate(values) if is_plain(value) for other in others(value, words))
    for n, other in islice(changes, MOST):
        (_, place, *inner) = leaves[n][0]
        where = f"{getattr(place, 'idx', getattr(place, 'key', ''))}{keystr(tuple(inner))}"
        yield f"{other!r} for argument {where}", tree_unflatten([*values[:n], other, *values[n + 1 :]], structure)


def with_none(call: Any, absent: Iterable[str], given: Mapping[str, tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    """The call without an argument that need not be given, and with one whose default is None.

    `absent` are the parameters that are left out with None as default, `given` those that need not be given, each with
    its default and the call without it.
    """
    args, kwargs = call
    for name, (default, without) in given.items():
        yield f"the default {default!r} for {name}", without
    tensors = [leaf for leaf in tree_flatten_with_path(call)[0] if isinstance(leaf[1], torch.Tensor)]
    shapes = {leaf.shape: leaf for _, leaf in tensors if leaf.dim() and not leaf.is_complex()}
    for name in absent:
        for leaf in list(shapes.values())[:2]:
            for kind, value in (("a mask", leaf > 0), ("a tensor", leaf), ("a mask of rows", leaf.select(-1, 0) > 0)):
                if value.dim() or kind != "a mask of rows":
                    yield f"{kind} for {name}", (args, {**kwargs, name: value})


def with_defaults(call: Any, defaults: Mapping[str, Any], words: Collection[str]) -> Iterator[tuple[str, Any]]:
    """The call with another value than the default for one of the parameters that it leaves out."""
    args, kwargs = call
    for name, default in defaults.items():
        for _, changed in other_arguments(((), {name: default}), words):
            yield f"{name}={changed[1][name]!r}", (args, {**kwargs, **changed[1]})


def names_in(text: str, path: str, watch: Iterable[Rows]) -> tuple[set[str], set[str], set[str]]:
    """The attributes that functions on the watched rows, and those that they call, read; the strings in them; and
    their local and global names."""
    rows = [(start, end) for file, start, end in watch if file == path]
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    wanted = [each for each in functions if any(s <= (each.end_lineno or 0) and each.lineno <= e for s, e in rows)]
    for function in wanted:  # which grows
        called = {_name(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
        wanted += [each for each in functions if each.name in called and each not in wanted]
    nodes = [node for function in wanted for statement in function.body for node in ast.walk(statement)]
    read = {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return read, {word for word in strings if word.isidentifier()}, names


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def plain_attributes(model: Any) -> dict[tuple[str, tuple[Any, ...]], Any]:
    """The plain values that modules and their classes hold, also in containers and objects, by place."""
    found: dict[tuple[str, tuple[Any, ...]], Any] = {}
    for prefix, module in model.named_modules() if isinstance(model, torch.nn.Module) else ():
        kinds = [kind for kind in type(module).__mro__ if not kind.__module__.startswith(("torch.", "builtins"))]
        held = {name: value for kind in reversed(kinds) for name, value in vars(kind).items()} | vars(module)
        for name, value in held.items():
            if not name.startswith("_") and name not in _MODULES_OWN:
                found |= {(prefix, path): plain for path, plain in _plain(value, (name,))}
    return found


def attribute_names(model: Any) -> set[tuple[str, str]]:
    """Everything that modules hold, by the path of the module and a name."""
    modules = model.named_modules() if isinstance(model, torch.nn.Module) else ()
    return {(prefix, name) for prefix, m in modules for name in (*vars(m), *m._parameters, *m._buffers, *m._modules)}


def _plain(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if is_plain(value):
        yield path, value
    elif len(path) < DEPTH and not isinstance(value, torch.Tensor | torch.nn.Module | type):
        for key, inner in islice(_items(value), MOST_ITEMS):
            yield from _plain(inner, (*path, key))


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list | tuple):
        return enumerate(value)
    return [each for each in getattr(value, "__dict__", {}).items() if not callable(value)]


def other_attributes(
    found: Mapping[tuple[str, tuple[Any, ...]], Any],
    read: Collection[str],
    words: Collection[str],
    distances: Iterable[float] = (),
) -> Iterator[tuple[str, Change]]:
    """Changes of the attributes that are read, by name; of what lies in an object or a dict, where its name is, too.

    `distances` are those of comparisons whose sides no inputs make equal: a number that counts calls may.
    """
    for (prefix, path), value in found.items():
        if path[0] in read and all(key in read or key in words for key in path[1:] if isinstance(key, str)):
            where = ".".join(filter(None, (prefix, *map(str, path))))
            moved = [value - type(value)(each) for each in distances if type(value) in (int, float)]
            values = dict.fromkeys([*moved, *others(value, words)])
            yield from ((f"{other!r} for {where}", (prefix, path, other)) for other in values)


@contextmanager
def changed_attribute(model: torch.nn.Module, change: Change) -> Iterator[None]:
    """Inside, a value in the model is another one.

    Raises:
        LookupError, AttributeError: there is no such place.
    """
    prefix, path, value = change
    undo: list[tuple[Any, Any, Any]] = []
    _put(model.get_submodule(prefix), path, value, undo)
    try:
        yield
    finally:
        for holder, key, old in reversed(undo):
            _set(holder, key, old)


def _put(holder: Any, path: tuple[Any, ...], value: Any, undo: list[tuple[Any, Any, Any]]) -> Any:
    """Change what lies at the path; the answer is the holder, or for a tuple one that is put into its place."""
    key, *rest = path
    old = holder[key] if isinstance(holder, dict | list | tuple) else getattr(holder, key)
    new = _put(old, tuple(rest), value, undo) if rest else value
    if not rest and isinstance(value, enum.Enum) and isinstance(old, enum.Enum):
        new = type(old)[value.name]  # of the class as it was loaded last
    if isinstance(holder, tuple):
        parts = (*holder[:key], new, *holder[key + 1 :])
        return type(holder)(*parts) if hasattr(holder, "_fields") else type(holder)(parts)
    if new is not old:
        _set(holder, key, new)
        undo.append((holder, key, old))
    return holder


def _set(holder: Any, key: Any, value: Any) -> None:
    if isinstance(holder, dict | list):
        holder[key] = value
    else:
        setattr(holder, key, value)
