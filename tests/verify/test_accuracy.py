from __future__ import annotations

import copy
import enum
from array import array
from collections import UserList, deque, namedtuple
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

np = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")

from breaklint.verify.arm.accuracy import compare  # noqa: E402 - needs torch
from breaklint.verify.arm.changing import clone  # noqa: E402 - needs torch
from breaklint.verify.arm.comparability import incomparable  # noqa: E402
from breaklint.verify.arm.comparable import gradient_notes, without_dead_gradients  # noqa: E402
from breaklint.verify.arm.gradients import loss_of  # noqa: E402 - needs torch
from breaklint.verify.arm.observe import Case, observe  # noqa: E402
from breaklint.verify.arm.parts import classes, tensors_of  # noqa: E402
from breaklint.verify.arm.snapshot import snapshot  # noqa: E402 - needs torch

NAN, INF = float("nan"), float("inf")
Pair = namedtuple("Pair", "left right")


def tensor(*values: float, dtype: Any = torch.float32) -> Any:
    return torch.tensor(values, dtype=dtype)


class Slotted:
    __slots__ = ("h",)

    def __init__(self, h: Any) -> None:
        self.h = h


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        pytest.param(tensor(1, NAN, INF), tensor(1, NAN, INF), id="NaN equals NaN and infinity infinity"),
        pytest.param(tensor(1, 1000), tensor(1.0001, 1000), id="rounding on the scale of the tensor"),
        pytest.param(tensor(1, 2, dtype=torch.bfloat16), tensor(1.01, 2, dtype=torch.bfloat16), id="bfloat16 rounding"),
        pytest.param((tensor(1), {"a": 2.0}), [tensor(1), {"a": 2.0}], id="a list for a tuple"),
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
    assert compare(snapshot(expected), snapshot(actual), "result") == []


class Mode(str, enum.Enum):
    FAST = "fast"
    SLOW = "slow"


class Level(enum.IntEnum):
    LOW = 1


class Bits(bytes):
    pass


class Tagged(torch.Tensor):
    pass


def two_tensors() -> Any:
    from torch.testing._internal.two_tensor import TwoTensor

    return TwoTensor(tensor(1), tensor(2))


OF_CLASSES_THAT_DERIVE_FROM_PLAIN_ONES = [
    Mode.FAST, Level.LOW, Bits(b"x"), np.float64(2), np.str_("x"), np.complex128(1j), {Mode.FAST: Level.LOW},
    tensor(1).as_subclass(Tagged), torch.nn.Parameter(tensor(1)), two_tensors(), SimpleNamespace(mode=Mode.SLOW),
]  # fmt: skip


@pytest.mark.parametrize("value", OF_CLASSES_THAT_DERIVE_FROM_PLAIN_ONES, ids=repr)
def test_a_record_can_be_read_without_any_class_of_the_target(value: Any, tmp_path: Path) -> None:
    torch.save(snapshot(value), tmp_path / "record")
    read = torch.load(tmp_path / "record", weights_only=True)
    assert compare(snapshot(value), read, "result") == []


