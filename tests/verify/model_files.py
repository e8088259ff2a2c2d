"""What several tests run or show: a model file around a forward method, and a report full of hostile texts."""

from __future__ import annotations

from dataclasses import replace

from breaklint.dynamo.events import Break
from breaklint.verify.judge.results import (
    ArmFailure,
    ArmReport,
    FindingsJoin,
    FixReport,
    Gate,
    NotConfirmed,
    RunReport,
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
    timed = ArmReport(samples_ms=(1.0, 1.1, 1.2, 1.05, 9.0), median_ms=1.1)
    before = replace(timed, breaks=(broken,), notes=(EVIL,), fullgraph=Gate(False, EVIL), compile_s=2.0)
    arms = {"eager": timed, "before": before, "after": replace(before, breaks=())}
    arms["fix:0"] = ArmReport(error=ArmFailure("crash", EVIL))
    finding = {"code": "BRK101", "name": "print-call", "filename": EVIL, "row": 2, "end_row": 2}
    fix = {"applicability": "safe", "arm": "fix:0", "break_removed": None, "equal": None}
    speed = {"speedup": 1.5, "interval": (1.4, 1.6)}
    target = TargetReport(
        EVIL,
        Verdict.CONFIRMED,
        f"because {EVIL}",
        arms,
        fixes=(FixReport(verdict=Verdict.ERROR, why=EVIL, **finding, **fix, **speed),),  # type: ignore[arg-type]
        findings=FindingsJoin(not_confirmed=(NotConfirmed(why=EVIL, **finding),), missed=(broken,)),  # type: ignore[arg-type]
        noise=0.01,
        **speed,  # type: ignore[arg-type]
    )
    targets = tuple(replace(target, target=f"{v.value} {EVIL}", verdict=v, why=f"{v.value}: {EVIL}") for v in Verdict)
    run = RunReport(wall=10.0, jobs=2, places=(EVIL,))
    return VerifyReport({"torch": EVIL, "device": EVIL}, targets, run, {"mode": EVIL})
