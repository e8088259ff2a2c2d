"""What forward's parameters are: by annotation, by default, by use, and a tensor where none of them speaks."""

from __future__ import annotations

import pytest
from harness import findings, marked

HEAD = "import torch\nimport typing\nfrom typing import *\nfrom torch import Tensor\n\n\nclass Net(torch.nn.Module):\n"
TENSORS = {
    "no annotation": "x",
    "torch.Tensor": "x: torch.Tensor",
    "Tensor by import": "x: Tensor",
    "in quotes": "x: 'torch.Tensor'",
    "FloatTensor": "x: torch.FloatTensor",
    "Optional without a default": "x: Optional[Tensor]",
    "union with None": "x: Tensor | None = None",
    "typing.Optional": "x: typing.Optional[torch.Tensor] = None",
    "keyword only": "*, x: Tensor",
}
PLAIN = {
    "int": "n: int",
    "float with a default": "n: float = 1.0",
    "bool by default": "n=False",
    "int by default": "n=3",
    "Optional int": "n: Optional[int] = None",
    "union of numbers": "n: int | float = 2",
    "a string by default": "n='mean'",
    "Literal": "n: Literal[1, 2] = 1",
    "None by default and no use as a tensor": "n=None",
    "a list of ints": "n: List[int] = ()",
    "a dict": "n: Dict[str, int] = {}",
    "a callable": "n: Callable = None",
    "a dtype": "n: torch.dtype = torch.float32",
    "an unknown class": "n: 'Config' = None",
    "Any": "n: Any = None",
}


@pytest.mark.parametrize("parameter", TENSORS.values(), ids=TENSORS)
def test_a_tensor(parameter: str) -> None:
    body = "        if x is None:\n            return 0\n        return x * (x.sum() > 0).item()  # BRK201\n"
    source = f"{HEAD}    def forward(self, {parameter}):\n{body}"
    assert findings(source) == marked(source)


@pytest.mark.parametrize("parameter", PLAIN.values(), ids=PLAIN)
def test_no_tensor(parameter: str) -> None:
    body = "        if n:\n            x = x * 2\n        return x if n and not n == 2 else -x\n"
    assert findings(f"{HEAD}    def forward(self, x, {parameter}):\n{body}") == []


ANNOTATED_ASSIGNMENTS = {
    "a name": ("loss: Tensor = self.head(x)", "loss"),
    "an attribute": ("self.last: Tensor = self.head(x)", "self.last"),
    "what may be None": ("loss: Tensor | None = self.head(x)", "loss"),
    "items of a dict": ("parts: Dict[str, Tensor] = self.head(x)", "parts['a']"),
}


@pytest.mark.parametrize(("statement", "read"), ANNOTATED_ASSIGNMENTS.values(), ids=ANNOTATED_ASSIGNMENTS)
def test_an_annotation_of_an_assignment_tells_what_nothing_else_does(statement: str, read: str) -> None:
    source = f"{HEAD}    def forward(self, x):\n        {statement}\n        return x * {read}.item()  # BRK201\n"
    assert findings(source) == marked(source)


def test_what_is_assigned_counts_more_than_its_annotation() -> None:
    assert findings(f"{HEAD}    def forward(self, x):\n        n: Tensor = 3\n        return -x if n else x\n") == []


USES = {
    "used as a list of tensors": """
    def forward(self, features):
        x = torch.cat(features, dim=1)
        return features[0] * x.mean().item()  # BRK201
""",
    "a list of tensors by annotation": """
    def forward(self, features: List[Tensor]):
        if len(features) > 1 and features:
            return features[0] * features[1].mean().item()  # BRK201
        return features[0]
""",
    "a dict of tensors by annotation": """
    def forward(self, batch: Dict[str, Tensor]):
        if "mask" in batch:
            return batch["x"] * batch["mask"].sum().item()  # BRK201
        return batch["x"]
""",
    "a tuple of tensors by annotation": """
    def forward(self, pair: Tuple[Tensor, int]):
        x, n = pair
        if n > 2:
            return x
        return x * x.mean().item()  # BRK201
""",
    "rest of the positions": """
    def forward(self, *inputs: Tensor):
        return inputs[0] * inputs[1].mean().item()  # BRK201
""",
    "an annotation in another name": """
    def forward(self, x: "Tensor", scale: "float" = 1.0):
        if scale > 1:
            return x * scale
        return x * x.mean().item()  # BRK201
""",
    "a flag without annotation or default, used as one": """
    def forward(self, x, return_all):
        if return_all:
            return x, x
        return x
""",
    "a mode without annotation, compared with a string": """
    def forward(self, x, mode):
        if mode == "train":
            return x * 2
        elif mode in ("test", "eval"):
            return x
        return -x
""",
    "a number without annotation, used as one": """
    def forward(self, x, steps):
        for _ in range(steps):
            x = x * 2
        return x
""",
    "a dict without annotation, used as one": """
    def forward(self, data):
        x = data["x"]
        for key, value in data.items():
            if key == "y":
                x = x + value
        return x
""",
    "an argument of a module's function that has the name of a method": """
    def forward(self, x):
        return typing.view(x) * x.mean().item()  # BRK201
""",
    "a tensor that is asked for its length and its attributes": """
    def forward(self, x, labels):
        if hasattr(labels, "names") or len(labels) == 0:
            return x
        if labels.sum() > 0:  # BRK301
            return x.view(len(x), -1)
        return x
""",
    "something that is asked for its length alone": """
    def forward(self, x, rows):
        if len(rows) == 0 or rows[0] > 0:
            return x
        return -x
""",
    "items that are used as tensors": """
    def forward(self, rows):
        best = 0.0
        for i in range(len(rows)):
            best = max(best, rows[i].sum().item())  # BRK201
        return rows[0] * best
""",
    "items that are used as something else": """
    def forward(self, x, rows):
        if len(rows) > 1 and rows[0].keys():
            return x
        return -x
""",
    "a tuple without annotation is taken apart": """
    def forward(self, inputs):
        x, mask = inputs
        if mask is not None:
            x = x * mask
        return x
""",
}


