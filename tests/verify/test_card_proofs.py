"""The proof of rule cards: that it finds a wrong claim, and that a sample of the built-in cards is right."""

from __future__ import annotations

import pytest

from breaklint.rules.cards import load_rules
from breaklint.verify.prove.runner import examples_of, prove, torch_version

pytest.importorskip("torch")
NET = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
COUNTING = (
    "import torch\n\n\nclass Net(torch.nn.Module):\n    calls = 0\n\n    def forward(self, x):\n"
    "        self.calls += 1  # recompile\n        return x * 2\n"
)
# A break and a recompilation, cards with fixed and good versions; `make nightly` proves all.
SAMPLE = ("print-call", "counter-attribute")


def example(**changes: object) -> dict[str, object]:
    plain = {"code": "ABC001", "name": "own-rule", "number": 1, "effect": "break", "dynamo": ["GB0059"], "note": ""}
    return {**plain, "requires": ["", ""], "bad": "", "fixed": "", "good": "", "inputs": ["f32[4, 8]"], **changes}


@pytest.fixture(scope="module")
def failures() -> dict[str, list[str]]:
    """What the proof says of wrong examples, by name."""
    prints = NET + "        y = x * 2\n        print(y.shape)  # break\n        return y\n"
    wrong = {
        "true": example(bad=prints, fixed=prints.replace("        print(y.shape)  # break\n", "")),
        "wrong line": example(bad=prints.replace("  # break", "").replace("x * 2", "x * 2  # break")),
        "wrong id": example(bad=prints, dynamo=["GB0124"]),
        "no break": example(bad=NET + "        return x * 2  # break\n"),
        "good breaks": example(good=prints),
        "fixed differs": example(bad=prints, fixed=NET + "        return x * 3\n"),
        "fixed loses the gradient": example(bad=prints, fixed=NET + "        return x.detach() * 2\n"),
        "does not unroll": example(bad=NET + "        return x * 2\n", effect="unroll"),
        "does not recompile": example(bad=NET + "        return x * 2\n", effect="recompile"),
        "counts wrongly": example(good="", bad=COUNTING, effect="recompile", compilations="2 for batch 4, 4, 4"),
        "raises": example(good=NET + "        return x * undefined\n"),
        "crashes": example(good="import os\n\nos._exit(3)\n"),
        "after the crash": example(good=NET + "        return x * 2\n"),
        "for another torch": example(good=prints, requires=[">=99.0", ""]),
    }
    rows = prove([{**each, "name": name} for name, each in wrong.items()], "2.13.0")
    return {row["name"]: row["failures"] for row in rows}


@pytest.mark.parametrize("name", ["true", "after the crash", "for another torch"])
def test_a_true_claim_is_proven(failures: dict[str, list[str]], name: str) -> None:
    assert failures[name] == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("wrong line", "bad: line 6 does not break"),
        ("wrong line", "bad: breaks on line 7 too: GB0059"),
        ("wrong id", "bad: line 7 breaks for GB0059"),
        ("no break", "bad: line 6 does not break"),
        ("counts wrongly", "bad: 3 compilations for batch 4, 4, 4, the card says 2"),
        ("good breaks", "good: breaks on line 7: GB0059"),
        ("good breaks", "good: fullgraph fails: Unsupported"),
        ("fixed differs", "fixed: output differs in 32 of 32 elements"),
        ("fixed loses the gradient", "fixed: gradients.input 0 is gone"),
        ("does not unroll", "bad: the graph does not grow with the input"),
        ("does not recompile", "bad: 1 graphs for 5 equal calls"),
        ("raises", "raises NameError"),
        ("crashes", "the process ended during call (exit status 3)"),
    ],
)
def test_a_wrong_claim_is_found(failures: dict[str, list[str]], name: str, says: str) -> None:
    assert any(line.startswith(says) for line in failures[name]), failures[name]


def test_a_sample_of_the_cards_is_proven() -> None:
    rows = prove([each for each in examples_of(load_rules()) if each["name"] in SAMPLE], torch_version())
    assert {row["name"] for row in rows} == set(SAMPLE)
    assert {row["result"] for row in rows} == {"proven"}
