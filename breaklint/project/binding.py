"""The bindings of the statements of a file: imports, classes and functions, by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, MutableMapping
from typing import Any, Final

from breaklint.project import module as modules
from breaklint.project.own_names import otherwise_bound
from breaklint.project.walking import dotted_name, variables_in

_BINDS_PLAINLY: Final = frozenset({
    ast.Pass, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Expr, ast.Assign,
    ast.AnnAssign,
})  # fmt: skip
_PLAIN: Final = frozenset({ast.Pass, ast.Import, ast.ImportFrom})
_HOLDING: Final = frozenset({ast.If, ast.Try, ast.With})
SETTER = ".setter"  # the suffix of setters and deleters among the methods of a class
_IN_METHOD: Final = re.compile(r"\n(?:\t\t| {5,})[ \t]*class[ \t]+\w+\(")  # of a class or function, at least
_IN_CLASS: Final = re.compile(r"\n(?:\t| {1,4})class[ \t]+\w+\(")  # or in a function


def build(module: modules.Module) -> modules.Module:
    """The module with the bindings of its tree."""
    body = module.skeleton.body
    tests = [statement for statement in body if statement.__class__ is ast.If]
    script = [statement for statement in tests if _is_script(statement)]  # bindings of the rest take precedence
    ordered = [*script, *(other for other in body if other not in script)] if script else body
    for statement in binding_statements(ordered):
        for name, binder in () if statement.__class__ in _PLAIN else _unfollowed(module, statement):
            module.names[name] = ast.copy_location(modules.Unfollowed(), binder)
        if isinstance(statement, ast.Pass):
            _bind_place(module, module.places.get(statement.lineno))
        else:
            _bind(module, statement)
    for statement in body:
        if isinstance(statement, ast.If) and statement.orelse:
            module.names.update(_either(statement))
    return module


def _either(statement: ast.If) -> Iterator[tuple[str, ast.expr]]:
    """The names that both sides of a test assign, `a if test else b`: either value is possible."""
    sides = [
        {
            target.id: item.value
            for item in side
            if isinstance(item, ast.Assign)
            for target in item.targets
            if isinstance(target, ast.Name)
        }
        for side in (statement.body, statement.orelse)
    ]
    for name in sides[0].keys() & sides[1].keys():
        yield name, ast.copy_location(ast.IfExp(statement.test, sides[0][name], sides[1][name]), statement)


def _unfollowed(module: modules.Module, statement: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    """The names that a statement binds in a way that is not followed; those inside of the blocks that are followed
    bind by themselves."""
    cls = statement.__class__
    binds_names = cls is not ast.Assign or all(target.__class__ is ast.Name for target in statement.targets)  # type: ignore[attr-defined]
    if binds_names and cls in _BINDS_PLAINLY and not module.has_walrus(statement):
        return
    parts: list[ast.AST] = [statement]
    if isinstance(statement, ast.If):
        parts = [statement.test]
    elif isinstance(statement, ast.With):
        parts = [*statement.items]
    elif isinstance(statement, ast.Try):
        yield from ((handler.name, handler) for handler in statement.handlers if handler.name)
        return
    for part in parts:
        yield from otherwise_bound(part, module.has_walrus(part))


def _bind_place(module: modules.Module, place: modules.LazyDefinition | None) -> None:
    if place is not None and place.piece.kind == "class":
        info = module.names[place.piece.name] = modules.ClassInfo(module, place.piece.name, place)
        module.classes.append(info)
    elif place is not None and place.piece.kind == "table":
        module.names[place.piece.name] = place
    elif place is not None:
        module.names[place.piece.name] = modules.FunctionInfo(module, place.piece.name, None, place)


def _is_script(statement: ast.stmt) -> bool:
    """Whether a statement is `if __name__ == "__main__":`."""
    test = statement.test if isinstance(statement, ast.If) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def binding_statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """Top-level statements, those under `if`, `try` and `with` included: both sides of an optional import bind
    names."""
    if _HOLDING.isdisjoint([statement.__class__ for statement in body]):
        return body
    result: list[ast.stmt] = []
    for statement in body:
        result.append(statement)
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            for name in ("orelse", "finalbody", "body"):
                result += binding_statements(getattr(statement, name, []))
        if isinstance(statement, ast.Try):
            for handler in statement.handlers:
                result += _fallback(handler.body)
    return result


def _fallback(body: list[ast.stmt]) -> list[ast.stmt]:
    """A binding in `except ImportError` counts unless it is a placeholder (`np = None`)."""
    return [
        statement
        for statement in binding_statements(body)
        if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant))
    ]


def _bind(module: modules.Module, statement: ast.stmt) -> None:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        bind_import(module, statement, module.names)
    elif isinstance(statement, ast.ClassDef):
        info = class_info(module, statement)
        module.names[statement.name] = info
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        module.names[statement.name] = function_info(module, statement)
        inner_classes(module, statement)
    elif isinstance(statement, ast.Assign):
        named_tuple = _named_tuple(statement.value)
        for target in statement.targets:
            if isinstance(target, ast.Name) and not _scripts(statement.value, target.id):
                module.names[target.id] = class_info(module, named_tuple) if named_tuple else statement.value
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        module.names[statement.target.id] = statement.value


def _scripts(node: ast.expr, name: str) -> bool:
    """Whether a name is bound to its own script, `f = torch.jit.script(f)`: Dynamo traces the original."""
    if not (isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], ast.Name)):
        return False
    return node.args[0].id == name and dotted_name(node.func) in ("torch.jit.script", "jit.script")


def inner_classes(module: modules.Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Note the modules that a factory function defines, and its imports of names that nothing else binds."""
    statements = [*binding_statements(node.body)]
    result = [inner for inner in statements if isinstance(inner, ast.ClassDef)]
    class_nodes = {info.node for info in module.classes if info.body is not None}
    for inner in result:
        if inner not in class_nodes:
            class_info(module, inner, f"{node.name}.")
    for statement in statements if result else ():
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            bind_import(module, statement, module.inner_imports)


