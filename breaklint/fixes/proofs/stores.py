"""Where a file stores attributes in ways that the interpreter does not follow."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable

from breaklint.fixes.proofs.reading import READERS, only_reads
from breaklint.project.module import Module
from breaklint.project.walking import FOR_ATTRIBUTE, children, dotted_name, has_row, rows_with

# The dictionaries in which a module keeps its attributes.
DICTIONARIES = frozenset({"__dict__", "_buffers", "_parameters", "_modules"})
WORDS = (
    *DICTIONARIES,
    "setattr",
    "delattr",
    "vars",
    "locals",
    "add_module",
    "register_module",
)  # without which a statement stores by `=` alone
TYPE_CALL = re.compile(r"type\s*\(")
_LOAD = ast.Load()


class Stores:
    """What a file stores in attributes otherwise than by `self.name = value` in a method.

    `names` are the attributes that are stored by name, `modules` those that `add_module` stores, which raises where the
    object has something else of that name. `own` are those that the methods of a class store in `self`,
    and `beginnings` is how names begin that are known only when its methods run ("" where nothing is known); both by
    the name of the class.
    """

    def __init__(self, module: Module) -> None:
        self.names: set[str] = set()
        self.modules: set[str] = set()
        self.own: defaultdict[str, set[str]] = defaultdict(set)
        self.beginnings: defaultdict[str, set[str]] = defaultdict(set)
        self._cls = self._self = ""
        text = module.text
        self._rows = rows_with(text, (*WORDS, *FOR_ATTRIBUTE.findall(text), *TYPE_CALL.findall(text)))
        self._visit(module.tree)

    def _visit(self, node: ast.AST) -> None:
        saved = self._cls, self._self
        if isinstance(node, ast.ClassDef):
            self._cls, self._self = node.name, ""
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and self._cls and not self._self:
            arguments = [*node.args.posonlyargs, *node.args.args]
            of_class = any(dotted_name(each) == "classmethod" for each in node.decorator_list)
            self._self = arguments[0].arg if arguments and not of_class else ""
        inside = children(node)
        if isinstance(node, ast.stmt) and not has_row(node, self._rows):
            inside = [child for child in inside if not isinstance(child, ast.expr) or _is_target(child)]
        elif isinstance(node, ast.Attribute):
            inside = self._attribute(node, inside)
        elif isinstance(node, ast.Subscript):
            inside = self._entry(node, inside)
        elif isinstance(node, ast.Call):
            inside = self._call(node, inside)
        for child in inside:
            if not (_is_dictionary(child) and only_reads(node, child)):
                self._visit(child)
        self._cls, self._self = saved

    def _attribute(self, node: ast.Attribute, inside: list[ast.AST]) -> list[ast.AST]:
        if isinstance(node.ctx, ast.Store) and self._is_self(node.value):
            self.own[self._cls].add(node.attr)
        elif not isinstance(node.ctx, ast.Load):
            self.names.add(node.attr)
        elif node.attr == "__dict__":  # handed on: who knows what is stored in it
            self.beginnings[self._cls].add("")
        return inside

    def _entry(self, node: ast.Subscript, inside: list[ast.AST]) -> list[ast.AST]:
        """`self.__dict__["name"] = value`; as a read it says nothing."""
        if not _is_dictionary(node.value):
            return inside
        if not isinstance(node.ctx, ast.Load):
            self._store_all([node.slice])
        return [node.slice]

    def _call(self, node: ast.Call, inside: list[ast.AST]) -> list[ast.AST]:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else dotted_name(function) or ""
        if name in ("setattr", "delattr") and len(node.args) > 1:
            self._store(node.args[1], name == "setattr" and self._is_self(node.args[0]))
        elif name in ("__setattr__", "__delattr__"):
            self.names.update(_texts_of(node.args))
        elif name in ("add_module", "register_module"):
            self.modules.update(_texts_of([*node.args, *(keyword.value for keyword in node.keywords)]))
        elif name == "type" and len(node.args) == 3:
            self._store_all([node.args[2]])
        elif (name == "vars" and node.args) or (
            name == "getattr" and not DICTIONARIES.isdisjoint(_texts_of(node.args))
        ):
            self.beginnings[self._cls].add("")
        elif isinstance(function, ast.Attribute) and _is_dictionary(function.value):
            if name not in READERS:
                self._store_all(node.args[:1])
                self.names.update(keyword.arg for keyword in node.keywords if keyword.arg)
            return [*node.args, *node.keywords]
        return inside

    def _store_all(self, given: Iterable[ast.expr]) -> None:
        """Note the keys of a dictionary, or a key."""
        for each in given:
            for key in each.keys if isinstance(each, ast.Dict) else [each]:
                self._store(key)

    def _store(self, name: ast.expr | None, is_followed: bool = False) -> None:
        texts = _texts(name)
        if not texts:
            self.beginnings[self._cls].add(_beginning(name))
        elif is_followed:
            self.own[self._cls].update(texts)
        else:
            self.names.update(texts)

    def _is_self(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and bool(self._self) and node.id == self._self


def _is_target(node: ast.expr) -> bool:
    return not isinstance(getattr(node, "ctx", _LOAD), ast.Load)


def _is_dictionary(node: ast.AST) -> bool:
    """Whether an expression is a dictionary of attributes: `self.__dict__`, `vars(self)`, `locals()` in a class."""
    if isinstance(node, ast.Call):
        return dotted_name(node.func) in ("vars", "locals")
    return isinstance(node, ast.Attribute) and node.attr in DICTIONARIES


def _texts(node: ast.expr | None) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _texts_of(nodes: Iterable[ast.expr]) -> list[str]:
    return [text for each in nodes for text in _texts(each)]


def _beginning(node: ast.expr | None) -> str:
    """What a text surely begins with: `conv` of `f"conv{i}"`, `"conv%d" % i` and `"conv" + str(i)`."""
    if isinstance(node, ast.JoinedStr) and node.values:
        return _beginning(node.values[0])
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mod, ast.Add)):
        return _beginning(node.left).partition("%")[0]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return _beginning(node.func.value).partition("{")[0]
    return next(iter(_texts(node)), "")