@pytest.mark.parametrize("forward", USES.values(), ids=USES)
def test_the_use_says_what_it_is(forward: str) -> None:
    assert findings(HEAD + forward) == marked(HEAD + forward)


def test_an_argument_nothing_is_known_of_is_what_the_parameter_is_annotated_as() -> None:
    text = (
        "import torch\nimport unknown\n\n\ndef loss(score: torch.Tensor, extra: dict[str, torch.Tensor]):\n"
        "    if score.sum() > 0:\n        return score\n    return extra['late'].tolist()\n\n\n"
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        return loss(unknown.of(x), {'early': x})\n"
    )
    assert findings(text) == [(6, "BRK301"), (8, "BRK203")]


BIAS = """\
import torch
from torch import nn


class Bias(nn.Module):
    def forward(self, window):
        n = window[0] * window[1]
        return torch.zeros(n, n)  # {marks}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = Bias()

    def forward(self, x: torch.Tensor):
        height, width = x.shape[-2:]
        return x + self.bias({passed}).sum()
"""


@pytest.mark.parametrize(
    ("passed", "marks"),
    [
        pytest.param("(height // 2, width // 2)", "", id="sizes"),
        pytest.param("(7, 7)", "", id="numbers"),
        pytest.param("x.long()[0, 0]", "BRK404", id="a tensor"),
        pytest.param("unknown", "BRK404", id="unknown"),
    ],
)
def test_an_untold_parameter_is_what_its_callers_in_the_file_pass(passed: str, marks: str) -> None:
    source = BIAS.format(passed=passed, marks=marks)
    assert findings(source) == marked(source)


RETURNS = """\
import torch
from typing import Optional, Tuple
from library import compute


def computed(x) -> {annotation}:
    return {returned}


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        y = computed(x){part}
        return float(y)  # {marks}
"""


@pytest.mark.parametrize(
    ("annotation", "returned", "part", "marks"),
    [
        pytest.param("torch.Tensor", "compute(x)", "", "BRK202", id="a tensor"),
        pytest.param("Tuple[int, torch.Tensor]", "1, compute(x)", "[1]", "BRK202", id="a part"),
        pytest.param("Tuple[torch.Tensor, Optional[int]]", "compute(x), None", "[0]", "BRK202", id="beside None"),
        pytest.param("Tuple[torch.Tensor, int]", "compute(x), compute(x)", "[1]", "", id="another part"),
        pytest.param("'Thing'", "compute(x)", "", "", id="an unknown class, called"),
        pytest.param("torch.Tensor", "Thing()", "", "", id="what is known counts"),
    ],
)
def test_what_is_unknown_of_a_result_its_annotation_tells(
    annotation: str, returned: str, part: str, marks: str
) -> None:
    thing = "\n\nclass Thing:\n    def __float__(self):\n        return 1.0\n" if "Thing()" in returned else ""
    source = RETURNS.format(annotation=annotation, returned=returned, part=part, marks=marks) + thing
    assert findings(source) == marked(source)


CALLERS_PASS = {
    "a tensor where False is the default": (
        "x, mask: torch.Tensor | None = False",
        "if mask is not None and mask is not False:\n            x = x[mask > 0]  # BRK401\n        return x",
    ),
    "a flag that is asked for its truth": ("x, mask: torch.Tensor | bool = False", "return -x if mask else x"),
    "True where False is left": (
        "x, mask: torch.Tensor | None = False",
        "if mask is False:\n            return x[mask]\n        return x",
    ),
    "rows, as they are annotated": (
        "x: List[torch.Tensor]",
        "if isinstance(x, (list, tuple)):\n            return x[0].sum().item()  # BRK201\n        return x",
    ),
}


