"""Whether code may change what a list or dict holds that a function reads: under its name, or under another one that
stands for the same object, or for one that holds it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from breaklint.analysis.escapes import Escapes, last_part
from breaklint.analysis.file_nodes import FileNodes
from breaklint.analysis.model import Inference
from breaklint.interp.containers import Sequence, containers_in
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import Compound
from breaklint.project.module import ClassInfo, Module
from breaklint.project.syntax import assigned, last_name
from breaklint.project.walking import statements

HANDED_ON = (ast.Tuple, ast.List, ast.Dict, ast.IfExp, ast.BoolOp, ast.Starred, ast.NamedExpr)


class Holder(NamedTuple):
    """A name, and lists and dicts that it stands for or that are in them."""

    name: str
    objects: frozenset[int]


class Contents:
    """What the names of some files hold, as far as it was traced."""

    def __init__(self, inference: Inference, files: list[Module], classes: Iterable[ClassInfo]) -> None:
        self.values, self.files = inference.values, files
        bound = [item for file in files for item in file.names.items()]
        named = [(name, node) for name, node in bound if isinstance(node, ast.expr)]
        self.classes = list(dict.fromkeys([*classes, *(cls for file in files for cls in file.classes)]))
        named += [item for cls in self.classes for item in cls.attributes.items()]
        values = [(name, inference.global_values[node]) for name, node in named if node in inference.global_values]
        values += [item for instance in inference.instances.values() for item in instance.attrs.items()]
        self.holders = [Holder(name, objects) for name, value in values if (objects := _objects(value))]
        self._sources: dict[str, frozenset[str]] = {}

    def may_change(self, name: str, value: Value) -> bool:
        """Whether code of the files may change a list or dict that a name stands for."""
        names, deep = self.names(name, value)
        changed = (name for file in self.files for name in self._escapes(file).changed(names, deep=deep))
        return not names.isdisjoint(map(last_part, changed))

    def _escapes(self, file: Module) -> Escapes:
        """What a file hands on, except for items that hold no list or dict."""
        return file.derive(Escapes, lambda: Escapes(FileNodes(file.tree), partial(_is_flat, self.values)))

    def names(self, name: str, value: Value) -> tuple[frozenset[str], bool]:
        """The names under which code may change a list or dict that a name stands for, none for anything else; and
        whether one of them holds others."""
        objects = _objects(value)
        if not objects:
            return frozenset(), False
        names = {name} | {holder.name for holder in self.holders if not objects.isdisjoint(holder.objects)}
        names = self._with_sources(names)
        sizes = [len(holder.objects) for holder in self.holders if holder.name in names]
        return frozenset(names), len(objects) > 1 or max(sizes, default=1) > 1 or isinstance(value, Compound)

    def _with_sources(self, names: set[str]) -> set[str]:
        """The names, and those that assignments to them take objects from."""
        found, waiting = set(names), list(names)
        while waiting:
            new = self._sources_of(waiting.pop()) - found
            found |= new
            waiting += new
        return found

    def _sources_of(self, name: str) -> frozenset[str]:
        known = self._sources.get(name)
        if known is None:
            tables = (file.derive(_Sources, partial(_Sources, file)) for file in self.files)
            known = self._sources[name] = frozenset(each for table in tables for each in table.get(name, ()))
        return known


def _objects(value: Value) -> frozenset[int]:
    found = containers_in(value)
    return frozenset(each.serial for each in found if not (isinstance(each, Sequence) and each.kind == "tuple"))


def _is_flat(values: Mapping[ast.AST, Value], node: ast.AST) -> bool:
    """Whether an expression is known to give no list or dict."""
    value = values.get(node, UNKNOWN)
    return value is not UNKNOWN and next(containers_in(value), None) is None


class _Sources(dict[str, set[str]]):
    """By the name of attributes and globals: the names, of attributes too, whose objects a file stores in them."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        for node in statements(module.tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                called = {each for each in map(last_name, assigned(node)) if each}
                given = called.union(_handed_on(node.value)) if called else called
                for name in called:
                    self.setdefault(name, set()).update(given)


def _handed_on(node: ast.expr) -> Iterator[str]:
    """The names whose objects an expression gives, or holds in what it gives."""
    if isinstance(node, ast.Subscript):
        yield from _handed_on(node.value)
    elif isinstance(node, HANDED_ON):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                yield from _handed_on(part)
    elif name := last_name(node):
        yield name
