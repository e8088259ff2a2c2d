"""Draw models in hostile surroundings, fix them with safe fixes, and hold what they do against what they did."""

from __future__ import annotations

import copy
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from breaklint.errors import RuleBug
from differential.comparing import Difference
from differential.inputs import CHANGES, Call
from differential.judging import PATH, Disagreement, disagreements_of, rewritten
from differential.source import Model
from differential.surroundings.changes import change
from differential.surroundings.control import around, block
from differential.surroundings.drafts import Draft
from differential.surroundings.layouts import top, written
from differential.surroundings.names import bind, lazily
from differential.surroundings.seeds import SEEDS
from differential.surroundings.states import set_contents, set_elsewhere, set_state
from differential.survey import variants_of

# The kinds of which some fix is safe.
KINDS = [
    "drop-gradient",
    "drop-variable",
    "guard-compiling",
    "keep-tensor",
    "math-function",
    "new-empty",
    "saved-tensors",
    "template",  # `pow`
    "torch-where",
]
STEPS = [bind, bind, bind, lazily, change, change, change, change, block, block, around, top, written, written]
STEPS += [set_state, set_state, set_state, set_contents, set_elsewhere, set_elsewhere]
DRAWN = 40  # models a kind that surroundings are drawn for
_MODELS: dict[tuple[str, int], list[tuple[Model, list[Call]]]] = {}


@dataclass
class Hunt:
    """How many variants of a kind were drawn, how many of them compiled, were fixed, and run in how many calls."""

    kind: str
    variants: int = 0
    fixed: int = 0
    calls: int = 0
    found: list[tuple[tuple[str, ...], Disagreement]] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)


def hunt(kind: str, count: int, calls: int, start: int = 0, unsafe: bool = False) -> Hunt:
    """Fix `count` variants of a kind, and run those that a fix changed."""
    result = Hunt(kind)
    rng = Random(f"{kind} {start}")
    models = _models(kind, start)
    while result.variants < count:
        model, called = rng.choice(models)
        draft = hostile(model, rng)
        text = draft.text()
        if not _compiles(text):
            continue
        result.variants += 1
        sample = [
            replace(each, change=rng.choice(["", "", *CHANGES])) for each in rng.sample(called, min(calls, len(called)))
        ]
        for found in _hunted(draft, text, sample, unsafe, result):
            result.found.append((tuple(draft.done), found))
    return result


def sketches(kind: str, count: int) -> list[str]:
    """Texts as `hunt` draws them, those that compile."""
    rng = Random(kind)
    texts = [hostile(rng.choice(_models(kind, 0))[0], rng).text() for _ in range(count)]
    return [text for text in texts if _compiles(text)]


def hostile(model: Model, rng: Random) -> Draft:
    """A model with one to three changes of its surroundings."""
    draft = copy.deepcopy(Draft.of(model))
    for _ in range(rng.choice([1, 1, 2, 3])):
        rng.choice(STEPS)(draft, rng)
    return draft


def _models(kind: str, start: int) -> list[tuple[Model, list[Call]]]:
    """Models of a kind: a few of those that are drawn, all of these that a safe fix changes, and the seeds."""
    key = kind, start % 4
    if key not in _MODELS:
        drawn = [(model, calls) for (_, model), calls in variants_of(kind, DRAWN, 4, 1000 * (start % 4))]
        seeds = [(seed, drawn[place % len(drawn)][1]) for place, seed in enumerate(SEEDS.get(kind, ()))]
        fixed = [pair for pair in drawn if rewritten(pair[0].text(), pair[0].settings, False).fixes] + seeds
        _MODELS[key] = drawn[:5] + fixed
    return _MODELS[key]


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, PATH, "exec")
    except SyntaxError:
        return False
    return True


def _hunted(draft: Draft, text: str, called: list[Call], unsafe: bool, result: Hunt) -> Iterator[Disagreement]:
    try:
        rewrite = rewritten(text, draft.settings, unsafe, draft.beside)
    except RuleBug as error:
        yield Disagreement(Difference("bug", str(error)), None, text, text, ())
        return
    result.kinds.update(rewrite.kinds)
    if rewrite.text == text:
        return
    result.fixed += 1
    result.calls += len(called)
    yield from disagreements_of(text, [rewrite], called, draft.beside)
