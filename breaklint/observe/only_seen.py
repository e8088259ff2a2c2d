"""Findings for what only Dynamo saw: breaks (BRK950) and recompilations (BRK951) at which no rule finds anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from breaklint.model import Effect, Finding, Observed, Position, Rule, Settings, Span
from breaklint.observe.functions import Function
from breaklint.observe.known import File, rows_in, speaking_of
from breaklint.observe.profile import Break, Recompile, Seen
from breaklint.rules.python_loading import rules_of
from breaklint.rules.selection import active_rules, is_ignored, severity
from breaklint.source.suppression import suppressions

BROKEN, AGAIN = "BRK950", "BRK951"


def only_seen(file: File, findings: Sequence[Finding], settings: Settings) -> Iterator[Finding]:
    """One finding a row and kind, of the newest torch that saw it."""
    told: dict[tuple[int, str], tuple[Function, str, Break | Recompile]] = {}
    for function, torches in file.known.items():
        for torch, seen in torches.items():
            for event in _unclaimed(function, seen, findings):
                code = BROKEN if isinstance(event, Break) else AGAIN
                told[function.first + max(event.row, 1) - 1, code] = (function, torch, event)
    if not told:
        return
    rules = _Rules(settings, file.path)
    hidden = suppressions(file.text)
    for (row, code), (function, torch, event) in sorted(told.items()):
        rule, near = rules.active(code), rules.with_id(event)
        nearest = rules.active(near[0].code) if near else None
        if rule is None or (near and nearest is None):  # turned off, or does not hold for the target
            continue
        if not any(hidden.hides(each.code, row, row, each.aliases) for each in (rule, *near)):
            span = _span(file.text, row)
            yield _finding(file.path, span, function.name, torch, event, rule, nearest, settings)


def _unclaimed(function: Function, seen: Seen, findings: Sequence[Finding]) -> Iterator[Break | Recompile]:
    yield from (each for each in seen.breaks if not speaking_of(each, function, findings))
    again = [each for each in findings if each.effect is Effect.RECOMPILE]
    yield from (each for each in seen.recompiles if not any(each.row in rows_in(one, function) for one in again))


class _Rules:
    """The rules that the settings select for a file, and which of all are about what Dynamo said."""

    def __init__(self, settings: Settings, path: str) -> None:
        newest = settings._replace(target_torch=settings.target_torch.rpartition(",")[2])
        self._all = rules_of(settings)
        selected = (rule for rule in active_rules(self._all, newest) if not is_ignored(settings, path, rule))
        self._active = {rule.code: rule for rule in selected}

    def active(self, code: str) -> Rule | None:
        """The rule of that code, where it is selected."""
        return self._active.get(code)

    def with_id(self, event: Break | Recompile) -> list[Rule]:
        """The rules with the id of a break, the most specific one first."""
        gb = event.gb if isinstance(event, Break) else ""
        found = (rule for rule in self._all if gb and gb in rule.dynamo)
        return sorted(found, key=lambda rule: (len(rule.dynamo), rule.code))


def _span(text: str, row: int) -> Span:
    line = text.split("\n")[row - 1]
    start = len(line) - len(line.lstrip())
    return Span(Position(row, start + 1), Position(row, max(start + 1, len(line.rstrip())) + 1))


def _finding(
    path: str,
    span: Span,
    function: str,
    torch: str,
    event: Break | Recompile,
    rule: Rule,
    near: Rule | None,
    settings: Settings,
) -> Finding:
    is_break = isinstance(event, Break)
    what = "Dynamo broke the graph here" if is_break else "Dynamo compiled this again, as a guard failed"
    gave_up = "Dynamo gives the whole frame up and runs this function in eager mode"
    return Finding(
        filename=path, span=span, code=rule.code, name=rule.name, message=f"{what}: {event.reason}",
        effect=rule.effect, severity=severity(rule, settings, rule.severity), function=function,
        dynamo=(event.gb,) if isinstance(event, Break) and event.gb else (), url=rule.url,
        note=gave_up if isinstance(event, Break) and event.gave_up else "",
        help=f"{near.help}\nThe nearest rule is {near.code} ({near.name}).".strip() if near else rule.help,
        no_fix=f"check cannot see here what the fix of {near.code} rests on" if near else "only a run shows it",
        observed=Observed("confirmed", torch, event.by),
    )  # fmt: skip
