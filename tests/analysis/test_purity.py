"""What is pure is told by exact names: one that only looks like another says nothing, nor does one that is unknown."""

from __future__ import annotations

import inspect
from functools import reduce

import pytest
from harness import INSTALLED_TORCH, model
from hypothesis import given
from hypothesis import strategies as st

from breaklint.analysis import purity
from breaklint.analysis.purity import is_pure_function, is_pure_method
from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Settings
from breaklint.torchops.facts import for_target
from breaklint.torchops.tables import read_table

FACTS = for_target(INSTALLED_TORCH)

# What draws, writes or counts, and what only reads like it.
LOOK_ALIKE = [
    ("torch.normal", "torch.nn.functional.normalize"),
    ("torch.poisson", "torch.nn.functional.poisson_nll_loss"),
    ("torch.nn.functional.dropout", "torch.abs"),
    ("torch.binomial", "torch.bincount"),
    ("torch.rand", "torch.real"),
    ("torch.randperm", "torch.permute"),
    ("torch.seed", "torch.special.xlogy"),
    ("torch.set_default_dtype", "torch.get_default_dtype"),
    ("torch.use_deterministic_algorithms", "torch.are_deterministic_algorithms_enabled"),
    ("torch.nn.functional.embedding", "torch.embedding"),
    ("torch.nn.functional.embedding_bag", "torch.nn.functional.cosine_embedding_loss"),
    ("torch.nn.functional.batch_norm", "torch.nn.functional.group_norm"),
    ("torch.nn.functional.instance_norm", "torch.nn.functional.layer_norm"),
    ("torch.nn.functional.rrelu", "torch.nn.functional.relu"),
    ("torch.nn.functional.gumbel_softmax", "torch.nn.functional.softmax"),
    ("torch.nn.functional.fractional_max_pool2d", "torch.nn.functional.max_pool2d"),
    ("torch.nn.functional.scaled_dot_product_attention", "torch.nn.functional.linear"),
    ("torch.svd_lowrank", "torch.linalg.svd"),
    ("torch.save", "torch.special.sinc"),
    ("torch.relu_", "torch.relu"),
    ("torch.load", "torch.log"),
    ("torch.fork", "torch.fmod"),
    ("torch.set_grad_enabled", "torch.finfo"),
    ("torch.autocast_increment_nesting", "torch.is_autocast_enabled"),
    ("builtins.input", "builtins.int"),
    ("builtins.print", "builtins.repr"),
    ("random.random", "math.floor"),
]
METHODS_ALIKE = [
    ("add_", "add"),
    ("index_put_", "index_put"),
    ("normal_", "norm"),
    ("bernoulli", "double"),
    ("multinomial", "mul"),
    ("register_hook", "reciprocal"),
    ("register_post_accumulate_grad_hook", "ger"),
    ("retain_grad", "ravel"),
    ("record_stream", "reshape"),
    ("module_load", "mode"),
    ("data_ptr", "dim"),
    ("set_", "select"),
    ("resize_", "resize_as"),
    ("backward", "bmm"),
    ("share_memory_", "is_shared"),
    ("cuda", "cumsum"),
]


@pytest.mark.parametrize(("impure", "pure"), LOOK_ALIKE)
def test_functions_that_look_alike_are_told_apart(impure: str, pure: str) -> None:
    assert is_pure_function(pure, FACTS)
    assert not is_pure_function(impure, FACTS)


@pytest.mark.parametrize(("impure", "pure"), METHODS_ALIKE)
def test_methods_that_look_alike_are_told_apart(impure: str, pure: str) -> None:
    assert is_pure_method(pure, FACTS)
    assert not is_pure_method(impure, FACTS)


NAMES = sorted({name.rpartition(".")[2] for part in ("functions", "methods") for name in read_table()[part]})


@given(st.sampled_from(NAMES), st.text("abz_", min_size=1, max_size=3), st.booleans())
def test_an_unknown_function_is_not_pure(name: str, more: str, behind: bool) -> None:
    longer = name + more if behind else more + name
    if longer not in NAMES and longer not in purity.METHODS:
        assert not is_pure_method(longer, FACTS)
    for library in ("torch", "torch.nn.functional", "torch.linalg"):
        full = f"{library}.{longer}"
        if FACTS.function(full) is None and full not in purity.FUNCTIONS:
            assert not is_pure_function(full, FACTS)
    for library in ("", "mine", "torchlike", "torch.mine"):
        assert not is_pure_function(f"{library}.{name}", FACTS)


