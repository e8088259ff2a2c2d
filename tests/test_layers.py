"""Imports run downward only, and checking stays light."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from harness import PROJECT

PACKAGE = PROJECT / "breaklint"
VALUES = "arguments callables containers heap lattice objects predicates sequences values"
LAYERS = (
    ("__init__", "model", "errors"),
    ("source",),
    ("project",),
    ("torchops",),
    # The classes of values run nothing: analysis is asked with them, by the interpreter too.
    tuple(f"interp.{name}" for name in VALUES.split()),
    ("analysis",),
    ("interp",),
    ("rules",),
    ("fixes",),
    ("lint",),
    ("codemod",),
    ("output",),
    ("dynamo",),
    ("calls",),
    ("verify",),
    ("recompiles",),
    ("observe",),
    ("testing", "pytest_plugin", "editor"),
    ("commands", "cli", "start", "__main__"),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
# Modules that are in no package.
LOOSE = {"__init__", "__main__", "model", "errors", "cli", "start", "testing", "pytest_plugin"}


@cache
def imports(module: Path) -> list[ast.Import | ast.ImportFrom]:
    """Every import, those inside functions and under TYPE_CHECKING too."""
    nodes = ast.walk(ast.parse((PACKAGE / module).read_text("utf-8")))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def part(module: Path | str) -> str:
    """The part of the package that a module belongs to: a file that has a level of its own, or the name right below
    `breaklint`."""
    dotted = ".".join(module.with_suffix("").parts) if isinstance(module, Path) else module
    return dotted if dotted in LEVEL else dotted.partition(".")[0]


def imported_parts(module: Path) -> Iterator[tuple[int, str]]:
    """The row and the part of every import of breaklint's own code, those inside functions too."""
    for node in imports(module):
        if isinstance(node, ast.ImportFrom) and node.module == "breaklint":
            for alias in node.names:
                yield node.lineno, alias.name if alias.name in LEVEL else "__init__"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("breaklint."):
            yield node.lineno, part((node.module or "").removeprefix("breaklint."))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("breaklint."):
                    yield node.lineno, part(alias.name.removeprefix("breaklint."))


def test_a_module_imports_nothing_from_above() -> None:
    upward = [
        f"{module}:{row}: {name}"
        for module in MODULES
        for row, name in imported_parts(module)
        if LEVEL[name] > LEVEL[part(module)]
    ]
    assert upward == []


def dotted(module: Path) -> str:
    return ".".join(["breaklint", *module.with_suffix("").parts]).removesuffix(".__init__")


FILES = {dotted(module): module for module in MODULES}


def imported_files(module: Path) -> set[str]:
    """The files that a file imports wherever it does: inside functions and under TYPE_CHECKING, too."""
    name, result = dotted(module), set()
    for node in imports(module):
        if isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = name.split(".")[: len(name.split(".")) - node.level + (module.name == "__init__.py")]
            origin = ".".join([*above, *([node.module] if node.module else [])]) if node.level else node.module or ""
            for alias in node.names:
                inner = f"{origin}.{alias.name}"
                result.add(inner if inner in FILES else origin)
    return result & (FILES.keys() - {name})


@cache
def import_graph() -> dict[str, set[str]]:
    return {name: imported_files(module) for name, module in FILES.items()}


def reached(name: str) -> set[str]:
    """The files that a file leads to, over any number of imports."""
    result: set[str] = set()
    waiting = [name]
    while waiting:
        new = import_graph()[waiting.pop()] - result
        result |= new
        waiting += new
    return result


def test_no_file_leads_back_to_itself() -> None:
    assert [name for name in FILES if name in reached(name)] == []


def test_only_what_every_package_imports_is_in_no_package() -> None:
    assert {module.stem for module in MODULES if len(module.parts) == 1} == LOOSE


def runs_beside_torch(module: Path) -> bool:
    return part(module) in ("dynamo", "calls", "verify", "recompiles", "testing")


def imports_torch(module: Path) -> bool:
    names = {alias.name for node in imports(module) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in imports(module) if isinstance(node, ast.ImportFrom)}
    return any(name.partition(".")[0] == "torch" for name in names)


def test_only_what_runs_code_imports_torch() -> None:
    assert [str(module) for module in MODULES if not runs_beside_torch(module) and imports_torch(module)] == []
    assert any(imports_torch(module) for module in MODULES)


MODEL = """
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x * x.mean().item()
"""


def imported_by_check(folder: Path, text: str, path: str = "model.py") -> set[str]:
    (folder / "model.py").write_text(text)
    command = [sys.executable, "-X", "importtime", "-m", "breaklint", "check", "--isolated", path]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    lines = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {name.partition(".")[0] for name in lines} | {name for name in lines if name.startswith("breaklint.")}


@pytest.mark.parametrize("text", [MODEL, "x = 1\n"], ids=["a model with a finding", "no torch"])
def test_check_imports_neither_torch_nor_what_prints_prettily(tmp_path: Path, text: str) -> None:
    imported = imported_by_check(tmp_path, text)
    assert not imported & {"torch", "numpy", "rich", "pathspec", "libcst", "breaklint.verify", "breaklint.codemod"}


@pytest.mark.parametrize(
    ("text", "too_much"),
    [
        (
            "x = 1\n",
            {
                "breaklint.lint.engine",
                "breaklint.interp",
                "breaklint.rules.cards",
                "hashlib",
                "libcst",
            },
        ),
        (MODEL, {"yaml", "multiprocessing", "concurrent", "breaklint.verify", "subprocess", "asyncio"}),
    ],
    ids=["no torch", "a model with a finding"],
)
def test_check_imports_only_what_the_file_needs(tmp_path: Path, text: str, too_much: set[str]) -> None:
    imported_by_check(tmp_path, MODEL)  # parses the cards, once for all runs
    assert imported_by_check(tmp_path, text) & too_much == set()


def test_a_folder_of_which_all_results_are_kept_needs_no_interpreter(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    remaining = [imported_by_check(tmp_path / "package", "import torch\n" + MODEL, ".") for _ in range(2)][-1]
    assert not remaining & {"breaklint.lint.engine", "breaklint.interp", "breaklint.rules.cards"}


def test_no_two_test_files_share_a_name() -> None:
    names = [path.name for path in (PROJECT / "tests").rglob("test_*.py") if "pages" not in path.parts]
    assert sorted({name for name in names if names.count(name) > 1}) == []  # pytest collects the first one only
