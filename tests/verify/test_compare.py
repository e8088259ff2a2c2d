"""What a record holds of results and state, and which differences between two records count."""

from __future__ import annotations

import enum
from collections import UserList, deque, namedtuple
from types import SimpleNamespace
from typing import Any

import pytest

np = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")

from breaklint.verify.arm.calls import Case, Observation, clone, loss_of  # noqa: E402 - needs torch
from breaklint.verify.arm.compare import compare, differences, incomparable  # noqa: E402
from breaklint.verify.arm.record import snapshot, state, tensors_of  # noqa: E402

NAN, INF = float("nan"), float("inf")
Pair = namedtuple("Pair", "left right")


def tensor(*values: float, dtype: Any = torch.float32) -> Any:
    return torch.tensor(values, dtype=dtype)


def lines(expected: Any, actual: Any, exact: Any = None, tf32: bool = False) -> list[str]:
    true = {} if exact is None else snapshot(exact, "output")
    return list(differences(snapshot(expected, "output"), snapshot(actual, "output"), true, tf32))


class Slotted:
    __slots__ = ("h",)

    def __init__(self, h: Any) -> None:
        self.h = h


class Mode(str, enum.Enum):
    FAST = "fast"
    SLOW = "slow"


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        pytest.param(tensor(1, NAN, INF), tensor(1, NAN, INF), id="NaN equals NaN and infinity infinity"),
        pytest.param(tensor(1, 1000), tensor(1.0001, 1000), id="rounding on the scale of the tensor"),
        pytest.param(tensor(1, 2, dtype=torch.bfloat16), tensor(1.01, 2, dtype=torch.bfloat16), id="bfloat16 rounding"),
        pytest.param(Pair(tensor(1), None), Pair(tensor(1), None), id="named tuples"),
        pytest.param(SimpleNamespace(h=tensor(1)), SimpleNamespace(h=tensor(1)), id="objects with fields"),
        pytest.param(NAN, NAN, id="a NaN number"),
        pytest.param({"a", "b"}, {"b", "a"}, id="sets"),
        pytest.param(tensor(1, 2).numpy(), tensor(1, 2).numpy(), id="arrays"),
        pytest.param(tensor(1, 0).to_sparse(), tensor(1, 0).to_sparse(), id="sparse tensors"),
        pytest.param(tensor(), tensor(), id="empty tensors"),
        pytest.param(Slotted(tensor(1)), Slotted(tensor(1)), id="objects with slots"),
    ],
)
def test_results_that_count_as_equal(expected: Any, actual: Any) -> None:
    assert lines(expected, actual) == []


@pytest.mark.parametrize(
    ("expected", "actual", "line"),
    [
        (tensor(1, 2), tensor(1, 2.1), "output differs in 1 of 2 elements, by up to 0.1"),
        (tensor(1, 2), tensor(1, NAN), "output has NaN in 1 of 2 elements where the original has none"),
        (tensor(1, INF), tensor(1, 2), "output differs in 1 of 2 elements, by up to inf"),
        (tensor(1), tensor(1, dtype=torch.float64), "output has dtype torch.float64, not torch.float32"),
        (tensor(1, 2), tensor(1), "output has shape (1,), not (2,)"),
        (tensor(1, 2, dtype=torch.int64), tensor(1, 3, dtype=torch.int64), "output differs in 1 of 2 elements"),
        ([tensor(1)], [tensor(1), tensor(2)], "class of output is 'list of 2', not 'list of 1'"),
        ((tensor(1),), [tensor(1)], "class of output is 'list of 1', not 'tuple of 1'"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "class of output is 'dict of b, a', not 'dict of a, b'"),
        ({"a": 1}, {"b": 1}, "output['a'] is gone"),
        (torch.nn.Parameter(tensor(1)), tensor(1), "class of output is 'Tensor on cpu', not 'Parameter on cpu'"),
        (tensor(1), 1.0, "output is 1.0, not a tensor"),
        (2.0, 2.5, "output is 2.5, not 2.0"),
        (True, 1, "output is 1, not True"),
        ({"a", "b"}, {"a", "c"}, "output[1] is 'c', not 'b'"),
        (tensor(1, 2).numpy(), tensor(1, 3).numpy(), "output differs in 1 of 2 elements, by up to 1"),
        (tensor(1, 0).to_sparse(), tensor(0, 1).to_sparse(), "output differs in 2 of 2 elements, by up to 1"),
        (Slotted(tensor(1)), Slotted(tensor(2)), "output.h differs in 1 of 1 elements, by up to 1"),
        (SimpleNamespace(h=tensor(1)), SimpleNamespace(h=tensor(2)), "output.h differs in 1 of 1 elements, by up to 1"),
        (deque([tensor(1)]), deque([tensor(2)]), "output[0] differs in 1 of 1 elements, by up to 1"),
        (UserList([1]), UserList([2]), "output.data[0] is 2, not 1"),
        ({"a": 1}.values(), {"a": 2}.values(), "output[0] is 2, not 1"),
        (torch.float32, torch.float64, "output is 'torch.float64', not 'torch.float32'"),
        (Mode.FAST, Mode.SLOW, "output is 'Mode.SLOW', not 'Mode.FAST'"),
    ],
)
def test_a_difference_is_one_line(expected: Any, actual: Any, line: str) -> None:
    assert lines(expected, expected) == []
    assert line in lines(expected, actual)


