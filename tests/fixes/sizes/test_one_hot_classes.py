"""one_hot() gets the number of classes that the code around it tells."""

from __future__ import annotations

import pytest
from writing import body_of, findings, fixed

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Settings

HEAD = "import torch\nimport torch.nn.functional as F"
TOLD = {
    "the place of the largest": (
        "return F.one_hot(x.argmax(-1))",
        "return F.one_hot(x.argmax(-1), num_classes=x.shape[-1])",
    ),
    "a remainder": ("k = x.long() % 7\nreturn F.one_hot(k)", "k = x.long() % 7\nreturn F.one_hot(k, num_classes=7)"),
    "drawn": (
        "return F.one_hot(torch.randint(0, 4, (3,)))",
        "return F.one_hot(torch.randint(0, 4, (3,)), num_classes=4)",
    ),
}
UNTOLD = {
    "labels": "return F.one_hot(x.long())",
    "scores that changed since": "k = x.argmax(-1)\nx = x[:, :2]\nreturn F.one_hot(k)",
    "a remainder of what is not known": "return F.one_hot(x.long() % self.n)",
}
LAYERS = """\
import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def __init__(self, classes: int, words: int):
        super().__init__()
        self.num_classes = classes
        self.words = torch.nn.Embedding(words, 8)
        self.head = torch.nn.Linear(words, 8)

    def forward(self, k: torch.Tensor):
        {body}
"""
NEARBY = {
    "a layer that takes it": "return self.head(F.one_hot(k).float())",
    "a table it is multiplied with": "return F.one_hot(k).float() @ self.words.weight",
    "a table of the same labels": "return self.words(k), F.one_hot(k)",
}


@pytest.mark.parametrize(("before", "after"), TOLD.values(), ids=TOLD)
def test_the_classes_are_told(before: str, after: str) -> None:
    assert fixed(before, head=HEAD) == after


@pytest.mark.parametrize("body", UNTOLD.values(), ids=UNTOLD)
def test_otherwise_nothing_is_offered(body: str) -> None:
    assert [found.fix for found in findings(body, head=HEAD) if found.name == "one-hot-without-classes"] == [None]


@pytest.mark.parametrize("body", NEARBY.values(), ids=NEARBY)
def test_a_layer_next_to_it_tells_them(body: str) -> None:
    text = fix_source(LAYERS.format(body=body), "model.py", Settings(), unsafe=True).text
    assert text is not None
    assert "num_classes=self.head.in_features" in body_of(text) or "self.words.num_embeddings" in body_of(text)


def test_an_attribute_is_only_shown() -> None:
    (found,) = check_source(LAYERS.format(body="return F.one_hot(k)"), "model.py", Settings()).findings
    assert found.fix is not None
    assert (found.fix.applicability.value, found.fix.message) == ("display", "Pass `num_classes=self.num_classes`")


def test_labels_that_are_all_classes_are_safe() -> None:
    (found,) = findings("return x.sum() * F.one_hot(torch.arange(5))", head=HEAD)
    assert found.fix is not None
    assert found.fix.applicability.value == "safe"
