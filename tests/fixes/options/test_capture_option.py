"""Options that let numbers and sizes into the graph: shown where every use stays in it, and then nothing breaks."""

from __future__ import annotations

from typing import Any

import pytest
from nightly import one_in
from writing import body_of, model

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Applicability, Settings
from breaklint.source.edits import apply_edits

torch = pytest.importorskip("torch")

ARGUMENTS = "x: torch.Tensor, n: torch.Tensor"
SHOWN = {
    "sizes of a split": "return torch.cat([part.mean(0) for part in x.split((n // 1).tolist())])",
    "a size": "return torch.zeros(n.max().item()) + x.sum()",
    "a tensor as size": "return torch.arange(n.max()) * x.sum()",
    "a slice": "m = n.max().item()\nreturn x[:m] * 2",
    "a slice by a tensor": "return x[:, : n.max()] * 2",
    "lengths in a loop": "y = x.clone()\nfor i, m in enumerate(n.tolist()):\n    y[i] = m\nreturn y",
    "room for what is found": "return x.new_zeros((x > 0).sum(), 2) + x.mean()",
    "what is found, as index": "found = (n > 1).nonzero().squeeze(-1)\nreturn x[found] * 2",
    "rows and columns": "i, j = torch.where(x > 0)\nreturn x[i, j] * 2",
    "selected elements": "mask = n > 1\nreturn torch.nn.functional.cross_entropy(x[:3][mask], n[mask])",
    "repeated": "return torch.repeat_interleave(x[:3], n, dim=0) * 2",
    "added back": "found = torch.where(n > 1)[0]\nreturn torch.zeros_like(x).index_add_(0, found, x[found] * 2)",
    "a number that is returned": "return x * 2, x.sum().item()",
    "statistics": "s = {'n': n.sum().item(), 'of': -1}\ns['loss'] = x.sum().item() / 3\nreturn x * 2, s",
    "a list of numbers": "v, w = [], list()\nfor i in range(2):\n    v.append(x.mean().item())\nreturn x * 2, v, w",
    "numbers computed with": "v = [y.sum().item() for y in x]\nreturn x, sum(v) / len(v), round(max(v), 2)",
    "integers": "return x * 2, n.tolist()",
    "a truth value": "return x * 2, bool((x > 0).any())",
    "an index": "return x[n.max().item()] * 2",
    "unique": "values, inverse = torch.unique(n, return_inverse=True)\nreturn values * 2, inverse",
}
LEAVE = {
    "a branch": "m = n.max().item()\nif m > 2:\n    x = self.double(x)\nreturn x[:m]",
    "a loop as long as the value": "for i in range(n.max()):\n    x = x + i\nreturn x",
    "a loop over what is found": "y = 0\nfor i in (n > 1).nonzero():\n    y = y + x[i]\nreturn y",
    "the index of a list": "parts = [x, x * 2, x * 3, x]\nreturn parts[n.max().item()]",
    "the index of a column": "return x[:, n.max().item()]",
    "a tensor as dimension": "return x.softmax(n.max() - n.max())",
    "a number as dimension": "return x.softmax(n.max().item() - 1)",
    "dimensions behind a star": "return x.permute(*torch.arange(x.ndim))",
    "text": "return x * 2, str(n.max().item())",
    "math of a size": "import math\nm = n.max().item()\nreturn x[:m] * math.sqrt(m)",
    "text of a number": "return x * 2, f'{x.sum().item():.3f}'",
    "a key of a dict": "return x * 2, {n.max().item(): 1}",
    "one that decides": "m = x.sum().item()\nreturn x * 2, m or 1",
    "another number that decides": "m = x.mean().item()\nif m > 0:\n    self.m = 1\nreturn x, n.sum().item()",
    "a dict of the module": "self.seen['n'] = n.max().item()\nreturn x * 2",
    "a dict of the caller": "seen = self.seen\nseen['n'] = n.max().item()\nreturn x * 2",
    "an exponential": "import math\nreturn x * 2, math.exp(n.max().item())",
    "another library": "import numpy as np\nreturn x * 2, np.array([n.max().item()])",
    "a number the module keeps": "self.longest = n.max().item()\nreturn x[: self.longest]",
    "a list of floats": "return x * torch.tensor(x.sigmoid().tolist())",
    "a list that is repeated": "return x + torch.tensor([0] * n.max().item())",
    "how much to pad": "return torch.nn.functional.pad(x, (0, n.max().item()))",
    "an operator that stays out": "return torch.combinations(n)",
    "two bounds of one slice": "a, b = n.min().item(), n.max().item()\nreturn x[a:b]",
}


