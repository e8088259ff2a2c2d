"""What arms are held to besides the given call: other inputs and the compiler's layers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm.operations import count_operations, graphs_in_ranges  # noqa: E402 - needs torch
from breaklint.verify.judge.results import TargetReport, Verdict  # noqa: E402
from breaklint.verify.report.wording import gate_lines  # noqa: E402

Run = Callable[..., TargetReport]
BRANCH = "if x.sum() > 0:\n    y = x * self.scale\nelse:\n    y = x * 3\nreturn y"


def test_a_fix_wrong_on_the_side_that_the_inputs_do_not_take_is_caught(folder: Run, examine: Run) -> None:
    report = examine(folder(BRANCH, "return torch.where(x.sum() > 0, x * self.scale, x * 4)"), quick=True)
    assert report.verdict is Verdict.WRONG_RESULT
    assert "with negated inputs" in report.why
    assert [(b.row, b.true, b.false) for b in report.branches] == [(12, "the given inputs", "negated inputs")]


def test_a_side_that_no_input_reaches_is_told(folder: Run, examine: Run) -> None:
    never = BRANCH.replace("x.sum() > 0", "(x == x).sum() >= 0")
    report = examine(folder(never, "return x * self.scale"), quick=True)
    assert "no input found that makes it false" in "\n".join(gate_lines(report)), report


def test_a_number_that_becomes_a_tensor_is_no_operation_beside_the_graph() -> None:
    x = torch.ones(3)

    def call() -> object:
        return model(x, 2.5)

    model = torch.compile(lambda x, factor: (x * factor).relu(), backend=graphs_in_ranges, dynamic=True)
    call()
    assert count_operations(call) == {"graphs_per_call": 1, "operations": {"compiled": 2, "eager": 0}}


@pytest.fixture
def uncompilable(folder: Run) -> Path:
    """A file whose model the backend `broken` does not compile."""
    # One multiplication of matrices, for which no C++ is compiled.
    path: Path = folder("print(x.shape)\nreturn x @ self.scale.view(4, 1)") / "before.py"
    broken = (
        "\n\ndef broken(graph, inputs):\n    raise RuntimeError('no such kernel')\n\n\n"
        "if 'broken' not in torch._dynamo.list_backends():\n    torch._dynamo.register_backend(broken)\n"
    )
    path.write_text(path.read_text() + broken)
    return path


@pytest.mark.nightly  # by day, the test below has a model that does not compile
def test_a_fix_is_judged_where_the_original_does_not_compile_and_there_is_no_after(
    uncompilable: Path, examine: Run
) -> None:
    report = examine(uncompilable.parent, backend="broken")
    assert (report.verdict, [(fix.arm, fix.verdict) for fix in report.fixes]) == (
        Verdict.ERROR,
        [("fix:0", Verdict.ERROR)],
    )


def test_what_dynamo_has_seen_is_reported_if_the_backend_fails(uncompilable: Path, examine: Run) -> None:
    path = uncompilable
    report = examine(f"{path}::Model", backend="broken")
    assert report.verdict is Verdict.ERROR
    assert [finding.code for finding in report.findings.confirmed] == ["BRK101"]
