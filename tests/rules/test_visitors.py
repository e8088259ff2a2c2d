"""Check classes by themselves: what their visitors report of small models, and how classes are registered and named."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, get_type_hints

import pytest
from harness import model
from visiting import visited_rows

from breaklint.errors import CardError
from breaklint.interp import events
from breaklint.interp.events import BreakingCall, Call, Event, LibraryBreak
from breaklint.interp.frame import Frame
from breaklint.model import Effect, Rule, Severity
from breaklint.rules.base import CHECKS, VISITORS, Check, Hit
from breaklint.rules.card_parsing import read_card
from breaklint.rules.cards import load_rules
from breaklint.rules.registry import all_checks, check_class
from breaklint.rules.rule_set import RuleSet

MARK = "  # hit"
HEAD = "import torch\n\n\n"


def net(init: str, forward: str, more: str = "") -> str:
    """A model that its constructor gives an attribute."""
    return (
        f"{HEAD}class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        {init}\n\n"
        f"    def forward(self, x: torch.Tensor):\n        {forward}\n        return x * 2\n{more}"
    )


TAKING = """
import functools


def scale(x, factor):
    return x * factor


def wide(x, *rest, **others):
    return x


@functools.lru_cache
def cached(x):
    return x


class Plain:
    def __init__(self, by):
        self.by = by


class Factor(torch.nn.Module):
    def __init__(self, by=1):
        super().__init__()
        self.by = by

    def forward(self, x):
        return x * self.by

    def times(self, x, *, of):
        return x * of
