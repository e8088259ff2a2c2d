"""Hostile programs of several files, by the law that they attack: what safe fixes make of them does what they did."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from nightly import by_day, one_in

pytest.importorskip("torch")

from hostile_programs import Program, attacked, bases, programs

PROGRAMS = programs()
FIRST = {program.law: f"{program.law}: {program.case}" for program in reversed(PROGRAMS)}  # one of each law by day


def name(program: Program) -> str:
    return f"{program.law}: {program.case}"


@pytest.mark.parametrize("program", by_day(PROGRAMS, FIRST.values(), name))
def test_a_safe_fix_changes_nothing_of_a_hostile_program(program: Program, tmp_path: Path) -> None:
    result = attacked(program, tmp_path)
    assert not result.errors, f"{result}"
    assert not result.found, f"{result}"


@pytest.mark.parametrize("base", one_in(4, [base for base in bases() if not base.startswith("any ")]))
def test_what_programs_are_made_of_is_fixed_where_nothing_stands_in_its_way(base: str, tmp_path: Path) -> None:
    program = Program("", base, {"net.py": bases()[base]})
    result = attacked(program, tmp_path)
    assert result.fixes
    assert not result.found, f"{result}"


LEFT_BEHIND = """\
import os
import time
from net import Net


def call(model, x, y):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    return model(x, y)
"""


def test_a_process_that_a_program_leaves_behind_is_not_waited_for(tmp_path: Path) -> None:
    started = time.monotonic()
    result = attacked(Program("", "", {"net.py": bases()["result var"], "main.py": LEFT_BEHIND}), tmp_path)
    assert result.fixes
    assert not result.errors, f"{result}"
    assert time.monotonic() - started < 50
