"""A target whose breaks lie in other files of its project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from breaklint.model import Settings
from breaklint.verify.judge.results import TargetReport, Verdict
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.region import Coverage, Region, innermost
from breaklint.verify.targets.sources import confirmed_texts, make_plan
from breaklint.verify.targets.targets import find_target

HELPERS = """\
import torch


def scaled(x, limit):
    print("scaling", x.shape)
    return torch.clamp(x * 2, max=limit)


class Unused(torch.nn.Module):
    def forward(self, x):
        print("never")
        return x
"""
LAYERS = """\
import torch

from .helpers import scaled


class Layer(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)

    def forward(self, x):
        return torch.relu(self.linear(scaled(x, 3.0)))
"""
NET = """\
import torch

from .layers import Layer


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(Layer(4), Layer(4))

    def forward(self, x):
        return self.layers(x).sum(-1)
"""
MAKE = "import torch\n\nfrom shop.net import Net\n\n\ndef small():\n    return Net(), (torch.randn(2, 4),)\n"
GUARDED = "    if not torch.compiler.is_compiling():\n        print("


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project").resolve() / "shop"
    folder.mkdir()
    texts = {"__init__.py": "", "helpers.py": HELPERS, "layers.py": LAYERS, "net.py": NET, "make.py": MAKE}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def report(shop: Path, examine: Callable[..., TargetReport]) -> TargetReport:
    return examine(f"{shop}/make.py:small", quick=True)


def test_a_break_in_a_helper_is_found_and_fixed_there(report: TargetReport, shop: Path) -> None:
    before, after = report.arms["before"], report.arms["after"]
    assert [(b.filename, b.row) for b in before.breaks] == [(str(shop / "helpers.py"), 5)]
    assert (after.breaks, after.rewrite_differences, after.differences) == ((), (), ())
    assert [(f.filename, f.row) for f in report.findings.confirmed] == [(str(shop / "helpers.py"), 5)]
    assert report.findings.missed == ()


def test_a_class_that_the_target_never_reaches_gets_no_arm_and_no_verdict(report: TargetReport) -> None:
    assert [fix.row for fix in report.fixes] == [5]
    assert report.findings.not_confirmed == ()


def coverage(shop: Path, *rows: int) -> Coverage:
    """As if the layers and these functions of the helpers had run."""
    others = {(str(shop / "layers.py"), 11), (str(shop / "net.py"), 11)}
    return Coverage(frozenset({(str(shop / "helpers.py"), row) for row in rows} | others))


def test_only_what_is_confirmed_is_written(report: TargetReport, shop: Path) -> None:
    plan = make_plan(find_target(f"{shop}/make.py:small"), VerifyOptions(), coverage(shop, 4))
    confirmed = tuple(replace(fix, verdict=Verdict.CONFIRMED) for fix in report.fixes)
    (text,) = confirmed_texts(plan, replace(report, verdict=Verdict.CONFIRMED, fixes=confirmed)).values()
    assert text.count(GUARDED) == 1
    assert 'def forward(self, x):\n        print("never")' in text  # another class of the same file
    wrong = tuple(replace(fix, verdict=Verdict.WRONG_RESULT) for fix in report.fixes)
    assert confirmed_texts(plan, replace(report, verdict=Verdict.WRONG_RESULT, fixes=wrong)) == {}


def test_after_is_what_check_writes_in_every_file(shop: Path) -> None:
    plan = make_plan(find_target(f"{shop}/make.py:small"), VerifyOptions(), coverage(shop, 4))
    assert plan.after is not None
    assert plan.after.text_of(str(shop / "helpers.py")).count("torch.compiler.is_compiling()") == 2
    assert [finding.span.start.row for finding in plan.uncovered] == [11]
    assert make_plan(find_target(f"{shop}/make.py:small"), VerifyOptions(), coverage(shop, 1)).after is None


def test_files_that_call_each_other_are_fixed_together(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text(HELPERS)
    texts = {str(tmp_path / "layers.py"): LAYERS.replace(".helpers", "helpers"), str(tmp_path / "helpers.py"): HELPERS}
    region = Region(texts, lambda _: Settings())
    assert GUARDED in region.fixed()[str(tmp_path / "helpers.py")]


def test_a_row_lies_in_the_innermost_function_around_it() -> None:
    text = "@wrapped\ndef outer():\n    def inner():\n        pass\n    return inner\n\n\nx = 1\n"
    assert [innermost(text, row) for row in (2, 4, 5, 8)] == [1, 3, 1, None]
