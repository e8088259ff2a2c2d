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
    """The options of a run, as the command line and the entries of the configuration describe them.

    `devices` are `cpu`, `cuda` or such as `cuda:1`; none means CUDA if available, else the CPU. `jobs` is the number of
    arms that compile at the same time (None: the number of CPUs less that of devices, at least two). `timeout_s` limits
    each step of an arm. `python` is the interpreter that has torch. `settings` are those of `check` in the current
    folder, `nearest` returns those of another folder.
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
