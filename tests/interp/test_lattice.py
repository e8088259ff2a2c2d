"""The laws of the lattice: a join is commutative, associative, idempotent, absorbing, and an upper bound."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breaklint.interp.callables import ClassValue, Function, Method, Partial, Super
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.lattice import MAX_FAMILIES, MAX_OPTIONS, UNKNOWN, Union, Value, join, join_all, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import (
    NONE,
    SIZE,
    TENSOR,
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Shape,
    Static,
    Tensor,
    without_none,
)
from breaklint.project.module import FunctionInfo
from breaklint.project.project import Project

MODULE = Project([], lambda _path: "").add("model.py", "class A: ...\nclass B: ...\ndef f(): ...\ndef g(): ...\n")
CLASSES = MODULE.classes
FUNCTIONS = [info for info in MODULE.names.values() if isinstance(info, FunctionInfo)]
KINDS = ("", "int", "float", "bool", "complex")
ROLES = ("", "input", "parameter", "buffer", "sparse")
RANKS = (None, 0, 1, 2)

# What has identity is made once: two lists with the same items are two lists.
INSTANCES = [Instance(cls, outside=True) for cls in CLASSES for _ in range(3)]
LISTS = [
    Sequence(items=[TENSOR, SIZE]),
    Sequence(TENSOR),
    Sequence(),
    Sequence(SIZE, kind="range"),
    Sequence(NONE, kind="set"),
    Sequence(INSTANCES[0], kind="torch.nn.ModuleList"),
]
DICTS = [Dict(), Dict({"a": TENSOR}), Dict(rest=SIZE)]

ATOMS = st.one_of(
    st.builds(Tensor, st.sampled_from(KINDS), st.sampled_from(RANKS), st.booleans(), st.sampled_from(ROLES)),
    st.builds(Array, st.sampled_from(KINDS), st.sampled_from(RANKS), st.booleans()),
    st.builds(Number, st.sampled_from(KINDS), st.booleans()),
    st.builds(Shape, st.sampled_from(RANKS)),
    st.builds(Static, st.sampled_from((*KINDS, "str", "dtype")), st.sampled_from(("", "LSTM", "GRU"))),
    st.builds(Const, st.sampled_from((None, True, False, 0, 1, 1.0, 0.0, -0.0, float("nan"), "LSTM", "", ..., b""))),
    st.builds(ExternalName, st.sampled_from(("torch", "torch.nn.LSTM", "math.pi"))),
    st.builds(ExternalInstance, st.sampled_from(("torch.nn.LSTM", "torch.nn.GRU", "logging.Logger"))),
    st.builds(ClassValue, st.sampled_from(CLASSES)),
    st.builds(Function, st.sampled_from(FUNCTIONS), st.sampled_from((None, *INSTANCES))),
    st.sampled_from((UNKNOWN, SIZE, *INSTANCES, *LISTS, *DICTS)),
)


def composed(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    """Values made of values."""
    return st.one_of(
        st.builds(lambda items: Tuple(tuple(items)), st.lists(values, max_size=3)),
        st.builds(lambda element: Sequence(element, kind="tuple"), st.one_of(st.none(), values)),
        st.builds(lambda items: Sequence(items=items, kind="tuple"), st.lists(values, max_size=2)),
        st.builds(lambda owner: Method(owner, "sum"), values),
        st.builds(lambda owner: Super(CLASSES[0], owner), values),
        st.builds(lambda function, given: Partial(function, (given,), ()), values, values),
        st.builds(lambda several: join_all(several) or UNKNOWN, st.lists(values, min_size=2, max_size=6)),
    )


VALUES = st.recursive(ATOMS, composed, max_leaves=8)
many = settings(max_examples=int(os.environ.get("LATTICE_CASES", "200")))


@many
@given(VALUES, VALUES, VALUES)
def test_a_join_is_a_least_upper_bound(a: Value, b: Value, c: Value) -> None:
    assert join(a, a) == a, "idempotent"
    assert join(a, b) == join(b, a), "commutative"
    assert join(join(a, b), c) == join(a, join(b, c)), "associative"
    assert join(a, join(a, b)) == join(a, b), "absorbing"
    assert join(UNKNOWN, a) is UNKNOWN, "Unknown is the top"


@many
@given(VALUES, VALUES)
def test_equal_values_have_equal_hashes(a: Value, b: Value) -> None:
    assert hash(join(a, b)) == hash(join(b, a))


@many
@given(st.lists(VALUES, min_size=1, max_size=8), st.randoms())
def test_the_order_of_a_join_says_nothing(values: list[Value], random: st.randoms) -> None:  # type: ignore[valid-type]
    shuffled = list(values)
    random.shuffle(shuffled)
    assert join_all(values) == join_all(shuffled)


@many
@given(st.lists(VALUES, min_size=1, max_size=4))
def test_a_union_holds_neither_unknown_nor_unions(values: list[Value]) -> None:
    found = join_all(values)
    if isinstance(found, Union):
        assert len(found.options) > 1
        assert not any(option is UNKNOWN or isinstance(option, Union) for option in found.options)
        assert NONE not in options(without_none(found))


@pytest.mark.parametrize("first", [0, 1], ids=["left", "right"])
def test_what_is_stored_in_either_of_two_lists_is_stored_in_both(first: int) -> None:
    pair = [Sequence(items=[]), Sequence(items=[])]
    either = join(pair[first], pair[1 - first])
    assert isinstance(either, Sequence)
    for part in either.each_part():
        part.store(None, TENSOR)
    assert [part.element for part in pair] == [TENSOR, TENSOR]


def test_either_of_two_lists_holds_what_is_stored_in_one_later() -> None:
    first, second = Sequence(items=[]), Sequence(items=[SIZE])
    either = join(first, second)
    first.store(None, TENSOR)
    assert isinstance(either, Sequence)
    assert either.element == join(SIZE, TENSOR)


def test_instances_of_one_class_are_kept_apart() -> None:
    assert options(join(INSTANCES[0], INSTANCES[1])) == (INSTANCES[0], INSTANCES[1])


def test_a_union_has_a_limit_of_options_and_of_families() -> None:
    objects = [Instance(CLASSES[0], outside=True) for _ in range(MAX_OPTIONS + 1)]
    assert isinstance(join_all(objects[1:]), Union), "objects are one family"
    assert join_all(objects) is UNKNOWN
    families: list[Value] = [TENSOR, Array(), Shape(), ExternalName("torch"), ClassValue(CLASSES[0]), objects[0]]
    assert len(families) == MAX_FAMILIES + 1
    assert isinstance(join_all(families[1:]), Union)
    assert join_all(families) is UNKNOWN
