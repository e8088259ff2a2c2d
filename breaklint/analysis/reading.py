"""Code that only reads what a dictionary, list or namespace holds: it neither changes it nor hands it on."""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict, deque
from typing import Final

from breaklint.project.walking import dotted_name

# Methods of Python's containers.
READERS = frozenset("copy count get index items keys values".split())
CHANGERS = {name for kind in (dict, list, set, deque, Counter, OrderedDict) for name in dir(kind)} - READERS
KEYED = frozenset({"count", "index", "keys"})  # of READERS, those that give no item
# Builtins that give a number or a text, or nothing.
COUNTING = frozenset("bool float int isinstance len print range repr str type".split())
# What gives the dictionary of an object or a file, as a call and as an attribute.
DICTIONARY_CALLS = frozenset({"vars", "globals", "locals"})
DICTIONARY_ATTRIBUTES = frozenset({"__dict__", "__globals__"})
ANY: Final = "*"  # any name
# Functions that hand nothing on of what they take but its items.
COMPUTING = frozenset(
    "all any bool dict dir enumerate float getattr hasattr int isinstance len list map max min print range repr "
    "reversed set sorted str sum super tuple type zip".split()
)
# What libraries are usually imported as, whose functions hand on nothing of the lists and dicts that they take.
LIBRARIES = frozenset("F math nn np numpy torch".split())
PARTS = (ast.BinOp, ast.Compare, ast.FormattedValue, ast.If, ast.Starred, ast.UnaryOp, ast.While, ast.comprehension)


def only_reads(node: ast.AST, child: ast.AST) -> bool:
    """Whether a node only reads the items of what stands right below it: `**vars(self)`, `names["a"]`, `len(sizes)`."""
    if isinstance(node, (ast.Subscript, ast.Attribute)):
        read = isinstance(node, ast.Subscript) or node.attr in READERS
        return read and node.value is child and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Call):
        return node.func is child or (child in node.args and computes(node))
    if isinstance(node, ast.Dict):
        return any(key is None and value is child for key, value in zip(node.keys, node.values, strict=True))
    if isinstance(node, ast.keyword):
        return node.arg is None
    if isinstance(node, (ast.For, ast.IfExp)):
        return child is (node.iter if isinstance(node, ast.For) else node.test)
    return isinstance(node, PARTS)


def computes(call: ast.Call) -> bool:
    """Whether a call of a builtin hands on nothing of its arguments; `getattr` may give what changes the first, and
    `max(a, b)` is one of the two."""
    name = dotted_name(call.func)
    if name == "getattr" and len(call.args) > 1:
        asked = call.args[1]
        return isinstance(asked, ast.Constant) and asked.value not in CHANGERS
    return name in COMPUTING and not (name in ("type", "max", "min") and len(call.args) > 1)


def is_of_library(call: ast.Call) -> bool:
    """Whether a call is of a library that hands nothing on of the lists and dicts that it takes."""
    return (dotted_name(call.func) or "").partition(".")[0] in LIBRARIES


def told_name(node: ast.AST) -> str:
    """The name that an expression looks up as a text: `vars(net)["sizes"]`, `getattr(net, "sizes")`; ANY for one that
    is computed, "" for any other expression."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and is_namespace(node.value):
        return str(node.slice.value) if isinstance(node.slice, ast.Constant) else ANY
    if isinstance(node, ast.Call) and dotted_name(node.func) == "getattr" and len(node.args) > 1:
        return str(node.args[1].value) if isinstance(node.args[1], ast.Constant) else ""
    return ""


def is_namespace(node: ast.AST) -> bool:
    """Whether an expression is the dictionary of an object or a file."""
    if isinstance(node, ast.Call):
        return dotted_name(node.func) in DICTIONARY_CALLS
    return isinstance(node, ast.Attribute) and node.attr in DICTIONARY_ATTRIBUTES
