"""Other values for plain arguments and attributes: which there are, and that the model is as before afterwards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm.plain_values import (  # noqa: E402 - needs torch
    changed_attribute,
    names_in,
    other_arguments,
    other_attributes,
    plain_attributes,
    with_defaults,
    with_none,
)


class Pair(NamedTuple):
    low: int
    high: int


class Model(torch.nn.Module):
    limit = 0.5

    def __init__(self) -> None:
        super().__init__()
        self.part = torch.nn.Dropout(0.25)
        self.config, self.pair, self.settings = SimpleNamespace(alpha=2), Pair(1, 3), {"beta": "sum"}


def test_each_plain_argument_is_changed_alone_wherever_it_lies() -> None:
    x = torch.ones(2)
    calls = dict(other_arguments(((x, True, (1, [2.0])), {"how": "sum"}), ["mean", "sum"]))
    assert {name: (*call[0][1:], call[1]["how"]) for name, call in calls.items()} == {
        "False for argument 1": (False, (1, [2.0]), "sum"),
        "2 for argument 2[0]": (True, (2, [2.0]), "sum"),
        "0 for argument 2[0]": (True, (0, [2.0]), "sum"),
        "3.0 for argument 2[1][0]": (True, (1, [3.0]), "sum"),
        "1.0 for argument 2[1][0]": (True, (1, [1.0]), "sum"),
        "'mean' for argument how": (True, (1, [2.0]), "mean"),
    }


def test_a_parameter_left_out_gets_another_value_than_its_default() -> None:
    calls = dict(with_defaults(((1.5,), {}), {"times": 2, "mask": None}, ()))
    assert calls == {"times=3": ((1.5,), {"times": 3}), "times=1": ((1.5,), {"times": 1})}


def test_what_may_be_left_out_is_and_what_was_left_out_is_given() -> None:
    x = torch.tensor([[1.0, -1.0]])
    calls = dict(with_none(((x, 2), {}), ["mask"], {"n": (5, ((x, 5), {}))}))
    assert calls.pop("the default 5 for n") == ((x, 5), {})
    given = {name: call[1]["mask"].tolist() for name, call in calls.items()}
    assert given == {
        "a mask for mask": [[True, False]],
        "a tensor for mask": [[1, -1]],
        "a mask of rows for mask": [True],
    }


def test_attributes_that_are_not_read_stay_as_they_are() -> None:
    found = plain_attributes(Model())
    changes = [change for _, change in other_attributes(found, {"config", "pair", "p"}, {"beta"})]
    assert {(prefix, path) for prefix, path, _ in changes} == {
        ("", ("pair", 0)),
        ("", ("pair", 1)),
        ("part", ("p",)),
    }  # not config.alpha: alpha is not read


@pytest.mark.parametrize("path", [("limit",), ("config", "alpha"), ("pair", 1), ("settings", "beta")])
def test_a_changed_attribute_is_what_it_was_afterwards(path: tuple[object, ...]) -> None:
    model = Model()
    before = plain_attributes(model)
    with changed_attribute(model, ("", path, 7)):
        assert {place: value for place, value in plain_attributes(model).items() if before[place] != value} == {
            ("", path): 7
        }
        assert isinstance(model.pair, Pair)
    assert plain_attributes(model) == before


def test_names_are_those_of_the_changed_functions_and_of_what_these_call() -> None:
    text = "def f(m):\n    return m.a + g(m)\n\n\ndef g(m):\n    return m.b['key']\n\n\ndef h(m):\n    return m.c\n"
    assert names_in(text, "m.py", [("m.py", 2, 2), ("other.py", 9, 9)]) == (
        {"a", "b"},
        {"key"},
        {"g", "m"},
    )
