"""What to write so that fewer calls compile: each remedy is tried by predicting the same calls with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from breaklint.recompiles.frames import LIMIT_REACHED, VIOLATED
from breaklint.recompiles.options import Mark, Options
from breaklint.recompiles.predict import Predicted
from breaklint.recompiles.remedy_texts import Texts
from breaklint.recompiles.sources import GLOBAL, LOCAL, MODULE, Guard, Source
from breaklint.recompiles.vary import Variation

MOST_STEPS: Final = 4
UNLIMITED: Final = 1_000_000
MOST_GRAPHS: Final = 64  # more graphs than this are no remedy

Run = Callable[[Options, frozenset[str]], Predicted]


@dataclass(frozen=True)
class Change:
    """Something to write, and what it changes of the prediction; advice alone changes nothing."""

    text: str
    options: Options | None = None
    tensors: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Remedy:
    """What to write for a guard that fails, and how many calls compile with it and those before it.

    `compilations` is None for advice that no prediction shows. `guards` are the texts of guards that no longer fail,
    `options` and `tensors` what holds with this remedy and those before it.
    """

    text: str
    guards: tuple[str, ...]
    compilations: int | None
    options: Options
    tensors: frozenset[str]

    def as_request(self) -> dict[str, Any]:
        """The remedy and those before it, as verify's sweep takes them."""
        return {
            "marks": [asdict(mark) for mark in self.options.marks],
            "tensors": sorted(self.tensors),
            "ints": sorted(self.options.dynamic_ints),
            "allow_unspec_int": self.options.allow_unspec_int,
        }


def remedies(
    found: Predicted, run: Run, variations: Sequence[Variation], options: Options, target: str
) -> list[Remedy]:
    """The remedies for what compiles more than once, in the order in which they are to be written.

    `run` predicts the same calls with other options, and with some numbers as tensors.
    """
    return _Search(run, variations, Texts(target)).steps(found, options)