@pytest.mark.parametrize(
    ("expected", "actual", "line"),
    [
        (Mode.FAST, Mode.SLOW, "result.value is 'slow', not 'fast'"),
        (Level.LOW, 1, "result is an int, not a Level"),
        (np.float64(2), np.float64(3), "result.value is 3.0, not 2.0"),
        (Bits(b"x"), Bits(b"y"), "result.value is b'y', not b'x'"),
    ],
)
def test_a_difference_between_such_values_is_told(expected: Any, actual: Any, line: str) -> None:
    assert compare(snapshot(expected), snapshot(actual), "result") == [line]


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        pytest.param(deque([tensor(1)]), deque([tensor(2)]), id="a deque"),
        pytest.param(UserList([1]), UserList([2]), id="a class with a list"),
        pytest.param({"a": tensor(1)}.values(), {"a": tensor(2)}.values(), id="values of a dict"),
        pytest.param({"a": 1}.keys(), {"b": 1}.keys(), id="keys of a dict"),
        pytest.param(array("f", [1]), array("f", [2]), id="an array"),
        pytest.param(bytearray(b"a"), bytearray(b"b"), id="a byte array"),
        pytest.param(range(10**12), range(3), id="a range"),
        pytest.param(slice(0, 3), slice(0, 4), id="a slice"),
        pytest.param(torch.float32, torch.float64, id="a dtype"),
        pytest.param(torch.device("cpu"), torch.device("meta"), id="a device"),
        pytest.param(np.dtype("f4"), np.dtype("f8"), id="a dtype of NumPy"),
        pytest.param(Decimal("1.5"), Decimal("1.6"), id="a decimal"),
        pytest.param(Fraction(1, 2), Fraction(1, 3), id="a fraction"),
        pytest.param(timedelta(1), timedelta(2), id="a time"),
        pytest.param(int, float, id="a class"),
    ],
)
def test_what_a_result_has_of_any_kind_is_compared(expected: Any, actual: Any, tmp_path: Path) -> None:
    torch.save(snapshot([expected]), tmp_path / "record")
    read = torch.load(tmp_path / "record", weights_only=True)
    assert compare(snapshot([expected]), read, "result") == []
    assert compare(snapshot([expected]), snapshot([actual]), "result")


def marked(**attributes: Any) -> torch.Tensor:
    value = tensor(1, 2)
    value.__dict__.update(attributes)
    return value


@pytest.mark.parametrize(
    ("expected", "actual", "line"),
    [
        (marked(kind="logits"), marked(), "result is a Tensor, not a Tensor with kind"),
        (marked(kind="logits"), marked(kind="scores"), "result.kind is 'scores', not 'logits'"),
        (marked(mask=tensor(1)), marked(mask=tensor(2)), "result.mask differs in 1 of 1 elements, by up to 1"),
        (marked(_of_torch=1), marked(), ""),
    ],
    ids=["lost", "another", "a tensor", "private"],
)
def test_what_is_set_on_a_tensor_is_part_of_the_result(expected: Any, actual: Any, line: str) -> None:
    assert compare(snapshot(expected), snapshot(expected), "result") == []
    assert compare(snapshot(expected), snapshot(actual), "result") == ([line] if line else [])


def test_the_order_of_a_dict_is_part_of_the_result() -> None:
    assert classes([{"a": 1, "b": {"c": 2}}])["output[0]"] == "dict of a, b"
    assert classes({"a": 1, "b": 2}) != classes({"b": 2, "a": 1})


def test_a_conjugate_view_has_a_loss() -> None:
    view = torch.ones(2, dtype=torch.complex64, requires_grad=True).conj()
    loss = loss_of(view)
    assert loss is not None
    loss.backward()


def test_tensors_in_a_deque_are_tensors_of_the_result() -> None:
    assert [each.item() for each in tensors_of((deque([tensor(1)]), {"a": tensor(2)}.values()))] == [1, 2]


@pytest.mark.parametrize(
    ("hidden", "place"),
    [
        pytest.param(iter([tensor(1)]), "output[0] is a list_iterator", id="an iterator"),
        pytest.param((each for each in [tensor(1)]), "output[0] is a generator", id="a generator"),
        pytest.param(lambda: tensor(1), "output[0] is a function", id="a function"),
        pytest.param(partial(torch.add, 1), "output[0] is a partial", id="a partial function"),
        pytest.param(torch.nn.Linear(1, 1), "output[0] is a Linear", id="a module"),
    ],
)
def test_what_no_record_can_hold_proves_nothing(hidden: Any, place: str) -> None:
    record = {"output": snapshot([hidden, tensor(1, 2)])}
    assert incomparable([record]) == f"{place}, which cannot be compared"


