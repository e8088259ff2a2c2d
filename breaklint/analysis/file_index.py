"""What one file may do to others: a small index, made in one pass over its statements, that holds no tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from breaklint.analysis.class_index import Bases, ClassIndex, class_index
from breaklint.analysis.escapes import Escapes, imported, last_part
from breaklint.analysis.file_nodes import FileNodes
from breaklint.analysis.handed_on import handed_on, is_outside
from breaklint.analysis.imports import FileImports
from breaklint.analysis.module_parts import replaces_parts
from breaklint.analysis.namespaces import GLOBALS, MAKING, OF_BUILTINS, Namespaces
from breaklint.analysis.reading import ANY, only_reads
from breaklint.analysis.resizing import resizes
from breaklint.analysis.shown import BACKWARD, REPARTED, RESIZED, WARNED, shown, shown_by
from breaklint.analysis.stores import Stores
from breaklint.analysis.top_level import ANY_TIME, Binding, TopLevel
from breaklint.analysis.warning_filters import sets_filters
from breaklint.project.module import ImportedName, Module
from breaklint.project.project import BUILTINS
from breaklint.project.walking import dotted_name, statements, walk_rows

WRITTEN: Final = ("math", "torch")  # modules that fixes import
ASKING: Final = frozenset({"getattr", "hasattr", "setattr", "delattr"})
# What makes or changes an object past its constructor.
PAST_CONSTRUCTORS: Final = ("__new__", "_buffers", "__dict__", "vars(", "__init__ =")


class FileIndex(NamedTuple):
    """What a file stores, replaces and hooks.

    `words` are those of its imports, `imported` what its names stand for, and `stars` the modules that it takes all
    from. `objects` are the attributes that it stores in what may be any object, `submodules` those that `add_module`
    stores. `replaced` are the attributes of modules, classes and functions that it stores, by the qualified name of the
    owner, which begins with a dot in the file itself; `looked_up` those of modules that are looked up. `opened` are the
    owners of which it stores attributes under names that are computed, or takes the dictionary, and `made` the classes
    of such objects. `contents` are the names of lists and dicts of others whose items it may change, `items` of those
    in which it may change what an item holds, `changed` of those of its own, too, `loose` the beginnings of names that
    it stores outside of classes. `rebound` are the names of its top level with several bindings. `fills`: any of its
    names may be bound behind its back. `anywhere`: it stores under names that are computed in what may be any object,
    `whole`: all that a dictionary has. `shown` is what it shows of tensors and calls that proofs take to be otherwise,
    `told` the names that it has as texts or as keywords, under which such a file may store. `handed_on` are those to
    which it gives libraries as objects.
    """

    module: str
    words: tuple[str, ...]
    inside: bool
    imported: tuple[tuple[str, str], ...]
    stars: tuple[str, ...]
    classes: tuple[ClassIndex, ...]
    objects: tuple[str, ...]
    submodules: tuple[str, ...]
    replaced: tuple[str, ...]
    looked_up: tuple[str, ...]
    opened: tuple[str, ...]
    made: tuple[str, ...]
    contents: tuple[str, ...]
    items: tuple[str, ...]
    changed: tuple[str, ...]
    loose: tuple[str, ...]
    rebound: tuple[tuple[str, tuple[Binding, ...]], ...]
    builtins: tuple[str, ...]
    fills: bool
    makes_types: bool
    past_constructors: bool
    anywhere: bool
    whole: bool
    told: tuple[str, ...]
    shown: tuple[str, ...]
    handed_on: tuple[str, ...]
    handed_classes: tuple[str, ...]
    passed: tuple[str, ...]
    asked: tuple[str, ...]


def file_index(module: Module) -> FileIndex:
    """The index of a file that was parsed as a whole, made once."""
    return module.derive(FileIndex, lambda: _file_index(module))


def _file_index(module: Module) -> FileIndex:
    inside, nodes = list(statements(module.tree)), FileNodes(module.tree)
    namespaces, stores, imports = Namespaces(module), Stores(module), FileImports(module, inside)
    escapes, top = Escapes(nodes), TopLevel(module)
    top.add_file((*namespaces.bound, *namespaces.own))
    rebound = [(name, tuple(found)) for name, found in top.names.items() if found[1:] or found[0].row == ANY_TIME]
    taken, (replaced, made) = list(_opened(nodes, imports)), _replaced(namespaces, imports)
    replaced |= {f"{name}.{ANY}" for name, gets in taken if gets}
    classes, handed = _classes(inside, Bases(imports, top.names), stores), handed_on(imports, nodes)
    bases = (base for cls in classes for base in cls.bases)
    seen = [*_seen(module, imports, nodes), *([RESIZED] if resizes(module, nodes, stores.names) else [])]
    seen += [REPARTED] if replaces_parts(module, nodes, stores, replaced) else []
    return FileIndex(
        module=module.name,
        words=_sorted(imports.words.union(*(dotted.split(".") for dotted in namespaces.patched))),
        inside=imports.from_package,
        imported=tuple(sorted(imports.names.items())),
        stars=tuple(module.stars),
        classes=classes,
        objects=_sorted(stores.names),
        submodules=_sorted(stores.modules),
        replaced=_sorted(replaced),
        looked_up=_sorted(namespaces.bound),
        opened=_sorted([*(name for name, _ in taken), *([ANY] if GLOBALS & namespaces.taken else [])]),
        made=_sorted(made),
        contents=_sorted(imported(escapes.contents, imports)),
        items=_sorted(imported(escapes.items, imports)),
        changed=_sorted(last_part(name) for name in escapes.changed() if "." in name or name in module.names),
        loose=_sorted(stores.beginnings.get("", ())),
        rebound=tuple(sorted(rebound)),
        builtins=_sorted(BUILTINS & module.names.keys()),
        fills=namespaces.anything,
        makes_types=_makes_types(module),
        past_constructors=bool(module.rows_with_any(PAST_CONSTRUCTORS)),
        anywhere=stores.anywhere,
        whole=stores.whole,
        told=_sorted(_told(nodes)),
        shown=_sorted([*shown(module), *shown_by(imports.names.values(), bases), *seen]),
        handed_on=_sorted(handed.to),
        handed_classes=_sorted(handed.classes),
        passed=_sorted(handed.files),
        asked=_sorted(_asked(module, imports, nodes)),
    )  # fmt: skip


def _replaced(namespaces: Namespaces, imports: FileImports) -> tuple[set[str], set[str]]:
    """What a file stores in modules and classes, by the qualified names of these; and the classes of the objects in
    which it stores under names that are computed."""
    stored = [dotted.rpartition(".") for dotted in namespaces.replaced - namespaces.patched]
    found = [(imports.qualified(owner), owner, name) for owner, _, name in stored]
    replaced = {f"{qualified}.{name or ANY}" for qualified, _, name in found if qualified}
    replaced |= {f"{dotted}{ANY}" if dotted.endswith(".") else dotted for dotted in namespaces.patched}
    replaced |= {f".{name or ANY}" for name in namespaces.own}
    replaced |= {f"builtins.{ANY}"} if OF_BUILTINS & namespaces.taken else set()
    computed = [owner for qualified, owner, name in found if owner and not (qualified or name)]
    return replaced, set[str]().union(*map(imports.classes_of, computed))


def _classes(inside: Sequence[ast.AST], bases: Bases, stores: Stores) -> tuple[ClassIndex, ...]:
    """The classes of a file, wherever they stand; the second of a name is called `Net#2`."""
    found: dict[str, ClassIndex] = {}
    for node in inside:
        if isinstance(node, ast.ClassDef):
            cls, name, number = class_index(node, bases, stores), node.name, 1
            while name in found:
                number += 1
                name = f"{node.name}#{number}"
            found[name] = cls._replace(name=name)
    return tuple(found.values())


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*names}))


def _told(nodes: FileNodes) -> Iterator[str]:
    """The names that a file has as texts, as keywords, or as parameters."""
    for constant in nodes.of(ast.Constant):
        if isinstance(constant.value, str) and constant.value.isidentifier():
            yield constant.value
    yield from (keyword.arg for keyword in nodes.of(ast.keyword) if keyword.arg is not None)
    yield from (parameter.arg for parameter in nodes.of(ast.arg))


def _opened(nodes: FileNodes, imports: FileImports) -> Iterator[tuple[str, bool]]:
    """The qualified names of which a file takes the dictionary, and does more than read it, and whether other code gets
    it."""
    found: list[tuple[ast.expr, ast.expr]] = []
    found += [(each, each.value) for each in nodes.of(ast.Attribute) if each.attr == "__dict__"]
    found += [(each, each.args[0]) for each in nodes.of(ast.Call) if each.args and dotted_name(each.func) == "vars"]
    for node, owner in found:
        name, around = imports.qualified(dotted_name(owner) or ""), nodes.around[node]
        if name and not only_reads(around, node):
            yield name, not isinstance(around, (ast.Attribute, ast.Subscript))


def _seen(module: Module, imports: FileImports, nodes: FileNodes) -> Iterator[str]:
    """What a file does that the removal of a warning may change, or that calls `backward` of a function's class."""
    if sets_filters(module, imports, nodes):
        yield WARNED
    yield from (BACKWARD.format(owner.rpartition(".")[2]) for owner in _owners(imports, nodes, "backward"))


