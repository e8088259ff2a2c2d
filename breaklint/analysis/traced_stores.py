"""Whether the interpreter has seen all that decides what values a function meets: every call of the function, and every
store in the attributes that it reads, in the files of its classes.

What was inferred of an attribute holds for what was traced. Other code may store something else in it: `reset()`, the
setter of a property, `train()`, `__setstate__`, which nothing traced calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from breaklint.analysis.contents import Contents
from breaklint.analysis.dependences import Dependences, dependences, stored_behind
from breaklint.analysis.function_reads import attribute_read, reads
from breaklint.analysis.model import FunctionModel
from breaklint.analysis.questions import quoted
from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import MAY_HOLD_CONTAINERS
from breaklint.interp.lattice import UNKNOWN, Value, join, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import without_none
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.object_effects import ANY, effects
from breaklint.project.syntax import assigned, last_name
from breaklint.project.walking import children, dotted_name, has_row, walk
from breaklint.torchops.names import module_methods

OTHERWISE = "of which the result or the error may be another one"
CALLED = f"code that is not traced may call {{}} with other values, {OTHERWISE}"
STORED = f"code that is not traced may store something else in {{}}, {OTHERWISE}"
HELD = f"code may change what {{}} holds, {OTHERWISE}"
CONSTRUCTORS = frozenset({"__init__", "__post_init__"})
ENTRY = "forward"  # traced with any arguments
# Which of the methods of these classes torch calls; no schema tells.
FUNCTIONS = frozenset({"torch.autograd.Function", "torch.autograd.function.Function"})
BY_TORCH = frozenset({"backward", "jvp", "setup_context"})
# What makes objects without their constructor, out of what it gives.
COPYING = frozenset({"__getstate__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__"})


class ValueRead(NamedTuple):
    """An attribute that code reads, the classes whose objects it may be of, and what was inferred of it; or a name of
    the file, which is of no object."""

    name: str
    owners: tuple[ClassInfo, ...]
    value: Value


def untraced(model: FunctionModel) -> list[str]:
    """Why what was inferred of the nodes that a fix rests on may not be all of it: calls of the function, or stores in
    attributes, were not traced. Nothing where all were."""
    doubts = _found(model)[0]
    within = dependences(model, model.inferred) if doubts else None
    return doubts if within is None or model.scope.root in within.parts else _Stores(model, within).doubts()


def held_names(model: FunctionModel) -> Held:
    """The names under which code may change the lists and dicts that a function reads; True where they hold others."""
    return _found(model)[1]


Held = tuple[tuple[str, bool], ...]


def _found(model: FunctionModel) -> tuple[list[str], Held]:
    found = model.module.derive(_Found, _Found)
    key = model.scope.root, model.cls
    if key not in found:
        stores = _Stores(model)
        found[key] = stores.doubts(), tuple(sorted(stores.held.items()))
    return found[key]


class _Found(dict[tuple[ast.AST, ClassInfo | None], tuple[list[str], Held]]):
    """What was found for the functions of a file, which may have many findings."""


class _Stores:
    """The stores in the attributes that a function, or parts of it, read."""

    def __init__(self, model: FunctionModel, within: Dependences | None = None) -> None:
        self.model, self.inference = model, model.inference
        self.within = within or Dependences((model.scope.root,), True)
        project, values = self.inference.project, self.inference.values
        self.called = [(read.name, each) for read, functions in reads(model, project, values) for each in functions]
        # What decides a value within a part of the function may have been stored by another part of it.
        self.sliced = within is not None
        self.elsewhere = stored_behind(model) if self.sliced else frozenset[str]()
        self.families: dict[ClassInfo, list[ClassInfo]] = {}
        self.held: dict[str, bool] = {}

    def doubts(self) -> list[str]:
        """Of names of which not all is known, what is not."""
        function = self.model.function
        name = "" if function is None or isinstance(function.node, ast.Lambda) else function.node.name
        # Of what an entry takes nothing is known but what its annotations and defaults tell.
        known = name in ("", ENTRY, *CONSTRUCTORS) or (function is not None and self.model.entry is function)
        known |= not self.within.parameters
        called = [name] if function is not None and not known and not self._all_called(function, name) else []
        found = list(self._reads())
        stored = [read.name for read in found if not self._is_seen(read)]
        held = [read for read in found if read.value.__class__ in MAY_HOLD_CONTAINERS]
        contents = Contents(self.inference, self._files(held), self._classes(held)) if held else None
        for read in held:
            names, deep = contents.names(read.name, read.value) if contents else (frozenset(), False)
            self.held |= {name: deep or self.held.get(name, False) for name in names}
        changed = [read.name for read in held if contents and contents.may_change(read.name, read.value)]
        told = ((CALLED, called), (STORED, stored), (HELD, changed))
        return [text.format(quoted(dict.fromkeys(names))) for text, names in told if names]

    def _all_called(self, function: FunctionInfo, name: str) -> bool:
        """Whether every call of a function was traced: of the file's code, which may hand it on, and of torch, which
        calls `backward` with gradients."""
        named = list(_mentions(self.model.module, name, function))
        bases = self.inference.project.mro(function.cls) if function.cls is not None else ()
        by_torch = name in BY_TORCH and not FUNCTIONS.isdisjoint(base for base in bases if isinstance(base, str))
        return all(node in self.inference.values for node in named) and (by_torch or bool(named))

    def _reads(self) -> Iterator[ValueRead]:
        """The attributes of objects, and the names of its file, that the function and those of the project behind it
        read."""
        values, own = self.inference.values, self.model.cls
        roots: dict[ast.AST, tuple[Module, ClassInfo | None]] = dict.fromkeys(
            self.within.parts, (self.model.module, own)
        )
        waiting, names = list(roots), set[str]()
        while waiting:
            names |= {last_name(node) for part in waiting for node in walk(part)}
            behind = {each.node: each for name, each in self.called if name in names and each.node not in roots}
            roots |= {node: (each.module, each.cls) for node, each in behind.items()}
            waiting = list(behind)
        for root, (module, cls) in roots.items():
            for node in walk(root):
                name, owner = attribute_read(node)
                value = values.get(node, UNKNOWN)
                if value is UNKNOWN:
                    continue
                if name and owner is not None:
                    yield ValueRead(name, self._owners(owner, cls), value)
                elif isinstance(node, ast.Name) and node.id in module.names:
                    yield ValueRead(node.id, (), value)

    def _owners(self, node: ast.expr, cls: ClassInfo | None) -> tuple[ClassInfo, ...]:
        """The classes of the project that an object may be of."""
        value = self.inference.values.get(node, UNKNOWN)
        found = [each.cls for each in options(value) if isinstance(each, Instance)]
        found += [each.info for each in options(value) if isinstance(each, ClassValue)]
        if cls is not None and dotted_name(node) == "self":
            found.append(cls)
        return tuple(dict.fromkeys(found))

    def _is_seen(self, read: ValueRead) -> bool:
        """Whether every store of an attribute was traced, and gave it what it was inferred to be."""
        if read.name in self.elsewhere:
            return False
        for owner in read.owners:
            for cls in self._family(owner):
                for method in cls.methods.values():
                    name = method.name.rpartition(".")[2]
                    if name in COPYING:
                        return False
                    stored = () if name in CONSTRUCTORS else effects(method).stores
                    if ANY in stored or (read.name in stored and (self.sliced or not self._gives(method, name, read))):
                        return False
        return True

    def _gives(self, method: FunctionInfo, name: str, read: ValueRead) -> bool:
        """Whether what a method stores in an attribute is what was inferred of it, whichever code calls the method."""
        stored = list(_stored_in(method, read.name))
        values = [self.inference.values.get(node, UNKNOWN) if node is not None else UNKNOWN for node in stored]
        if not all(_covers(read.value, value) for value in values):
            return False
        called_by_torch = name in module_methods() or name.startswith("__") or bool(method.decorators)
        return not stored or name == ENTRY or (not called_by_torch and self._all_traced(name, self._files([read])))

    def _files(self, found: list[ValueRead]) -> list[Module]:
        """The file of the finding, and those of the classes whose attributes are read."""
        return list(dict.fromkeys([self.model.module, *(cls.module for cls in self._classes(found))]))

    def _classes(self, found: list[ValueRead]) -> list[ClassInfo]:
        return [cls for read in found for owner in read.owners for cls in self._family(owner)]

    def _all_traced(self, name: str, files: list[Module]) -> bool:
        """Whether files name a function only where the interpreter came by, and at least once."""
        found = [node for file in files for node in _mentions(file, name)]
        return bool(found) and all(node in self.inference.values for node in found)

    def _family(self, cls: ClassInfo) -> list[ClassInfo]:
        """A class with what it derives from, what derives from it in its file and that of the finding, and what that
        derives from."""
        known = self.families.get(cls)
        if known is None:
            project = self.inference.project
            files = dict.fromkeys([cls.module, self.model.module])
            others = [each for file in files for each in file.classes if cls in project.mro(each)]
            others += [each for each in cls.module.classes if each.name == cls.name]
            above = [base for each in (cls, *others) for base in project.mro(each) if isinstance(base, ClassInfo)]
            known = self.families[cls] = list(dict.fromkeys(above))
        return known


def _stored_in(method: FunctionInfo, name: str) -> Iterator[ast.expr | None]:
    """What a method stores in an attribute; None for what no plain assignment stores. Nothing where it changes the
    object that is there."""
    made = [node for node in walk(method.node) if isinstance(node, (ast.Assign, ast.AnnAssign))]
    plain = {target: node.value for node in made for target in assigned(node)}
    for node in walk(method.node):
        if isinstance(node, ast.Attribute) and node.attr == name and not isinstance(node.ctx, ast.Load):
            yield plain.get(node)
        elif isinstance(node, ast.Constant) and node.value == name:  # as in `setattr(self, "scale", 2)`
            yield None


def _covers(known: Value, stored: Value) -> bool:
    """Whether a value is among those that were inferred of an attribute; None may have been ruled out before."""
    return stored is not UNKNOWN and any(join(known, each) == known for each in (stored, without_none(stored)))


def _may_call(call: ast.Call, function: FunctionInfo) -> bool:
    """Whether the arguments of a call fit a function, be it a method of an object or not."""
    taken = function.node.args
    named = {each.arg for each in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)}
    given = {each.arg for each in call.keywords}
    if None in given or any(isinstance(each, ast.Starred) for each in call.args):
        return True
    needed = len(taken.posonlyargs) + len(taken.args) - len(taken.defaults) - 1
    return len(call.args) + len(given) >= needed and (taken.kwarg is not None or given <= named)


def _mentions(module: Module, name: str, function: FunctionInfo | None = None) -> Iterator[ast.AST]:
    """Where a file names a function: by its name, as an attribute or in a text. What stores something under the name
    is none, and a call whose arguments do not fit is of another one: `loss.backward()` is no call of
    `backward(ctx, gradient)`."""
    rows = module.rows_with(name)
    waiting: list[ast.AST] = [module.tree] if rows else []
    while waiting:
        node = waiting.pop()
        read = isinstance(getattr(node, "ctx", None), ast.Load) and last_name(node) == name
        if read or (isinstance(node, ast.Constant) and node.value == name):
            yield node
        call = node if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        if call is not None and call.func.attr == name and function is not None and not _may_call(call, function):  # type: ignore[attr-defined]
            waiting += [call.func.value, *call.args, *call.keywords]  # type: ignore[attr-defined]
            continue
        waiting += [child for child in children(node) if not isinstance(child, ast.stmt) or has_row(child, rows)]
