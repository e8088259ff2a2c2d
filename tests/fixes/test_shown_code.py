"""What is shown for findings that a person decides about: it compiles whole, and computes what was computed."""

from __future__ import annotations

from typing import Any

import pytest
from writing import body_of, findings, model

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Applicability, Settings
from breaklint.source.edits import apply_edits

torch = pytest.importorskip("torch")

HEAD = "import math\nimport sys\n\nimport numpy as np\nimport torch"
SHOWN = {
    "output": (
        'y = x * 2\nsys.stdout.write("on")\nreturn y',
        'y = x * 2\nif not torch.compiler.is_compiling():\n    sys.stdout.write("on")\nreturn y',
    ),
    "a seed": (
        "torch.manual_seed(0)\nreturn x * 2",
        "if not torch.compiler.is_compiling():\n    torch.manual_seed(0)\nreturn x * 2",
    ),
    "a break on purpose": (
        "torch._dynamo.graph_break()\nreturn x * 2",
        "if not torch.compiler.is_compiling():\n    torch._dynamo.graph_break()\nreturn x * 2",
    ),
    "a check of data": (
        'torch._assert((x.abs() < 100).all(), "large")\nreturn x * 2',
        'if not torch.compiler.is_compiling():\n    torch._assert((x.abs() < 100).all(), "large")\nreturn x * 2',
    ),
    "a root": ("return x / np.sqrt(x.shape[0])", "return x / x.shape[0] ** 0.5"),
    "a logarithm": (
        "return x / math.log(x.shape[0] + 1)",
        "return x / torch.tensor(x.shape[0] + 1).log()",
    ),
}


def net(text: str) -> Any:
    namespace: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), namespace)
    torch.manual_seed(0)
    return namespace["Net"]()


def shown(text: str) -> str:
    fixes = [finding.fix for finding in check_source(text, "model.py", Settings(ignore=("BRK5",))).findings]
    fixes = fixes or [finding.fix for finding in check_source(text, "model.py", Settings()).findings]
    assert fixes
    assert all(fix and fix.applicability is Applicability.DISPLAY for fix in fixes)
    return apply_edits(text, [edit for fix in fixes if fix for edit in fix.edits])


@pytest.mark.parametrize(("before", "after"), SHOWN.values(), ids=SHOWN)
def test_it_shows_the_code(before: str, after: str) -> None:
    assert body_of(shown(model(before, head=HEAD))) == after


@pytest.mark.parametrize("before", [before for before, _ in SHOWN.values()], ids=SHOWN)
def test_it_does_not_write_it(before: str) -> None:
    assert fix_source(model(before, head=HEAD), "model.py", Settings(), unsafe=True).text is None


@pytest.mark.parametrize("before", [before for before, _ in SHOWN.values()], ids=SHOWN)
def test_what_it_shows_compiles_whole_and_gives_the_same(before: str) -> None:
    text = model(before, head=HEAD)
    for x in (torch.rand(4, 8) + 1, -torch.rand(4, 8)):
        results = []
        torch._dynamo.reset()
        for run in (net(text), torch.compile(net(shown(text)), backend="eager", fullgraph=True)):
            leaf = x.clone().requires_grad_()
            result = run(leaf)
            (gradient,) = torch.autograd.grad(result.sum(), leaf)
            results.append((result, gradient))
        torch.testing.assert_close(results[1], results[0], check_dtype=False)


def test_a_result_that_is_used_is_not_guarded() -> None:
    (result,) = findings("seed = torch.initial_seed()\nreturn x * (seed % 2)")
    assert result.fix is None
    assert result.no_fix == "its result is used"