def test_functions_in_the_fields_of_objects_are_let_pass() -> None:
    held = SimpleNamespace(h=tensor(1, 2), act=torch.relu)
    assert incomparable([{"output": snapshot([held])}]) == ""


def test_a_result_that_holds_itself_is_recorded_once() -> None:
    node, row = SimpleNamespace(h=tensor(1)), [tensor(2)]
    node.me, node.row = node, row
    row.append(node)
    told = {"class": "SimpleNamespace", "h": tensor(1), "me": "the SimpleNamespace around it"}
    assert compare(told | {"row": [tensor(2), "the SimpleNamespace around it"]}, snapshot(node), "result") == []
    assert len(list(tensors_of(node))) == 2
    assert set(classes(node)) >= {"output.h", "output.me", "output.row"}


def test_rounding_to_tf32_counts_as_equal_only_where_it_is_allowed() -> None:
    expected, rounded = snapshot(tensor(1, 1)), snapshot(tensor(1.0006, 1))
    assert compare(expected, rounded, "result", tf32=True) == []
    assert compare(expected, rounded, "result") != []
    assert compare(expected, snapshot(tensor(1.006, 1)), "result", tf32=True) != []


@pytest.mark.parametrize(
    ("expected", "actual", "line"),
    [
        (tensor(1, 2), tensor(1, 2.1), "result differs in 1 of 2 elements, by up to 0.1"),
        (tensor(1, 2), tensor(1, NAN), "result has NaN in 1 of 2 elements where the original has none"),
        (tensor(1, INF), tensor(1, 2), "result differs in 1 of 2 elements, by up to inf"),
        (tensor(1), tensor(1, dtype=torch.float64), "result has dtype torch.float64, not torch.float32"),
        (tensor(1, 2), tensor(1), "result has shape (1,), not (2,)"),
        (tensor(1, 2, dtype=torch.int64), tensor(1, 3, dtype=torch.int64), "result differs in 1 of 2 elements"),
        ([tensor(1)], [tensor(1), tensor(2)], "result has 2 items, not 1"),
        ({"a": 1}, {"b": 1}, "result.a is gone"),
        (tensor(1), 1.0, "result is a float, not a Tensor"),
        (2.0, 2.5, "result is 2.5, not 2.0"),
        (None, tensor(1), "result is a Tensor, not None"),
        ({"a", "b"}, {"a", "c"}, "result[1] is 'c', not 'b'"),
        (tensor(1, 2).numpy(), tensor(1, 3).numpy(), "result differs in 1 of 2 elements, by up to 1"),
        (tensor(1, 0).to_sparse(), tensor(0, 1).to_sparse(), "result differs in 2 of 2 elements, by up to 1"),
        (Slotted(tensor(1)), Slotted(tensor(2)), "result.h differs in 1 of 1 elements, by up to 1"),
        (SimpleNamespace(h=tensor(1)), SimpleNamespace(h=tensor(2)), "result.h differs in 1 of 1 elements, by up to 1"),
    ],
)
def test_a_difference_is_told_in_one_line(expected: Any, actual: Any, line: str) -> None:
    assert line in compare(snapshot(expected), snapshot(actual), "result")


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


def record(net: Any, gradients: bool = False) -> Any:
    return observe(Case(net, (tensor(3, 4),), {}), seed=1, gradients=gradients)


