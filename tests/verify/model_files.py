"""What several tests run or show: a model file around a forward method, and a report full of hostile texts."""

from __future__ import annotations

from dataclasses import replace

from breaklint.dynamo.events import Break
from breaklint.model import Effect, Finding, Position, Severity, Span
from breaklint.verify.judge.results import (
    ArmFailure,
    ArmReport,
    FindingsJoin,
    FixReport,
    Gate,
    Made,
    RunReport,
    SourceText,
    Speedup,
    TargetReport,
    Verdict,
    VerifyReport,
)

HEAD = """\
import os, sys, time
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(0.5, 1.5, 4))

"""
TAIL = """

def get_inputs():
    return [torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]])]
"""


def model(forward: str) -> str:
    """A whole file around the lines of a forward method."""
    lines = "\n".join(f"        {line}" if line else "" for line in forward.strip("\n").splitlines())
    return f"{HEAD}    def forward(self, x):\n{lines}\n{TAIL}"


EVIL = "</td></script><script>document.title = 'owned'</script><img src=x onerror=alert(1)> & \"q\""


def evil_report() -> VerifyReport:
    """A report with a target of every verdict, in which every text that is not ours tries to break out."""
    broken = Break(EVIL, 2, "GB0059", EVIL, own=True)
    made = Made(
        graphs=({"ops": 2, "lines": [[EVIL, 1]]}, {"ops": 1, "lines": [[EVIL, 3]]}),
    )
    timed = ArmReport(samples_ms=(1.0, 1.1, 1.2, 1.05, 9.0), median_ms=1.1)
    before = replace(timed, breaks=(broken,), made=made, notes=(EVIL,), fullgraph=Gate(False, EVIL), compile_s=2.0)
    arms = {"eager": timed, "before": before, "after": replace(before, breaks=())}
    arms["fix:0"] = ArmReport(error=ArmFailure("crash", EVIL))
    span = Span(Position(2, 1), Position(2, 9))
    finding = Finding(EVIL, span, "BRK101", "print-call", EVIL, Effect.BREAK, Severity.ERROR, EVIL)
    speed = Speedup(1.5, (1.4, 1.6))
    target = TargetReport(
        EVIL,
        Verdict.CONFIRMED,
        f"because {EVIL}",
        arms,
        fixes=(FixReport(finding, "fix:0", Verdict.ERROR, EVIL, None, None, speed),),
        findings=FindingsJoin(not_confirmed=(finding,), missed=(broken,)),
        speedup=speed,
        noise=0.01,
        sources={"before": SourceText(EVIL, f"a\n{EVIL}\nb\n"), "after": SourceText(EVIL, f"a\n{EVIL * 9}\nc\nd\n")},
    )
    targets = tuple(replace(target, target=f"{v.value} {EVIL}", verdict=v, why=f"{v.value}: {EVIL}") for v in Verdict)
    run = RunReport(wall=10.0, jobs=2, places=(EVIL,))
    return VerifyReport({"torch": EVIL, "device": EVIL}, targets, run, {"mode": EVIL})
