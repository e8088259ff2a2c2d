"""From a rule's hit to the finding that people and tools read."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import dataclass, field

from breaklint.interp.context import Condition
from breaklint.interp.events import Call, Event, Index, OwnFrame
from breaklint.interp.record import Record
from breaklint.interp.values import ExternalName
from breaklint.lint.conditions import text_of
from breaklint.model import Applicability, Cause, Cost, Edit, Effect, Finding, Fix, Rule, Settings, Severity, Span
from breaklint.project.module import Module
from breaklint.project.spans import lines_of, source_of
from breaklint.rules.base import Hit
from breaklint.rules.call_paths import public_function
from breaklint.rules.frame_ends import SKIPPING, Break
from breaklint.rules.selection import TURNED_OFF, applicability, may_be_fixed, severity
from breaklint.torchops.names import parameterless

FILLS_CACHE = (
    "only the call that fills this cache breaks here, and the next one recompiles: "
    "run the model once before compiling it"
)
EXCERPT = 60
LONGEST = 400  # characters of a line of source that a finding has
AN_ERROR = ": an error "
NO_COST = Cost()


@dataclass(eq=False, repr=False, slots=True)
class RawFinding:
    """A hit with its event, before it becomes a finding.

    `blocks` are the enclosing blocks in its function; `once`: only the call that fills a cache reaches it. `reached`
    are the calls that reach it, with their conditions, and `conditions` those of all calls on the way. `after` is the
    source of an earlier break that ends the frame.
    """

    rule: Rule
    hit: Hit
    event: Event
    span: Span
    blocks: tuple[str, ...] = ()
    once: bool = False
    reached: dict[tuple[Record, tuple[Condition, ...]], None] = field(default_factory=dict)  # in the order of tracing
    conditions: tuple[Condition, ...] = ()
    error: str = ""  # why a break is an error: `with fullgraph=True`, "within `cond`"
    cause: Cause | None = None
    cost: Cost = NO_COST
    after: str = ""

    @property
    def breaks(self) -> bool:
        """Whether it is a break. If only the call that fills a cache breaks, its recompilation matters more, except for
        the creation of a parameter."""
        return self.rule.effect is Effect.BREAK and (not self.once or _breaks_each_module(self.event))

    @property
    def key(self) -> Hashable:
        """The identity of its cause: its place."""
        place = self.cause
        return (place.filename, place.row) if place else (self.event.frame.module.path, self.span.start.row)

    @property
    def places(self) -> list[Break]:
        """The break in each call that reaches it."""
        function, node = self.event.frame.function, self.event.node
        at = node.iter if isinstance(node, (ast.For, ast.AsyncFor)) else node  # the body comes after it
        return [Break(record, function, at, self.blocks, conditions, self.key) for record, conditions in self.reached]

    @property
    def public_function(self) -> str:
        """The public function that users of a package have to compile to reach it; "" if other code reaches it."""
        return public_function(self.conditions)

    @property
    def when(self) -> str:
        """The condition of the finding, as text."""
        first = f"`{excerpt(self.after)}` does not break" if self.after else ""
        return " and ".join(filter(None, (text_of(self.conditions), first)))


def _breaks_each_module(event: Event) -> bool:
    """Whether a break in code that fills a cache counts: a parameter, a layer with parameters, or a module whose
    constructor breaks is created."""
    if isinstance(event, OwnFrame):
        return True
    target = event.target if isinstance(event, Call) and not event.method else ""
    return target.startswith("torch.nn.") and target.rpartition(".")[2][:1].isupper() and target not in parameterless()


def finding(raw: RawFinding, settings: Settings, with_edits: bool) -> Finding:
    """The finding of a hit; its fix has edits if `with_edits` is set."""
    rule, event = raw.rule.about(raw.hit.target) if raw.hit.target else raw.rule, raw.event
    module = event.frame.module
    text = raw.hit.message or rule.message or rule.summary
    if "{" in text:
        source = excerpt(source_of(module, raw.hit.node))
        text = text.replace("{source}", source).replace("{target}", _target(event) or source)
    fix, no_fix = _fix(raw, rule, settings, with_edits)
    effect, loud = rule.effect, rule.severity
    note = FILLS_CACHE if raw.once and effect is Effect.BREAK else _note(rule, raw)
    if effect is Effect.BREAK and not raw.breaks:
        effect, loud = Effect.RECOMPILE, Severity.WARNING
    result = Finding(
        filename=module.path, span=raw.span, code=rule.code, name=rule.name, message=text, effect=effect,
        severity=severity(rule, settings, loud), function=event.frame.name, dynamo=rule.dynamo, url=rule.url, note=note,
        help=rule.help, fix=fix, no_fix=no_fix, when=raw.when, cause=raw.cause, cost=raw.cost,
        line=_line(module, raw.span), public_function=raw.public_function,
    )  # fmt: skip
    return as_error(result, raw.error) if raw.error else result


def _line(module: Module, span: Span) -> str:
    line = lines_of(module)[span.start.row - 1]
    return line if len(line) <= LONGEST else ""


def as_error(finding: Finding, why: str) -> Finding:
    """A finding in code in which a break is an error."""
    if finding.effect is not Effect.BREAK or AN_ERROR in finding.message:
        return finding
    cost = Cost(by_default=not finding.when, raises=True)
    return finding._replace(message=f"{finding.message}{AN_ERROR}{why}", note="", cost=cost)


def is_written(fix: Fix | None) -> bool:
    """Whether `--fix` can write a fix."""
    return fix is not None and fix.applicability is not Applicability.DISPLAY


def _target(event: Event) -> str:
    """The resolved name of the callee or the indexed object, or ""."""
    if isinstance(event, Index):
        return event.base.name if isinstance(event.base, ExternalName) else ""
    return event.target if isinstance(event, Call) else ""


def excerpt(source: str) -> str:
    """Flagged code as messages show it."""
    return source if len(source) <= EXCERPT else source[: EXCERPT - 1] + "…"


def _fix(raw: RawFinding, rule: Rule, settings: Settings, with_edits: bool) -> tuple[Fix | None, str]:
    """The fix, or why there is none."""
    if not rule.fix_kind:
        return None, rule.no_fix
    if not may_be_fixed(rule, settings):
        return None, TURNED_OFF
    from breaklint.fixes.base import Declined, FixRequest  # only findings that may be fixed pay for the fixes
    from breaklint.fixes.registry import fix_for

    request = FixRequest(raw.rule, raw.hit.node, raw.event, settings)
    outcome = fix_for(request)
    if isinstance(outcome, Declined):
        return None, outcome.reason
    edits: tuple[Edit, ...] = ()
    if with_edits:
        from breaklint.fixes.statements import Unwritable
        from breaklint.fixes.writer import edits_of

        try:
            edits = edits_of(outcome, request.module, request.scope, request.captures)
        except Unwritable as error:
            return None, str(error)
    level = applicability(raw.rule, settings, outcome.applicability)
    return Fix(level, outcome.message, outcome.why, edits, outcome.kind), ""


def _note(rule: Rule, raw: RawFinding) -> str:
    """The note on the surroundings of a break."""
    block = next((block for block in reversed(raw.blocks) if block in SKIPPING), "")
    if rule.effect is not Effect.BREAK or not block or not raw.cost.skipped:
        return ""
    return f"{SKIPPING[block]}: Dynamo runs {raw.cost.skipped[0]} in eager mode"
