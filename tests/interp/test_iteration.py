"""Which items a loop over a value surely gives, one by one."""

from __future__ import annotations

import pytest

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.iteration import items_of
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import Const, Static


@pytest.mark.parametrize(
    ("value", "items"),
    [
        (Tuple((Const("a"), UNKNOWN)), [Const("a"), UNKNOWN]),
        (Tuple(()), []),
        (Sequence(Static("str")), None),
        (Dict({"a": UNKNOWN, "b": UNKNOWN}), [Const("a"), Const("b")]),
        (Dict({"a": UNKNOWN}, rest=UNKNOWN), None),
        (Dict({"a": UNKNOWN, "b": UNKNOWN}, optional=frozenset({"b"})), None),
        (Static("str"), None),
    ],
    ids=[
        "a tuple",
        "an empty tuple",
        "a list of any length",
        "a dict",
        "a dict with more",
        "a key that may lack",
        "any",
    ],
)
def test_items_are_known_only_where_all_are(value: Value, items: list[Value] | None) -> None:
    assert items_of(value) == items