def test_rounding_to_tf32_counts_as_equal_only_if_it_is_allowed() -> None:
    assert lines(tensor(1, 1), tensor(1.0006, 1), tf32=True) == []
    assert lines(tensor(1, 1), tensor(1.0006, 1)) != []
    assert lines(tensor(1, 1), tensor(1.006, 1), tf32=True) != []


EXACT = torch.linspace(1, 2, 1000, dtype=torch.float64)
ROUNDED = EXACT.bfloat16()


@pytest.mark.parametrize(
    ("actual", "equal"),
    [
        pytest.param((EXACT * 1.004).bfloat16(), True, id="about as far from float64 as eager"),
        pytest.param(ROUNDED * 1.5, False, id="much further"),
        pytest.param(torch.where(EXACT > 1.999, 3.0, ROUNDED).bfloat16(), False, id="one element far off"),
        pytest.param(ROUNDED * torch.nan, False, id="NaN"),
    ],
)
def test_rounding_is_measured_by_float64(actual: Any, equal: bool) -> None:
    assert (lines(ROUNDED, actual, EXACT) == []) is equal


def test_float64_is_no_measure_if_eager_is_far_from_it() -> None:
    assert lines(ROUNDED, ROUNDED * 1.5, EXACT * 2) != []


@pytest.mark.parametrize(("again", "equal"), [(-1e-5, True), (1e-5, False)], ids=["swings", "is the same"])
def test_a_gradient_may_swing_as_that_of_an_equal_call_does(again: float, equal: bool) -> None:
    # The gradient of a bias of keys has to be zero: what is left of it is rounding, beside which others are large.
    def gradients(bias: float) -> Any:
        return {"bias": tensor(bias, bias), "weight": tensor(1, 1)}

    own, new = {"gradients": gradients(1e-5)}, {"gradients": gradients(-1e-5)}
    assert compare(own, new) != []
    assert (compare(own, new, again=gradients(again)) == []) is equal


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(tensor(1, 2))
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x: Any) -> Any:
        return x * self.weight


class Doubles(Net):
    def forward(self, x: Any) -> Any:
        return (x * self.weight).double()


class Mutates(Net):
    def forward(self, x: Any) -> Any:
        return x.mul_(self.weight)


class Counts(Net):
    def forward(self, x: Any) -> Any:
        self.calls += 1
        return x * self.weight


class Detaches(Net):
    def forward(self, x: Any) -> Any:
        return x.detach() * self.weight


class Raises(Net):
    def forward(self, x: Any) -> Any:
        raise ValueError(x.shape)


class Draws(Net):
    def forward(self, x: Any) -> Any:
        torch.rand(1)
        return x * self.weight


class Clamps(Net):
    def forward(self, x: Any) -> Any:
        with torch.no_grad():
            self.weight.clamp_(max=1.5)
        return x * 1.0


def record(net: Any, gradients: bool = False) -> Any:
    return Observation(Case(net, (tensor(3, 4),), {}), seed=1, gradients=gradients).first()


