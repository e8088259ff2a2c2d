"""Which names stand for lists and dicts that code of a file may change, or hands on to code that may."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Mapping, Set

from breaklint.analysis.file_nodes import FileNodes
from breaklint.analysis.imports import FileImports
from breaklint.analysis.reading import (
    ANY,
    CHANGERS,
    COUNTING,
    DICTIONARY_ATTRIBUTES,
    KEYED,
    READERS,
    computes,
    is_namespace,
    is_of_library,
    only_reads,
    told_name,
)
from breaklint.project.syntax import assigned, method_name
from breaklint.project.walking import dotted_name

_COMPUTING = frozenset({ast.BinOp, ast.Compare, ast.FormattedValue, ast.UnaryOp, ast.If, ast.While, ast.Assert})
LEAVES = (*_COMPUTING, ast.BoolOp)
ITERATED = (ast.Starred, ast.comprehension, ast.For)
_ITEMS = frozenset({"values", "items"})
_ATTRIBUTES = CHANGERS | (READERS - KEYED)  # of lists and dicts, those whose use says something of them


class Escapes:
    """The names, and names of attributes, of which a file may change what they hold, and those of which it may change
    what an item holds (ANY: of the attributes of some object, under any name).

    What is given another name is looked at under that name. An item that is read for a computation is not handed on.
    Names of attributes begin with a dot; those of `self` are of another class, and count for what they are given.
    An item that `is_flat` holds no lists and dicts: no code that gets it changes it.
    """

    def __init__(self, nodes: FileNodes, is_flat: Callable[[ast.AST], bool] = lambda _: False) -> None:
        self.contents: set[str] = set()
        self.items: set[str] = set()
        self._is_flat = is_flat
        self._aliases: defaultdict[str, set[str]] = defaultdict(set)  # what is given a name, by that name
        self._item_aliases: defaultdict[str, set[str]] = defaultdict(set)
        around = self._around = nodes.around
        for node in (*nodes.of(ast.Name), *nodes.of(ast.Attribute)):
            outer = around[node]
            cls = outer.__class__
            if cls in _COMPUTING or (cls is ast.Attribute and outer.attr not in _ATTRIBUTES):  # type: ignore[attr-defined]
                continue  # as most are
            if node.ctx.__class__ is ast.Load:  # type: ignore[attr-defined]
                if cls is not ast.Call or outer.func is not node:  # type: ignore[attr-defined]
                    self._use(_named(node), node, outer)
            elif cls is ast.AugAssign:
                self.contents.add(_named(node))
        for other in (*nodes.of(ast.Call), *nodes.of(ast.Subscript)):
            if _may_look_up(other):
                self._namespace(other, around[other])
        self._close()

    def _close(self) -> None:
        """Names whose objects got a name under which they are changed."""
        _close(self.contents, self._aliases)
        for name in self.contents:
            self.items |= self._item_aliases.get(name, set())
        _close(self.items, self._aliases, self._item_aliases)

    def changed(self, known: Set[str] = frozenset(), *, deep: bool = False) -> set[str]:
        """The names of what the file may change, or gives a name that is not `known`, by which code elsewhere may;
        where it is `deep`, also of what holds lists and dicts that the file may change."""
        tables = (self._aliases, self._item_aliases) if deep else (self._aliases,)
        given = (names for table in tables for other, names in table.items() if last_part(other) not in known)
        return self.contents.union(self.items if deep else (), *given)

    def _use(self, name: str, node: ast.AST, outer: ast.AST) -> None:
        """What is done to the list or dict that a name may stand for."""
        cls = outer.__class__
        if cls is ast.Attribute:
            attr = outer.attr  # type: ignore[attr-defined]
            if outer.ctx.__class__ is ast.Load and attr in CHANGERS:  # type: ignore[attr-defined]
                self.contents.add(name)
            elif attr in READERS and attr not in KEYED:
                self._item(name, self._given_by(outer))
        elif cls is ast.Subscript and outer.value is node:  # type: ignore[attr-defined]
            if outer.ctx.__class__ is not ast.Load:  # type: ignore[attr-defined]
                self.contents.add(name)
            else:
                self._item(name, outer)
        elif cls is ast.Call and outer.func is node:  # type: ignore[attr-defined]
            return
        elif cls is ast.Assign or cls is ast.AnnAssign or cls is ast.NamedExpr:
            self._assigned(name, outer)
        elif isinstance(outer, ITERATED):
            self.items.add(name)
        elif cls is ast.Call or (cls is ast.keyword and outer.arg is not None):  # type: ignore[attr-defined]
            self._passed(name, outer)
        elif not isinstance(outer, LEAVES):
            (self.items if only_reads(outer, node) else self.contents).add(name)
        elif cls is ast.BoolOp:  # `a or {}` is one of them
            self._use(name, outer, self._around[outer])

    def _passed(self, name: str, outer: ast.AST) -> None:
        """A list or dict that a function gets."""
        call = self._around[outer] if isinstance(outer, ast.keyword) else outer
        called = dotted_name(call.func) if isinstance(call, ast.Call) else None
        if called in COUNTING:
            return
        if isinstance(call, ast.Call) and (is_of_library(call) or (computes(call) and outer is call)):
            self.items.add(name)
        else:
            self.contents.add(name)

    def _assigned(self, name: str, statement: ast.AST) -> None:
        """A list or dict that gets another name."""
        if statement.__class__ is ast.NamedExpr:
            self.contents.add(name)
        for target in assigned(statement):
            if other := _named(target):
                self._aliases[other].add(name)
                self._aliases[f".{last_part(other)}"].add(name)  # a name of a class, or of a file, is an attribute
            elif isinstance(target, (ast.Tuple, ast.List)):
                self.items.add(name)
            else:
                self.contents.add(name)

    def _item(self, name: str, item: ast.AST) -> None:
        """What is done to an item of a list or dict: where that holds lists and dicts itself, they may be changed."""
        outer = self._around[item]
        while isinstance(outer, (ast.Subscript, ast.Attribute)) and outer.value is item and not self._is_flat(item):
            attr = getattr(outer, "attr", "")
            if attr in CHANGERS or not (attr or isinstance(outer.ctx, ast.Load)):
                self.contents.add(name)
                self.items.add(name)
                return
            if attr and attr not in _ATTRIBUTES:
                return  # what the attribute holds is looked at under its name
            item = self._given_by(outer)
            outer = self._around[item]
        if self._is_flat(item):
            return
        if isinstance(outer, ast.BoolOp):  # `a[0] or []` is one of them
            self._item(name, outer)
        elif isinstance(outer, (ast.Assign, ast.AnnAssign)) and all(named := [*map(_named, assigned(outer))]):
            for other in named:
                self._item_aliases[other].add(name)
        elif not isinstance(outer, (*LEAVES, ast.Expr)):
            counted = isinstance(outer, ast.Call) and (outer.func is item or dotted_name(outer.func) in COUNTING)
            if not counted:
                self.items.add(name)

    def _given_by(self, reader: ast.AST) -> ast.AST:
        """What gives an item: a subscript, and the call of a method."""
        call = self._around[reader]
        return call if isinstance(call, ast.Call) and call.func is reader else reader

    def _namespace(self, node: ast.AST, outer: ast.AST) -> None:
        """`vars(net)["sizes"]`, `getattr(net, "sizes")`; all attributes at once where no name is told."""
        if name := told_name(node):
            self._use(f".{name}", node, outer)
        elif method_name(node) in _ITEMS and is_namespace(node.func.value):  # type: ignore[attr-defined]
            self.contents.add(f".{ANY}")


def _may_look_up(node: ast.AST) -> bool:
    """Whether a call or subscript looks as if it took names, or what they stand for, from a namespace."""
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Name):
            return called.id == "getattr"
        return isinstance(called, ast.Attribute) and called.attr in _ITEMS
    owner = node.value if isinstance(node, ast.Subscript) else None
    return isinstance(owner, ast.Call) or (isinstance(owner, ast.Attribute) and owner.attr in DICTIONARY_ATTRIBUTES)


def _close(changed: set[str], *aliases: Mapping[str, set[str]]) -> None:
    """Add to names those of what is given one of them."""
    waiting = list(changed)
    while waiting:
        name = waiting.pop()
        for table in aliases:
            if name in table:
                new = table[name] - changed
                changed |= new
                waiting += new


def last_part(name: str) -> str:
    """A name itself, and that of an attribute without its object."""
    return name.rpartition(".")[2]


def _named(node: ast.AST) -> str:
    if node.__class__ is ast.Name:
        return node.id
    if isinstance(node, ast.Attribute):
        return f"self.{node.attr}" if node.value.__class__ is ast.Name and node.value.id == "self" else f".{node.attr}"
    return ""


def imported(names: set[str], imports: FileImports) -> set[str]:
    """Of some names of a file, those of attributes, and what names that it imports are called in their files; all where
    it takes all names from a file."""
    attributes = {name[1:] for name in names if name.startswith(".")}
    starred = bool(imports.module.stars)
    full = (imports.qualified(name) or (name if starred else "") for name in names if "." not in name)
    return attributes | {last_part(name) for name in full if name and not name.startswith(".")}
