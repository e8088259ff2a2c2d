"""Differences that an unsafe fix brings and its reason names: each seen on the call that shows it."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

import pytest
from writing import model

torch = pytest.importorskip("torch")

from differential.comparing import differences  # noqa: E402
from differential.inputs import Call  # noqa: E402
from differential.judging import PATH, disagreements, rewritten  # noqa: E402
from differential.observing import record  # noqa: E402
from differential.reasons import OF_EVERY_KIND  # noqa: E402
from differential.reasons import WARNED as REASONS  # noqa: E402

from breaklint import fixes  # noqa: E402
from breaklint.rules.cards import load_rules  # noqa: E402

PLAIN = Call((3,), torch.float32, "positive", "plain", "separate", "leaves", "grad", 0)
# what differs: body, head, fields of the call, kind of difference, words of the reason
WARNED = {
    "a view that does not exist of a row that is not contiguous": (
        "return x[x.flatten(1).sum(1).argmax()].view(-1)",
        {"shape": (2, 3, 4), "layout": "transposed"},
        "silent",
        "a contiguous copy",
    ),
    "a store into an expanded tensor": (
        "h = x\nh[torch.isnan(x)] = 1 - x[torch.isnan(x)]\nreturn h",
        {"layout": "expanded", "gradient": "none"},
        "raises",
        "an expanded tensor raises",
    ),
    "the gradient of the largest of a row with NaN": (
        "x = x.reshape(-1, 1)\nreturn torch.stack([r.max() for r in x])",
        {"fill": "nan"},
        "gradient-not-finite",
        "of a row with NaN every gradient is NaN",
    ),
    "a side that has no derivative": (
        "k = x.numel() - 3\nreturn x // k if x.sum() > 1e9 else x * 1",
        {},
        "late",
        "an infinity or NaN in the side that is not taken",
    ),
    "the product of the sizes of a 0-dim tensor": (
        "return x * np.prod(x.shape).item()",
        {"shape": (), "dtype": torch.uint8},
        "dtype",
        "of an empty row NumPy gives a float",
    ),
    "the product of an empty list": (
        "return x.repeat(np.prod([]).item())",
        {},
        "silent",
        "of an empty row NumPy gives a float",
    ),
    "a part of an assert that was skipped": (
        "assert (x > 0).all() or (y > 0).view(-1)[7]\nreturn x",
        {},
        "raises",
        "one that was skipped may raise",
    ),
    "a part of a condition between numbers that was skipped": (
        "return x * (2 if (x > 0).all() or (y > 0).view(-1)[7] else 3)",
        {},
        "raises",
        "one that was skipped may raise",
    ),
    "a change that backward does not forgive": (
        "h = x * 2\nz = torch.exp(h) if h.sum() > 0 else torch.log(h)\nz.add_(1)\nreturn z",
        {},
        "late",
        "backward no longer raises",
    ),
    "a clamp of bools": (
        "h = torch.zeros_like(x)\nreturn torch.clamp(h, min=0) if y.any() else h",
        {"dtype": torch.bool, "fill": "zeros", "gradient": "none"},
        "dtype",
        "different dtypes",
    ),
    "an input that a rounded number is added to": (
        "y += math.sqrt((x > -1).sum().abs())\nreturn y",
        {"pairing": "other dtype", "gradient": "none"},
        "coarse-rounding",
        "is rounded like a tensor",
    ),
    "the order of a complex number": (
        "return x * (math.exp(x.prod()) > 2)",
        {"dtype": torch.complex64},
        "raises",
        "complex tensors have no order",
    ),
    "a number from another generator": ("return x + np.random.random()", {}, "value", "another generator"),
    "a difference that cancels out": (
        "a = math.exp(x.max())\nreturn (x - a) / (1 - a)",
        {"shape": (1,), "fill": "tiny", "seed": 3},
        "value",
        "is rounded like a tensor",
    ),
}


def source(body: str) -> str:
    gain = "        self.gain = torch.nn.Parameter(torch.tensor(0.75))\n"
    init = f"    def __init__(self):\n        super().__init__()\n{gain}\n"
    text = model(body, "x: torch.Tensor, y: torch.Tensor", "import math\nimport numpy as np\nimport torch")
    return text.replace("    def forward", f"{init}    def forward")


@pytest.mark.parametrize(("body", "fields", "kind", "words"), WARNED.values(), ids=WARNED)
def test_the_reason_names_the_difference(body: str, fields: dict[str, object], kind: str, words: str) -> None:
    text, call = source(body), dataclasses.replace(PLAIN, **fields)  # type: ignore[arg-type]
    after = rewritten(text, {}, unsafe=True)
    seen = {found.kind for found in differences(record(text, PATH, call), record(after.text, PATH, call))}
    assert kind in seen
    assert any(words in fix.why for _, fix in after.fixes)
    assert disagreements(text, {}, [call])[2] == []


ORDERS = {"the same": ("z = y / 2\n    w = -y", True), "another": ("w = -y\n    z = y / 2", False)}


@pytest.mark.parametrize(("other", "safe"), ORDERS.values(), ids=ORDERS)
def test_two_names_that_are_assigned_in_another_order_are_no_safe_fix(other: str, safe: bool) -> None:
    text = source(f"y = torch.exp(x)\nif y.sum() > 0:\n    z = y * 2\n    w = y + 1\nelse:\n    {other}\nreturn z * w")
    assert bool(rewritten(text, {}, unsafe=False).fixes) is safe


def test_the_safe_fixes_leave_a_product_that_may_be_of_no_sizes() -> None:
    text = source("return x * np.prod(x.shape).item()")
    assert rewritten(text, {}, unsafe=False).fixes == []
    whole = source("return x * int(np.prod(x.shape))")
    assert [kind for kind, _ in rewritten(whole, {}, unsafe=False).fixes] == ["math-function"]


def test_every_kind_of_unsafe_fix_has_reasons_whose_words_are_known() -> None:
    kinds = {rule.fix_kind for rule in load_rules()} - {""}
    written = {kind for kind in kinds if not kind.startswith("show-")}
    assert written - REASONS.keys() == {"template"}, "`pow` has a safe fix alone"


def test_the_words_of_every_reason_are_those_of_some_fix() -> None:
    files = (ast.parse(path.read_text("utf-8")) for path in Path(fixes.__path__[0]).rglob("*.py"))
    texts = [str(part.value) for tree in files for part in ast.walk(tree) if isinstance(part, ast.Constant)]
    said = " ".join(" ".join([*texts, *(rule.fix_why for rule in load_rules())]).split())
    words = {words for reasons in (OF_EVERY_KIND, *REASONS.values()) for words in reasons}
    assert {each for each in words if each not in said} == set()
