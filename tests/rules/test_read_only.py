"""Rules only read what the interpreter has found: two runs with different rules see the same values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import PROJECT

from breaklint.interp.frame import Transfer

PACKAGE = PROJECT / "breaklint"
CHANGES = frozenset("add append clear discard extend insert pop popitem remove reverse setdefault sort update".split())
STATE = {"AbstractInterpreter", "Frame", "HeapObject", "Instance", "Interpreter", "Record", "Scope"}
READS = {  # methods of these classes that leave what they are called on as it is, or only make it known earlier
    "called_modules", "family", "get", "has_deferred", "holds", "is_comprehension",
    "is_read", "lookup", "name", "blocks", "stored", "uncertain", "visitors",
}  # fmt: skip


def methods() -> Iterator[str]:
    """The methods of the classes that hold what the interpreter knows."""
    for path in (PACKAGE / "interp").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name in STATE:
                yield from (item.name for item in node.body if isinstance(item, ast.FunctionDef))


WRITES = frozenset(name for name in (*methods(), *Transfer._fields) if not name.startswith("__")) - READS


def imports_interpreter(path: Path) -> bool:
    text = path.read_text("utf-8")
    return "breaklint.interp" in text and any(
        isinstance(node, ast.ImportFrom) and (node.module or "").startswith("breaklint.interp")
        for node in ast.walk(ast.parse(text))
    )


RULES = [path for path in sorted((PACKAGE / "rules").rglob("*.py")) if imports_interpreter(path)]


def base(node: ast.expr) -> tuple[str, bool]:
    """The name that an attribute, an item or a method's result is of, and whether an attribute of it is passed."""
    attribute = False
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        attribute |= isinstance(node, ast.Attribute)
        node = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else (
            node.func if isinstance(node, ast.Call) else node.value
        )  # fmt: skip
    return (node.id if isinstance(node, ast.Name) else "", attribute)


def new_names(scope: ast.AST) -> set[str]:
    """The names that hold a new container of the function's own, or one that `Module.derive` keeps for the rule."""
    match = set()
    for node in ast.walk(scope):
        for target in node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]:
            value = getattr(node, "value", None)
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=True))
            else:
                pairs = [(target, value)]
            match |= {name.id for name, result in pairs if isinstance(name, ast.Name) and is_new(result)}
    return match


def is_new(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        result = value.func.value if isinstance(value.func, ast.Subscript) else value.func  # `dict[str, int]()`
        return ast.unparse(result).rpartition(".")[2] in {"dict", "list", "set", "derive"}
    return isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def writes(tree: ast.Module) -> Iterator[str]:
    """The stores and calls of a file that may change what others hold."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.Lambda):
            continue
        own = {"self", "cls"} | new_names(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
                name, through = base(node.value)
                if name not in own | {"CHECKS"} or (through and name != "self"):
                    yield f"row {node.lineno}: {ast.unparse(node)} is stored"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name, through = base(node.func.value)
                if node.func.attr in WRITES or (node.func.attr in CHANGES and name not in own):
                    yield f"row {node.lineno}: {ast.unparse(node.func)} is called"


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_rule_stores_nothing_outside_itself(path: Path) -> None:
    assert list(writes(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize(
    "line",
    [
        "call.frame.env['x'] = 1",
        "call.frame.interp.limit = 3",
        "call.frame.interp.values.clear()",
        "call.owner.store('weight', value)",
        "call.frame.eval(node)",
        "call.frame.interp.invoke(frame, node, callee, given)",
        "held = call.frame.env; held.update(x=1)",
        "del call.frame.env['x']",
    ],
)
def test_a_write_is_seen(line: str) -> None:
    assert list(writes(ast.parse(f"def visit_call(self, call):\n    {line}\n")))
