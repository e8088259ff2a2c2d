"""Effects of calls on objects, class by class: the attributes that a method may store, and the effects of functions on
their arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from breaklint.project.class_hierarchy import ClassHierarchy
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.object_effects import ANY, INSIDE, ITSELF, effects
from breaklint.project.object_uses import Effects, PassedObject, Path
from breaklint.project.walking import dotted_name

DEPTH: Final = (
    3  # how far functions that call functions are looked into; the interpreter does not follow further either
)
_NOTHING: Final[frozenset[str]] = frozenset()


class _Effects(NamedTuple):
    """Effects of code in several modules."""

    stores: frozenset[str]
    paths: frozenset[Path]
    passed: frozenset[tuple[Module, PassedObject]]


_NO_EFFECTS: Final = _Effects(_NOTHING, frozenset(), frozenset())


class AttributeStores:
    """The stores of functions into their arguments: attributes by name, `ITSELF` for contents."""

    def __init__(self, classes: ClassHierarchy) -> None:
        self._classes = classes
        self._methods: dict[tuple[ClassInfo, str, int, ClassInfo | None], frozenset[str]] = {}
        self._lines: dict[tuple[ClassInfo, str], _Effects] = {}
        self._functions: dict[tuple[FunctionInfo, str, ClassInfo | None, int], frozenset[str]] = {}
        self._attribute_class_cache: dict[ClassInfo, dict[str, ClassInfo | None]] = {}

    def may_store(
        self, cls: ClassInfo, name: str, depth: int = DEPTH, after: ClassInfo | None = None
    ) -> frozenset[str]:
        """The attributes of an object of class `cls` that calling its method `name` (that of a class `after`) may
        store."""
        key = (cls, name, depth, after)
        stores = self._methods.get(key)
        if stores is None:
            self._methods[key] = _NOTHING  # for methods that call each other
            one = self._of_line(cls, name) if after is None else self._of_rest(cls, name, after)
            stores = self._methods[key] = self._reach(cls, one, depth)
        return stores

    def _of_line(self, cls: ClassInfo, name: str) -> _Effects:
        """The effects of the methods `name` of a class and its bases on their object."""
        result = self._lines.get((cls, name))
        if result is None:
            self._lines[cls, name] = _NO_EFFECTS  # for classes that derive from each other
            result = self._lines[cls, name] = self._with_bases(cls, name, _own(cls, name))
        return result

    def _with_bases(self, cls: ClassInfo, name: str, own: _Effects) -> _Effects:
        """`own` and the effects of the bases of the class, without recursion."""
        for base in self._classes.bases(cls):
            if isinstance(base, ClassInfo):
                own = _both(own, self._of_line(base, name))
        return own

    def _of_rest(self, cls: ClassInfo, name: str, after: ClassInfo) -> _Effects:
        """The same for the classes that follow `after` in the MRO of `cls`."""
        mro = self._classes.mro(cls)
        rest = mro[mro.index(after) + 1 :] if after in mro else mro
        if rest == self._classes.mro(after)[1:]:
            return self._with_bases(after, name, _NO_EFFECTS)
        result = _NO_EFFECTS
        for item in rest:
            if isinstance(item, ClassInfo):
                result = _both(result, _own(item, name))
        return result

    def reach(self, cls: ClassInfo | None, module: Module, one: Effects, depth: int = DEPTH) -> frozenset[str]:
        """The attributes that code and its callees may store in an object of a class (None: unknown).

        An effect on the contents of an instance may store any of its attributes.
        """
        return self._reach(cls, _in_module(module, one), depth)

    def _reach(self, cls: ClassInfo | None, one: _Effects, depth: int) -> frozenset[str]:
        result = set(one.stores)
        if cls is not None and not result.isdisjoint((ITSELF, INSIDE)):
            result = result - {ITSELF, INSIDE} | {ANY}
        if cls is not None and depth > 0:
            created: dict[str, ClassInfo | None] | None = None
            for path in one.paths:
                if len(path) > 1:
                    created = self._attribute_classes(cls) if created is None else created
                    first = path[0]  # most contain no instance of the project
                    if created.get(first) is not None and first not in result and self._changes(cls, path, depth - 1):
                        result.add(first)
                elif depth > 1 and self._classes.method(cls, path[0]) is not None:
                    result |= self.may_store(cls, path[0], depth - 1)
        for module, argument in one.passed if depth > 0 else ():
            path = argument.object[1]
            if not path:
                result |= self._by_call(cls, module, argument, cls, depth - 1)
            elif path[0] not in result:
                owner = None if cls is None else self._class_of(cls, path)
                if self._by_call(cls, module, argument, owner, depth - 1):
                    result.add(path[0])
        return frozenset(result)

    def _changes(self, cls: ClassInfo, path: Path, depth: int) -> bool:
        """Whether a call of a path may change the object whose method it is."""
        owner, name = self._class_of(cls, path[:-1]), path[-1]
        return owner is not None and bool(self.may_store(owner, name, depth))

    def _by_call(
        self, cls: ClassInfo | None, module: Module, argument: PassedObject, owner: ClassInfo | None, depth: int
    ) -> frozenset[str]:
        """The possible stores of a call into an argument of the class `owner`."""
        info = self._callee(cls, module, argument)
        if info is None:
            return _NOTHING
        return self.stores_into(info, argument.place, owner, depth)

    def stores_into(
        self, info: FunctionInfo, place: int | str | None, owner: ClassInfo | None = None, depth: int = DEPTH
    ) -> frozenset[str]:
        """The possible stores of a function into an argument of the class `owner`."""
        result = _NOTHING
        spec = info.node.args
        for name in _parameters(info, place):
            key = (info, name, owner, depth)
            stores = self._functions.get(key)
            if stores is None:
                self._functions[key] = _NOTHING  # for functions that call each other
                stores = self._functions[key] = self.reach(owner, info.module, effects(info, name), depth)
            created = [rest for rest in (spec.vararg, spec.kwarg) if rest is not None and rest.arg == name]
            result |= stores - {ITSELF} if created else stores  # the call itself creates `*args` and `**kwargs`
        return result

    def _callee(self, cls: ClassInfo | None, module: Module, argument: PassedObject) -> FunctionInfo | None:
        """The function of the project that a call calls."""
        name, path = argument.callee
        if not name:
            owner = None if cls is None or not path else self._class_of(cls, path[:-1])
            return None if owner is None else self._classes.method(owner, path[-1])
        result = self._classes.resolve(module, ".".join((name, *path)))
        if isinstance(result, ClassInfo):
            return self._classes.method(result, "__init__")
        return result if isinstance(result, FunctionInfo) else None

    def _class_of(self, cls: ClassInfo, path: Path) -> ClassInfo | None:
        """The class of the object at a path, if constructors determine it."""
        current: ClassInfo | None = cls
        for name in path:
            current = None if current is None else self._attribute_classes(current).get(name)
        return current

    def _attribute_classes(self, cls: ClassInfo) -> dict[str, ClassInfo | None]:
        """The classes of the project whose objects the constructors of a class store in attributes."""
        classes = self._attribute_class_cache.get(cls)
        if classes is None:
            classes = self._attribute_class_cache[cls] = {}
            for base in self._classes.mro(cls):
                init = base.methods.get("__init__") if isinstance(base, ClassInfo) else None
                if init is None:
                    continue
                for name, function in _created_attributes(init):
                    result = self._classes.resolve(init.module, function)
                    classes.setdefault(name, result if isinstance(result, ClassInfo) else None)
        return classes


def _own(cls: ClassInfo, name: str) -> _Effects:
    """The effects of a method of the class itself on its object, without those of the method that it overrides."""
    info = cls.methods.get(name)
    if info is None:
        return _NO_EFFECTS
    one = effects(info)
    return _in_module(info.module, one._replace(paths=one.paths - {(name,)}))


def _in_module(module: Module, one: Effects) -> _Effects:
    return _Effects(one.stores, one.paths, frozenset((module, argument) for argument in one.passed))


def _both(first: _Effects, second: _Effects) -> _Effects:
    if first is _NO_EFFECTS or second is _NO_EFFECTS:
        return second if first is _NO_EFFECTS else first
    return _Effects(first.stores | second.stores, first.paths | second.paths, first.passed | second.passed)


def _created_attributes(init: FunctionInfo) -> Iterator[tuple[str, str]]:
    """The attributes in which a constructor stores results of calls, with the callees."""
    for node in init.node.body if isinstance(init.node, ast.FunctionDef) else ():
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            target, function = node.targets[0], dotted_name(node.value.func)
            if isinstance(target, ast.Attribute) and function is not None:
                yield target.attr, function


def _parameters(info: FunctionInfo, place: int | str | None) -> list[str]:
    """The parameters that an argument may be bound to: by position (past the object of a method), by name, or any."""
    spec = info.node.args
    names = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)][info.cls is not None :]
    rest = [parameter.arg for parameter in (spec.vararg, spec.kwarg) if parameter is not None]
    if isinstance(place, str):
        keywords = [*names, *(parameter.arg for parameter in spec.kwonlyargs)]
        return [place] if place in keywords else rest[-1:]
    if place is None:
        return [*names, *(parameter.arg for parameter in spec.kwonlyargs), *rest]
    return [names[place]] if place < len(names) else rest[:1]
