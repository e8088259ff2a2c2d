"""What the fixtures claim, run on Dynamo: before breaks where check says; after does not, and computes alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from nightly import by_day

from breaklint.dynamo.breaks import covers
from breaklint.lint.engine import check_source
from breaklint.model import Effect, Settings
from breaklint.source.resources import fixtures_dir
from breaklint.testing import Break, graph_breaks

torch = pytest.importorskip("torch")

from breaklint.verify.arm.calls import Case, Observation, seed_all  # noqa: E402 - needs torch
from breaklint.verify.arm.compare import compare  # noqa: E402
from breaklint.verify.arm.importing import Location  # noqa: E402
from breaklint.verify.arm.loading import load  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # the fixtures warn and use what is deprecated, on purpose
FOLDERS = sorted(path.parent for path in fixtures_dir().glob("*/before.py"))
REWRITTEN = [path for folder in FOLDERS if (path := folder / "after.py").exists()]
BY_DAY = {
    "item-divisor",
    "branch-on-mean",
    "print-in-branch",
    "legacy-variable",
    "boolean-mask-fill",
    "gelu-pow",
}


def fresh(path: Path) -> Case:
    """The fixture's model and inputs, always the same; skips where a library that it imports is not installed."""
    seed_all(0)
    try:
        model, (args, kwargs) = load(Location(str(path), "", str(path.parent), "", False))
    except ImportError as error:
        pytest.skip(f"needs {error.name}")
    return Case(model.eval(), args, kwargs)


def breaks(path: Path) -> list[Break]:
    case = fresh(path)
    return graph_breaks(case.model, *case.args, **case.kwargs)


def records(path: Path) -> list[dict[str, Any]]:
    return [Observation(fresh(path), seed=1, gradients=gradients).first() for gradients in (False, True)]


@pytest.mark.parametrize("folder", by_day(FOLDERS, BY_DAY, lambda folder: folder.name))
def test_every_finding_of_a_fixture_is_a_line_that_breaks(folder: Path) -> None:
    path = folder / "before.py"
    found = check_source(path.read_text("utf-8"), str(path), Settings()).findings
    real = breaks(path)
    assert [f for f in found if f.effect is Effect.BREAK and not any(covers(f, b) for b in real)] == []


def title(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize(
    "path", by_day(REWRITTEN, {title(path) for path in REWRITTEN if path.parent.name in BY_DAY}, title)
)
def test_a_rewritten_fixture_is_one_graph_with_the_same_results(path: Path) -> None:
    assert breaks(path) == []
    for before, after in zip(records(path.with_name("before.py")), records(path), strict=True):
        assert compare(before, after) == []
