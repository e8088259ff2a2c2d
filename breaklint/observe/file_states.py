"""The profile of a file in its current version, and the findings of a break."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from breaklint.model import Effect, Finding
from breaklint.observe.functions import Function, Functions
from breaklint.observe.profile import Break, FunctionState


class File:
    """A checked file with the profiles of its current functions; `stale` are changed functions."""

    def __init__(
        self, path: str, text: str, functions: Functions, states: Mapping[tuple[str, str], Mapping[str, FunctionState]]
    ) -> None:
        self.path, self.text, self.functions = path, text, functions
        names = {name for name, _ in states}
        self.states = {
            item: {torch: _within(item, state) for torch, state in states[item.name, item.digest].items()}
            for item in functions.all
            if (item.name, item.digest) in states
        }
        as_observed = {item.name for item in self.states}  # of a property, the getter may be known and the setter not
        self.stale = sorted({item.name for item in functions.all if item.name in names - as_observed})


def _within(function: Function, state: FunctionState) -> FunctionState:
    """Without results for lines that the function does not have."""
    last = function.last - function.first + 1
    return state._replace(
        breaks=tuple(item for item in state.breaks if item.row <= last),
        recompiles=tuple(recompile for recompile in state.recompiles if recompile.row <= last),
    )


def rows_in(finding: Finding, function: Function) -> range:
    """The lines of a finding, counted as in the profile."""
    return range(finding.span.start.row - function.first + 1, finding.span.end.row - function.first + 2)


def speaking_of(broken: Break, function: Function, findings: Sequence[Finding]) -> list[Finding]:
    """The findings on the line of a break that claim one: those with its id, if any."""
    claims = [
        finding for finding in findings if finding.effect is Effect.BREAK and broken.row in rows_in(finding, function)
    ]
    return [claim for claim in claims if broken.gb in claim.dynamo or not claim.dynamo] or claims