@pytest.mark.parametrize(
    ("net", "line"),
    [
        (Doubles(), "output has dtype torch.float64, not torch.float32"),
        (Mutates(), "inputs[0][0] differs in 1 of 2 elements, by up to 4"),
        (Mutates(), "memory of output 0 is new"),
        (Counts(), "state.calls differs in 1 of 1 elements"),
        (Clamps(), "state.weight (norm) differs in 1 of 1 elements, by up to 0.433"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, torch.nn.Module) else value,
)
def test_what_a_call_does_besides_returning_is_compared(net: Any, line: str) -> None:
    assert line in compare(record(Net()), record(net))


def test_an_exception_and_random_numbers_are_compared() -> None:
    assert compare(record(Net()), record(Raises())) == ["it raises ValueError: torch.Size([2])"]
    assert "nothing where the original raises ValueError" in compare(record(Raises()), record(Net()))[0]
    (line,) = compare(record(Net()), record(Draws()))
    assert line.startswith("the state of the random generators is")


@pytest.mark.parametrize(
    ("expected", "actual", "differs"),
    [
        pytest.param(1, 2, True, id="a number"),
        pytest.param(deque([1]), deque([1, 1]), True, id="a queue"),
        pytest.param({"a": [1]}, {"a": [2]}, True, id="a list in a dict"),
        pytest.param([tensor(1)], [tensor(2)], True, id="a tensor in a list"),
        pytest.param(np.zeros(2), np.ones(2), True, id="an array"),
        pytest.param(SimpleNamespace(n=1), SimpleNamespace(n=2), False, id="an object"),
        pytest.param([torch.relu, 1], [torch.relu, 2], False, id="with functions"),
        pytest.param(list(range(20_000)), list(range(1, 20_001)), False, id="of too many parts"),
    ],
)
def test_attributes_that_hold_data_are_compared(expected: Any, actual: Any, differs: bool) -> None:
    def held(value: Any) -> Any:
        net = Net()
        net.held = value
        return {"state": state(net)}

    assert (
        any(line.startswith(("state.held", "class of state.held")) for line in compare(held(expected), held(actual)))
        is differs
    )


def test_a_new_attribute_is_no_difference() -> None:
    more = Net()
    more.held = 1
    assert compare({"state": state(Net())}, {"state": state(more)}) == []
    assert compare({"state": state(more)}, {"state": state(Net())}) == ["state.held is gone"]


class InObject(Net):
    def forward(self, x: Any) -> Any:
        return SimpleNamespace(out={"y": x * self.weight}, z=[torch.complex(x, x) * self.weight])


class LostInObject(InObject):
    def forward(self, x: Any) -> Any:
        return SimpleNamespace(out={"y": x * self.weight.detach()}, z=[torch.complex(x, x) * self.weight.detach()])


@pytest.mark.parametrize(
    ("net", "lost", "name"), [(Net(), Detaches(), "input 0"), (InObject(), LostInObject(), "weight")]
)
def test_a_lost_gradient_is_a_difference(net: Any, lost: Any, name: str) -> None:
    assert compare(record(net, gradients=True), record(lost, gradients=True)) == [f"gradients.{name} is gone"]


def test_zeros_for_no_gradient_are_no_difference() -> None:
    assert compare({"gradients": {"w": None}}, {"gradients": {"w": torch.zeros(2)}}) == []


def test_a_conjugate_view_has_a_loss() -> None:
    loss = loss_of(torch.ones(2, dtype=torch.complex64, requires_grad=True).conj())
    assert loss is not None
    loss.backward()


def test_a_clone_shares_nothing_and_keeps_requires_grad() -> None:
    leaf = torch.ones(2, requires_grad=True)
    copied = clone({"x": [leaf, 3]})["x"]
    assert copied[0].requires_grad
    assert copied[0].data_ptr() != leaf.data_ptr()
    assert copied[1] == 3


def test_a_result_that_holds_itself_is_recorded_once() -> None:
    node, row = SimpleNamespace(h=tensor(1)), [tensor(2)]
    node.me, node.row = node, row
    row.append(node)
    assert lines(node, node) == []
    assert len(tensors_of(node)) == 2


@pytest.mark.parametrize(
    ("hidden", "place"),
    [
        pytest.param(iter([tensor(1)]), "output[0] is a list_iterator", id="an iterator"),
        pytest.param((each for each in [tensor(1)]), "output[0] is a generator", id="a generator"),
        pytest.param(lambda: tensor(1), "output[0] is a function", id="a function"),
        pytest.param(torch.nn.Linear(1, 1), "output[0] is a Linear", id="a module"),
    ],
)
def test_what_no_record_can_hold_proves_nothing(hidden: Any, place: str) -> None:
    assert incomparable([snapshot([hidden, tensor(1, 2)], "output")]) == f"{place}, which cannot be compared"


def test_functions_in_the_fields_of_objects_are_let_pass() -> None:
    held = SimpleNamespace(h=tensor(1, 2), act=torch.relu)
    assert incomparable([snapshot([held], "output")]) == ""


@pytest.mark.parametrize(
    ("values", "constant"),
    [((0.0, 0.0, 0.0), True), ((0.0, 0.0, 1.0), False), ((0.0, 1.0, 0.0), False)],
    ids=["the same", "another value in another shape", "another value"],
)
def test_outputs_prove_nothing_if_they_are_always_the_same(values: tuple[float, float, float], constant: bool) -> None:
    shapes = (2, 4), (2, 4), (3, 4)
    outputs = [snapshot(torch.full(shape, value), "output") for shape, value in zip(shapes, values, strict=True)]
    assert incomparable(outputs).startswith("every element of its outputs is the same") is constant


def test_outputs_prove_nothing_if_they_are_nan_or_there_are_none() -> None:
    assert "is NaN in every element" in incomparable([snapshot(tensor(NAN, NAN), "output")])
    assert "no tensor and no number" in incomparable([snapshot(None, "output")])
