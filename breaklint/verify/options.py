"""Options of verify."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from breaklint.model import Settings
from breaklint.verify.targets.entries import Entry

SEED = 0
"""The random seed of weights and inputs."""


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """The options of a run.

    `devices` are `cpu`, `cuda` or such as `cuda:1`, among which targets are shared out; none stands for CUDA if
    there is any, else the CPU. `min_speedup` 0.05 demands that the fixed model is at least 5 % faster,
    and makes anything less a failure; None only asks whether it is faster. `allow_break` holds GB ids, `FILE` or
    `FILE:ROW` patterns of breaks that may stay. With `own_paths`, only breaks in code under these folders count.
    `before` names the other side of the comparison: a file, a folder or a git revision.
    `timeout_s` limits each step of an arm.
    `rounds` is the number of timing samples an arm, half of which suffice for a gain far beyond the noise. `train` runs
    forward and backward. `python` is the interpreter that has torch. `jobs` is how many arms are prepared at the same
    time (None: the number of CPUs, less one a device, but two).
    `settings` are those of the current folder, `nearest` gives those of another folder (None: the same hold there).
    `entries` are the targets that the configuration describes. With `quick`, nothing is timed.
    """

    mode: str | None = None
    backend: str = "inductor"
    dynamic: bool | None = None
    train: bool = False
    min_speedup: float | None = None
    allow_break: tuple[str, ...] = ()
    own_paths: tuple[str, ...] = ()
    before: str | None = None
    timeout_s: float = 300.0
    rounds: int = 20
    python: str = ""
    devices: tuple[str, ...] = ()
    jobs: int | None = None
    settings: Settings = field(default_factory=Settings)
    nearest: Callable[[Path], Settings] | None = None
    entries: tuple[Entry, ...] = ()
    quick: bool = False

    def settings_of(self, path: str) -> Settings:
        """The settings that `check` uses for a file."""
        return self.nearest(Path(path).parent) if self.nearest else self.settings
