"""Laws of the generated operator table, tried on the installed torch where that takes one."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from typing import Any

import pytest

from breaklint.torchops import names
from breaklint.torchops.facts import Facts, for_target
from breaklint.torchops.signatures import (
    KINDS,
    Parameter,
    Signature,
    newest_signature,
    operators_with,
    parse_signature,
    read_signatures,
)
from breaklint.torchops.tables import nearest, read_table

torch = pytest.importorskip("torch")
INSTALLED = ".".join(torch.__version__.split(".")[:2])
VERSIONS = tuple(read_table()["versions"])
known_torch = pytest.mark.skipif(INSTALLED not in VERSIONS, reason="the installed torch has no column")


@pytest.fixture(params=VERSIONS)
def known(request: pytest.FixtureRequest) -> Facts:
    return for_target(request.param)


@pytest.fixture
def installed() -> Facts:
    return for_target(nearest(INSTALLED, VERSIONS))


def signature(known: Facts, name: str) -> Signature:
    result = known.signature(name)
    assert result is not None, name
    return result


def qualified_names(known: Facts) -> list[str]:
    table = read_signatures()
    named = [*table["function_signatures"], *(f"torch.Tensor.{name}" for name in table["method_signatures"])]
    return [name for name in named if known.signature(name) is not None]


def resolve(qualified: str) -> Any:
    module, _, name = qualified.rpartition(".")
    owner = torch.Tensor if module == "torch.Tensor" else importlib.import_module(module)
    return getattr(owner, name)


def test_every_kind_is_one_of_the_known_ones(known: Facts) -> None:
    for name in qualified_names(known):
        for overload in signature(known, name).overloads:
            for parameter in overload:
                assert frozenset() < parameter.kinds <= KINDS, (name, parameter)
                assert parameter.name.isidentifier(), (name, parameter)


def test_no_overload_is_there_twice(known: Facts) -> None:
    for name in qualified_names(known):
        overloads = signature(known, name).overloads
        assert len(set(overloads)) == len(overloads), name


@known_torch
def test_every_name_exists_in_torch(installed: Facts) -> None:
    assert [name for name in qualified_names(installed) if not callable(resolve(name))] == []


@pytest.mark.parametrize(
    ("name", "number", "other", "kinds"),
    [
        ("torch.clamp", 1, 2, {"number"}),
        ("torch.Tensor.clip", "min", "max", {"number"}),
        ("torch.normal", 0, 1, {"float", "tensor"}),
        ("torch.linspace", 0, 1, {"number", "tensor"}),
        ("torch.special.xlogy", 0, 1, {"tensor"}),
        ("torch.add", 2, 1, {"tensor", "number"}),
    ],
)
def test_beside_a_number_only_overloads_count_that_take_one(
    known: Facts, name: str, number: int | str, other: int | str, kinds: set[str]
) -> None:
    parameter = signature(known, name).with_numbers([number]).parameter(other)
    assert parameter is not None
    assert parameter.kinds == kinds


@pytest.mark.parametrize(
    ("name", "which", "kinds"),
    [
        ("torch.add", "other", {"tensor", "number"}),
        ("torch.clamp", 1, {"tensor", "number"}),
        ("torch.cat", 0, {"tensors"}),
        ("torch.sum", "dtype", {"dtype"}),
        ("torch.sum", "axis", {"int", "size"}),
        ("torch.rand", "generator", {"generator"}),
        ("torch.zeros", 0, {"size", "int"}),
        ("torch.zeros", 3, {"int"}),
        ("torch.linalg.norm", "keepdims", {"bool"}),
        ("torch.nn.functional.dropout", "p", {"float"}),
        ("torch.nn.functional.interpolate", "mode", {"str"}),
        ("torch.nn.functional.one_hot", "num_classes", {"int"}),
        ("torch.nn.functional.scaled_dot_product_attention", "attn_mask", {"tensor"}),
        ("torch.Tensor.view", 1, {"int"}),
        ("torch.Tensor.masked_fill", "value", {"tensor", "number"}),
        ("torch.Tensor.to", "device", {"device"}),
        ("torch.Tensor.topk", "k", {"int"}),
    ],
)
def test_kinds_of_parameters(known: Facts, name: str, which: int | str, kinds: set[str]) -> None:
    parameter = signature(known, name).parameter(which)
    assert parameter is not None
    assert parameter.kinds == kinds


def test_names_at_one_position_of_several_overloads(known: Facts) -> None:
    second = signature(known, "torch.max").parameter(1)
    assert second is not None
    assert set(second.names) == {"other", "dim"}
    assert second.kinds == {"tensor", "int"}


@pytest.mark.parametrize("name", ["torch.Tensor.no_such_method", "torch.no_such_function", "relu"])
def test_unknown_names_have_no_signature(known: Facts, name: str) -> None:
    assert known.signature(name) is None
    assert newest_signature(name) is None


def test_a_row_is_understood() -> None:
    result = parse_signature("();input:tensor *size:int? out:tensor?;a:int|size * b:str")
    assert [len(overload) for overload in result.overloads] == [0, 3, 2]
    size, out, word = result.parameter("size"), result.parameter("out"), result.parameter("b")
    assert size == Parameter(("size",), frozenset({"int"}), optional=True, variadic=True)
    assert out == Parameter(("out",), frozenset({"tensor"}), optional=True, keyword_only=True)
    assert word == Parameter(("b",), frozenset({"str"}), keyword_only=True)
    assert result.parameter(7) == size
    assert result.names() == {"input", "size", "out", "a", "b"}


def square() -> Any:
    return torch.tensor([[0.25, 0.5, 0.75], [0.5, 0.25, 0.5], [0.75, 0.5, 0.25]])


VALUES: dict[str, Callable[[], Any]] = {
    "tensor": square,
    "tensors": lambda: [square(), square()],
    "dtype": lambda: torch.float64,
    "bool": lambda: False,
    "device": lambda: "cpu",
    "generator": lambda: torch.Generator(),
    "number": lambda: 1,
    "float": lambda: 0.5,
    "int": lambda: 1,
    "size": lambda: [3],
}  # fmt: skip
SAMPLE = (
    "torch.add torch.sub torch.mul torch.div torch.clamp_min torch.maximum torch.pow torch.lerp torch.cat "
    "torch.stack torch.split torch.chunk "
    "torch.sum torch.mean torch.amax torch.std torch.argmax torch.sort torch.topk torch.softmax torch.log_softmax "
    "torch.cumsum torch.roll torch.triu torch.unsqueeze torch.squeeze torch.transpose "
    "torch.zeros torch.ones torch.empty torch.rand torch.randn torch.full torch.eye torch.arange "
    "torch.zeros_like torch.matmul torch.mm torch.addmm torch.where torch.isclose torch.allclose torch.norm torch.diff "
    "torch.linalg.norm torch.linalg.inv torch.linalg.svd torch.fft.fft torch.special.expit torch.nn.functional.relu "
    "torch.nn.functional.gelu torch.nn.functional.softmax torch.nn.functional.dropout torch.nn.functional.linear "
    "torch.nn.functional.layer_norm torch.nn.functional.mse_loss torch.nn.functional.normalize"
).split()


@known_torch
@pytest.mark.parametrize("name", SAMPLE)
def test_torch_accepts_a_call_that_a_signature_allows(installed: Facts, name: str) -> None:
    """With every overload's required parameters given, by position or keyword, at least one call works."""
    errors = []
    for overload in signature(installed, name).overloads:
        for expected in ("tensor", "number", "size", "int"):  # which kind goes first where several fit
            arguments, keywords = [], {}
            for parameter in overload:
                kinds = [expected] * parameter.takes(expected) + [kind for kind in VALUES if parameter.takes(kind)]
                if parameter.optional and not (parameter.variadic and not arguments):
                    continue
                if parameter.keyword_only:
                    keywords[parameter.name] = VALUES[kinds[0]]()
                else:
                    arguments.append(VALUES[kinds[0]]())
            try:
                resolve(name)(*arguments, **keywords)
            except (TypeError, RuntimeError, IndexError) as error:
                errors.append(str(error).splitlines()[0])
            else:
                return
    pytest.fail(f"{name}: {errors}")


