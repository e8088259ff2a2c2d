"""Other values for tensors, plain arguments and attributes: which there are, and that the model is as before."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm.branches import names_in  # noqa: E402 - needs torch
from breaklint.verify.arm.variants import (  # noqa: E402
    changed_attribute,
    noncontiguous,
    other_arguments,
    other_attributes,
    other_forms,
    redraw,
    resize,
    transformations,
    with_defaults,
)

CALL = (
    (torch.tensor([[1.0, -2.0, 0.5], [3.0, 4.0, 5.0]]), torch.tensor([True, False]), 7),
    {"n": torch.tensor([1, 2])},
)


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = torch.nn.Dropout(0.25)
        self.steps, self.flip, self.hidden = 2, False, 4


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


def test_attributes_that_are_read_are_changed_and_are_as_before_afterwards() -> None:
    model = Model()
    changes = dict(other_attributes(model, {"steps", "flip", "p"}, ()))
    assert set(changes) == {"3 for steps", "1 for steps", "True for flip", "1.25 for part.p", "0.125 for part.p"}
    with changed_attribute(model, changes["1.25 for part.p"]):
        assert model.part.p == 1.25
    assert model.part.p == 0.25
    with pytest.raises(AttributeError), changed_attribute(model, (("",), "gone", 1)):
        pass


def test_equal_attributes_of_one_class_change_together() -> None:
    model = torch.nn.Sequential(torch.nn.Dropout(0.25), torch.nn.Dropout(0.25), torch.nn.Dropout(0.5))
    changes = dict(other_attributes(model, {"p"}, ()))
    assert changes["1.25 for 0.p"] == (("0", "1"), "p", 1.25)
    assert changes["1.5 for 2.p"] == (("2",), "p", 1.5)
    with changed_attribute(model, changes["1.25 for 0.p"]):
        assert [part.p for part in model] == [1.25, 1.25, 0.5]
    assert [part.p for part in model] == [0.25, 0.25, 0.5]


def test_names_are_those_of_the_changed_functions_and_of_what_these_call() -> None:
    text = "def f(m):\n    return m.a + g(m)\n\n\ndef g(m):\n    return m.b['key']\n\n\ndef h(m):\n    return m.c\n"
    assert names_in(text, "m.py", [("m.py", 2, 2), ("other.py", 9, 9)]) == ({"a", "b"}, {"key"})


def test_inputs_get_another_batch_size_if_they_share_it() -> None:
    (x, mask, number), kwargs = resize(CALL, 3)
    assert (x.tolist()[2], mask.tolist(), number) == ([1, -2, 0.5], [True, False, True], 7)
    assert kwargs["n"].tolist() == [1, 2, 1]
    assert resize(((1, torch.tensor(2)), {}), 3) is None


def test_a_rewritten_source_is_called_with_other_masks_and_sizes() -> None:
    made = {name: make() for name, make in other_forms(CALL)}
    assert made["batch size 3"][0][0].shape == (3, 3)
    assert made["batch size 1"][0][0].shape == (1, 3)
    assert made["one element less in dimension 1"][0][0].shape == (2, 2)
    assert made["masks all True"][0][1].tolist() == [True, True]
    assert made["masks all False"][0][1].tolist() == [False, False]
    assert made["negated inputs"][0][0].tolist()[0] == [-1, 2, -0.5]
    assert not noncontiguous(CALL)[0][0].is_contiguous()


def test_redrawn_inputs_keep_kind_and_spread_but_not_values() -> None:
    (x, mask, _), _ = redraw(CALL, seed=1)
    assert (x.dtype, x.shape, mask.tolist()) == (torch.float32, (2, 3), [True, False])
    assert not torch.equal(x, CALL[0][0])


def test_transformations_reach_signs_zeros_and_masks() -> None:
    made = dict(transformations(CALL))
    assert made["negative inputs"][0][0].max() < 0
    assert made["inverted masks"][0][1].tolist() == [False, True]
    assert made["NaN-holding inputs"][0][0].isnan().sum() == 1
    assert made["integers all 0"][1]["n"].tolist() == [0, 0]
