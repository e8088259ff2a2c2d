"""Whether the functions, methods and attributes that code reads are those that the interpreter takes them for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from breaklint.fixes.base import FixRequest
from breaklint.fixes.proofs.containers import may_change
from breaklint.fixes.proofs.elsewhere import elsewhere
from breaklint.fixes.proofs.names import WRITTEN
from breaklint.fixes.proofs.namespaces import MAKING
from breaklint.fixes.proofs.own_operators import is_operator
from breaklint.fixes.proofs.reads import reads
from breaklint.fixes.proofs.stores import Stores
from breaklint.interp.transfer.decorators import is_understood
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.project.walking import dotted_name, rows_at, walk, walk_rows

UNMADE = r"__new__|__init__\s*=|\b_buffers\b|__dict__|\bvars\("  # what makes or changes an object past its constructor
# What may define a class with several bases: with a comma behind `class`, or by `type` of more than a plain name.
MIXING = (re.compile(r"class\s[^:]*,"), re.compile(r"type\s*\((?!\s*[\w.]+\s*\))"))
HOOKS = frozenset({"__getattribute__", "__setattr__", "__delattr__", "__class__"})  # what decides for every attribute


def doubtful_read(request: FixRequest) -> str:
    """A name, function, method or attribute that the finding's function reads, or a function of the project behind it,
    and that may be another one: its file binds or stores it in ways that are not followed, a subclass in the file has
    another, or its decorators are not understood. "" where there is none."""
    found = request.module.derive(_Found, _Found)
    key = request.scope.root, request.cls
    if key not in found:
        found[key] = _doubtful(request)
    return found[key]


class _Found(dict[tuple[ast.AST, ClassInfo | None], str]):
    """What was found for the functions of a file, which may have many findings."""


def _doubtful(request: FixRequest) -> str:
    interp, doubts = request.event.frame.interp, _Doubts(request)
    if doubts.of_calls:
        return doubts.of_calls
    found = list(reads(request, interp.project, interp.values))
    others = elsewhere(interp.project, request.module)
    others.ask({read.name for read in found} | WRITTEN | HOOKS | MAKING)
    for name in sorted(WRITTEN | HOOKS):
        if others.stores(name, in_object=False):
            return name
    for read in found:
        if others.stores(read.name, read.of_object):
            return read.name
        known = all(is_understood(interp, function) for function in read.functions) and not read.rebound
        if (
            not known
            or (read.of_contents and doubts.of_contents(read.name))
            or (read.is_attribute and doubts.of_method(read.name))
            or (read.is_above and doubts.of_super(read.name))
            or (read.of_object and (doubts.of_store if read.is_store else doubts.of_attribute)(read.name))
        ):
            return read.name
    return ""


class _Doubts:
    """What is stored, overridden or hidden in the files of the class of a finding, as that class sees it."""

    def __init__(self, request: FixRequest) -> None:
        module, project, own = request.module, request.event.frame.interp.project, request.cls
        above = [each for each in (project.mro(own) if own else ()) if isinstance(each, ClassInfo)]
        below = [each for each in module.classes if own and each is not own and own in project.mro(each)]
        below += [each for each in module.classes if own and each is not own and each.name == own.name]
        below += elsewhere(project, module).derived(own) if own else []
        mixins = (each for cls in below for each in project.mro(cls) if isinstance(each, ClassInfo))
        below = list(dict.fromkeys([*below, *(each for each in mixins if each not in above)]))
        makers = [maker for cls in (*above, *below) for maker in _makers(project, cls)]
        files = dict.fromkeys([module, *(each.module for each in (*above, *below, *makers))])
        stores = {file: file.derive(Stores, lambda file=file: Stores(file)) for file in files}  # type: ignore[misc]
        self._names = {name for each in stores.values() for name in each.names}
        if modules := {name for each in stores.values() for name in each.modules}:
            self._names |= modules.difference(_buffers(above, below))
        self._overridden = {
            name for cls in below for name in (*cls.methods, *cls.attributes, *stores[cls.module].own[cls.name])
        }
        self._files = files
        classes = {*module.classes, *above}
        self._methods = {name for cls in classes for name in cls.methods}
        family = {(cls.module, cls.name) for cls in (*above, *below)}
        stored = {name for file, cls in family for name in stores[file].own[cls]}
        self._twice = {name for cls in classes for name in cls.methods if name in cls.attributes or name in stored}
        values = [item for cls in above for item in cls.attributes.items()]
        # What such a value is read as may be for a descriptor in the class to say: `limit = property(...)`.
        self._overridden |= {name for name, value in values if name in stored and isinstance(value, ast.Call)}
        # What a class has under a name may decide what a store of it does.
        self._computed = {
            name
            for cls in dict.fromkeys((*classes, *below))
            for name in (*cls.methods, *(each for each, value in cls.attributes.items() if isinstance(value, ast.Call)))
        }
        self._beginnings = {text for file, cls in {*family, (module, "")} for text in stores[file].beginnings[cls]}
        hooks = (*module.classes, *above, *below, *(each for each in makers if isinstance(each, ClassInfo)))
        self._hooked = bool(HOOKS & self._names) or any(not HOOKS.isdisjoint(cls.methods) for cls in hooks)

        # The methods that calls and operators run, of which no attribute is read.
        given = {name for cls in below for name in (*cls.methods, *cls.attributes)} | self._names
        operators = [name for name in given if is_operator(name)] + [*({"forward"} & self._names)]
        self.of_calls = min(operators, default="")
        named = {own.name, *(cls.name for cls in below)} if own else set[str]()
        mixed = any(any(_mixed(each, named, above)) for each in dict.fromkeys([module, *(cls.module for cls in below)]))
        beside = {*classes, *below}
        self._aside = {name for cls in beside if cls not in above for name in cls.methods} if own and mixed else set()

    def of_super(self, name: str) -> bool:
        """Whether a class beside those above may come between them and the finding's class."""
        return name in self._aside

    def of_method(self, name: str) -> bool:
        """Whether a name may be that of a method of the files which something else has replaced."""
        return name in self._methods and (name in self._names or name in self._twice or self._hooked)

    def of_contents(self, name: str) -> bool:
        """Whether code may change a list or dict of this name."""
        return any(may_change(file, name) for file in self._files)

    def of_attribute(self, name: str) -> bool:
        """Whether an attribute of the finding's object may hold something else."""
        stored = name in self._names or name in self._overridden
        return stored or self._hooked or any(name.startswith(text) for text in self._beginnings)

    def of_store(self, name: str) -> bool:
        """Whether code of a class may run when an attribute is stored or deleted."""
        return self._hooked or name in self._computed


