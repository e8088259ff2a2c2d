"""Apply the fixes to a generated model and hold what it does then against what it did before."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch

from breaklint.fixes.apply import choose, fix_until_stable
from breaklint.lint.engine import Engine
from breaklint.model import Applicability, Effect, FileResult, Finding, Fix, Settings
from differential.comparing import Difference, differences
from differential.inputs import Call
from differential.observing import Record, record

PATH = "variant.py"
# What a safe fix of a kind may change: `saved_variables` and `volatile` warn that they are old.
ALLOWED = {"drop-variable": "quiet", "saved-tensors": "quiet"}


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
    """A difference, with all that is needed to see it again."""

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


@functools.cache
def _engine() -> Engine:
    return Engine(Settings())


def rewritten(text: str, unsafe: bool) -> Rewrite:
    """Fix a text until nothing is left to fix."""
    rounds = _Rounds(_engine(), unsafe)
    result = fix_until_stable(rounds, PATH, text, unsafe)
    return Rewrite(result.text or text, rounds.fixes, result.findings)


def disagreements(text: str, calls: Iterable[Call]) -> tuple[Rewrite, Rewrite, list[Disagreement]]:
    """What the safe fixes make of a text, what all make of it, and in what the first differs from the text."""
    safe, every = (rewritten(text, unsafe) for unsafe in (False, True))
    assert all(fix.applicability is Applicability.SAFE for _, fix in safe.fixes)
    return safe, every, disagreements_of(text, safe, calls) if safe.text != text else []


def disagreements_of(text: str, rewrite: Rewrite, calls: Iterable[Call]) -> list[Disagreement]:
    """In what a rewrite of a text differs from it."""
    return [result for call in calls for result in _judged(text, rewrite, call, record(text, PATH, call))]


def _judged(text: str, rewrite: Rewrite, call: Call, before: Record) -> list[Disagreement]:
    after = record(rewrite.text, PATH, call)
    permitted = {ALLOWED.get(name) for name in rewrite.kinds}
    result = [difference for difference in differences(before, after) if difference.kind not in permitted]
    if result and not torch.are_deterministic_algorithms_enabled():
        with _filled_memory():  # what `torch.empty` holds is not the program's doing
            result = _judged(text, rewrite, call, record(text, PATH, call)) and result  # type: ignore[assignment]
    fixes = tuple(f"{name} ({fix.applicability.value}): {fix.why}" for name, fix in rewrite.fixes)
    return [Disagreement(difference, call, text, rewrite.text, fixes) for difference in result]


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
