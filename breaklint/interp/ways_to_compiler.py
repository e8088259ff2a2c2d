"""Paths to the compiler: functions and classes whose text mentions compiling, and their callers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from breaklint.interp.callables import Function
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.models import compilers
from breaklint.project.module import ClassInfo, FunctionInfo, ImportedName, Module
from breaklint.project.screen import is_script
from breaklint.project.walking import dotted_name, has_row, statements, walk

MAX_LEVELS: Final = 3  # of functions that reach the compiler through others
WORDS: Final = ("compile", "_dynamo", "export", "assert_no_graph_breaks")
# A call or decorator whose name contains the word, except for regular expressions; and other names that compile.
_SPEAKS: Final = re.compile(
    r"(?<![\w.])(?!(?:re|regex|py_compile)\.)(?:\w+\.)*\w*compile(?![dr])\w*[ \t]*\((?![ \t\n]*r?[\"'])"
    r"|\btorch\.compile\b|@[\w.]*compile\w*|\bimport[ (]+(?:\w+,[ ]*)*compile\b"
    r"|\b_dynamo\.(?:optimize|explain|export)|\btorch\.export\b|\bonnx\.export\b|\bassert_no_graph_breaks\b"
)
_REST: Final = re.compile(r"[^\n]*\s*.{0,2}")  # of a line, and the text after a parenthesis
_COMPILES: Final = re.compile(r"compile(?![dr])")  # names of actions: not `is_compiled_module` or `compiler`
_NAMES: Final = frozenset(name.rpartition(".")[2] for name in compilers.COMPILERS)
_OF_TEXT: Final = ("re.", "regex.")  # modules that compile patterns
_CALLS: Final = tuple(sorted(f"{name}(" for name in _NAMES))


def speaks_of_compiling(text: str) -> bool:
    """Whether a text may pass a value to the compiler: a cheap test."""
    return any(_SPEAKS.search(text, start, end) for start, end in _lines_to_search(text))


def _lines_to_search(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of a text around one of the words: the pattern is slow on a whole file."""
    for word in WORDS:
        at = text.find(word)
        while at >= 0:
            rest = _REST.match(text, at)
            assert rest is not None
            yield text.rfind("\n", 0, at) + 1, rest.end()
            at = text.find(word, text.find("\n", at)) if "\n" in rest[0] else -1


def functions(module: Module) -> list[FunctionInfo]:
    """The functions at the top level of a file and the methods of its classes."""
    plain = [bound for bound in module.names.values() if isinstance(bound, FunctionInfo) and bound.module is module]
    return [*plain, *(info for cls in module.classes for info in cls.methods.values())]


def decorator_may_compile(interp: Interpreter, module: Module, decorator: ast.expr) -> bool:
    """Whether a decorator is of torch, or the text of its definition in the project mentions compiling."""
    dotted = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
    callee = interp.project.resolve(module, dotted) if dotted is not None else None
    if isinstance(callee, FunctionInfo):
        return callee.may_hold("compile")
    if isinstance(callee, ClassInfo):
        return any(method.may_hold("compile") for method in callee.methods.values())
    if isinstance(callee, tuple):
        home, node = callee
        return any(node.lineno <= row <= (node.end_lineno or node.lineno) for row in home.rows_with("compile"))
    return isinstance(callee, str) and callee.startswith(("torch.", "functools.partial"))


def helpers(interp: Interpreter, module: Module) -> list[FunctionInfo]:
    """The functions of other files of the project that a script imports, or may call by the name of their module, and
    that call the compiler."""
    if not is_script(module.text):
        return []
    names = [name for name, bound in module.names.items() if isinstance(bound, ImportedName)]
    imports = [interp.project.resolve(module, name) for name in names] + [*map(interp.project.module, module.stars)]
    near = [each for each in imports if isinstance(each, Module) and speaks_of_compiling(each.text)]
    project_functions = [each for each in imports if isinstance(each, FunctionInfo)]
    every = [*project_functions, *(info for each in near for info in functions(each))]
    return [info for info in every if not info.module.installed and calls_compiler(info)]


def leading(
    interp: Interpreter, module: Module, inheriting: Iterable[ClassInfo], helpers: Iterable[FunctionInfo]
) -> list[FunctionInfo]:
    """The functions of a file that reach a call of the compiler, of a compiled value, or of a helper that compiles."""
    every = functions(module)
    callers = dict.fromkeys(filter(calls_compiler, every))
    words = {word for info in (*callers, *helpers) for word in _words_for(info)} | {*_compiled_names(module)}
    words |= {cls.name.rpartition(".")[2] for cls in inheriting}
    for compiled in interp.compiled.values():
        words |= {*_words_for(compiled.value.info)} if isinstance(compiled.value, Function) else set()
    for _ in range(MAX_LEVELS):
        new = [info for info in every if info not in callers and _mentions(info, words)]
        callers.update(dict.fromkeys(new))
        words = {word for info in new for word in _words_for(info)}
    return [info for info in every if info in callers]


