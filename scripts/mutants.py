"""Small faults in a Python file: each changes one comparison, connective, constant, negation or result."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A fault: in `path` (relative to the project), `node` becomes `content`."""

    path: Path
    node: ast.expr
    content: str
    function: str
    number: int = 1

    @property
    def name(self) -> str:
        """The name has no line number, so that it stays when lines move."""
        change = f"{ast.unparse(self.node)} -> {self.content}"
        return f"{self.path.as_posix()}: {self.function}: {change}{f' ({self.number})' if self.number > 1 else ''}"

    def applied(self, text: str) -> str:
        """The text of the file with the fault."""
        data = text.encode()
        starts = [0]
        for line in data.split(b"\n"):
            starts.append(starts[-1] + len(line) + 1)
        node = self.node
        begin, end = starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or 0) - 1]
        return (data[:begin] + self.content.encode() + data[end + (node.end_col_offset or 0) :]).decode()


def mutants(project: Path, path: Path) -> Iterator[Mutant]:
    """Every fault of a file, in the order of the file."""
    tree = ast.parse((project / path).read_text("utf-8"))
    seen: Counter[tuple[str, str, str]] = Counter()
    for node, content, function in _faults(tree, "module"):
        seen[kind := (ast.unparse(node), content, function)] += 1
        yield Mutant(path, node, content, function, seen[kind])


def sampled(population: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` of them by the hash of their names: the choice does not depend on other mutants."""
    return sorted(population, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.name}".encode()).digest())[:count]


def _faults(node: ast.AST, function: str) -> Iterator[tuple[ast.expr, str, str]]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        function = node.name
    for child in ast.iter_child_nodes(node):
        # Python 3.11 does not know where in a file the parts of an f-string are; annotations do nothing.
        if isinstance(child, ast.JoinedStr) or child in _annotations(node):
            continue
        yield from ((changed, content, function) for changed, content in _of_node(child))
        yield from _faults(child, function)


def _annotations(node: ast.AST) -> tuple[ast.AST | None, ...]:
    return getattr(node, "annotation", None), getattr(node, "returns", None)


def _of_node(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        yield node, f"({left} {COMPARED[type(node.ops[0])]} {right})"
    elif isinstance(node, ast.BoolOp):
        word = " or " if isinstance(node.op, ast.And) else " and "
        yield node, f"({word.join(f'({ast.unparse(value)})' for value in node.values)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, f"bool({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int)):
        yield node, str(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield node.value, "None"