def _mixed(module: Module, names: set[str], above: list[ClassInfo]) -> Iterator[ast.AST]:
    """Classes of a file that may put others between a class and its bases: with several bases, or made by `type`."""
    plain = {cls.node for cls in above}
    text = module.text
    for node in walk_rows(
        module.tree, rows_at(text, (found.start() for each in MIXING for found in each.finditer(text)))
    ):
        if isinstance(node, ast.ClassDef) and len(node.bases) > 1 and node not in plain:
            if any((dotted_name(base) or "").rpartition(".")[2] in names for base in node.bases):
                yield node
        elif isinstance(node, ast.Call) and dotted_name(node.func) == "type" and len(node.args) == 3:
            yield node


def _makers(project: Project, cls: ClassInfo) -> Iterator[ClassInfo | FunctionInfo]:
    """What of the project changes a class when it is defined, or its objects when they are made: its decorators and its
    metaclass."""
    given = [each.func if isinstance(each, ast.Call) else each for each in cls.node.decorator_list]
    for node in (*given, *(keyword.value for keyword in cls.node.keywords)):
        dotted = dotted_name(node)
        found = project.resolve(cls.module, dotted) if dotted else None
        if isinstance(found, (ClassInfo, FunctionInfo)):
            yield found


def _buffers(above: list[ClassInfo], below: list[ClassInfo]) -> Iterator[str]:
    """The buffers that every object of a class has, since its constructor registers them in any case."""
    made = next((cls.methods["__init__"] for cls in above if "__init__" in cls.methods), None)
    if made is None or any("__init__" in cls.methods for cls in below) or isinstance(made.node, ast.Lambda):
        return
    files = {made.module, *(cls.module for cls in (*above, *below))}
    if made.decorators or any(re.search(UNMADE, file.text) for file in files):
        return
    if any("register_buffer" in cls.methods for cls in above) or any(
        isinstance(n, ast.Return) for n in walk(made.node)
    ):
        return
    for statement in made.node.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and dotted_name(call.func) == "self.register_buffer" and call.args:
            name = call.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value
