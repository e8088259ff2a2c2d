from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from harness import PROJECT


def test_the_process_that_runs_verify_never_imports_torch() -> None:
    program = (
        "import sys, breaklint.verify.command, breaklint.verify.report\n"
        "assert 'torch' not in sys.modules, 'torch was imported'"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


INSIDE = (
    "breaklint.verify.arm.worker",
    "breaklint.recompiles.calls",
    "breaklint.verify.prove.on_dynamo",
    "breaklint.calls.saving",
    "breaklint.calls.in_place",
    "breaklint.calls.compiling",
)


@cache
def imports(path: Path) -> set[str]:
    """Every module that a file imports, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in inner if file_of(name)} or {node.module or ""}
    return found


def file_of(module: str) -> Path | None:
    base = PROJECT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def led_to(start: str) -> set[str]:
    """The files of breaklint that one leads to, and everything else that these import."""
    found, waiting = {start}, [start]
    while waiting:
        path = file_of(waiting.pop())
        new = imports(path) - found if path else set()
        found |= new
        waiting += new
    return found


@pytest.mark.parametrize("start", INSIDE)
def test_what_runs_beside_torch_needs_torch_and_the_standard_library_only(start: str) -> None:
    outside = {name for name in led_to(start) if name.partition(".")[0] != "breaklint"}
    assert {name.partition(".")[0] for name in outside} - sys.stdlib_module_names - {"torch"} == set()


def test_nothing_else_imports_torch() -> None:
    allowed = set[str]().union(*map(led_to, (*INSIDE, "breaklint.testing")))
    for path in sorted((PROJECT / "breaklint").rglob("*.py")):
        module = ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")
        if "torch" in path.read_text("utf-8") and any(name.partition(".")[0] == "torch" for name in imports(path)):
            assert module in allowed
