"""What is predicted of small programs, call by call, is what torch has counted (scripts/torch_probe/recompiles.py)."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from harness import PROJECT, yaml_entries

from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.project import Project
from breaklint.recompiles.frames import CompiledFunction
from breaklint.recompiles.machine import Machine
from breaklint.recompiles.options import Options
from breaklint.recompiles.scopes import Scope
from breaklint.recompiles.world import World
from breaklint.source.decoding import read_source
from breaklint.torchops.facts import for_target
from scripts.torch_probe.recompiles import HEAD, TAIL

PROGRAMS = yaml_entries(PROJECT / "tests/recompiles/programs")
# Those that are followed: what `make` compiles, and calls outside of a function, are no entry that is named.
FOLLOWED = [each for each in PROGRAMS if "def make" not in each["code"]]
# Not modelled: memory layout, aliases among arguments, what functions of arguments close over, parts after a break that
# have caches of their own.
NOT_MODELLED = {"layout", "list-same", "lambda-mk", "partial-arg", "objattr", "strn"}


def predicted(program: dict[str, Any], folder: Path, target: str) -> list[bool]:
    """Whether each call of a program is predicted to compile."""
    project = Project([str(folder)], lambda path: read_source(path).text)
    module = project.add(str(folder / "program.py"), HEAD + program["code"] + TAIL)
    world = World({}, {})
    machine = Machine(project, world)
    entry, owner = module.names.get("f"), []
    if isinstance(cls := module.names.get("Net"), ClassInfo):
        entry, owner = project.method(cls, "forward"), [machine.instantiate(cls, [], {})]
    assert isinstance(entry, FunctionInfo)
    options = Options(lazy_names=for_target(target).does("guards reads"))
    compiled = CompiledFunction(project, machine.function(entry), options)
    names = [each.arg for each in entry.node.args.args]
    found = []
    for call in program["calls"]:
        args = [*owner, *machine.eval(ast.parse(f"({call},)", mode="eval").body, Scope(module))]
        world.arguments = dict(zip(names, [machine.force(each) for each in args], strict=False))
        found.append(compiled.call(world).compiles)
    return found


@pytest.mark.parametrize("program", FOLLOWED, ids=lambda each: str(each["name"]))
def test_calls_compile_as_counted(program: dict[str, Any], tmp_path: Path) -> None:
    if program["name"] in NOT_MODELLED:
        pytest.skip("not modelled")
    for target in ("2.13", "2.15"):
        counts = program["counted"][target]
        pairs = zip(predicted(program, tmp_path, target), counts, strict=True)
        assert [said for said, count in pairs if count != "error"] == [bool(n) for n in counts if n != "error"]


def test_most_programs_count_the_same_on_all_versions() -> None:
    differing = {each["name"] for each in PROGRAMS if len({str(counts) for counts in each["counted"].values()}) > 1}
    assert differing <= {"counter-global", "cg-plain"}
