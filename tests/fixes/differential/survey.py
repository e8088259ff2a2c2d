"""Draw many variants of one kind of fix and count what the fix does to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from differential.inputs import Call
from differential.judging import Disagreement, Rewrite, disagreements
from differential.kinds import GENERATORS
from differential.source import Model, texts

BATCHES = 1  # as many as variants are asked for: there may be fewer
Variant = tuple[tuple[str, Model], list[Call]]


@dataclass
class Count:
    """How many variants were drawn, how many the fix of that kind was applied to, and in how many calls they were run.

    `unsafe` are variants that only the unsafe fixes changed.
    """

    kind: str
    variants: int = 0
    safe: int = 0
    unsafe: int = 0
    calls: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)

    def row(self) -> dict[str, object]:
        """The counts as plain data."""
        return {**asdict(self), "disagreements": len(self.disagreements)}


def variants(kind: str, calls: int) -> st.SearchStrategy[Variant]:
    """Models for a kind of fix, each with what it is called with."""
    generator = GENERATORS[kind]
    return st.tuples(texts(generator.models), st.lists(generator.calls, min_size=calls, max_size=calls))


def survey(
    kind: str, count: int, calls: int, seen: Callable[[Rewrite, str, list[Call]], None] | None = None, start: int = 0
) -> Count:
    """Draw variants until `count` different ones are seen, and run each with `calls` calls, before and after.

    `seen` is told of every variant that the fix of this kind was applied to; `start` chooses other variants.
    """
    result, known = Count(kind), set[str]()
    for number in range(start, start + BATCHES * count):
        for (text, _), called in batch(kind, calls, number):
            if text in known or len(known) >= count:
                continue
            known.add(text)
            safe, every, match = disagreements(text, called)
            result.disagreements += match
            result.safe += kind in safe.kinds
            result.unsafe += kind in every.kinds - safe.kinds
            if kind in every.kinds:
                result.calls += len(called)
                if seen is not None:
                    seen(every, text, called)
        if len(known) >= count:
            break
    result.variants = len(known)
    return result


def batch(kind: str, calls: int, number: int) -> list[Variant]:
    """Ten variants. Hypothesis begins to vary what it has drawn after ten, which gives the same text many times."""
    drawn: list[Variant] = []

    @seed(number)
    @settings(
        max_examples=10, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(variants(kind, calls))
    def draw(variant: Variant) -> None:
        drawn.append(variant)

    draw()
    return drawn
