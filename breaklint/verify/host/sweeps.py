"""A target called with one set of values after the other, as it is and with its fixes: what compiles, and why."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from breaklint.errors import UsageError
from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Finding, Settings
from breaklint.recompiles.vary import Variation
from breaklint.source.decoding import read_source
from breaklint.verify.host.launch import Launcher
from breaklint.verify.host.workers import ArmError, Worker
from breaklint.verify.judge.plain_data import built

LIMIT = "recompile_limit"
TOO_LONG = 1800


@dataclass(frozen=True)
class SweptCall:
    """One call: its values, the graphs that it compiled, the seconds it took and the milliseconds of those after it.

    `guard` is the one that failed, with the row that makes it; `finding` is what `check` says about that row.
    """

    values: tuple[Any, ...]
    graphs: int
    seconds: float
    steady_ms: float | None = None
    guard: str | None = None
    row: int | None = None
    finding: str = ""
    ends: str = ""
    error: str = ""


@dataclass(frozen=True)
class Sweep:
    """The calls of one version of a target: "before", or "after" where fixes change it."""

    target: str
    arm: str
    keys: tuple[str, ...]
    calls: tuple[SweptCall, ...]

    @property
    def compilations(self) -> int:
        """How many calls compile."""
        return sum(call.graphs > 0 for call in self.calls)

    @property
    def compile_s(self) -> float:
        """The seconds of the calls that compile."""
        return sum(call.seconds for call in self.calls if call.graphs)

    @property
    def reaches_limit(self) -> bool:
        """Whether the function runs in eager in the end, because it was compiled too often."""
        return any(call.ends == LIMIT for call in self.calls)


def sweeps(
    target: str, variations: Sequence[Variation], python: str, backend: str, settings: Settings, on_cpu: bool = False
) -> list[Sweep]:
    """The sweeps of a target, `FILE.py::Class` or `FILE.py::function`.

    Raises:
        UsageError: it is no such target, or cannot be run.
    """
    path, _, entry = target.partition("::")
    if not entry or not Path(path).is_file():
        raise UsageError(f"{target}: with --vary a target is FILE.py::Class or FILE.py::function")
    text = read_source(path).text
    arms = {"before": text}
    fixed = fix_source(text, path, settings, unsafe=True).text
    if fixed is not None:
        arms["after"] = fixed
    parts = [{"argument": each.argument, "part": each.part, "values": [*each.values]} for each in variations]
    request = {"path": path, "entry": entry, "variations": parts, "backend": backend, "timed": True}
    found = []
    with Launcher(python, backend, on_cpu=on_cpu) as launcher, TemporaryDirectory() as folder:
        for arm, text in arms.items():
            whole = {"text": text, **request}
            try:
                with closing(Worker(launcher, Path(folder, arm), TOO_LONG, {})) as worker:
                    told = worker.ask("call", function="breaklint.verify.arm.sweep:sweep", request=whole)["calls"]
            except ArmError as error:
                raise UsageError(f"{target}: {error}") from error
            findings = check_source(text, path, settings).findings
            values = zip(*(each.values for each in variations), strict=True)
            calls = tuple(_call(each, call, path, findings) for each, call in zip(values, told, strict=True))
            found.append(Sweep(target, arm, tuple(each.key for each in variations), calls))
    return found


def _call(values: tuple[Any, ...], told: dict[str, Any], path: str, findings: Sequence[Finding]) -> SweptCall:
    row = told["row"]
    own = row is not None and str(Path(path).resolve()).endswith(str(told.get("filename") or path))
    joined = [each for each in findings if own and each.span.start.row <= row <= each.span.end.row]
    finding = f"{joined[0].code} {joined[0].name}" if joined else ""
    return built(SweptCall, {**told, "values": values, "finding": finding})