@pytest.mark.parametrize(("parameters", "body"), CALLERS_PASS.values(), ids=CALLERS_PASS)
def test_what_callers_pass_although_annotations_and_defaults_say_otherwise(parameters: str, body: str) -> None:
    source = f"{HEAD}    def forward(self, {parameters}):\n        {body}\n"
    assert findings(source) == marked(source)


@pytest.mark.parametrize("extra", ["", ", 'tanh': nn.Tanh, 'elu': nn.ELU, 'gelu': nn.GELU, 'silu': nn.SiLU"])
def test_a_layer_that_is_chosen_from_a_table_gives_a_tensor(extra: str) -> None:
    source = f"""\
import torch
from torch import nn

TABLE = {{'relu': nn.ReLU, 'mish': nn.Mish, 'sigmoid': nn.Sigmoid{extra}}}


class Net(nn.Module):
    def __init__(self, kind: str):
        super().__init__()
        self.layer = TABLE[kind]()

    def forward(self, x: torch.Tensor):
        return float(self.layer(x))  # BRK202
"""
    assert findings(source) == marked(source)


STAND_INS = {
    "a conditional": "self.rng = torch.Generator() if rng is None else rng",
    "the other way round": "self.rng = rng if rng is not None else torch.Generator()",
    "or": "self.rng = rng or torch.Generator()",
    "a branch that stores": """if rng is None:
            self.rng = torch.Generator()
        else:
            self.rng = rng""",
    "a branch that binds the parameter": """if rng is None:
            rng = torch.Generator()
        self.rng = rng""",
}


@pytest.mark.parametrize("text", STAND_INS.values(), ids=STAND_INS)
def test_what_stands_in_for_none_is_what_callers_hand_in(text: str) -> None:
    source = f"""{HEAD}    def __init__(self, rng: torch.Generator = None):
        super().__init__()
        {text}

    def forward(self, x):
        return x + torch.randn(8, generator=self.rng)  # BRK639


class Other(Net):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def forward(self, x):
        return torch.randperm(8, generator=self.rng)  # BRK639
"""
    assert findings(source) == marked(source)


def test_what_nothing_stands_in_for_is_none() -> None:
    source = f"""{HEAD}    def forward(self, x, rng=None):
        return x + torch.randn(8, generator=rng)
"""
    assert findings(source) == []


@pytest.mark.parametrize(
    ("given", "passed", "marks"),
    [
        pytest.param("sizes", "sizes", "", id="assumed, without an annotation"),
        pytest.param("sizes: torch.Tensor", "sizes", "", id="annotated as a tensor by the caller"),
        pytest.param("sizes: torch.Tensor", "sizes.long()[0]", "BRK404", id="computed"),
        pytest.param("sizes", "torch.tensor([sizes.sum(), 2])", "BRK404", id="made of tensors"),
    ],
)
def test_an_annotation_holds_against_what_nothing_proves(given: str, passed: str, marks: str) -> None:
    source = f"""\
import torch


class Inner(torch.nn.Module):
    def forward(self, x: torch.Tensor, sizes: list[tuple[int, int]]):
        height, width = sizes[0], sizes[1]
        return x.view(-1, height, width)  # {marks}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: torch.Tensor, {given}):
        return self.inner(x, {passed})
"""
    assert findings(source) == marked(source)


HELPERS = {
    "a function that takes its sum": ("w.sum()", "weighted(x, w)", "  # BRK301"),
    "a function that gets it by name": ("w.sum()", "weighted(w=w, x=x)", "  # BRK301"),
    "a function that gets it as something else": ("w.sum()", "weighted(x=w, w=None)", ""),
    "a method of the class": ("w.sum()", "self.weighted(x, w)", "  # BRK301"),
    "a function that reads it as a dict": ("w['a']", "weighted(x, w)", ""),
    "a function that takes its length": ("len(w)", "weighted(x, w)", ""),
    "a function behind a row of unknown length": ("w.sum()", "weighted(*self.first, w)", ""),
}


@pytest.mark.parametrize(("read", "call", "marks"), HELPERS.values(), ids=HELPERS)
def test_what_a_function_does_with_a_parameter_that_it_is_handed_says_what_it_is(
    read: str, call: str, marks: str
) -> None:
    source = f"""\
import torch


def weighted(x, w=None):
    if w is None:
        return x.mean()
    total = {read}
    if total == 0:{marks if "self.w" not in call else ""}
        return x
    return x / 2


class Net(torch.nn.Module):
    def weighted(self, x, w=None):
        if w is not None and {read} > 0:{marks if "self.w" in call else ""}
            return x
        return -x

    def forward(self, x, w=None):
        return {call}
"""
    assert findings(source) == marked(source)


def test_a_call_that_does_not_bind_is_not_followed() -> None:
    source = """\
import torch


def scaled(x, by):
    return x * by.item()


class Net(torch.nn.Module):
    def forward(self, x):
        return scaled(x, scale=x.mean())
"""
    assert findings(source) == []