def shown(text: str) -> str:
    """The source with every change that is shown or could be written, those of breaks alone."""
    settings = Settings(ignore=("BRK5",), capture_options=True)  # else what is handed out has another fix
    fixes = [found.fix for found in check_source(text, "model.py", settings).findings]
    assert fixes
    assert all(fix and fix.applicability in (Applicability.DISPLAY, Applicability.UNSAFE) for fix in fixes)
    return apply_edits(text, list(dict.fromkeys(edit for fix in fixes if fix for edit in fix.edits)))


def made(text: str) -> Any:
    namespace: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), namespace)
    return namespace["Net"]()


@pytest.mark.parametrize("body", one_in(4, SHOWN.values(), SHOWN))
def test_what_it_shows_does_not_break(body: str) -> None:
    before = model(body, ARGUMENTS)
    options = {"capture_scalar_outputs": False, "capture_dynamic_output_shape_ops": False}
    for n in (torch.tensor([1, 3, 2]), torch.tensor([2, 2, 2])):
        x = torch.randn(6, 4)
        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        with torch._dynamo.config.patch(**options):
            compiled = torch.compile(made(shown(before)), backend="aot_eager")
            torch.testing.assert_close(compiled(x, n), made(before)(x, n))
        assert not torch._dynamo.utils.counters["graph_break"]
        assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "m = n.max().item()\nreturn x[:m] * 2",
            "m = n.max().item()\ntorch._check(m >= 0)\ntorch._check(m <= x.shape[0])\nreturn x[:m] * 2",
        ),
        (
            "m = n.max()\nreturn x[:m] * 2",
            "m = n.max()\nbound = m.item()\ntorch._check(bound >= 0)\ntorch._check(bound <= x.shape[0])\n"
            "return x[:bound] * 2",
        ),
        (
            "return x[:, : n.max().item()] * 2",
            "bound = n.max().item()\ntorch._check(bound >= 0)\ntorch._check(bound <= x.shape[1])\n"
            "return x[:, : bound] * 2",
        ),
    ],
    ids=["a number with a name", "a tensor with a name", "without a name"],
)
def test_a_bound_of_a_slice_is_checked_under_a_name(before: str, after: str) -> None:
    assert body_of(shown(model(before, ARGUMENTS))) == after


@pytest.mark.parametrize(
    ("settings", "expected"),
    [(Settings(), Applicability.DISPLAY), (Settings(capture_options=True), Applicability.UNSAFE)],
    ids=["without consent", "with consent"],
)
@pytest.mark.parametrize("body", ["return torch.zeros(n.max().item()) + x.sum()", "return x[x > 0]"])
def test_an_option_of_the_whole_program_is_written_with_consent_only(
    body: str, settings: Settings, expected: Applicability
) -> None:
    before = model(body, ARGUMENTS)
    fixes = [found.fix for found in check_source(before, "model.py", settings).findings if found.fix]
    options = [fix for fix in fixes if any("config.capture_" in edit.content for edit in fix.edits)]
    assert {fix.applicability for fix in options} <= {expected, Applicability.DISPLAY}
    assert expected in {fix.applicability for fix in options}
    written = fix_source(before, "model.py", settings, unsafe=True).text or before
    assert ("config.capture_" in written) is (expected is Applicability.UNSAFE)


@pytest.mark.parametrize("behind", ["", "\nSIZE = 1"], ids=["blank lines", "code"])
def test_the_option_stands_behind_the_imports_between_blank_lines(behind: str) -> None:
    before = model("return torch.zeros(n.max().item()) + x.sum()", ARGUMENTS, f"import torch{behind}")
    option = "\n\ntorch._dynamo.config.capture_scalar_outputs = True\n"
    assert shown(before).startswith(f"import torch{option}{behind and behind + chr(10)}\n\nclass")


@pytest.mark.parametrize("body", SHOWN.values(), ids=SHOWN)
def test_a_file_with_the_option_has_no_such_finding(body: str) -> None:
    codes = {found.code for found in check_source(shown(model(body, ARGUMENTS)), "model.py", Settings()).findings}
    assert codes <= {"BRK501"}
