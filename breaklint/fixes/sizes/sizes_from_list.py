"""Sizes looped out of a tensor that was made of a list, here or in the caller: looped out of the list itself."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.fixes.base import UNSAFE, FixRequest, Rewrite, Verdict, codemod
from breaklint.fixes.rewrite import Change, Replaced
from breaklint.fixes.sizes.integer_uses import IntegerUses
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.lattice import Value
from breaklint.interp.objects import class_of
from breaklint.interp.values import Shape, constant_kind
from breaklint.project.module import FunctionInfo
from breaklint.project.walking import walk

WHY = (
    "integers of Python take the place of tensors without dimensions: a quotient of two of them is rounded like a "
    "Python float, and raises for a division by zero, what exceeds 64 bits does not wrap around, the error about a "
    "wrong size has other words, and what changes the list or the tensor behind the place where one is made of the "
    "other changes the sizes no longer, or now"
)
WHY_PASSED = "; other callers pass a list"
MAKERS = ("torch.tensor({items})", "torch.as_tensor({items})")
OPTIONS = frozenset({"device", "dtype"})
INTEGERS = frozenset({"torch.long", "torch.int64"})
DEPTH = 3  # of functions that hand the tensor on


class Listed(NamedTuple):
    """The name of the list in a function, and what has to change so that it is there."""

    name: str
    changes: tuple[Change, ...] = ()


@codemod
def sizes_from_list(request: FixRequest) -> Rewrite | None:
    """`t = torch.tensor(sizes)`, `for h, w in t: x.view(h, w)` -> `for h, w in sizes: x.view(h, w)`.

    None where no loop around takes its numbers from a tensor under a name.
    """
    loop, name, names = _loop(request)
    if loop is None or name is None:
        return None
    listed = _list_of(request, name.id, loop)
    if listed is None:
        return None
    IntegerUses(request, loop).check(names)
    if any(
        isinstance(request.scope.parent(store), ast.AugAssign) for each in names for store in request.scope.stores(each)
    ):
        return None  # of a tensor this changes the row that it is taken from
    changes = (*listed.changes, *((Replaced(name, listed.name),) if listed.name != name.id else ()))
    why = WHY + (WHY_PASSED if listed.changes or request.definition(name.id, loop).is_outer else "")
    return Verdict(UNSAFE, why, f"Take the sizes from `{listed.name}`").rewrite(*changes)


def _loop(request: FixRequest) -> tuple[ast.For | None, ast.Name | None, list[str]]:
    """The loop around the finding that gives it its sizes, the tensor it runs over, and what it calls its numbers."""
    read = {part.id for part in walk(request.node) if isinstance(part, ast.Name)}
    for loop in request.scope.parents(request.node):
        if not isinstance(loop, ast.For):
            continue
        counted = request.matched(loop.iter, "enumerate({t})")
        items = counted["t"] if counted is not None else loop.iter
        target: ast.expr = loop.target
        if counted is not None:
            parts = target.elts if isinstance(target, ast.Tuple) else []
            target = parts[1] if len(parts) == 2 else target
        names = [part.id for part in walk(target) if isinstance(part, ast.Name)]
        if isinstance(items, ast.Name) and read & set(names):
            return loop, items, names
    return None, None, []


def _list_of(request: FixRequest, name: str, at: ast.AST, depth: int = 0) -> Listed | None:
    """The list that a tensor under a name was made of, by the name that this function has for it."""
    definition = request.definition(name, at)
    if not definition.is_outer:
        return _made_of(request, definition.value, at)
    info = request.function
    if info is None or request.scope.stores(name) or depth == DEPTH:
        return None
    call = _only_call(request, info)
    caller = _function_around(request, call) if call is not None else None
    if call is None or caller is None:
        return None
    given = _arguments(info, call)
    argument = given.get(name)
    if not isinstance(argument, ast.Name):
        return None
    outer = _list_of(request.within(caller), argument.id, call, depth + 1)
    if outer is None:
        return None
    for other, value in given.items():
        passed = isinstance(value, ast.Name) and value.id == outer.name and not request.scope.stores(other)
        if passed and other != name:
            return Listed(other, outer.changes)
    if not all(_is_looped_over(request, load) for load in request.scope.loads(name)):
        return None
    return Listed(name, (*outer.changes, Replaced(argument, outer.name)))


def _made_of(request: FixRequest, made: ast.expr | None, at: ast.AST) -> Listed | None:
    """The list of `torch.as_tensor(sizes, dtype=torch.long)`, where it is one of integers that keeps its name."""
    if not isinstance(made, ast.Call) or len(made.args) != 1 or {each.arg for each in made.keywords} - OPTIONS:
        return None
    plain = ast.Call(made.func, made.args, [])
    found = request.matched(plain, *MAKERS)
    kind = next((each.value for each in made.keywords if each.arg == "dtype"), None)
    if found is None or not isinstance(found["items"], ast.Name):
        return None
    items = found["items"]
    if (kind is not None and request.qualified(kind) not in INTEGERS) or not _of_integers(request.value(items), 2):
        return None
    here, there = (request.definition(items.id, place) for place in (items, at))
    late = [load for load in request.scope.loads(items.id) if request.flow.may_precede(made, load)]
    changed = any(isinstance(request.scope.parent(load), (ast.Attribute, ast.Subscript)) for load in late)
    changed |= any(isinstance(request.scope.parent(store), ast.AugAssign) for store in request.scope.stores(items.id))
    return Listed(items.id) if here.version == there.version and not here.is_outer and not changed else None


def _of_integers(value: Value, depth: int) -> bool:
    """Whether a value is a row of integers, or of such rows."""
    if isinstance(value, Shape):
        return True
    if not isinstance(value, (Sequence, Tuple)) or not depth:
        return constant_kind(value) == "int"
    items = list(value.items or ())
    if isinstance(value, Sequence) and value.element is not None:
        items = [value.element]
    return bool(items) and all(_of_integers(item, depth - 1) for item in items)


def _is_looped_over(request: FixRequest, load: ast.Name) -> bool:
    around = request.scope.parent(load)
    if isinstance(around, ast.Call) and request.matched(around, "enumerate({t})") is not None:
        load, around = around, request.scope.parent(around)  # type: ignore[assignment]
    return isinstance(around, ast.For) and around.iter is load


def _only_call(request: FixRequest, info: FunctionInfo) -> ast.Call | None:
    """The one call of a function in its file, None where there are none or several."""
    name, calls = getattr(info.node, "name", ""), []
    for part in walk(info.module.tree):
        if not isinstance(part, ast.Call):
            continue
        if name == "forward" and info.cls is not None:
            found = class_of(request.value(part.func)) is info.cls
        else:
            found = name in (getattr(part.func, "attr", None), getattr(part.func, "id", None))
        calls += [part] if found else []
    return calls[0] if len(calls) == 1 else None


def _function_around(request: FixRequest, call: ast.Call) -> FunctionInfo | None:
    """The method of a class of the file, or its function, in whose body a call stands."""
    functions = [each for cls in request.module.classes for each in cls.methods.values()]
    functions += [each for each in request.module.names.values() if isinstance(each, FunctionInfo)]
    by_node = {each.node: each for each in functions if each.module is request.module}
    around = request.module.scope(request.module.tree).parents(call)
    return next((by_node[each] for each in around if each in by_node), None)


def _arguments(info: FunctionInfo, call: ast.Call) -> dict[str, ast.expr]:
    """What a call gives to the parameters of a function; nothing where arguments are unpacked."""
    static = any(
        isinstance(each, ast.Name) and each.id == "staticmethod" for each in getattr(info.node, "decorator_list", ())
    )
    names = [each.arg for each in (*info.node.args.posonlyargs, *info.node.args.args)]
    names = names[1:] if info.cls is not None and not static else names
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return {}
    return {**dict(zip(names, call.args, strict=False)), **{each.arg: each.value for each in call.keywords if each.arg}}