def functions() -> list[str]:
    table = read_table()["functions"]
    return sorted(name for name in {*table, *purity.FUNCTIONS} if is_pure_function(name, FACTS))


def test_torch_says_the_same_of_every_pure_function_and_method() -> None:
    torch = pytest.importorskip("torch")
    wrong = []
    for name in [*functions(), *filter(lambda name: is_pure_method(name, FACTS), NAMES)]:
        short = name.rpartition(".")[2]
        for schema in torch._C._jit_get_schemas_for_operator(f"aten::{short}"):
            written = [
                argument for argument in schema.arguments if argument.alias_info and argument.alias_info.is_write
            ]
            lists = "[](" in str(schema)  # `values.sort()` of TorchScript
            if not lists and any(not item.is_out for item in written):
                wrong.append(f"{schema} writes")
            if not written and torch.Tag.nondeterministic_seeded in overload(torch, schema).tags:
                wrong.append(f"{schema} is random")
    assert wrong == []


def overload(torch: object, schema: object) -> object:
    packet = getattr(torch.ops.aten, schema.name.removeprefix("aten::"))  # type: ignore[attr-defined]
    return getattr(packet, schema.overload_name or "default")  # type: ignore[attr-defined]


def test_the_facts_have_the_position_of_inplace_that_torch_has() -> None:
    pytest.importorskip("torch")
    import torch

    places = {}
    for name in functions():
        function = reduce(getattr, name.split(".")[1:], torch)
        try:
            names = list(inspect.signature(function).parameters)
        except (TypeError, ValueError):  # written in C++, where `inplace` is a function of its own
            continue
        signature = FACTS.signature(name)
        known = [parameter.name for overload in signature.overloads for parameter in overload] if signature else []
        if "inplace" in names or "inplace" in known:
            places[name] = (names, known)
    assert len(places) > 10
    assert {name: known for name, (_, known) in places.items()} == {name: names for name, (names, _) in places.items()}
    assert {names[-1] for names, _ in places.values()} == {"inplace"}


# `torch.where` computes both sides of a choice, which needs both to be pure.
SIDES = {
    "F.normalize(x, dim=-1)": True,
    "F.poisson_nll_loss(x, x)": True,
    "torch.fft.fft(x).real": True,
    "F.relu(x)": True,
    "F.relu(x, True)": False,
    "F.relu(x, inplace=True)": False,
    "F.relu(*[x, True])": False,
    "F.hardtanh(x, -1.0, 1.0)": True,
    "F.hardtanh(x, -1.0, 1.0, True)": False,
    "F.threshold(x, 0.0, 1.0, True)": False,
    "torch.abs(x, **self.options)": False,
    "torch.binomial(x, x)": False,
    "torch.normal(x, x)": False,
    "F.fractional_max_pool2d(x, 2, output_ratio=0.5)": False,
    "x.add_(1)": False,
    "x.retain_grad()": False,
}


@pytest.mark.parametrize(("side", "pure"), SIDES.items())
def test_a_choice_is_computed_on_both_sides_only_where_both_are_pure(side: str, pure: bool) -> None:
    text = model(f"if x.sum() > 0:\n    y = {side}\nelse:\n    y = x\nreturn y")
    (result,) = check_source(text, "model.py", Settings(select=("BRK301",))).findings
    assert (result.fix is not None) is pure, result.no_fix


@pytest.mark.parametrize("name", ["is_grad_enabled", "get_default_dtype", "are_deterministic_algorithms_enabled"])
def test_a_function_without_parameters_may_stand_in_a_condition(name: str) -> None:
    text = model(f"if torch.{name}() and x.mean() > 0:\n    x = x * 2\nreturn x")
    result = fix_source(text, "model.py", Settings(), unsafe=True)
    assert "torch.where" in (result.text or "")
    assert not result.errors