def classes_in_methods(module: modules.Module) -> None:
    """Note the modules that a file's classes define in their bodies and methods."""
    if _IN_CLASS.search(module.text):
        for cls in list(module.classes):
            _classes_in(module, cls)
    if _IN_METHOD.search(module.text):
        for cls in list(module.classes):
            for method in cls.methods.values():
                if isinstance(method.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    inner_classes(module, method.node)


def _classes_in(module: modules.Module, cls: modules.ClassInfo) -> None:
    class_nodes = {info.node for info in module.classes if info.body is not None}
    for inner in binding_statements(cls.node.body):
        if isinstance(inner, ast.ClassDef) and inner not in class_nodes:
            _classes_in(module, class_info(module, inner, f"{cls.name}."))


def _named_tuple(node: ast.expr) -> ast.ClassDef | None:
    """`namedtuple("Name", "a b")`, with the names as text or as a sequence, as a class definition."""
    if not (isinstance(node, ast.Call) and len(node.args) == 2):
        return None
    if getattr(node.func, "attr", getattr(node.func, "id", "")) != "namedtuple":
        return None
    try:
        fields = ast.literal_eval(node.args[1])
    except (ValueError, TypeError):  # no literal, or one that Python would refuse
        return None
    if not isinstance(fields, (str, list, tuple)):
        return None
    names = fields.replace(",", " ").split() if isinstance(fields, str) else [str(name) for name in fields]
    result = ast.parse("class NamedTuple(typing.NamedTuple): pass").body[0]  # has the fields of the running Python
    assert isinstance(result, ast.ClassDef)
    ast.increment_lineno(result, node.lineno - 1)
    result.body = [ast.AnnAssign(ast.Name(name), ast.Name("object"), None, 1) for name in names]
    return ast.fix_missing_locations(ast.copy_location(result, node))


def bind_import(
    module: modules.Module, statement: ast.Import | ast.ImportFrom, names: MutableMapping[str, Any]
) -> None:
    """Add the names of an import statement to `names`."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            qualified = alias.name if alias.asname else alias.name.split(".")[0]
            names[alias.asname or qualified] = modules.ImportedName(qualified)
        return
    source = module.absolute(statement.module, statement.level)
    for alias in statement.names:
        if alias.name == "*":
            module.stars.append(source)
        else:
            names[alias.asname or alias.name] = modules.ImportedName(f"{source}.{alias.name}" if source else alias.name)


def exports(module: modules.Module, name: str) -> bool:
    """Whether `from module import *` imports a name, by `__all__` if it is a literal."""
    names = module.bound("__all__")
    if names is None:
        return not name.startswith("_")
    if not isinstance(names, (ast.List, ast.Tuple)) or module.text.count("__all__") > 1:
        return True
    return any(isinstance(item, ast.Constant) and item.value == name for item in names.elts)


def class_info(module: modules.Module, node: ast.ClassDef, prefix: str = "") -> modules.ClassInfo:
    """Describe a class, and add it to the classes of the module."""
    info = modules.ClassInfo(module, prefix + node.name)
    info.body = fill(info, node, {})
    module.classes.append(info)
    return info


def fill(info: modules.ClassInfo, node: ast.ClassDef, cut: dict[int, modules.LazyDefinition]) -> modules.ClassBody:
    """The members of a class, by its node and by the places of methods that were cut out."""
    body = modules.ClassBody(node)
    for statement in binding_statements(node.body):
        for name, binder in () if statement.__class__ in _PLAIN else _unfollowed(info.module, statement):
            body.methods.pop(name, None)
            body.attributes[name] = ast.copy_location(modules.Unfollowed(), binder)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            sets = _is_setter(statement)
            name = statement.name + SETTER * sets
            if not sets or name not in body.methods:
                body.methods[name] = function_info(info.module, statement, info)
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    if target.id in body.methods and target.id not in variables_in(statement.value):  # no decorator
                        del body.methods[target.id]
                    body.attributes[target.id] = statement.value
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            body.annotations[statement.target.id] = statement.annotation
            if statement.value is not None:
                body.attributes[statement.target.id] = statement.value
        elif isinstance(statement, ast.Pass) and (place := cut.get(statement.lineno)):
            name = place.piece.name + SETTER * place.piece.sets
            if not place.piece.sets or name not in body.methods:
                body.methods[name] = modules.FunctionInfo(info.module, f"{info.name}.{place.piece.name}", info, place)
    return body


def function_info(
    module: modules.Module,
    node: modules.FunctionNode,
    cls: modules.ClassInfo | None = None,
    prefix: str = "",
) -> modules.FunctionInfo:
    """Describe a function, the same object each time it is requested."""
    info = module.functions.get(node)
    if info is None:
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        full = f"{cls.name}.{name}" if cls else prefix + name
        info = module.functions[node] = modules.FunctionInfo(module, full, cls, None, node)
    return info


def _is_setter(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(d, ast.Attribute) and d.attr in ("setter", "deleter") for d in node.decorator_list)