@known_torch
@pytest.mark.parametrize("name", [name for name in SAMPLE if name not in ("torch.split", "torch.norm", "torch.cat")])
def test_torch_knows_the_keywords_of_a_signature(installed: Facts, name: str) -> None:
    """A keyword that does not exist is refused with its name, one of the signature is not."""
    for parameter in (item for overload in signature(installed, name).overloads for item in overload):
        if not parameter.variadic:
            with pytest.raises((TypeError, RuntimeError, AttributeError)) as error:  # an object fits nothing
                resolve(name)(**{parameter.name: object()})
            assert f"unexpected keyword argument '{parameter.name}'" not in str(error.value), name


DRAWING = (
    "rand_like randn_like bernoulli multinomial dropout gumbel_softmax normal_ uniform_ exponential_ cauchy_".split()
)


@known_torch
@pytest.mark.parametrize("name", DRAWING)
def test_random_operators_move_the_random_state(installed: Facts, name: str) -> None:
    assert installed.is_random(name)
    function = next(
        result for owner in (torch.Tensor, torch.nn.functional, torch) if (result := getattr(owner, name, None))
    )
    with torch.random.fork_rng(devices=[]):
        before = torch.get_rng_state()
        function(square(), *((1,) if name == "multinomial" else ()))
        assert not torch.equal(before, torch.get_rng_state())


