"""One parsed file: its imports, classes and functions, by name. Built from the stdlib `ast` in one pass over the
top level."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from breaklint.analysis.parsing import Place
from breaklint.analysis.walking import children

if TYPE_CHECKING:
    from breaklint.analysis.deferred import Plan
    from breaklint.analysis.values import Value


@dataclass(frozen=True, slots=True)
class ImportedName:
    """A name bound by an import: the qualified name it stands for."""

    qualified: str


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function: those bound by place, those bound by name, and all with their defaults."""

    names: tuple[str, ...]
    known: frozenset[str]
    defaults: tuple[tuple[ast.arg, ast.expr | None], ...]


@dataclass(frozen=True, slots=True)
class Effects:
    """What a method does to its object: the attributes it stores (`*`: any), the methods it calls on it, and the
    functions it hands it to."""

    stores: frozenset[str]
    methods: frozenset[str]
    functions: frozenset[str]


class FunctionInfo:
    """A function or lambda and where it is written. Compared by identity.

    `node` is parsed when it is first asked for, where the function was cut out of its file.
    """

    __slots__ = ("_place", "_yields", "cls", "effects", "module", "name", "node", "signature", "uses")
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

    def __init__(self, module: Module, name: str, cls: ClassInfo | None = None, place: Place | None = None) -> None:
        self.module, self.name, self.cls = module, name, cls
        self.uses: dict[str, list[tuple[ast.Name, ast.AST]]] | None = None  # worked out by usage.py
        self.effects: Effects | None = None  # worked out by effects.py
        self.signature: Signature | None = None  # worked out by parameters.py
        self._yields: bool | None = None
        self._place = place

    def __getattr__(self, name: str) -> Any:
        if name != "node" or self._place is None:
            raise AttributeError(name)
        node = self._place.take(self.module)
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        self.node = node
        self.module.functions[node] = self
        if self.cls is None:
            _inner_classes(self.module, node)
        return node

    @property
    def is_generator(self) -> bool:
        """Whether a call makes a generator."""
        if self._yields is None:
            self._yields = self.module.yields() and _yields(self.node)
        return self._yields

    @property
    def decorators(self) -> list[ast.expr]:
        """The decorator expressions, outermost first."""
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list


class ClassInfo:
    """A class: its own methods and class-level assignments. Compared by identity.

    All of them are filled in when one is first asked for, where the class was cut out of its file.
    """

    __slots__ = ("_place", "annotations", "attributes", "methods", "module", "name", "node")
    node: ast.ClassDef
    methods: dict[str, FunctionInfo]
    attributes: dict[str, ast.expr]
    annotations: dict[str, ast.expr]

    def __init__(self, module: Module, name: str, place: Place | None = None) -> None:
        self.module, self.name, self._place = module, name, place

    def __getattr__(self, name: str) -> Any:
        if name not in ("node", "methods", "attributes", "annotations") or self._place is None:
            raise AttributeError(name)
        node = self._place.take(self.module)
        assert isinstance(node, ast.ClassDef)
        _fill(self, node, self._place.inner)
        return getattr(self, name)


@dataclass(eq=False, slots=True)
class Module:
    """A file of the project. `name` is its dotted import name as far as its folders tell.

    `skeleton` has `pass` at the `places` of definitions that nobody has asked for yet; `parsed` counts the characters
    that were parsed.
    """

    path: str
    name: str
    skeleton: ast.Module
    text: str
    is_package: bool = False
    places: dict[int, Place] = field(default_factory=dict)
    parsed: int = 0
    names: dict[str, ImportedName | ClassInfo | FunctionInfo | ast.expr] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    classes: list[ClassInfo] = field(default_factory=list)
    values: dict[ast.AST, Value] = field(default_factory=dict)
    functions: dict[ast.AST, FunctionInfo] = field(default_factory=dict)
    plans: dict[ast.stmt, Plan | None] = field(default_factory=dict)
    cache: dict[str, object] = field(default_factory=dict)

    def forget(self) -> None:
        """Let go of the tree and of what was found in it, which hold each other."""
        for cls in self.classes:
            cls.methods.clear()
        tables = (self.names, self.values, self.functions, self.cache, self.skeleton.body, self.classes, self.places)
        for table in (*tables, self.plans):
            table.clear()

    def yields(self) -> bool:
        """Whether the text may hold a generator."""
        if "yields" not in self.cache:
            self.cache["yields"] = "yield" in self.text
        return self.cache["yields"] is True

    @property
    def tree(self) -> ast.Module:
        """The tree with all definitions in their places."""
        for place in self.places.values():
            place.whole(self)
        return self.skeleton

    def absolute(self, name: str | None, level: int) -> str:
        """The dotted module that `from <level dots><name> import …` names here."""
        if level == 0:
            return name or ""
        parts = self.name.split(".")
        drop = level - 1 if self.is_package else level
        base = parts[: len(parts) - drop] if drop else parts
        return ".".join([*base, *([name] if name else [])])


def build(module: Module) -> Module:
    """The module with what its tree binds."""
    body = module.skeleton.body
    script = [statement for statement in body if _is_script(statement)]  # what the rest binds counts for more
    for statement in _statements([*script, *(other for other in body if other not in script)] if script else body):
        if isinstance(statement, ast.Pass):
            _bind_place(module, module.places.get(statement.lineno))
        else:
            _bind(module, statement)
    return module


