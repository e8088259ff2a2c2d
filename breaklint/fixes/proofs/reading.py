"""Code that only reads what a dictionary, list or namespace holds: it neither changes it nor hands it on."""

from __future__ import annotations

import ast

from breaklint.project.walking import dotted_name

# Methods of Python's containers.
READERS = frozenset("copy count get index items keys values".split())
CHANGERS = {name for kind in (dict, list, set) for name in dir(kind)} - READERS
# Functions that hand nothing on of what they take but its items.
COMPUTING = frozenset(
    "all any bool dict dir enumerate float getattr hasattr int isinstance len list map max min print range repr "
    "reversed set sorted str sum super tuple type zip".split()
)
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
    return isinstance(node, PARTS) or (isinstance(node, (ast.For, ast.IfExp)) and child in _asked(node))


def _asked(node: ast.For | ast.IfExp) -> tuple[ast.expr]:
    return (node.iter if isinstance(node, ast.For) else node.test,)


def computes(call: ast.Call) -> bool:
    """Whether a call of a builtin hands on nothing of its arguments; `getattr` may give what changes the first."""
    name = dotted_name(call.func)
    if name == "getattr" and len(call.args) > 1:
        asked = call.args[1]
        return isinstance(asked, ast.Constant) and asked.value not in CHANGERS
    return name in COMPUTING and not (name == "type" and len(call.args) > 1)