def outermost_first(functions: list[FunctionInfo]) -> list[FunctionInfo]:
    """The functions except constructors, ordered by the number of others that mention them."""

    def mentions(info: FunctionInfo) -> int:
        words = {*_words_for(info)}
        return sum(other is not info and _mentions(other, words) for other in functions)

    return sorted((info for info in functions if not info.name.endswith("__init__")), key=mentions)


def constructor_leads(interp: Interpreter, cls: ClassInfo, leading: list[FunctionInfo]) -> bool:
    """Whether a constructor of a class, or of a base, reaches the compiler."""
    classes = (base for base in interp.project.mro(cls) if isinstance(base, ClassInfo) and not base.module.installed)
    inits = [base.methods["__init__"] for base in classes if "__init__" in base.methods]
    return any(init in leading or calls_compiler(init) for init in inits)


def inheriting(interp: Interpreter, module: Module) -> list[ClassInfo]:
    """The classes of a file with a method that an inherited method of another file may compile."""
    direct = (base for cls in module.classes for base in interp.project.bases(cls))
    if not any(isinstance(base, ClassInfo) and base.module is not module for base in direct):
        return []
    return [cls for cls in module.classes if any(compiling_methods(interp, cls))]


def compiling_methods(interp: Interpreter, cls: ClassInfo) -> Iterator[FunctionInfo]:
    """The inherited methods of other files that may compile a method of the class: `self.step`."""
    own = [f"self.{name}" for name in cls.methods if not name.startswith("__")]
    for base in _bases_elsewhere(interp, cls) if own else ():
        for name, info in _naming_compiler(base):
            if any(map(info.may_hold, own)) and interp.project.method(cls, name) is info:
                yield info


class _CompilingMethods(dict[ClassInfo, list[tuple[str, FunctionInfo]]]):
    """By class of a file: its methods that call the compiler by name; cached with the tree of the file."""


def _naming_compiler(cls: ClassInfo) -> list[tuple[str, FunctionInfo]]:
    """The methods of a class that call a compiler by its own name, not only a helper that may compile."""
    cache = cls.module.derive(_CompilingMethods, _CompilingMethods)
    if cls not in cache:
        methods = cls.methods.items() if any(map(cls.may_hold, _CALLS)) else ()
        cache[cls] = [(name, info) for name, info in methods if _names_compiler(info)]
    return cache[cls]


def _bases_elsewhere(interp: Interpreter, cls: ClassInfo) -> Iterator[ClassInfo]:
    """The bases of a class that other files of the project define."""
    for base in interp.project.mro(cls):
        if isinstance(base, ClassInfo) and base.module is not cls.module and not base.module.installed:
            yield base


def calls_compiler(info: FunctionInfo) -> bool:
    """Whether a function itself contains a call, or a decorator of an inner function, that may compile."""
    if not any(map(info.may_hold, WORDS)):
        return False
    inner = (each for node in info.nodes.of(ast.FunctionDef) if node is not info.node for each in node.decorator_list)
    imports = (alias.name in _NAMES for node in info.nodes.of(ast.ImportFrom) for alias in node.names)
    return any(map(_may_compile, [*info.nodes.of(ast.Call), *inner])) or any(imports)


def _names_compiler(info: FunctionInfo) -> bool:
    """Whether a function calls a compiler by its own name; a function without such a text is not parsed."""
    if not any(map(info.may_hold, _CALLS)):
        return False
    names = (dotted_name(call.func) or "" for call in info.nodes.of(ast.Call))
    return any(name.rpartition(".")[2] in _NAMES and not name.startswith(_OF_TEXT) for name in names)


def _may_compile(node: ast.expr) -> bool:
    """Whether a call or a decorator may compile, by its name."""
    name = dotted_name(node.func if isinstance(node, ast.Call) else node) or ""
    last = name.rpartition(".")[2]
    return (_COMPILES.search(last) is not None or last in _NAMES) and not name.startswith(_OF_TEXT)


def _words_for(info: FunctionInfo) -> Iterator[str]:
    """The name by which a function is called; for a constructor, that of its class."""
    name = info.name.rpartition(".")[2]
    if name == "__init__" and info.cls is not None:
        yield info.cls.name.rpartition(".")[2]
    elif not name.startswith(("__", "<")):
        yield name


def _compiled_names(module: Module) -> Iterator[str]:
    """The names and attributes that are bound to the result of a compiling call."""
    rows = sorted({row for word in ("compile", *_NAMES) for row in module.rows_with(word)})
    assigned = (node for node in (statements(module.tree) if rows else ()) if isinstance(node, ast.Assign))
    for node in (each for each in assigned if has_row(each, rows)):
        if any(isinstance(inner, ast.Call) and _may_compile(inner) for inner in walk(node.value)):
            yield from filter(None, ((dotted_name(target) or "").rpartition(".")[2] for target in node.targets))


def _mentions(info: FunctionInfo, words: set[str]) -> bool:
    """Whether a function contains one of some names, or an attribute of that name."""
    if not any(map(info.may_hold, words)):
        return False
    names, attributes = info.nodes.of(ast.Name), info.nodes.of(ast.Attribute)
    return any(name.id in words for name in names) or any(each.attr in words for each in attributes)