def _bind_place(module: Module, place: Place | None) -> None:
    if place is not None and place.piece.kind == "class":
        info = module.names[place.piece.name] = ClassInfo(module, place.piece.name, place)
        module.classes.append(info)
    elif place is not None:
        module.names[place.piece.name] = FunctionInfo(module, place.piece.name, None, place)


def _is_script(statement: ast.stmt) -> bool:
    """Whether a statement is `if __name__ == "__main__":`."""
    test = statement.test if isinstance(statement, ast.If) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Top-level statements, those under `if`, `try` and `with` included: both sides of an optional import bind
    names."""
    for statement in body:
        yield statement
        for name in ("orelse", "finalbody", "body"):
            if isinstance(statement, (ast.If, ast.Try, ast.With)):
                yield from _statements(getattr(statement, name, []))
        if isinstance(statement, ast.Try):
            for handler in statement.handlers:
                yield from _fallback(handler.body)


def _fallback(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What an `except ImportError` binds counts only when it is no placeholder (`np = None`)."""
    for statement in _statements(body):
        if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)):
            yield statement


def _bind(module: Module, statement: ast.stmt) -> None:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        bind_import(module, statement, module.names)
    elif isinstance(statement, ast.ClassDef):
        info = class_info(module, statement)
        module.names[statement.name] = info
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        module.names[statement.name] = function_info(module, statement)
        _inner_classes(module, statement)
    elif isinstance(statement, ast.Assign):
        made = _named_tuple(statement.value)
        for target in statement.targets:
            if isinstance(target, ast.Name):
                module.names[target.id] = class_info(module, made) if made else statement.value
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        module.names[statement.target.id] = statement.value


def _inner_classes(module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Note the modules that a factory function defines."""
    for inner in _statements(node.body):
        if isinstance(inner, ast.ClassDef):
            class_info(module, inner, f"{node.name}.")


def _named_tuple(node: ast.expr) -> ast.ClassDef | None:
    """`namedtuple("Name", "a b")`, with the names as text or in a row, written as a class."""
    if not (isinstance(node, ast.Call) and len(node.args) == 2):
        return None
    if getattr(node.func, "attr", getattr(node.func, "id", "")) != "namedtuple":
        return None
    try:
        given = ast.literal_eval(node.args[1])
    except ValueError:
        return None
    names = given.replace(",", " ").split() if isinstance(given, str) else [str(name) for name in given]
    body: list[ast.stmt] = [ast.AnnAssign(ast.Name(name), ast.Name("object"), None, 1) for name in names]
    made = ast.ClassDef("NamedTuple", [ast.Attribute(ast.Name("typing"), "NamedTuple")], [], body, [])
    return ast.fix_missing_locations(ast.copy_location(made, node))


def bind_import(module: Module, statement: ast.Import | ast.ImportFrom, names: dict[str, object] | object) -> None:
    """Bind what an import statement binds into `names`."""
    assert isinstance(names, dict)
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            qualified = alias.name if alias.asname else alias.name.split(".")[0]
            names[alias.asname or qualified] = ImportedName(qualified)
        return
    source = module.absolute(statement.module, statement.level)
    for alias in statement.names:
        if alias.name == "*":
            module.stars.append(source)
        else:
            names[alias.asname or alias.name] = ImportedName(f"{source}.{alias.name}" if source else alias.name)


def exports(module: Module, name: str) -> bool:
    """Whether `from module import *` brings a name, as far as a literal `__all__` tells."""
    listed = module.names.get("__all__")
    if listed is None:
        return not name.startswith("_")
    if not isinstance(listed, (ast.List, ast.Tuple)) or module.text.count("__all__") > 1:
        return True
    return any(isinstance(item, ast.Constant) and item.value == name for item in listed.elts)


def class_info(module: Module, node: ast.ClassDef, prefix: str = "") -> ClassInfo:
    """Describe a class, and remember it as one of the module's."""
    info = ClassInfo(module, prefix + node.name)
    _fill(info, node, {})
    module.classes.append(info)
    return info


def _fill(info: ClassInfo, node: ast.ClassDef, cut: dict[int, Place]) -> None:
    """Describe a class by its node, and by the places of methods that were cut out."""
    info.node, info.methods, info.attributes, info.annotations = node, {}, {}, {}
    for statement in _statements(node.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if not _is_setter(statement):
                info.methods[statement.name] = function_info(info.module, statement, info)
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    info.attributes[target.id] = statement.value
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            info.annotations[statement.target.id] = statement.annotation
            if statement.value is not None:
                info.attributes[statement.target.id] = statement.value
        elif isinstance(statement, ast.Pass) and (place := cut.get(statement.lineno)) and not place.piece.sets:
            name = place.piece.name
            info.methods[name] = FunctionInfo(info.module, f"{info.name}.{name}", info, place)


def function_info(
    module: Module,
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
    cls: ClassInfo | None = None,
    prefix: str = "",
) -> FunctionInfo:
    """Describe a function, the same object each time it is asked for."""
    known = module.functions.get(node)
    if known is None:
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        full = f"{cls.name}.{name}" if cls else prefix + name
        known = module.functions[node] = FunctionInfo(module, full, cls)
        known.node = node
    return known


def _is_setter(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(d, ast.Attribute) and d.attr in ("setter", "deleter") for d in node.decorator_list)


def _yields(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether the function itself (not one inside it) yields."""
    stack: list[ast.AST] = list(node.body) if isinstance(node.body, list) else [node.body]
    while stack:
        current = stack.pop()
        if isinstance(current, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack += children(current)
    return False