class _Search:
    """Takes the cheapest change that helps, then looks at what is left."""

    def __init__(self, run: Run, variations: Sequence[Variation], texts: Texts) -> None:
        self._predict, self.variations, self.texts = run, variations, texts
        self.tensors: frozenset[str] = frozenset()
        self.sizes = tuple(Mark(each.argument, each.dim) for each in variations if each.dim is not None)

    def run(self, options: Options, tensors: frozenset[str] = frozenset()) -> Predicted:
        """The calls with these options, and with further numbers as tensors."""
        return self._predict(options, self.tensors | tensors)

    def steps(self, found: Predicted, options: Options) -> list[Remedy]:
        if any(outcome.broke for _, outcome in found.calls):
            return []  # a mark does not reach behind a break
        steps: list[Remedy] = []
        current, first = found, options.limit
        while len(steps) < MOST_STEPS and (guards := failing(current)):
            for guard in guards:
                step = self._step(guard, current, options)
                if step is not None:
                    change, after = step
                    if steps and after is current and not _is_stuck(current):
                        return steps  # what is left compiles a bounded number of times
                    options, self.tensors = change.options or options, self.tensors | change.tensors
                    gone = {each.text for each in guards} - {each.text for each in failing(after)}
                    count = after.compilations if after is not current else None
                    steps.append(Remedy(change.text, tuple(sorted({guard.text, *gone})), count, options, self.tensors))
                    current = after
                    break
            else:
                break
            if steps[-1].compilations is None or options.limit > first:
                break
        return steps

    def _step(self, guard: Guard, current: Predicted, options: Options) -> tuple[Change, Predicted] | None:
        advice: Change | None = None
        first: Change | None = None
        for change in self._candidates(guard, current, options):
            if change.options is None and not change.tensors:
                advice = advice or change
                continue
            after = self.run(change.options or options, change.tensors)
            if _is_better(after, current):
                return change, after
            first = first or change
        together = self._together(first, guard, options) if first is not None else None
        if together is not None:
            after = self.run(together.options or options, together.tensors)
            if _is_better(after, current):
                return together, after
        return None if advice is None else (advice, current)

    def _together(self, first: Change, guard: Guard, options: Options) -> Change | None:
        """A change joined with those for what else varies in the same calls."""
        used = first.options or options
        texts, tensors = [first.text], first.tensors
        own = {source.text for source in guard.sources}
        for each in self.variations:
            if each.part == "" and each.key not in own and each.key not in used.dynamic_ints:
                source = Source(each.key, lambda world: None, MODULE if each.key.startswith("self.") else LOCAL)
                change = next(self._for_value(source, guard, used), None)
                if change is not None:
                    used, tensors = change.options or used, tensors | change.tensors
                    texts.append(change.text)
        new = tuple(mark for mark in self.sizes if not used.marks_also(mark))
        if new:
            used = replace(used, marks=used.marks + new)
            texts.append(self.texts.mark_dynamic(new))
        return Change("; ".join(texts), used, tensors) if len(texts) > 1 else None

    def _candidates(self, guard: Guard, current: Predicted, options: Options) -> Iterator[Change]:
        """The changes that may help, cheapest first."""
        sizes = [source for source in guard.sources if source.dim is not None]
        ranged = [mark for mark in options.marks if mark.low is not None or mark.high is not None]
        if ranged and any(outcome.ends == VIOLATED for _, outcome in current.calls):
            free = tuple(replace(mark, low=None, high=None) for mark in options.marks)
            yield Change(self.texts.without_range(ranged), replace(options, marks=free))
        if sizes:
            yield from self._for_sizes(sizes, options)
        elif guard.sources:
            yield from self._with_spec(options)
            yield from self._for_value(guard.sources[0], guard, options)
        if any(outcome.ends == LIMIT_REACHED for _, outcome in current.calls):
            yield from self._with_limit(guard, current, options)
        if guard.sources:
            yield Change(self.texts.advice(guard))

    def _with_spec(self, options: Options) -> Iterator[Change]:
        """All int arguments that vary in one specification, which fixes all sizes: only where none varies."""
        ints = [each.key for each in self.variations if _is_int_argument(each)]
        if ints and not self.sizes and not options.dynamic_ints and self.texts.shapes:
            yield Change(self.texts.spec(ints), replace(options, dynamic_ints=frozenset(ints)))

    def _for_sizes(self, sizes: Sequence[Source], options: Options) -> Iterator[Change]:
        named = tuple({mark: None for source in sizes for mark in self.sizes if mark.is_of(source)})
        for marks in (named, self.sizes):
            if marks and not all(map(options.marks_also, marks)):
                wanted = self._needed(marks, options)
                yield Change(self.texts.mark_dynamic(wanted), replace(options, marks=options.marks + wanted))
                weak = tuple(replace(mark, is_weak=True) for mark in wanted)
                yield Change(self.texts.mark_dynamic(weak), replace(options, marks=options.marks + weak))

    def _needed(self, marks: tuple[Mark, ...], options: Options) -> tuple[Mark, ...]:
        """The marks without those that change nothing."""
        new = tuple(mark for mark in marks if not options.marks_also(mark))
        if len(new) < 2:
            return new
        count = _score(self.run(replace(options, marks=options.marks + new)))
        for mark in new:
            fewer = tuple(each for each in new if each != mark)
            if fewer and _score(self.run(replace(options, marks=options.marks + fewer))) <= count:
                new = fewer
        return new

    def _for_value(self, source: Source, guard: Guard, options: Options) -> Iterator[Change]:
        values = next((each.values for each in self.variations if each.key == source.text and not each.part), ())
        kinds = {type(value) for value in values}
        if source.kind == GLOBAL:
            return
        if (kinds and kinds <= {int, float}) or (not kinds and _compares_number(guard)):
            yield Change(self.texts.tensor(source), tensors=frozenset({source.text}))
        if source.kind == MODULE and not options.allow_unspec_int:
            yield Change(self.texts.allow_unspec_int(), replace(options, allow_unspec_int=True))

    def _with_limit(self, guard: Guard, current: Predicted, options: Options) -> Iterator[Change]:
        """A higher limit, where the values that the code fixes are those that were given."""
        count = self.run(replace(options, limit=UNLIMITED)).compilations
        varies = {(each.argument, each.dim) for each in self.variations} | {
            (each.key, None) for each in self.variations
        }
        given = any((source.tensor or source.text, source.dim) in varies for source in guard.sources)
        if given and options.limit < count <= MOST_GRAPHS:
            yield Change(self.texts.limit(guard, count), replace(options, limit=count))


def failing(found: Predicted) -> list[Guard]:
    """The guards that fail, each once."""
    guards = [outcome.guard for _, outcome in found.calls if outcome.guard is not None]
    return list({guard.text: guard for guard in guards}.values())


def _is_int_argument(variation: Variation) -> bool:
    is_argument = variation.part == "" and variation.argument.isidentifier()
    return is_argument and all(type(value) is int for value in variation.values)


def _compares_number(guard: Guard) -> bool:
    return guard.text.rpartition(" == ")[2].lstrip("-").replace(".", "", 1).isdigit()


def _score(found: Predicted) -> tuple[int, int, int]:
    """Lower is better: calls that end in no graph, calls in eager, calls that compile."""
    ends: list[Any] = [outcome.ends for _, outcome in found.calls]
    bad = sum(bool(each) and each != LIMIT_REACHED for each in ends) + sum(each.broke for _, each in found.calls)
    return bad, ends.count(LIMIT_REACHED), found.compilations


def _is_stuck(found: Predicted) -> bool:
    """Whether calls end in no graph, or the last one still compiles."""
    return _score(found)[:2] != (0, 0) or found.calls[-1][1].compiles


def _is_better(after: Predicted, before: Predicted) -> bool:
    return _score(after) < _score(before)
