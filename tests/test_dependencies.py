"""What breaklint imports is named in pyproject.toml, and what is named there is imported."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from harness import PROJECT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILES = sorted((PROJECT / "breaklint").rglob("*.py"))
DECLARED = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
NOT_SHIPPED = {"dev", "docs"}  # extras of those who work on breaklint
DISTRIBUTIONS = {"yaml": "pyyaml"}  # that are not called as what they bring
BRINGS_US = {"pytest"}  # imports the plugin, and no other module does
CONSTRAINTS = PROJECT / "constraints.txt"
NEEDED_BY_TORCH = {"numpy"}  # for tensors of arrays


def imported(path: Path) -> Iterator[str]:
    """The outermost name of every import of a file, of those by `import_module("…")` too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and node.args and ast.unparse(node.func).rpartition(".")[2] == "import_module":
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value.partition(".")[0]


@cache
def distributions(path: Path) -> set[str]:
    """The distributions that a file imports; not Python's own, this one, or what Python looks for at its start."""
    names = set(imported(path)) - sys.stdlib_module_names - {"breaklint", "sitecustomize"}
    return {DISTRIBUTIONS.get(name, name.replace("_", "-")) for name in names}


def declared() -> set[str]:
    extras = (lines for extra, lines in DECLARED["optional-dependencies"].items() if extra not in NOT_SHIPPED)
    lines = [*DECLARED["dependencies"], *(line for extra in extras for line in extra)]
    return {match[0].lower() for line in lines if (match := re.match(r"[\w.-]+", line))}


def test_what_is_imported_is_declared() -> None:
    undeclared = {path.stem: distributions(path) - BRINGS_US - declared() for path in FILES}
    assert {stem: names for stem, names in undeclared.items() if names} == {}


def test_what_is_declared_is_imported() -> None:
    standing_in = {"tomli"} if sys.version_info >= (3, 11) else set()  # for what newer Pythons have
    used = {name for path in FILES for name in distributions(path)}
    assert declared() - used - NEEDED_BY_TORCH - standing_in == set()


def test_what_check_imports_needs_no_extra() -> None:
    """Everything outside of verify, the editor and the testing helpers runs on the plain dependencies."""
    plain = {match[0].lower() for line in DECLARED["dependencies"] if (match := re.match(r"[\w.-]+", line))}
    for part in ("source", "project", "torchops", "interp", "rules", "fixes", "lint", "codemod", "output"):
        for path in sorted((PROJECT / "breaklint" / part).rglob("*.py")):
            assert distributions(path) - plain == set(), path


def test_every_dependency_is_pinned_for_development() -> None:
    named = [
        *DECLARED["dependencies"],
        *(line for extra in DECLARED["optional-dependencies"].values() for line in extra),
    ]
    pins = {match[1].lower() for match in re.finditer(r"^([\w.-]+)==", CONSTRAINTS.read_text("utf-8"), re.MULTILINE)}
    assert {match[0].lower() for line in named if (match := re.match(r"[\w.-]+", line))} - pins == set()
