"""Findings that only Dynamo reported: breaks (BRK950) and recompilations (BRK951) without a finding of a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from breaklint.model import (
    OBSERVED_BREAK,
    OBSERVED_RECOMPILE,
    Effect,
    Finding,
    Observed,
    Position,
    Rule,
    Settings,
    Span,
)
from breaklint.observe.file_states import File, rows_in, speaking_of
from breaklint.observe.functions import Function
from breaklint.observe.profile import Break, FunctionState, Recompile
from breaklint.rules.python_loading import rules_of
from breaklint.rules.selection import active_rules, for_version, is_ignored, severity
from breaklint.source.suppression import suppressions
from breaklint.torchops.tables import release

OF_SIZE: Final = re.compile(r"size mismatch|\.size\(|\.shape\[")  # guards on the size of a tensor
SIZE_HELP: Final = (
    "Call `torch._dynamo.mark_dynamic(tensor, dim)` before the compiled code for a size that varies, or pad to a fixed "
    "size."
)


def only_seen(file: File, findings: Sequence[Finding], settings: Settings) -> Iterator[Finding]:
    """One finding per line and kind, of the newest torch that reported it."""
    events: dict[tuple[int, str], tuple[Function, str, Break | Recompile]] = {}
    for function, torches in file.states.items():
        for torch, state in sorted(torches.items(), key=lambda pair: release(pair[0])):
            for event in _unclaimed(function, state, findings):
                code = OBSERVED_BREAK if isinstance(event, Break) else OBSERVED_RECOMPILE
                events[function.first + max(event.row, 1) - 1, code] = (function, torch, event)
    if not events:
        return
    rules = _Rules(settings, file.path)
    hidden = suppressions(file.text)
    for (row, code), (function, torch, event) in sorted(events.items()):
        result = rules.finding(code, event, torch)
        if result is None or any(hidden.hides(item.code, row, row, item.aliases) for item in result):
            continue
        yield _finding(file, row, function, torch, event, result, settings)


def _unclaimed(function: Function, state: FunctionState, findings: Sequence[Finding]) -> Iterator[Break | Recompile]:
    yield from (item for item in state.breaks if not speaking_of(item, function, findings))
    again = [finding for finding in findings if finding.effect is Effect.RECOMPILE]
    yield from (
        recompile for recompile in state.recompiles if not any(recompile.row in rows_in(one, function) for one in again)
    )


class _Rules:
    """The rules that the settings select for a file, and the rules for Dynamo's report."""

    def __init__(self, settings: Settings, path: str) -> None:
        self._target = settings.target_torch.rpartition(",")[2]
        self._all = rules_of(settings)
        selected = (
            rule
            for rule in active_rules(self._all, settings._replace(target_torch=self._target))
            if not is_ignored(settings, path, rule)
        )
        self._active = {rule.code: rule for rule in selected}

    def finding(self, code: str, event: Break | Recompile, torch: str) -> list[Rule] | None:
        """The rule of that code and the nearest one, if any, if both are selected.

        None also if Dynamo has this reason only in the torch version of the profile, and not in the target.
        """
        gb = event.gb if isinstance(event, Break) else ""
        every = [rule for rule in self._all if gb and gb in rule.dynamo]
        near = sorted(
            (rule for rule in every if for_version(rule, self._target)),
            key=lambda rule: (len(rule.dynamo), rule.code),
        )
        if not near and any(for_version(rule, torch) for rule in every):
            return None
        result = [self._active.get(item) for item in (code, *(rule.code for rule in near[:1]))]
        return [rule for rule in result if rule is not None] if None not in result else None


def _span(text: str, row: int) -> Span:
    line = text.split("\n")[row - 1]
    start = len(line) - len(line.lstrip())
    return Span(Position(row, start + 1), Position(row, max(start + 1, len(line.rstrip())) + 1))


def _finding(
    file: File,
    row: int,
    function: Function,
    torch: str,
    event: Break | Recompile,
    rules: Sequence[Rule],
    settings: Settings,
) -> Finding:
    rule, *near = rules
    is_break = isinstance(event, Break)
    what = "Dynamo broke the graph here" if is_break else "Dynamo compiles this again and again, as a guard fails"
    gave_up = "Dynamo runs this whole function in eager mode"
    nearest = [f"The nearest rule is {item.code} ({item.name})." for item in near]
    help_ = (near[0] if near else rule).help
    if not is_break and OF_SIZE.search(event.reason):
        help_ = SIZE_HELP
    return Finding(
        filename=file.path, span=_span(file.text, row), code=rule.code, name=rule.name,
        message=f"{what}: {event.reason}", effect=rule.effect, severity=severity(rule, settings, rule.severity),
        function=function.name, dynamo=(event.gb,) if isinstance(event, Break) and event.gb else (),
        url=(near[0] if near else rule).url,
        note=gave_up if isinstance(event, Break) and event.gave_up else "",
        help="\n".join([help_, *nearest]).strip(), no_fix="only a run shows it",
        observed=Observed("confirmed", torch, event.by),
    )  # fmt: skip