def _asked(module: Module, imports: FileImports, nodes: FileNodes) -> Iterator[str]:
    """The names of modules that fixes import whose presence in another file the file may notice: it asks an object for
    one, or for a name that it computes and has such a text, or takes all names of a file and one of these does not mean
    the module."""
    for name in (name for name in WRITTEN if name in module.text):
        plain = imports.names.get(name) == name and isinstance(module.names.get(name), ImportedName)
        if (module.stars and not plain) or any(_owners(imports, nodes, name)):
            yield name
    texts = {text: str(text.value) for text in nodes.of(ast.Constant) if text.value in WRITTEN}
    calls = [call for call in nodes.of(ast.Call) if dotted_name(call.func) in ASKING] if texts else []
    computed = any(not isinstance(name, ast.Constant) for call in calls for name in call.args[1:2])
    yield from (name for text, name in texts.items() if computed or nodes.around[text] in calls)


def _owners(imports: FileImports, nodes: FileNodes, name: str) -> Iterator[str]:
    """The qualified names of what has an attribute that is read, where they may be another file's."""
    for node in nodes.of(ast.Attribute):
        owner = imports.qualified(dotted_name(node.value) or "") if node.attr == name else ""
        if owner and not is_outside(owner):
            yield owner


def _makes_types(module: Module) -> bool:
    """Whether a file makes classes by calls of `type`."""
    calls = (each for each in walk_rows(module.tree, module.rows_with("type(")) if isinstance(each, ast.Call))
    return any(len(call.args) == 3 and dotted_name(call.func) == "type" for call in calls)


__all__ = ["ANY", "MAKING", "FileIndex", "file_index"]
