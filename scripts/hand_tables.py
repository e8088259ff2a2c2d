"""Counts the hand-made tables of names in a tree of Python files.

    python scripts/hand_tables.py breaklint [--torch] [--list]

A table is a constant of a module or class (`NAMES = frozenset("a b".split())`, a tuple, set, list or dict) written with
at least two strings that are names. With `--torch` only tables count of which most names are torch's, by the generated
facts. Literal tables inside functions are none: they are read where they are used.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FACTS = Path(__file__).resolve().parent.parent / "breaklint" / "torchops"
CONTAINERS = (ast.Set, ast.List, ast.Tuple, ast.Dict, ast.Call, ast.SetComp, ast.DictComp, ast.BinOp, ast.Subscript)


class Table(NamedTuple):
    """One hand-made table."""

    path: Path
    row: int
    name: str
    names: tuple[str, ...]


def tables(root: Path) -> Iterator[Table]:
    """The tables in the Python files below a folder."""
    for path in sorted(root.rglob("*.py")):
        module = ast.parse(path.read_text())
        bodies = [module.body, *(node.body for node in ast.walk(module) if isinstance(node, ast.ClassDef))]
        for statement in (statement for body in bodies for statement in body):
            value = getattr(statement, "value", None)
            targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and isinstance(value, CONTAINERS):
                names = tuple(sorted(set(names_in(value))))
                if len(names) > 1 and isinstance(targets[0], ast.Name):
                    yield Table(path, statement.lineno, targets[0].id, names)


def names_in(node: ast.expr) -> Iterator[str]:
    """The names that strings of an expression spell: dotted identifiers, several in one string."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            words = part.value.split()
            if words and all(word.strip(".").replace(".", "_").isidentifier() for word in words):
                yield from words


def torch_names() -> set[str]:
    """Every short name in the generated tables."""
    found: set[str] = set()
    for path in FACTS.glob("*.json"):
        for section, rows in json.loads(path.read_text()).items():
            if section not in ("skipped", "graph_breaks", "config", "versions", "constructs", "options", "names"):
                found |= {name.rpartition(".")[2] for name in rows}
            if section == "module_attributes":
                words = " ".join(row if isinstance(row, str) else " ".join(row.values()) for row in rows.values())
                found |= {word.partition(":")[0] for word in words.split()}
    return found


def is_torch(table: Table, known: set[str]) -> bool:
    """Whether most names of a table are torch's."""
    theirs = [name for name in table.names if name.startswith("torch.") or name.rpartition(".")[2] in known]
    builtin = [name for name in table.names if name.startswith(("builtins.", "numpy.", "math."))]
    return len(theirs) - len(builtin) > len(table.names) / 2


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--torch", action="store_true", help="only tables of torch's names")
    parser.add_argument("--list", action="store_true", help="print each table")
    options = parser.parse_args()
    known = torch_names()
    found = [table for table in tables(options.root) if not options.torch or is_torch(table, known)]
    for table in found if options.list else ():
        print(f"{table.path}:{table.row}: {table.name}: {len(table.names)}: {' '.join(table.names)}")
    print(f"{len(found)} tables, {sum(len(table.names) for table in found)} names")


if __name__ == "__main__":
    main()
