"""The walk from bytes to a finding in docs/architecture.md names functions that exist, each once."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from harness import PROJECT

WALK = re.findall(r"^\| \d+ \| (.+?) \|", (PROJECT / "docs/architecture.md").read_text("utf-8"), re.MULTILINE)
NAMES = [name for row in WALK for name in re.findall(r"`([^`]+)`", row)]
HOMES = {"Interpreter": "interp.interpreter", "Frame": "interp.frame"}  # classes that earlier rows have introduced


@pytest.mark.parametrize("name", [name for name in NAMES if "…" not in name])
def test_every_function_of_the_walk_exists(name: str) -> None:
    head = name.partition(".")[0]
    parts = (f"{HOMES[head]}.{name}" if head in HOMES else name).split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(["breaklint", *parts[:cut]]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return
    pytest.fail(f"{name} is in no module")


def test_the_walk_names_each_function_once() -> None:
    assert len(set(NAMES)) == len(NAMES) > 10