"""


def caught(call: str, leave: str = "except TypeError:", hit: bool = True) -> str:
    """A call in a `try` of a model, and how the `try` goes on."""
    return (
        f"{HEAD}{TAKING}\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n        try:\n"
        f"            x = {call}{'  # hit' if hit else ''}\n        {leave}\n            x = x * 2\n        return x\n"
    )


CASES: dict[str, tuple[str, ...]] = {
    "BooleanMask": (
        "return x[x > 0]  # hit",
        "x = x * 2\nx[x > 0] = 0\nreturn x",
        "return x[0]",
        "x = x * 2\nreturn x[self.unknown == 1]  # hit",
        "x = x * 2\nx[self.unknown == 1] = 0\nreturn x",
        "x = x * 2\nreturn x[self.unknown == 'last']",
        "return self.unknown[torch.logical_or(torch.tensor(False), self.mask)]  # hit",
        "return self.unknown[torch.tensor(False)]",
        "return self.unknown[self.unknown != 0]  # hit",
        "return self.unknown[self.other != 0]",
    ),
    "GeneratorUse": (
        net("self.generator = torch.Generator()", "x = x + torch.randn(8, generator=self.generator)  # hit"),
        "g = None\nif self.seed:\n    g = torch.Generator()\nreturn x + torch.randn(8, generator=g)  # hit",
        "g = torch.Generator() if self.seed else None\nreturn x + torch.randn(8, generator=g)  # hit",
        "g = None\nif self.seed:\n    g = torch.Generator()\n    g = None\nreturn x + torch.randn(8, generator=g)",
        "return x + torch.randn(8)",
    ),
    "UntracedCall": (
        "import scipy.special\nreturn x * scipy.special.gamma(3)  # hit",
        "import scipy.special\nreturn torch.as_tensor(scipy.special.softmax(x.numpy()))",
        "return torch.special.gammaln(x)",
        "import pandas\nreturn x * pandas.to_numeric(3)  # hit",
        "import sklearn.metrics\nreturn x * sklearn.metrics.auc([0, 1], [1, 2])  # hit",
        "return torch.pandas(x)",
        "import numba\n@numba.njit\ndef total(n):\n    return n + 1\nreturn x * total(3)  # hit",
        "def total(n):\n    return n + 1\nreturn x * total(3)",
        net("self.seen = torch.ao.quantization.HistogramObserver()", "self.seen(x)  # hit"),
        net("self.seen = torch.ao.quantization.FakeQuantize()", "x = self.seen.calculate_qparams()  # hit"),
        net("self.enter = torch.ao.quantization.QuantStub()", "x = self.enter(x)"),
    ),
    "ImageTransform": (
        "import torchvision.transforms as T\nreturn T.RandomCrop(4)(x)  # hit",
        "import torchvision.transforms as T\nreturn T.Resize(4)(x)",
    ),
    "OutOfAnotherShape": (
        "return x + torch.arange(8, out=torch.LongTensor())  # hit",
        "return torch.add(x, 1, out=x.new())  # hit",
        "return torch.cat([x, x], out=x.new_empty(0))  # hit",
        "return torch.sum(x, 0, out=torch.tensor([]))  # hit",
        "return torch.add(x, 1, out=torch.empty(4, 8))",
        "return torch.add(x, 1, out=x)",
    ),
    "CaughtTypeError": (
        caught("scale(x)"),
        caught("scale(x, 2, 3)"),
        caught("scale(x, 2, mask=None)"),
        caught("scale(x, 2, x=x)"),
        caught("scale(x, 2, 3)", "except Exception:"),
        caught("scale(x, 2, 3)", "except (KeyError, TypeError) as error:"),
        caught("scale(x, 2, 3)", "except:"),
        caught("Factor()(x)", hit=False),
        caught("x * Plain().by"),
        caught("Factor()(x, 2)"),
        caught("Factor().times(x, by=3)"),
        caught("(Factor() if self.training else torch.nn.ReLU())(x, mask=None)"),
        caught("scale(x, 2)", hit=False),
        caught("scale(x, factor=2)", hit=False),
        caught("scale(*self.rest)", hit=False),
        caught("wide(x, 2, 3, mask=None)", hit=False),
        caught("cached(x, 2, 3)", hit=False),  # what a decorator's function takes is not known
        caught("scale(x, 2, 3)", "except ValueError:", hit=False),
        caught("scale(x, 2, 3)", "finally:", hit=False),
    ),
}
TABLE = [
    pytest.param(name, source, id=f"{name}-{number}")
    for name, sources in CASES.items()
    for number, source in enumerate(sources)
]


@pytest.mark.parametrize(("name", "source"), TABLE)
def test_a_check_reports_exactly_the_marked_rows(name: str, source: str) -> None:
    text = source if source.startswith(HEAD) else model(source)
    marked = [row for row, line in enumerate(text.splitlines(), 1) if line.endswith(MARK)]
    assert visited_rows(all_checks()[name](), text) == marked


def test_a_call_that_breaks_is_reported_with_the_name_of_what_is_called() -> None:
    node = ast.parse("helper(x)", mode="eval").body
    call = BreakingCall(node, Frame.__new__(Frame), "helper")
    (hit,) = all_checks()["CallThatBreaks"]().visit_breaking_call(call)
    assert hit.node is node
    assert "`helper` breaks the graph" in hit.message


def test_a_call_into_a_package_is_reported_with_the_place_that_breaks() -> None:
    node = ast.parse("helper(x)", mode="eval").body
    call = LibraryBreak(node, Frame.__new__(Frame), "shapes/core.py:7", "BRK202")
    (hit,) = all_checks()["LibraryCallThatBreaks"]().visit_library_break(call)
    assert hit[:2] == (node, "this call breaks in shapes/core.py:7 (BRK202)")


def test_every_check_class_has_a_card() -> None:
    assert set(all_checks()) == {rule.check for rule in load_rules() if rule.check}


def test_every_event_has_a_visitor() -> None:
    assert set(VISITORS) == {
        kind for kind in vars(events).values() if isinstance(kind, type) and Event in kind.__bases__
    }


def test_a_visitor_takes_the_event_of_its_name() -> None:
    for check in all_checks().values():
        for event, visit in check().visitors():
            assert next(iter(get_type_hints(visit).values())) is event, visit


def test_a_visitor_of_no_event_is_refused_where_it_is_written() -> None:
    with pytest.raises(TypeError, match=r"Misspelled\.visit_cal is not an event"):
        type("Misspelled", (Check,), {"visit_cal": None})


def test_a_second_class_of_one_name_is_refused() -> None:
    with pytest.raises(TypeError, match="two check classes are called BranchOnTensor: "):
        type("BranchOnTensor", (Check,), {"visit_call": all_checks()["GrowingList"].visit_call})


def test_a_class_without_visitors_is_a_base_and_no_check() -> None:
    type("Shared", (Check,), {"__module__": __name__})
    assert not {"Shared", "GrowingContainer"} & set(all_checks())


class Counting(Check):
    """Looks at calls of one function, and counts how often it is asked for others."""

    asked: ClassVar[list[tuple[str, str]]] = []

    def applies_to(self, target: str, method: str) -> bool:
        self.asked.append((target, method))
        return target == "torch.relu"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        yield Hit(call.node)


del CHECKS["Counting"]


def test_a_check_is_asked_once_whether_it_looks_at_calls_of_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(all_checks(), "Counting", Counting)
    rules = RuleSet([Rule("ABC001", "own-rule", "a rule", Effect.BREAK, Severity.ERROR, "because", check="Counting")])
    node, frame = ast.parse("f(x)", mode="eval").body, Frame.__new__(Frame)
    relus, sums = ([Call(node, frame, target, [], {}) for _ in range(2)] for target in ("torch.relu", "torch.sum"))
    assert [rules.applies_to(call) for call in relus] == [True, True]
    assert [rules.applies_to(call) for call in sums] == [False, False]
    assert Counting.asked == [("torch.relu", ""), ("torch.sum", "")]
    assert [list(visitor.visit(relus[0])) for visitor in rules.visitors(relus[0])] == [[Hit(node)]]


SPELLINGS = (
    "BranchOnTensor",
    "breaklint.checks.control_flow.BranchOnTensor",
    "breaklint.rules.checks.control_flow.BranchOnTensor",
    "breaklint.rules.checks.elsewhere.BranchOnTensor",
)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_card_names_a_check_by_its_class(tmp_path: Path, spelling: str) -> None:
    rule = _card(tmp_path, spelling)
    assert check_class(rule) is all_checks()["BranchOnTensor"]


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("BranchOnTensors", "card ABC001: check 'BranchOnTensors' does not exist; did you mean `BranchOnTensor`?"),
        ("Zzz", "card ABC001: check 'Zzz' does not exist"),
        ("breaklint.rules.checks.shapes.ast", "card ABC001: check 'breaklint.rules.checks.shapes.ast' does not exist"),
        ("os.system", "key `check` is 'os.system'; it must be a class of breaklint/rules/checks, such as"),
    ],
)
def test_a_check_that_does_not_exist_is_an_error_of_one_line(tmp_path: Path, spelling: str, message: str) -> None:
    with pytest.raises(CardError, match=re.escape(message)) as raised:
        RuleSet([_card(tmp_path, spelling)])
    assert "\n" not in str(raised.value)


def _card(folder: Path, check: str) -> Rule:
    path = folder / "own-rule.yaml"
    path.write_text(
        f"code: ABC001\nname: own-rule\nsummary: a rule\neffect: break\nwhy: because\ncheck: {check}\n"
        "examples:\n  - good: |\n      import torch\n",
        encoding="utf-8",
    )
    return read_card(path)
