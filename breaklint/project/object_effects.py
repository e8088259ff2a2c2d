"""Effects of code on the objects that its names refer to, by its text: of a method on its own object, of a function on
its arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from breaklint.project.module import FunctionInfo
from breaklint.project.object_uses import Chain, Effects, ObjectUses, PassedObject, Path
from breaklint.project.walking import walk

ANY: Final = "*"  # an attribute whose name is not known
ITSELF: Final = ""  # not an attribute: the items of the object itself
INSIDE: Final = "[]"  # no attribute, but an object that it contains
CALL: Final = "__call__"
# No schema: methods of nn.Module that store their argument under a name.
NAMING: Final = frozenset({"register_buffer", "register_parameter", "add_module", "register_module", "__setattr__"})
HOOKS: Final = "<hooks>"  # the attribute with the forward hooks that a constructor registers
BACKWARD_HOOKS: Final = "<backward hooks>"  # whether a module has some
# Methods of nn.Module that register hooks.
REGISTERING: Final = frozenset({
    "register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook", "register_backward_hook",
    "register_full_backward_pre_hook",
})  # fmt: skip
# Methods of Python's containers that change them.
GROWING: Final = frozenset(
    "append appendleft extend extendleft insert add update setdefault pop popitem popleft remove discard clear "
    "sort reverse".split()
)
NO_EFFECTS: Final = Effects(frozenset(), frozenset(), frozenset())
_UNKNOWN: Final = ("?", ())  # no chain
_BINDING: Final = frozenset({ast.Assign, ast.For, ast.AsyncFor, ast.comprehension})
_DISPLAYS: Final = frozenset({ast.Tuple, ast.List, ast.Set, ast.Dict, ast.BoolOp, ast.IfExp, ast.Starred})


def effects(info: FunctionInfo, name: str | None = None) -> Effects:
    """The effects of a function on the object of a parameter; of a method, on its own object."""
    if name is None:
        spec = info.node.args
        name = next((parameter.arg for parameter in (*spec.posonlyargs, *spec.args)), "")
    uses, by_name = info.derive(_uses)
    result = by_name.get(name)
    if result is None:
        result = by_name[name] = effects_of(uses, name)
    return result


def _uses(info: FunctionInfo) -> tuple[ObjectUses, dict[str, Effects]]:
    """The uses of objects in a function, and the effects on the objects of its names as far as they are computed."""
    return object_uses(walk(info.node)), {}


def effects_of(uses: ObjectUses, owner: str) -> Effects:
    """The effects of code on the object of a name."""
    if owner not in uses.names and not uses.supers and not uses.hooks:
        return NO_EFFECTS
    paths: dict[str, list[Path]] = {owner: [()]}  # from the object to the values of names
    for name, chains in uses.bindings:
        result = [path for chain in chains for path in _paths(chain, paths)]
        if result:
            paths[name] = [*paths.get(name, ()), *result]
    reads = {start + chain[1] for chain in uses.reads if chain[0] in paths for start in paths[chain[0]]}
    reads.update((name,) for name in uses.supers)
    changed = [start + chain[1] for chain in uses.changes if chain[0] in paths for start in paths[chain[0]]]
    stores = {path[0] if path else ITSELF for path in changed}
    for chain, name in uses.named_stores:
        stores.update(path[0] if path else name for path in _paths(chain, paths))
    stores.update(_grown(reads))
    if uses.hooks:
        stores.add(HOOKS)
    passed_objects = set[PassedObject]()
    for callee, argument, place in uses.passed:
        for path in _paths(argument, paths) if argument[0] in paths else ():
            methods = _paths(callee, paths)
            passed_objects.add(PassedObject(("", methods[0]) if methods else callee, ("", path), place))
    return Effects(frozenset(stores), frozenset(reads), frozenset(passed_objects))


def _paths(chain: Chain, paths: dict[str, list[Path]]) -> list[Path]:
    """The paths from the object to the value of a chain."""
    starts = paths.get(chain[0])
    return [start + chain[1] for start in starts] if starts else []


def _grown(paths: Iterable[Path]) -> Iterator[str]:
    """The attributes whose objects a method changes in place."""
    for path in paths:
        to, method = (path[:-2], path[-2]) if path[-1] == CALL and len(path) > 1 else (path[:-1], path[-1])
        if method in GROWING or (method in NAMING and to):
            yield to[0] if to else ITSELF


def object_uses(nodes: list[ast.AST]) -> ObjectUses:
    """The effects on the objects of names, by all nodes of the code."""
    names: set[str] = set()
    reads: set[Chain] = set()
    changes: set[Chain | None] = set()
    bindings: list[tuple[str, list[Chain]]] = []
    supers: set[str] = set()
    named_stores: set[tuple[Chain, str]] = set()
    passed_objects: list[PassedObject] = []
    hooks = False
    for node in nodes:
        if node.__class__ is ast.Name:
            names.add(node.id)
        elif node.__class__ is ast.Attribute or node.__class__ is ast.Subscript:
            chain = _chain(node if node.__class__ is ast.Attribute else node.value)
            if chain is not None and node.ctx.__class__ is not ast.Load:
                changes.add(chain)
            if chain is not None and node.__class__ is ast.Attribute:
                reads.add(chain)
        elif node.__class__ is ast.Call:
            callee = _chain(node.func)
            if callee is not None:
                reads.add((callee[0], (*callee[1], CALL)))
            elif node.func.__class__ is ast.Attribute and is_super(node.func.value):
                supers.add(node.func.attr)
            hooks = hooks or (node.func.__class__ is ast.Attribute and node.func.attr in REGISTERING)
            named_stores.update(_named_stores(node))
            passed_objects += _passed_objects(node, callee or _UNKNOWN)
        elif node.__class__ is ast.AugAssign:
            changes.add(_chain(node.target) if node.target.__class__ is ast.Name else None)
        elif node.__class__ in _BINDING:
            bindings += _bindings(node)
    return ObjectUses(
        frozenset(names), frozenset(reads), frozenset(chain for chain in changes if chain is not None), (*bindings,),
        frozenset(supers), frozenset(named_stores), (*passed_objects,), hooks,
    )  # fmt: skip


def _bindings(node: ast.AST) -> Iterator[tuple[str, list[Chain]]]:
    """The name that a statement or comprehension binds, and the objects that its value may be or be contained in."""
    if isinstance(node, ast.Assign):
        bound, value = node.targets[0], node.value
        inside: Path = ()
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        bound, value, inside = node.target, node.iter, (INSIDE,)
    else:
        return
    result = [(name, path + inside) for name, path in _chains(value)] if isinstance(bound, ast.Name) else []
    if result and isinstance(bound, ast.Name):
        yield bound.id, result


def _chain(node: ast.expr) -> Chain | None:
    """A name with attributes and subscripts of it: the name, and the attributes."""
    path: Path = ()
    while node.__class__ is not ast.Name:
        if node.__class__ is ast.Attribute:
            path = (node.attr, *path)
            node = node.value
        elif node.__class__ is ast.Subscript:
            path = (INSIDE, *path)
            node = node.value
        elif node.__class__ is ast.Call and _is_name(node.func, "getattr") and len(node.args) > 1:
            path = (_constant_name(node.args[1:]), *path)
            node = node.args[0]
        else:
            return None
    return node.id, path


def _chains(node: ast.expr) -> list[Chain]:
    """The objects that an expression may return, or that its result may contain."""
    if node.__class__ not in _DISPLAYS:
        chain = _chain(node)
        return [] if chain is None else [chain]
    inside: Iterable[ast.expr]
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        inside = node.elts
    elif isinstance(node, (ast.Dict, ast.BoolOp)):
        inside = node.values
    elif isinstance(node, ast.IfExp):
        inside = (node.body, node.orelse)
    else:
        inside = (node.value,) if isinstance(node, ast.Starred) else ()
    return [chain for part in inside for chain in _chains(part)]


def _named_stores(call: ast.Call) -> Iterator[tuple[Chain, str]]:
    """The attributes that a call stores by name."""
    function = call.func
    if function.__class__ is ast.Name and function.id == "setattr" and call.args:
        owner, name = _chain(call.args[0]), _constant_name(call.args[1:])
    elif function.__class__ is ast.Attribute and function.attr in NAMING:
        owner, name = _chain(function.value), _constant_name(call.args)
    elif function.__class__ is ast.Attribute and function.attr in REGISTERING:
        owner, name = _chain(function.value), HOOKS
    else:
        return
    if owner is not None:
        yield owner, name


def _constant_name(arguments: list[ast.expr]) -> str:
    """The name that the first argument writes out."""
    name = arguments[0] if arguments else None
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ANY


def _passed_objects(call: ast.Call, callee: Chain) -> Iterator[PassedObject]:
    """The objects that a call passes, by the position of the argument that contains them."""
    starred = False
    for number, argument in enumerate(call.args):
        starred = starred or argument.__class__ is ast.Starred
        yield from [PassedObject(callee, chain, None if starred else number) for chain in _chains(argument)]
    for keyword in call.keywords:
        yield from [PassedObject(callee, chain, keyword.arg) for chain in _chains(keyword.value)]


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def is_super(node: ast.expr) -> bool:
    """Whether an expression is `super()`."""
    return isinstance(node, ast.Call) and _is_name(node.func, "super")
