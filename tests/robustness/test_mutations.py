"""Check and fix under fire: mutated model code, programs made from the grammar of Python, and noise."""

from __future__ import annotations

from random import Random

import pytest
from mutations import corpus, mutated
from properties import Tally, engine, examine

from breaklint.lint.engine import Engine

BATCH = 250
FOUND = {  # texts on which a property failed
    "an unpacked argument is no operand": (
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        scale = float(*x.abs().sum())\n        return x * 2 / scale\n"
    ),
    "a list grows through a name of its method": (
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.seen = []\n\n    def forward(self, x):\n        push = self.seen.append\n        push(x)\n"
        "        return x\n"
    ),
}


@pytest.fixture(scope="module")
def shared() -> Engine:
    return engine()


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [text for _, text in corpus()]


@pytest.mark.parametrize("text", FOUND.values(), ids=FOUND)
def test_what_fuzzing_found_stays_correct(shared: Engine, text: str) -> None:
    assert examine(shared, text, Tally()) == []


@pytest.mark.parametrize("batch", range(4))
def test_mutated_models_are_checked_and_fixed_by_the_book(shared: Engine, texts: list[str], batch: int) -> None:
    tally = Tally()
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        text = mutated(texts, Random(seed))
        assert examine(shared, text, tally) == [], f"seed {seed}:\n{text}"
    assert tally.parsed > BATCH / 10
    assert tally.fixed > 0, tally


@pytest.mark.slow
def test_models_as_they_are_hold_every_property(shared: Engine) -> None:
    tally = Tally()
    for name, text in corpus():
        assert examine(shared, text, tally) == [], name
    assert tally.parsed == tally.programs


@pytest.mark.parametrize("seed", range(3))
def test_bytes_without_sense_are_one_error_or_none(shared: Engine, seed: int) -> None:
    random = Random(seed)
    for _ in range(50):
        text = "torch def forward " + random.randbytes(random.randint(0, 400)).decode("latin-1")
        assert examine(shared, text.replace("\r", "\n"), Tally()) == []
