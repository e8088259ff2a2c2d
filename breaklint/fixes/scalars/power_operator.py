"""`pow(a, b)` as `a**b`."""

from __future__ import annotations

from breaklint.analysis.queries import Proof
from breaklint.fixes.protocol import Match, Steps, fix


@fix("power-operator", match="pow({base}, {exponent})", other="it has no two plain arguments")
def power_operator(m: Match) -> Steps:
    """`pow(a, b)` -> `a**b`."""
    yield Proof("pow(a, b) is a ** b")
    return m.replaced("{base}**{exponent}", "Write it with `**`")
