"""The calls of a target with one set of values after the other, in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from breaklint.errors import UsageError
from breaklint.recompiles.remedies import Remedy, remedies
from breaklint.recompiles.vary import LIMIT, Variation
from breaklint.verify.host.arm_process import ArmError, Worker
from breaklint.verify.host.processes import Launcher
from breaklint.verify.targets.sources import Source, location
from breaklint.verify.targets.targets import Target

TOO_LONG: Final = 1800
FUNCTION: Final = "breaklint.recompiles.calls:call_each"


@dataclass(frozen=True)
class Settings:
    """How the calls are made and compiled."""

    inputs: dict[str, str] = field(default_factory=dict)
    dynamic: bool | None = None
    limit: int = 8
    python: str = ""


@dataclass(frozen=True)
class RecompileCount:
    """The compilations and failing guards of each call, as data of JSON, and the remedies that were tried."""

    entry: str
    filename: str
    keys: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]
    calls: tuple[dict[str, Any], ...]
    remedies: tuple[Remedy, ...]

    @property
    def compilations(self) -> int:
        """How many calls compile."""
        return sum(call["compiles"] for call in self.calls)

    @property
    def reaches_limit(self) -> bool:
        """Whether a call runs in eager because the function was compiled too often."""
        return any(call.get("ends") == LIMIT for call in self.calls)


Ask = Callable[[dict[str, Any]], dict[str, Any]]


def count(target: Target, variations: Sequence[Variation], settings: Settings) -> RecompileCount:
    """Make the calls in a process of their own, and try remedies.

    Raises:
        UsageError: the target cannot be loaded, or does not accept the varying inputs.
    """
    with Launcher(settings.python, "eager", on_cpu=True) as launcher, TemporaryDirectory() as folder:
        try:
            with closing(Worker(launcher, Path(folder), TOO_LONG, {})) as worker:
                return count_calls(
                    target, variations, settings, lambda request: worker.ask("call", function=FUNCTION, request=request)
                )
        except ArmError as error:
            raise UsageError(f"{target.name}: {error}") from error


def count_calls(target: Target, variations: Sequence[Variation], settings: Settings, ask: Ask) -> RecompileCount:
    """The answers of `ask` to the request for the calls, and to those with remedies.

    Raises:
        UsageError: every call raises.
    """
    request = {
        "location": location(Source(target, "")),
        "variations": [{"argument": v.argument, "part": v.part, "values": [*v.values]} for v in variations],
        "inputs": settings.inputs,
        "dynamic": settings.dynamic,
        "limit": settings.limit,
        "allow_unspec_int": False,
        "marks": [],
    }

    def run(remedy: dict[str, Any]) -> list[dict[str, Any]]:
        calls: list[dict[str, Any]] = ask({**request, **remedy})["calls"]
        return calls

    calls = run({})
    if all("error" in call for call in calls):
        raise UsageError(f"{target.name}: every call raises: {calls[0]['error']}")
    steps = remedies(calls, run, variations)
    rows = tuple(zip(*[variation.values for variation in variations], strict=True))
    entry = target.attribute or Path(target.path).stem
    return RecompileCount(entry, str(target.path), tuple(v.key for v in variations), rows, tuple(calls), tuple(steps))
