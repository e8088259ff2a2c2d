"""What methods do to their own object, as far as their text tells: what they store in it, what they call on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.project.class_hierarchy import ClassHierarchy
from breaklint.project.module import ClassInfo, Effects, FunctionInfo, Module
from breaklint.project.walking import dotted_name, walk

ANY: Final = "*"  # an attribute whose name is not known
DEPTH: Final = 3  # how far methods that call methods are looked into; the machine does not follow further either
NAMING: Final = frozenset({"register_buffer", "register_parameter", "add_module", "register_module", "__setattr__"})
Reach = tuple[frozenset[str], frozenset[str]]  # the attributes that are stored, and the methods that are called
_NOTHING: Final[Reach] = (frozenset(), frozenset())
HOOKS: Final = "<hooks>"  # under this name an object keeps the forward hooks that its constructor registers
BACKWARD_HOOKS: Final = "<backward hooks>"  # whether a module has some
REGISTERING: Final = frozenset({
    "register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook", "register_backward_hook",
    "register_full_backward_pre_hook",
})  # fmt: skip
GROWING: Final = frozenset("append extend insert add update setdefault pop remove clear".split())


class AttributeStores:
    """What methods may store in their object, worked out class by class."""

    def __init__(self, classes: ClassHierarchy) -> None:
        self._classes = classes
        self._known: dict[tuple[ClassInfo, str, int, ClassInfo | None], frozenset[str]] = {}
        self._reached: dict[tuple[ClassInfo, str], Reach] = {}

    def may_store(
        self, cls: ClassInfo, name: str, depth: int = DEPTH, after: ClassInfo | None = None
    ) -> frozenset[str]:
        """The attributes of an object of class `cls` that calling its method `name` (that of a class `after`) may
        store."""
        key = (cls, name, depth, after)
        known = self._known.get(key)
        if known is None:
            self._known[key] = frozenset()  # for methods that call each other
            stores, methods = self._reach(cls, name) if after is None else self._reach_after(cls, name, after)
            called = methods if depth > 1 else ()
            known = stores.union(*(self.may_store(cls, method, depth - 1) for method in called))
            self._known[key] = known
        return known

    def _reach(self, cls: ClassInfo, name: str) -> Reach:
        """What the methods `name` of a class and of all that it derives from store, and which methods they call."""
        known = self._reached.get((cls, name))
        if known is None:
            self._reached[cls, name] = _NOTHING  # for classes that derive from each other
            known = self._reached[cls, name] = self._with_bases(cls, name, self._own(cls, name))
        return known

    def _with_bases(self, cls: ClassInfo, name: str, own: Reach) -> Reach:
        """`own` and what the bases of the class add, known by then, however long a line they are."""
        for base in self._classes.bases(cls):
            if isinstance(base, ClassInfo):
                own = _both(own, self._reach(base, name))
        return own

    def _reach_after(self, cls: ClassInfo, name: str, after: ClassInfo) -> Reach:
        """The same for the classes that follow `after` in the MRO of `cls`."""
        mro = self._classes.mro(cls)
        rest = mro[mro.index(after) + 1 :] if after in mro else mro
        if rest == self._classes.mro(after)[1:]:
            return self._with_bases(after, name, _NOTHING)
        found = _NOTHING
        for item in rest:
            if isinstance(item, ClassInfo):
                found = _both(found, self._own(item, name))
        return found

    def _own(self, cls: ClassInfo, name: str) -> Reach:
        """The same for the class alone; what hands the object to a function of the project may store anything."""
        info = cls.methods.get(name)
        if info is None:
            return _NOTHING
        one = effects(info)
        handed = any(self._is_followed(cls.module, dotted) for dotted in one.functions)
        return (one.stores | {ANY} if handed else one.stores), one.methods

    def _is_followed(self, module: Module, dotted: str) -> bool:
        """Whether a call of that name leads into a function or class of the project."""
        return isinstance(self._classes.resolve(module, dotted), (ClassInfo, FunctionInfo))


def _both(first: Reach, second: Reach) -> Reach:
    return (first[0] | second[0], first[1] | second[1]) if first != _NOTHING else second


def effects(info: FunctionInfo) -> Effects:
    """What a method does to its own object, as far as its own text tells."""
    if info.effects is None:
        spec = info.node.args
        names = [parameter.arg for parameter in [*spec.posonlyargs, *spec.args][:1]]
        owner = names[0] if names else ""
        nodes = list(walk(info.node))
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        stores = frozenset((*_stored(nodes, owner), *stored_by_calls(calls, owner)))
        handed = (dotted_name(call.func) for call in calls if hands_over(call, owner))
        info.effects = Effects(stores, frozenset(methods_called(calls, owner)), frozenset(filter(None, handed)))
    return info.effects


def _stored(nodes: list[ast.AST], owner: str) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            node = node.value
        elif not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
            continue
        if isinstance(node, ast.Attribute) and _is_name(node.value, owner):
            yield node.attr


def stored_by_calls(calls: list[ast.Call], owner: str) -> Iterator[str]:
    """The attributes of `owner` that are stored by naming them, or grown by a method."""
    for call in calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in REGISTERING:
            yield HOOKS
            if isinstance(call.func.value, ast.Attribute) and _is_name(call.func.value.value, owner):
                yield call.func.value.attr
        if _is_name(call.func, "setattr") and call.args and _is_name(call.args[0], owner):
            yield _written(call.args[1:])
        elif isinstance(call.func, ast.Attribute) and _is_name(call.func.value, owner):
            if call.func.attr in NAMING:
                yield _written(call.args)
            elif call.func.attr in GROWING:
                yield ANY
        elif isinstance(call.func, ast.Attribute) and call.func.attr in GROWING:
            grown = call.func.value
            if isinstance(grown, ast.Attribute) and _is_name(grown.value, owner):
                yield grown.attr


def _written(arguments: list[ast.expr]) -> str:
    """The name that the first argument writes out."""
    name = arguments[0] if arguments else None
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ANY


def methods_called(calls: list[ast.Call], owner: str) -> Iterator[str]:
    """The methods that are called on the object, or on `super()`."""
    for call in calls:
        function = call.func
        if not isinstance(function, ast.Attribute):
            continue
        base = function.value
        if _is_name(base, owner) or is_super(base):
            yield function.attr


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def is_super(node: ast.expr) -> bool:
    """Whether an expression is `super()`."""
    return isinstance(node, ast.Call) and _is_name(node.func, "super")


def hands_over(call: ast.Call, owner: str) -> bool:
    """Whether the object itself is an argument, so that the function may store anything in it."""
    for argument in [*call.args, *[keyword.value for keyword in call.keywords]]:
        if isinstance(argument, ast.Name) and argument.id == owner:
            return True
    return False