@known_torch
@pytest.mark.parametrize("name", ["relu", "sum", "matmul", "softmax", "zero_", "clone", "batch_norm", "sort"])
def test_other_operators_draw_nothing(installed: Facts, name: str) -> None:
    assert not installed.is_random(name)


@known_torch
def test_operators_in_place_return_their_tensor(installed: Facts) -> None:
    tried = 0
    for name in read_table()["methods"]:
        if (fact := installed.method(name)) is not None and fact.inplace:
            x = square()
            try:
                result = getattr(x, name)()
            except (TypeError, RuntimeError, NotImplementedError):
                continue
            tried += 1
            assert result is x, name
    assert tried > 50


@known_torch
def test_fresh_results_share_no_memory(installed: Facts) -> None:
    tried = 0
    for name in read_table()["methods"]:
        if installed.is_fresh(name):
            for x in (square(), square().half(), square().long()):
                try:
                    result = getattr(x, name)()
                except (TypeError, RuntimeError, NotImplementedError):
                    continue
                if isinstance(result, torch.Tensor) and result.layout is torch.strided:
                    tried += 1
                    assert result.untyped_storage().data_ptr() != x.untyped_storage().data_ptr(), name
    assert tried > 100


@known_torch
def test_what_keeps_values_keeps_those_of_integers(installed: Facts) -> None:
    remaining = [name for name in read_table()["methods"] if installed.keeps_values(name)]
    assert {"float", "double", "long", "int", "detach", "contiguous", "cpu"} <= set(remaining)
    x = torch.tensor([[3, -1], [-2, 5]])
    for name in remaining:
        assert operator.methodcaller(name)(x).tolist() == x.tolist(), name


@pytest.mark.parametrize(
    ("asked", "name", "says"),
    [
        ("is_view", "view", True), ("is_view", "contiguous", True), ("is_view", "add", False),
        ("is_fresh", "add", True), ("is_fresh", "half", False), ("is_fresh", "dropout", False),
        ("is_pointwise", "relu", True), ("is_pointwise", "softmax", False),
        ("is_random", "no_such_operator", False),
    ],
)  # fmt: skip
def test_predicates(known: Facts, asked: str, name: str, says: bool) -> None:
    assert getattr(known, asked)(name) is says


def test_what_depends_on_data(known: Facts) -> None:
    result, read = known.operator("nonzero"), known.operator("item")
    assert result is not None
    assert result.dynamic_shape
    assert read is not None
    assert read.data_dependent


def test_names_of_other_things() -> None:
    assert names.dtypes()["half"] == "float"
    assert names.constants()["torch.float16"] == "dtype"
    assert names.tensor_types()["LongTensor"] == "int"
    assert names.named_results()["indices"] == 1
    assert names.tensor_attributes()["grad"] == "tensor"
    assert names.module_attributes("buffer")["num_batches_tracked"] == "int"
    assert "weight" in names.module_attributes("parameter")
    assert "in_features" in names.module_attributes("setting")
    assert "state_dict" in names.module_methods()
    assert "randn" in operators_with("generator")
    assert "relu" not in operators_with("generator")
