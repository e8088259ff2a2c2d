"""Products of settings: the function that is written gives and raises what NumPy does, whatever the setting is."""

from __future__ import annotations

import fractions
import warnings
from typing import Any

import numpy as np
import pytest

from breaklint.fixes.sizes.setting_product import FUNCTION
from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Settings

HEAD = "import math\nimport numpy as np\nimport torch\n"
NET = """

class {name}(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def forward(self, x: torch.Tensor):
        return x.reshape(-1, {product})
"""
PRODUCT = "int(np.prod(self.config.size))"
VALUES: list[Any] = [
    0, 4, -3, True, 3.7, None, "4", "a", b"4", 2**70, float("nan"), float("inf"), fractions.Fraction(7, 2), np.int64(5),
    (), [], (3,), (3, 64, 64), [2, 3], [0, 2**70], [2**62, 4], [2**63], [2**63, 0], [2**63, -1], [-(2**62), 2],
    [2**40, 2**40, 0], [2**32, 2**32, 1], [True, 2], [1.5, 2], [[2, 3], [4, 5]], [(2,), 3], [None], ["a"],
    [np.int64(3), 2],
    np.array([3, 4]), np.array([[3, 4]]), np.array(5), {2, 3}, {2: 3}, range(4), iter([2]), (np.array([2, 3]), 4),
]  # fmt: skip


def outcome(function: Any, value: Any) -> object:
    """What a function gives or raises for a value."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            found: object = function(value)
        except (TypeError, ValueError, OverflowError, ArithmeticError) as error:
            found = type(error), str(error)
    return type(found), found, [str(each.message) for each in warned]


def written(text: str) -> str:
    """What safe fixes make of a file."""
    result = fix_source(text, "net.py", Settings(), False)
    assert result.errors == ()
    return result.text or text


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(value).partition(" object at ")[0])
def test_the_function_does_what_numpy_does(value: Any) -> None:
    names: dict[str, Any] = {"math": __import__("math"), "np": np}
    exec(FUNCTION.format(math="math", numpy="np", code="BRK205"), names)
    assert outcome(names["_int_prod"], value) == outcome(lambda each: int(np.prod(each)), value)


def test_classes_share_the_function_and_nothing_is_left_to_find() -> None:
    two = HEAD + NET.format(name="A", product=PRODUCT) + NET.format(name="B", product=PRODUCT)
    text = written(two)
    assert text.count("def _int_prod(values):") == 1
    assert text.count("_int_prod(self.config.size)") == 2
    assert check_source(text, "net.py", Settings()).findings == ()
    more = text + NET.format(name="C", product=PRODUCT)
    assert written(more) == text + NET.format(name="C", product="_int_prod(self.config.size)")


LEFT = {
    "the name is taken": HEAD + "_int_prod = 3\n",
    "the file lists its names": HEAD + "print(dir())\n",
    "the file lists its names as a module": HEAD + "import sys\nthis = sys.modules[__name__]\nprint(vars(this))\n",
    "NumPy that may be missing": "import math, torch\ntry:\n    import numpy as np\nexcept ImportError:\n    np = 3\n",
    "another int": HEAD + "int = float\n",
    "another type": HEAD + "def type(value):\n    return 3\n",
    "NumPy is another one": HEAD + "import net\nnet.np.prod = print\n",
    "no import before the first class": "class A:\n    pass\n" + HEAD,
}


@pytest.mark.parametrize("way", LEFT)
def test_where_the_function_could_be_seen_or_do_something_else_it_is_not_written_by_safe_fixes(way: str) -> None:
    text = LEFT[way] + NET.format(name="Net", product=PRODUCT)
    assert written(text) == text


def test_the_setting_may_be_any_expression() -> None:
    text = HEAD + NET.format(name="Net", product="int(np.prod(self.config.size()))")
    assert "_int_prod(self.config.size())" in written(text)


def test_a_name_that_is_another_module_is_no_obstacle() -> None:
    text = HEAD + "import sys\nthis = sys.modules[__name__]\n" + NET.format(name="Net", product=PRODUCT)
    assert "_int_prod(self.config.size)" in written(text)
