"""Whether a file may turn warnings into errors, or see that they are shown."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.file_nodes import FileNodes
from breaklint.analysis.imports import FileImports
from breaklint.project.module import Module
from breaklint.project.walking import dotted_name

# What sets filters for warnings, or takes the place of what shows them, whatever is done with it.
SETTING = frozenset(
    "catch_warnings showwarning formatwarning captureWarnings warnoptions resetwarnings __warningregistry__ "
    "_showwarnmsg _showwarning_orig _formatwarnmsg _setoption _processoptions _add_filter _filters_mutated".split()
)
ADDING = frozenset({"simplefilter", "filterwarnings"})  # of which one that ignores changes nothing
FILTERS = frozenset({"warnings.filters", "warnings._defaultaction", "warnings._onceregistry", "warnings.onceregistry"})
WORDS = (*SETTING, *ADDING, "filters", "_defaultaction", "onceregistry")


def sets_filters(module: Module, imports: FileImports, nodes: FileNodes) -> bool:
    """Whether code of a file may turn a warning into an error, or see that it is shown."""
    worded = "arn" in module.text and module.words_among(WORDS)
    return bool(worded) and any(_setting(imports, nodes))


def _setting(imports: FileImports, nodes: FileNodes) -> Iterator[bool]:
    for statement in nodes.of(ast.ImportFrom):
        given = {alias.name for alias in statement.names}
        renamed = any(alias.asname for alias in statement.names)
        yield statement.module == "warnings" and (renamed or not given.isdisjoint(("filters", "*")))
        yield not SETTING.isdisjoint(given)
    for node, names in nodes.named(SETTING | ADDING):
        yield not SETTING.isdisjoint(names) or not _ignores(node, nodes.around[node])
    for attribute in nodes.of(ast.Attribute):
        yield imports.qualified(dotted_name(attribute) or "") in FILTERS


def _ignores(callee: ast.AST, call: ast.AST) -> bool:
    """Whether a name is that of a function which is called with "ignore"."""
    first = call.args[0] if isinstance(call, ast.Call) and call.func is callee and call.args else None
    return isinstance(first, ast.Constant) and first.value == "ignore"
