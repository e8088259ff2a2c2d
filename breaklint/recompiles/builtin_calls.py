"""Calls of builtins, of methods of modules and dicts, and of library functions that are no operation of a graph."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from breaklint.project.module import ClassInfo
from breaklint.recompiles.objects import UNKNOWN, Bound, Closure, DefaultDict, Deque, External, Obj, Tensor, Unknown
from breaklint.recompiles.optimizers import parameters
from breaklint.recompiles.python_operations import run_model, run_python
from breaklint.recompiles.scopes import MISSING
from breaklint.recompiles.shapes import product
from breaklint.recompiles.symbols import Sym, concrete, key_of, specialised, symbolic

if TYPE_CHECKING:
    from breaklint.recompiles.expressions import Expressions

KINDS: Final[dict[str, Any]] = {
    "builtins.int": int,
    "builtins.float": float,
    "builtins.str": str,
    "builtins.bool": bool,
    "builtins.list": list,
    "builtins.tuple": tuple,
    "builtins.dict": dict,
    "builtins.set": set,
    "torch.Tensor": Tensor,
}
# Builtins that are called as they are.
PLAIN: Final[dict[str, Any]] = {
    "range": range,
    "round": round,
    "divmod": divmod,
    "slice": slice,
    "abs": abs,
    "pow": pow,
    "id": id,
}


def call(machine: Expressions, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call of a builtin gives."""
    special = SPECIAL.get(name)
    if special is not None:
        return run_model(special, machine, *args, **kwargs)
    args = [machine.force(each) for each in args]
    if name in ("list", "tuple", "set", "sorted", "reversed", "enumerate", "iter", "any", "all", "sum", "frozenset"):
        return _over_items(machine, name, args, kwargs)
    if any(isinstance(each, Unknown) for each in args):
        return UNKNOWN
    if name in ("int", "float", "round") and args and isinstance(args[0], Sym) and len(args) == 1:
        return symbolic(name, args[0])
    if name == "bool" and args:
        return machine.truth(args[0])
    if name == "str" and args:
        fixed = specialised(args[0])
        return str(fixed) if isinstance(fixed, (bool, int, float, str)) else UNKNOWN
    if name in ("int", "float", "str", "bool") and not args:
        return run_python(KINDS[f"builtins.{name}"], **kwargs)
    if name in ("int", "float") and args:
        return UNKNOWN if isinstance(args[0], Tensor) else run_python(KINDS[f"builtins.{name}"], *args, **kwargs)
    if name == "dict":
        return run_python(dict, *args, **kwargs)
    return run_python(PLAIN[name], *args, **kwargs) if name in PLAIN else UNKNOWN


