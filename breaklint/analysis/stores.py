"""Where a file stores attributes in ways that the interpreter does not follow."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable

from breaklint.analysis.reading import READERS, only_reads
from breaklint.analysis.resizing import REGISTERING
from breaklint.project.module import Module
from breaklint.project.walking import FOR_ATTRIBUTE, blocks, children, dotted_name, has_row, rows_at, targets

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
    "__setstate__",
    "patch.object",
    "patch.multiple",
    "__init__'",
    '__init__"',
    "__post_init__(",
    "new_class",
    "make_dataclass",
    "exec(",
    "parse_args(",
    "register_buffer",
    "register_parameter",
    "parse_known_args(",
    "update_wrapper(",
)  # without which a statement stores by `=` alone
SETTING = frozenset({"setattr", "delattr"})
CONSTRUCTORS = frozenset({"__init__", "__post_init__"})  # they store again where code calls them of an object
# What may store attributes under any name in the object that it gets as its second argument, or as this keyword; and
# in the one that it gets as its first.
PARSING, NAMESPACE = frozenset({"parse_args", "parse_known_args"}), "namespace"
FILLING = frozenset({"exec", "update_wrapper"})
MAKING_CLASSES = frozenset({"new_class", "make_dataclass"})
SETTERS = frozenset({"__setattr__", "__delattr__", "__setstate__"})  # what objects do to store attributes
TYPE_CALL = re.compile(r"type\s*\(")
# Not definitions, and calls of a base's, of which every model has some.
INIT_CALL = re.compile(r"__init__\((?<!def __init__\()(?<!super\(\)\.__init__\()")
_TOLD = SETTERS | {"__dict__"}
_BOUND = frozenset({ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Starred})


class Stores:
    """What a file stores in attributes otherwise than by `self.name = value` in a method.

    `names` are the attributes that are stored by name, `modules` those that `add_module` stores, which raises where the
    object has something else of that name. `own` are those that the methods of a class store in `self`,
    and `beginnings` is how names begin that are known only when its methods run ("" where nothing is known); both by
    the name of the class. `anywhere`: a name that is not known is stored in what may be any object; `adds_modules`:
    modules are added to it.
    """

    def __init__(self, module: Module) -> None:
        self.names: set[str] = set()
        self.modules: set[str] = set()
        self.own: defaultdict[str, set[str]] = defaultdict(set)
        self.beginnings: defaultdict[str, set[str]] = defaultdict(set)
        self.anywhere = self.whole = self.adds_modules = False
        self._cls = self._self = ""
        text = module.text
        rows = module.rows_with_any({*WORDS, *FOR_ATTRIBUTE.findall(text), *TYPE_CALL.findall(text)})
        self._rows = sorted({*rows, *rows_at(text, (found.start() for found in INIT_CALL.finditer(text)))})
        self._visit(module.tree)

    def _visit(self, node: ast.AST) -> None:
        told = not isinstance(node, ast.stmt) or has_row(node, self._rows)
        inside = children(node) if told else [*blocks(node), *_bound(node)]
        if not inside and not told:
            return  # as most statements do
        saved = self._cls, self._self
        if isinstance(node, ast.ClassDef):
            self._cls, self._self = node.name, ""
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and self._cls and not self._self:
            arguments = [*node.args.posonlyargs, *node.args.args]
            of_class = any(dotted_name(each) == "classmethod" for each in node.decorator_list)
            self._self = arguments[0].arg if arguments and not of_class else ""
        if not told:
            for child in inside:
                self._visit(child)
            self._cls, self._self = saved
            return
        if isinstance(node, ast.Attribute):
            inside = self._attribute(node, inside)
        elif isinstance(node, ast.Subscript):
            inside = self._entry(node, inside)
        elif isinstance(node, ast.Call):
            inside = self._call(node, inside)
        elif (isinstance(node, ast.Name) and node.id in SETTING) or _texts(node, _TOLD):
            self.beginnings[self._cls].add("")  # who knows what it sets
            self.anywhere = True
        for child in inside:
            if not (_is_dictionary(child) and only_reads(node, child)):
                self._visit(child)
        self._cls, self._self = saved

    def _attribute(self, node: ast.Attribute, inside: list[ast.AST]) -> list[ast.AST]:
        if not isinstance(node.ctx, ast.Load) and node.attr in DICTIONARIES:  # another dictionary takes its place
            self.beginnings[self._cls].add("")
            self.whole |= not self._is_self(node.value)
        elif isinstance(node.ctx, ast.Store) and self._is_self(node.value):
            self.own[self._cls].add(node.attr)
        elif not isinstance(node.ctx, ast.Load):
            self.names.add(node.attr)
        elif node.attr == "__dict__":
            self._hand_on(node.value)
        return inside

    def _hand_on(self, owner: ast.expr) -> None:
        """Note that other code gets the dictionary of an object: who knows what is stored in it."""
        self.beginnings[self._cls].add("")
        self.anywhere |= not self._is_self(owner)

    def _entry(self, node: ast.Subscript, inside: list[ast.AST]) -> list[ast.AST]:
        """`self.__dict__["name"] = value`; as a read it says nothing."""
        if not _is_dictionary(node.value):
            return inside
        if not isinstance(node.ctx, ast.Load):
            self._store_all([node.slice])
            self.anywhere |= not _texts(node.slice) and not self._is_own(node.value)
        return [node.slice]

    def _call(self, node: ast.Call, inside: list[ast.AST]) -> list[ast.AST]:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else dotted_name(function) or ""
        if name in SETTING and len(node.args) > 1:
            own = self._is_self(node.args[0])
            self._store(node.args[1], name == "setattr" and own)
            self.anywhere |= not own and not _texts(node.args[1])
            inside = [child for child in inside if child is not function]
        elif name in REGISTERING:
            own = self._is_own(function)
            for each in [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "name")]:
                self._store(each, own)
                self.anywhere |= not own and not _texts(each)
        elif name in SETTERS:
            self._set(node, function, name)
        elif name in CONSTRUCTORS or (
            name == "getattr" and _texts_of(node.args[1:2]) and CONSTRUCTORS & {*_texts_of(node.args)}
        ):
            self.whole |= not (self._is_own(function) or any(map(self._is_self, node.args[:1])))
        elif name == "object" and len(node.args) > 1:  # mock.patch.object(net, "scale", 2)
            self.names.update(_texts(node.args[1]))
            self.anywhere |= not _texts(node.args[1])
        elif name == "multiple":  # mock.patch.multiple(net, scale=2)
            self.names.update(keyword.arg for keyword in node.keywords if keyword.arg)
            self.anywhere |= any(keyword.arg is None for keyword in node.keywords)
        elif name in PARSING:
            self.whole |= len(node.args) > 1 or any(keyword.arg == NAMESPACE for keyword in node.keywords)
        elif name in FILLING:
            self.whole |= not any(map(self._is_self, node.args[:1]))
        elif name in ("add_module", "register_module"):
            self.modules.update(_texts_of([*node.args, *(keyword.value for keyword in node.keywords)]))
            self.adds_modules |= not self._is_own(function)
        elif name in MAKING_CLASSES or (name == "type" and any(isinstance(each, ast.Starred) for each in node.args)):
            self.whole = True
        elif name == "type" and len(node.args) == 3:
            self._store_all([node.args[2]])
            self.whole |= not isinstance(node.args[2], ast.Dict)
        elif (name == "vars" and node.args) or (
            name == "getattr" and not DICTIONARIES.isdisjoint(_texts_of(node.args))
        ):
            self._hand_on(node.args[0])
            return [child for child in inside if not _texts(child, DICTIONARIES)]
        elif name == "hasattr":
            return [*node.args[:1]]
        elif isinstance(function, ast.Attribute) and _is_dictionary(function.value):
            if name not in READERS:
                self._store_all(node.args[:1])
                self.whole |= not self._is_own(function.value) and not _are_told(node)
                self.names.update(keyword.arg for keyword in node.keywords if keyword.arg)
            return [*node.args, *node.keywords]
        return inside

    def _set(self, call: ast.Call, function: ast.expr, name: str) -> None:
        """`net.__setattr__("scale", 2)`, `object.__setattr__(net, name, 2)`, `net.__setstate__(state)`."""
        own = self._is_own(function) or any(map(self._is_self, call.args[:1]))
        told = _texts_of(call.args[:2])
        self.names.update(told)
        if name == "__setstate__":
            self.whole |= not own
        elif not told:
            self.anywhere |= not own
            if own:
                self.beginnings[self._cls].add("")

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

    def _is_own(self, node: ast.expr) -> bool:
        """Whether an expression is a dictionary or a method of `self`, or of `super()`."""
        owner = node.args[0] if isinstance(node, ast.Call) and node.args else getattr(node, "value", None)
        above = isinstance(owner, ast.Call) and dotted_name(owner.func) == "super"
        own = owner is not None and self._is_self(owner)
        return above or own or dotted_name(getattr(node, "func", None)) == "locals"

    def _is_self(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and bool(self._self) and node.id == self._self


def _bound(node: ast.AST) -> list[ast.expr]:
    """What a statement itself binds but plain names."""
    bound = targets(node)
    return [each for each in bound if each.__class__ in _BOUND] if bound else bound


def _is_dictionary(node: ast.AST) -> bool:
    """Whether an expression is a dictionary of attributes: `self.__dict__`, `vars(self)`, `locals()` in a class."""
    if isinstance(node, ast.Call):
        return dotted_name(node.func) in ("vars", "locals")
    return isinstance(node, ast.Attribute) and node.attr in DICTIONARIES


def _are_told(call: ast.Call) -> bool:
    """Whether the code itself has the keys that a call changes: `update(scale=2)`, `pop("scale")`."""
    if getattr(call.func, "attr", "") != "update":
        return bool(call.args and _texts(call.args[0]))
    keys = [each.keys if isinstance(each, ast.Dict) else [None] for each in call.args]
    return all(_texts(key) for each in keys for key in each) and all(keyword.arg for keyword in call.keywords)


def _texts(node: ast.AST | None, among: frozenset[str] | None = None) -> list[str]:
    """The text that an expression is, where it is one of those asked for."""
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
    return [text] if text is not None and (among is None or text in among) else []


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
