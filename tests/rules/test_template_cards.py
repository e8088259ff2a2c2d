"""Cards that say by code what they match and what they write, through the real command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import RunBreaklint

CARD = """\
code: OWN001
name: bucket-lookup
summary: a bucket looked up
effect: break
dynamo: [GB0007]
why: Dynamo does not trace it.
match:
  - pattern: "{pattern}"
{where}fix:
  replace: "{replace}"
  why: edges that are not sorted give another number
examples:
  - bad: |
      import bisect

      import torch


      class Net(torch.nn.Module):
          def forward(self, x):
              bucket = bisect.bisect([4, 16, 64], x.shape[0])  # break
              return x * bucket
    inputs: ["f32[8, 4]"]
    fixed: |
      import bisect

      import torch


      class Net(torch.nn.Module):
          def forward(self, x):
              bucket = sum(edge <= x.shape[0] for edge in [4, 16, 64])
              return x * bucket
"""
BISECT, SUM = "bisect.bisect({edges}, {x})", "sum(edge <= {x} for edge in {edges})"


def card(pattern: str = BISECT, replace: str = SUM, where: str = "") -> str:
    lines = f"    where: {where}\n" if where else ""
    return CARD.replace("{pattern}", pattern).replace("{where}", lines).replace("{replace}", replace)


def model(line: str, head: str = "import bisect\nimport torch\n") -> str:
    return f"{head}\n\nclass Net(torch.nn.Module):\n    def forward(self, x, edges, n: int = 1):\n        {line}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my").mkdir()
    (tmp_path / "breaklint.toml").write_text('rules = ["my"]\nselect = ["OWN", "BRK101"]\n')
    (tmp_path / "my/bucket-lookup.yaml").write_text(card())
    return tmp_path


def fixed(folder: Path, breaklint: RunBreaklint, text: str) -> str:
    (folder / "model.py").write_text(text)
    done = breaklint("check", "--fix", "--unsafe-fixes", "model.py")
    assert done.returncode in (0, 1), done.stderr
    return (folder / "model.py").read_text()


WRITES = {
    "a sum as an operand": (
        "return x * bisect.bisect(edges, x.shape[0] + 1) ** 2",
        "return x * sum(edge <= x.shape[0] + 1 for edge in edges) ** 2",
    ),
    "a choice in parentheses": (
        "return x * bisect.bisect(edges if n else (1,), n or 2)",
        "return x * sum(edge <= (n or 2) for edge in (edges if n else (1,)))",
    ),
    "the only argument of a call": (
        "return x * int(bisect.bisect(edges, n))",
        "return x * int(sum(edge <= n for edge in edges))",
    ),
    "a comment inside": (
        "return x * bisect.bisect(edges,  # sorted\n            n)",
        "# sorted\n        return x * sum(edge <= n for edge in edges)",
    ),
}


@pytest.mark.parametrize(("before", "after"), WRITES.values(), ids=WRITES)
def test_the_template_takes_the_place_of_the_call(
    folder: Path, breaklint: RunBreaklint, before: str, after: str
) -> None:
    assert fixed(folder, breaklint, model(before)) == model(after)


LEFT = {
    "code that may do more": ("bisect.bisect(self.edges(), n)", "`self.edges()` may do more than give a value"),
    "a name that the template binds": ("bisect.bisect(edges, edge + 1)", "the name `edge` means something"),
    "a name that hides a builtin": ("(sum := 1) * bisect.bisect(edges, n)", "the name `sum` means something else here"),
}


@pytest.mark.parametrize(("code", "reason"), LEFT.values(), ids=LEFT)
def test_it_is_left_with_the_reason(folder: Path, breaklint: RunBreaklint, code: str, reason: str) -> None:
    text = model(f"return x * {code}")
    (folder / "model.py").write_text(text)
    assert reason in breaklint("check", "model.py").stdout
    assert fixed(folder, breaklint, text) == text


@pytest.mark.parametrize(
    "code", ["bisect.bisect(edges, n, 0)", "bisect.bisect(a=edges, x=n)", "bisect.insort(edges, n)"]
)
def test_what_is_spelled_otherwise_is_not_found(folder: Path, breaklint: RunBreaklint, code: str) -> None:
    (folder / "model.py").write_text(model(f"return x * {code}"))
    assert breaklint("check", "--quiet", "model.py").returncode == 0


def test_conditions_name_captures(folder: Path, breaklint: RunBreaklint) -> None:
    (folder / "my/bucket-lookup.yaml").write_text(card(where="{x: size}"))
    (folder / "model.py").write_text(model("return x * bisect.bisect(edges, x.shape[0]) * bisect.bisect(edges, 'a')"))
    done = breaklint("check", "--output-format", "concise", "model.py")
    assert done.stdout.count("OWN001") == 1


def test_a_library_is_called_as_the_file_calls_it_and_imported_where_it_is_missing(
    folder: Path, breaklint: RunBreaklint
) -> None:
    replace = "int(torch.searchsorted(torch.tensor({edges}), {x})) + math.floor(0)"
    (folder / "my/bucket-lookup.yaml").write_text(card(replace=replace))
    head = '"""Text."""; import torch as t\nfrom bisect import bisect as find\ntorch = None\n'
    text = model("return x * find(edges, n)", head).replace("torch.nn", "t.nn")
    after = "return x * (int(t.searchsorted(t.tensor(edges), n)) + math.floor(0))"
    assert fixed(folder, breaklint, text) == model(after, head.replace("\nfrom", "\nimport math\nfrom")).replace(
        "torch.nn", "t.nn"
    )


def test_a_method_of_a_capture(folder: Path, breaklint: RunBreaklint) -> None:
    text = card("{a}.expand_as({b})", "{a}.expand({b}.shape)").replace("    where", "    where")
    text = text.replace('expand_as({b})"\n', 'expand_as({b})"\n    on: tensor\n')
    (folder / "my/bucket-lookup.yaml").write_text(text)
    before, after = "return (x + 1).expand_as(x * 2)", "return (x + 1).expand((x * 2).shape)"
    assert fixed(folder, breaklint, model(before).replace(" x,", " x: torch.Tensor,")) == model(after).replace(
        " x,", " x: torch.Tensor,"
    )


WRONG = {
    "no call": (card("{a} + {b}"), "is not a call of a function"),
    "no Python": (card("bisect.bisect({edges}"), "is not a Python expression"),
    "an unknown capture": (card(replace="len({others})"), "`fix.replace` has `{others}`, which"),
    "a condition on nothing": (card(where="{y: size}"), "`{y}` is not a parameter of"),
    "a kind as well": (
        card().replace("  replace:", "  kind: drop-variable\n  replace:"),
        "exactly one of kind, replace",
    ),
    "no pattern": (card().replace("pattern: ", "call: "), "needs a `pattern` in `match`"),
    "a method without a receiver": (card("{edges}.find({x})"), "needs `on`"),
    "an unknown word": (card().replace("  why: edges", "  applicability: sure\n  why: edges"), "fix.applicability"),
}


@pytest.mark.parametrize(("text", "says"), WRONG.values(), ids=WRONG)
def test_a_wrong_card_is_told_with_its_key(folder: Path, breaklint: RunBreaklint, text: str, says: str) -> None:
    (folder / "my/bucket-lookup.yaml").write_text(text)
    (folder / "model.py").write_text(model("return x"))
    done = breaklint("check", "model.py")
    assert done.returncode == 2
    assert "bucket-lookup.yaml" in done.stderr
    assert says in done.stderr


def test_a_template_card_is_proven_by_its_examples(folder: Path, breaklint: RunBreaklint) -> None:
    done = breaklint("test", "--static", "my")
    assert done.returncode == 0, done.stdout


RESTLESS = card("torch.neg({x})", "torch.neg(torch.abs({x}))")
PRINTS = model("print(n)\n        return torch.relu(x)")


def test_fixes_that_do_not_converge_write_nothing_whatever_else_is_fixed(folder: Path, breaklint: RunBreaklint) -> None:
    (folder / "my/bucket-lookup.yaml").write_text(RESTLESS)
    restless = model("print(n)\n        return torch.neg(x)")
    helper = "import torch\n\n\ndef flip(x):\n    return torch.neg(x)\n"
    caller = model("return flip(x)", "import torch\nfrom helper import flip\n")
    files = {"restless.py": restless, "helper.py": helper, "caller.py": caller, "prints.py": PRINTS}
    for name, text in files.items():
        (folder / name).write_text(text)
    done = breaklint("check", "--fix", "--unsafe-fixes", ".")
    after = {name: (folder / name).read_text() for name in files}
    assert done.returncode == 2
    assert done.stderr.count("do not converge") == 2
    assert [name for name in files if after[name] != files[name]] == ["prints.py"]
