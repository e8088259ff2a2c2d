"""Apply the fixes to a generated model and hold what it does then against what it did before."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from breaklint.fixes.apply import choose, fix_until_stable
from breaklint.lint.engine import Engine
from breaklint.model import Applicability, Effect, FileResult, Finding, Fix, Settings
from breaklint.source.decoding import read_source
from differential.comparing import Difference, differences
from differential.inputs import Call
from differential.observing import Record, record
from differential.reasons import ROUNDING, allowed

PATH, BESIDE = "variant.py", "beside.py"
NARROW = frozenset({torch.float16, torch.bfloat16, torch.float32})
CANCELLED = frozenset({"value", "gradient"})


@dataclass
class Rewrite:
    """What the fixes make of a text: with the safe ones alone, or with all."""

    text: str
    fixes: list[tuple[str, Fix]] = field(default_factory=list)  # the kind of each fix that was made
    left: tuple[Finding, ...] = ()

    @property
    def kinds(self) -> set[str]:
        """The kinds of the fixes that were made."""
        return {kind for kind, _ in self.fixes}


@dataclass(frozen=True)
class Disagreement:
    """A difference that no fix warned of, with all that is needed to see it again."""

    difference: Difference
    call: Call | None
    before: str
    after: str
    fixes: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(
            [
                f"{self.difference.kind}: {self.difference.text}",
                f"called with {self.call}",
                *self.fixes,
                "--- before",
                self.before,
                "--- after",
                self.after,
            ]
        )


class _Rounds:
    """An engine that remembers the fixes that were chosen in each round."""

    def __init__(self, engine: Engine, unsafe: bool) -> None:
        self.engine, self.unsafe = engine, unsafe
        self.fixes: list[tuple[str, Fix]] = []

    def check(self, path: str, text: str) -> FileResult:
        result = self.engine.check(path, text)
        assert not result.errors, result.errors
        chosen = choose(result.findings, path, self.unsafe)
        self.fixes += [(self.engine.rules[finding.code].fix_kind, fix) for finding, fix in chosen]
        return result


@functools.lru_cache(64)
def _engine(settings: str, beside: str) -> Engine:
    def read(path: str) -> str:
        return beside if os.path.basename(path) == BESIDE else read_source(path).text

    given = list(map(os.path.abspath, (PATH, BESIDE))) if beside else ()
    return Engine(Settings(**json.loads(settings)), read=read, given=given)


def rewritten(text: str, settings: dict[str, Any], unsafe: bool, beside: str = "") -> Rewrite:
    """Fix a text until nothing is left to fix; `beside` is the text of another file that is given with it."""
    rounds = _Rounds(_engine(json.dumps(settings), beside), unsafe)
    result = fix_until_stable(rounds, PATH, text, unsafe)
    return Rewrite(result.text or text, rounds.fixes, result.findings)


def disagreements(
    text: str, settings: dict[str, Any], calls: Iterable[Call]
) -> tuple[Rewrite, Rewrite, list[Disagreement]]:
    """What the safe fixes make of a text, what all make of it, and in what either disagrees without a warning."""
    safe, every = (rewritten(text, settings, unsafe) for unsafe in (False, True))
    assert all(fix.applicability is Applicability.SAFE for _, fix in safe.fixes)
    rewrites = [rewrite for rewrite in (safe, every) if rewrite.text != text]
    if len(rewrites) == 2 and safe.text == every.text:
        rewrites.pop()
    return safe, every, disagreements_of(text, rewrites, calls)


def disagreements_of(text: str, rewrites: list[Rewrite], calls: Iterable[Call], beside: str = "") -> list[Disagreement]:
    """In what versions of a text disagree with it without a warning."""
    found: list[Disagreement] = []
    for call in calls if rewrites else ():
        before = record(text, PATH, call, beside)
        for rewrite in rewrites:
            found += _judged(text, rewrite, call, before, beside)
    return found


def _judged(text: str, rewrite: Rewrite, call: Call, before: Record, beside: str) -> list[Disagreement]:
    """What no reason warns of. Where rounding is warned of, a difference in values counts only if float64 shows it too:
    a sum that cancels out keeps nothing but its rounding.
    """
    after = record(rewrite.text, PATH, call, beside)
    permitted = {kind for name, fix in rewrite.fixes for kind in allowed(name, fix)}
    fixes = tuple(f"{name} ({fix.applicability.value}): {fix.why}" for name, fix in rewrite.fixes)
    unwarned = [difference for difference in differences(before, after) if difference.kind not in permitted]
    if unwarned and not torch.are_deterministic_algorithms_enabled():
        with _filled_memory():  # what `torch.empty` holds is not the program's doing
            filled = record(text, PATH, call, beside)
            unwarned = _judged(text, rewrite, call, filled, beside) and unwarned
    if permitted >= ROUNDING and {difference.kind for difference in unwarned} <= CANCELLED and call.dtype in NARROW:
        wide = replace(call, dtype=torch.float64)
        if unwarned and not _judged(text, rewrite, wide, record(text, PATH, wide, beside), beside):
            return []
    shown = f"{text}\n--- beside\n{beside}" if beside else text
    return [Disagreement(difference, call, shown, rewrite.text, fixes) for difference in unwarned]


@contextmanager
def _filled_memory() -> Iterator[None]:
    """Let torch fill the memory of tensors that are made with nothing in them, so that it is the same in every run."""
    assert torch.utils.deterministic.fill_uninitialized_memory  # torch's default
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


def promised_rows(rewrite: Rewrite) -> set[int]:
    """The rows on which breaklint still says that the graph breaks."""
    spans = [finding.span for finding in rewrite.left if finding.effect is Effect.BREAK]
    return {row for span in spans for row in range(span.start.row, span.end.row + 1)}