class Shy:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def keeping(held: Any) -> Any:
    net = Net()
    net.held = held
    return record(net)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        pytest.param(deque([1]), deque([1, 1]), id="a queue"),
        pytest.param({"a": [1]}, {"a": [2]}, id="a list in a dict"),
        pytest.param([[1], [2]], [[1], [3]], id="a list in a list"),
        pytest.param(SimpleNamespace(n=1), SimpleNamespace(n=2), id="an object"),
        pytest.param(
            [SimpleNamespace(h=tensor(1))], [SimpleNamespace(h=tensor(2))], id="a tensor in an object in a list"
        ),
        pytest.param(SimpleNamespace(kind=int, n=1), SimpleNamespace(kind=int, n=2), id="an object with a class"),
    ],
)
def test_what_a_model_keeps_is_compared(expected: Any, actual: Any) -> None:
    assert compare(keeping(expected), keeping(copy.deepcopy(expected)), "result") == []
    (line,) = compare(keeping(expected), keeping(actual), "result")
    assert line.startswith("result.state.held")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({object(): 1}, {object(): 2}, id="by objects"),
        pytest.param([torch, 1], [torch, 2], id="with modules of Python"),
        pytest.param([Shy(), 1], [Shy(), 2], id="with an object that raises when it is looked at"),
        pytest.param([torch.relu, 1], [torch.relu, 2], id="with functions"),
        pytest.param(list(range(20_000)), list(range(1, 20_001)), id="of too many parts"),
        pytest.param(np.array(["a"], dtype=object), np.array(["a"], dtype=object), id="of texts"),
    ],
)
def test_what_is_no_state_of_a_model_makes_no_difference(one: Any, other: Any) -> None:
    assert compare(keeping(one), keeping(other), "result") == []


@pytest.mark.parametrize(
    ("net", "line"),
    [
        (Doubles(), "result.output has dtype torch.float64, not torch.float32"),
        (Mutates(), "result.inputs[0][0] differs in 1 of 2 elements, by up to 4"),
        (Counts(), "result.state.calls differs in 1 of 1 elements"),
        (Raises(), "result.exception is new"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, torch.nn.Module) else "",
)
def test_what_a_call_does_besides_returning_is_compared(net: Any, line: str) -> None:
    assert line in compare(record(Net()), record(net), "result")


class InObject(Net):
    def forward(self, x: Any) -> Any:
        return SimpleNamespace(out={"y": x * self.weight}, z=[torch.complex(x, x) * self.weight])


class LostInObject(InObject):
    def forward(self, x: Any) -> Any:
        return SimpleNamespace(out={"y": x * self.weight.detach()}, z=[torch.complex(x, x) * self.weight.detach()])


def test_gradients_count_wherever_an_output_holds_its_tensors() -> None:
    kept, lost = (without_dead_gradients(record(net, gradients=True)) for net in (InObject(), LostInObject()))
    assert compare(kept, lost, "result") == ["result.gradients.weight is gone"]


def test_a_lost_gradient_is_a_difference() -> None:
    kept, lost = (without_dead_gradients(record(net, gradients=True)) for net in (Net(), Detaches()))
    assert compare(kept, lost, "result") == ["result.gradients.input0 is gone"]


def test_zeros_for_no_gradient_is_only_a_note() -> None:
    none, zeros = {"gradients": {"w": None}}, {"gradients": {"w": torch.zeros(2)}}
    assert compare(without_dead_gradients(none), without_dead_gradients(zeros), "result") == []
    assert gradient_notes(none, zeros) == ["the gradient of w is zeros where the original leaves None"]


def test_a_clone_shares_nothing_and_keeps_requires_grad() -> None:
    leaf = torch.ones(2, requires_grad=True)
    copied = clone({"x": [leaf, 3]})["x"]
    assert copied[0].requires_grad
    assert copied[0].data_ptr() != leaf.data_ptr()
    assert copied[1] == 3


@pytest.mark.parametrize(
    ("values", "told"),
    [((0.0, 0.0, 0.0), True), ((0.0, 0.0, 1.0), False), ((0.0, 1.0, 0.0), False)],
    ids=["the same", "another value in another shape", "another value"],
)
def test_outputs_of_other_shapes_tell_nothing_by_their_shapes(values: tuple[float, float, float], told: bool) -> None:
    shapes = (2, 4), (2, 4), (3, 4)
    records = [{"output": snapshot(torch.full(shape, value))} for shape, value in zip(shapes, values, strict=True)]
    assert incomparable(records).startswith("every element of its outputs is the same") is told
