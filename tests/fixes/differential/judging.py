"""Apply the fixes to a generated model and hold what it does then against what it did before."""

from __future__ import annotations

import functools
import io
import linecache
import logging
import types
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from typing import Any

import torch

from breaklint.fixes.apply import choose, fix_until_stable
from breaklint.lint.engine import Engine
from breaklint.model import Applicability, Effect, FileResult, Finding, Fix, Settings
from breaklint.verify.arm.calls import loss_of, seed_all
from breaklint.verify.arm.record import Values, aliases, named_tensors, random_state, snapshot, state, tensors_of
from differential.inputs import Call

PATH = "variant.py"
MODES = {"grad": nullcontext, "no_grad": torch.no_grad, "inference": torch.inference_mode}


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

    difference: str
    call: Call
    before: str
    after: str
    fixes: tuple[str, ...]

    def __str__(self) -> str:
        called = f"called with {self.call}"
        return "\n".join([self.difference, called, *self.fixes, "--- before", self.before, "--- after", self.after])


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
    fixes = tuple(f"{name} ({fix.applicability.value}): {fix.why}" for name, fix in rewrite.fixes)
    return [
        Disagreement(difference, call, text, rewrite.text, fixes)
        for call in calls
        for difference in _differences(record(text, call), record(rewrite.text, call))
    ]


def record(text: str, call: Call) -> Values:
    """All that a caller sees of one eager call of the model of a text, its backward pass included, by place."""
    values: Values = {}
    arguments, leaves = call.tensors()
    model: Any = None
    with _printed(values), _filled_memory():
        try:
            seed_all(0)
            model = _built(text)
            with MODES[call.mode]():
                output = model(*arguments)
            values |= snapshot(output, "output") | aliases(output, arguments, named_tensors(model))
            values["requires grad"] = [tensor.requires_grad for tensor in tensors_of(output)]
            if (loss := loss_of(output)) is not None:
                loss.backward()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is compared with that of the other version
            values["raised"] = type(error).__name__
    values |= {"random numbers": random_state()} | snapshot(arguments, "inputs") | state(model)
    return values | {
        place: part
        for number, leaf in enumerate((*leaves, *named_tensors(model).values()))
        for place, part in snapshot(leaf.grad, f"gradient {number}").items()
    }


def _built(text: str) -> Any:
    module = types.ModuleType("variant")
    linecache.cache[PATH] = (len(text), None, text.splitlines(keepends=True), PATH)  # TorchScript reads the source
    exec(compile(text, PATH, "exec"), vars(module))
    return vars(module)["Net"]()


class _Printing(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        print(record.levelname, record.getMessage())  # noqa: T201


@contextmanager
def _printed(values: Values) -> Iterator[None]:
    """Note what is printed and logged."""
    out, logger, handler = io.StringIO(), logging.getLogger("variant"), _Printing()
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(handler)
    try:
        with redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.removeHandler(handler)
        values["printed"] = out.getvalue()


@contextmanager
def _filled_memory() -> Iterator[None]:
    """Let torch fill the memory of tensors that are made with nothing in them, so that it is the same in every run."""
    assert torch.utils.deterministic.fill_uninitialized_memory  # type: ignore[attr-defined]  # by default
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


def _differences(before: Values, after: Values) -> Iterator[str]:
    """The places at which two records are not equal bit by bit, NaN aside."""
    for place in before.keys() | after.keys():
        old, new = before.get(place, "nothing"), after.get(place, "nothing")
        if isinstance(old, torch.Tensor) and isinstance(new, torch.Tensor):
            try:
                torch.testing.assert_close(new, old, rtol=0, atol=0, equal_nan=True)
            except AssertionError:
                yield f"{place}: {old.tolist()} became {new.tolist()}"
        elif repr(old) != repr(new):
            yield f"{place}: {old!r} became {new!r}"


def promised_rows(rewrite: Rewrite) -> set[int]:
    """The rows on which breaklint still says that the graph breaks."""
    spans = [finding.span for finding in rewrite.left if finding.effect is Effect.BREAK]
    return {row for span in spans for row in span.rows}