def _over_items(machine: Expressions, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    items = machine.iterated(args[0]) if args else []
    if items is None:
        return UNKNOWN
    if name == "enumerate":
        start = args[1] if len(args) > 1 else kwargs.get("start", 0)
        return [(machine.operate(ast.Add(), start, index), each) for index, each in enumerate(items)]
    if name in ("any", "all"):
        for each in items:
            truth = machine.truth(each)
            if truth is (name == "any"):
                return truth
            if truth is None:
                return UNKNOWN
        return name == "all"
    if name == "sum":
        total: Any = args[1] if len(args) > 1 else 0
        for each in items:
            total = machine.operate(ast.Add(), total, machine.force(each))
        return total
    if name == "sorted":
        return UNKNOWN if kwargs else run_python(sorted, [machine.force(each) for each in items])
    if name in ("set", "frozenset"):
        return {key_of(machine.force(each)) for each in items}
    return tuple(items) if name == "tuple" else items[::-1] if name == "reversed" else items


def _len(machine: Expressions, value: Any) -> Any:
    value = machine.force(value)
    if isinstance(value, Tensor):
        return value.shape[0] if value.shape else UNKNOWN
    if isinstance(value, Obj):
        items = machine.iterated(value)
        return UNKNOWN if items is None else len(items)
    if isinstance(value, dict) and machine.trace is not None and id(value) in machine.trace.keys:
        source, count = machine.trace.keys[id(value)], len(value)
        machine.trace.guard(f"len({source.text}) == {count}", lambda world: len(source.read(world)) == count, source)
    return run_python(len, value)


def _zip(machine: Expressions, *args: Any, **_: Any) -> Any:
    lists = [machine.iterated(each) for each in args]
    return UNKNOWN if any(each is None for each in lists) else list(zip(*(each or [] for each in lists), strict=False))


def _map(machine: Expressions, function: Any, *args: Any) -> Any:
    items = _zip(machine, *args)
    if isinstance(items, Unknown):
        return UNKNOWN
    return [machine.call(machine.force(function), list(each), {}) for each in items]


def _extreme(machine: Expressions, name: str, args: tuple[Any, ...]) -> Any:
    items = machine.iterated(args[0]) if len(args) == 1 else [*args]
    forced = [machine.force(each) for each in items or []]
    if not forced or any(isinstance(each, (Unknown, Tensor)) for each in forced):
        return UNKNOWN
    result, plain = forced[0], max if name == "max" else min
    for each in forced[1:]:
        is_symbolic = isinstance(result, Sym) or isinstance(each, Sym)
        result = symbolic(name, result, each) if is_symbolic else run_python(plain, result, each)
    return UNKNOWN if result is NotImplemented else result


def _max(machine: Expressions, *args: Any, **_: Any) -> Any:
    return _extreme(machine, "max", args)


def _min(machine: Expressions, *args: Any, **_: Any) -> Any:
    return _extreme(machine, "min", args)


def _isinstance(machine: Expressions, value: Any, kinds: Any) -> Any:
    value, kinds = machine.force(value), machine.force(kinds)
    if isinstance(value, Unknown):
        return UNKNOWN
    results = [_is_a(machine, value, kind) for kind in (kinds if isinstance(kinds, tuple) else (kinds,))]
    return True if True in results else UNKNOWN if None in results else False


def _is_a(machine: Expressions, value: Any, kind: Any) -> bool | None:
    if isinstance(kind, External) and kind.name in KINDS:
        wanted = KINDS[kind.name]
        found = concrete(value)
        return isinstance(found, wanted)
    if isinstance(value, Obj) and isinstance(kind, ClassInfo):
        return isinstance(value.cls, ClassInfo) and kind in machine.project.mro(value.cls)
    if isinstance(value, Obj) and isinstance(kind, External):
        return value.cls == kind.name if isinstance(value.cls, str) else kind.name in machine.project.mro(value.cls)
    return None if isinstance(value, (Obj, Closure)) or isinstance(kind, Unknown) else False


def _getattr(machine: Expressions, owner: Any, name: Any, default: Any = MISSING) -> Any:
    owner, name = machine.force(owner), machine.force(name)
    if isinstance(owner, Obj) and default is not MISSING and key_of(name) not in owner.attrs:
        found = machine.attribute(owner, name)
        return default if isinstance(found, (Unknown, Bound)) and not _is_method(found) else found
    return machine.attribute(owner, name)


def _is_method(found: Any) -> bool:
    return isinstance(found, Bound) and isinstance(found.function, Closure)


def _hasattr(machine: Expressions, owner: Any, name: Any) -> Any:
    owner = machine.force(owner)
    name = machine.force(name)
    if not isinstance(owner, Obj) or not isinstance(name, str):
        return UNKNOWN
    return name in owner.attrs or _is_method(machine.attribute(owner, name))


def _setattr(machine: Expressions, owner: Any, name: Any, value: Any) -> None:
    owner = machine.force(owner)
    if isinstance(owner, Obj) and isinstance(name, str):
        owner.store(name, value)
        machine.note_change(owner, name=name)


def _next(machine: Expressions, iterator: Any, *_: Any) -> Any:
    iterator = machine.force(iterator)
    if not isinstance(iterator, Obj) or iterator.cls != "itertools.count":
        return UNKNOWN
    value = machine.force(iterator.load("next"))
    iterator.store("next", machine.operate(ast.Add(), value, machine.force(iterator.load("step"))))
    machine.note_change(iterator, name="next")
    return value


def _type(machine: Expressions, value: Any, *_: Any) -> Any:
    value = machine.force(value)
    return value.cls if isinstance(value, Obj) else UNKNOWN


def _print(machine: Expressions, *args: Any, **_: Any) -> None:
    if machine.trace is not None:
        machine.trace.broke = True


def _callable(machine: Expressions, value: Any) -> Any:
    return isinstance(machine.force(value), (Closure, Bound, Obj))


def product_of(sizes: Any = UNKNOWN) -> Any:
    """`math.prod` of sizes."""
    return product(sizes) if isinstance(sizes, (list, tuple)) else UNKNOWN


def module_method(machine: Expressions, owner: Obj, name: str, args: list[Any]) -> Any:
    """Methods of `torch.nn.Module` and of its containers."""
    if name in ("register_buffer", "register_parameter", "add_module") and len(args) > 1:
        value = args[1]
        is_tensor = isinstance(value, Tensor)
        made = Tensor(value.shape, value.dtype, value.requires_grad, is_static=True) if is_tensor else value
        if name != "add_module":
            owner.static.add(str(args[0]))
        owner.store(str(args[0]), made)
        return None
    if name in ("append", "extend", "insert") and "modules" in owner.attrs:
        added = args if name == "append" else machine.iterated(args[-1]) if args else None
        known = machine.iterated(owner)
        owner.attrs["modules"] = UNKNOWN if added is None or known is None else [*known, *added]
        return owner
    if name in ("items", "values", "keys") and "names" in owner.attrs:
        names = owner.attrs["names"]
        pairs = [(each, owner.load(each)) for each in names]
        return pairs if name == "items" else [each for _, each in pairs] if name == "values" else list(names)
    if name in ("train", "eval", "to", "cuda", "cpu", "half", "float", "apply", "requires_grad_"):
        if name in ("train", "eval"):
            set_training(owner, name == "train" and (not args or args[0] is True), set())
        return owner
    if name == "parameters":
        return parameters(machine, owner, set())
    if name in ("__init__", "post_init"):
        return None
    return machine.call(owner if name in ("forward", "__call__") else UNKNOWN, args, {})


def set_training(owner: Any, value: bool, seen: set[int]) -> None:
    """Set the training flag of a module and of all its parts."""
    if id(owner) in seen:
        return
    seen.add(id(owner))
    if isinstance(owner, (list, tuple)):
        for each in owner:
            set_training(each, value, seen)
    elif isinstance(owner, Obj) and owner.is_module:
        owner.attrs["training"] = value
        for each in owner.attrs.values():
            if isinstance(each, (Obj, list, tuple)):
                set_training(each, value, seen)


def dict_method(
    machine: Expressions, owner: dict[Any, Any], name: str, args: list[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Methods of dicts; which keys are looked at is guarded."""
    if name in ("get", "pop", "setdefault") and args and not isinstance(args[0], Unknown):
        key, default = key_of(args[0]), args[1] if len(args) > 1 else None
        if machine.contains(owner, key):
            return machine.force(owner.pop(key) if name == "pop" else owner[key])
        if name == "setdefault":
            owner[key] = default
        return default
    if name in ("items", "keys", "values"):
        machine.iterated(owner)
        return list(getattr(owner, name)())
    if name == "update":
        owner.update(args[0] if args and isinstance(args[0], dict) else {}, **kwargs)
    if name == "clear":
        owner.clear()
    return UNKNOWN if name not in ("update", "copy", "clear") else {**owner} if name == "copy" else None


def library_call(machine: Expressions, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A function outside of torch's graphs: what it gives is not known, except for a few."""
    if name == "functools.partial" and args:
        return UNKNOWN
    if name in ("torch.is_grad_enabled", "torch.compiler.is_compiling"):
        return True
    if name == "copy.copy" and args and isinstance(args[0], list):
        return [*args[0]]
    if name == "collections.deque":
        bound = kwargs.get("maxlen", args[1] if len(args) > 1 else None)
        items = machine.iterated(args[0]) if args else []
        return Deque(items, bound) if items is not None and isinstance(bound, (int, type(None))) else UNKNOWN
    if name == "itertools.count":
        return Obj(name, {"next": args[0] if args else 0, "step": args[1] if len(args) > 1 else 1})
    if name == "collections.defaultdict":
        return DefaultDict(args[0] if args else None)
    if name == "collections.OrderedDict":
        return dict(args[0]) if args and isinstance(args[0], dict) else {}
    if name == "types.SimpleNamespace":
        return Obj(name, dict(kwargs))
    if machine.trace is not None:
        machine.trace.is_partial = True
    if not any(isinstance(each, Tensor) for each in args):
        return UNKNOWN
    machine.count()
    tensor = next(each for each in args if isinstance(each, Tensor))
    return tensor.like(None)


SPECIAL: Final[dict[str, Callable[..., Any]]] = {
    "len": _len,
    "zip": _zip,
    "map": _map,
    "max": _max,
    "min": _min,
    "isinstance": _isinstance,
    "getattr": _getattr,
    "hasattr": _hasattr,
    "setattr": _setattr,
    "next": _next,
    "type": _type,
    "print": _print,
    "callable": _callable,
}
