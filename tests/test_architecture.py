"""docs/architecture.md: the walk from bytes to a finding names functions that exist; files and limits are true."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from harness import PROJECT

from breaklint.fixes.apply import ROUNDS
from breaklint.interp.frame import MAX_STEPS, WIDENING_PASS
from breaklint.interp.interpreter import MAX_DEPTH, MAX_INSTALLED, MAX_WAYS
from breaklint.interp.regions import LEAST_STEPS

PAGE = (PROJECT / "docs/architecture.md").read_text("utf-8")
WALK = re.findall(r"^\| \d+ \| (.+?) \|", PAGE, re.MULTILINE)
NAMES = [name for row in WALK for name in re.findall(r"`([^`]+)`", row)]
HOMES = {"Interpreter": "interp.interpreter", "Frame": "interp.frame"}  # classes that earlier rows have introduced


@pytest.mark.parametrize("name", [name for name in NAMES if "…" not in name])
def test_every_function_of_the_walk_exists(name: str) -> None:
    head = name.partition(".")[0]
    parts = (f"{HOMES[head]}.{name}" if head in HOMES else name).split(".")
    for cut in range(len(parts), 0, -1):
        try:
            result = import_module(".".join(["breaklint", *parts[:cut]]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            result = getattr(result, part)
        return
    pytest.fail(f"{name} is in no module")


def test_the_walk_names_each_function_once() -> None:
    assert len(set(NAMES)) == len(NAMES) > 10


@pytest.mark.parametrize("name", sorted(set(re.findall(r"[\w/]*\w+\.py\b", PAGE))))
def test_every_file_on_the_page_exists(name: str) -> None:
    where = PROJECT if name.startswith(("breaklint/", "scripts/", "tests/")) else PROJECT / "breaklint"
    assert (where / name).is_file() if "/" in name else list(where.rglob(name))


def test_every_package_is_on_the_page() -> None:
    tree = PAGE.partition("```")[2].partition("```")[0]
    packages = [path.parent.name for path in (PROJECT / "breaklint").glob("*/__init__.py")]
    assert [name for name in packages if f"{name}/" not in tree] == []


@pytest.mark.parametrize(
    "said",
    [
        f"At most {MAX_DEPTH} calls deep",
        f"{MAX_WAYS} combinations per function",
        f"{MAX_STEPS:,} expressions per region",
        f"{LEAST_STEPS:,} for each",
        f"{MAX_INSTALLED:,} in installed packages",
        f"{ROUNDS} rounds at most",
    ],
)
def test_the_limits_are_those_of_the_code(said: str) -> None:
    assert said in " ".join(PAGE.split())


def test_the_pass_that_widens_is_the_one_the_page_names() -> None:
    ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    assert f"in the {ordinals[WIDENING_PASS]} pass" in " ".join(PAGE.split())
