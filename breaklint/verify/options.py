"""What verify takes."""

from __future__ import annotations

from dataclasses import dataclass, field

from breaklint.model import Settings
from breaklint.verify.targets.entries import Entry


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """What the user requested.

    `device` None is CUDA where there is one. `min_speedup` 0.05 demands that the fixed model is at least 5 % faster,
    and makes anything less a failure; None only asks whether it is faster. `allow_break` holds GB ids, `FILE` or
    `FILE:ROW` patterns of breaks that may stay. With `own_paths`, only breaks in code under these folders count.
    `before` names the other side of the comparison: a file, a folder or a git revision.
    `timeout_s` limits each step of an arm.
    `rounds` is the number of timing samples an arm, half of which suffice for a gain far beyond the noise; what noise
    leaves undecided is timed again, alone, for `retime_s` seconds at most (0: not at all). `train` runs forward and
    backward. `python` is the interpreter that has torch. `devices` are devices such as `cuda:1` among which targets are
    shared out, instead of `device`. `jobs` is how many arms are prepared at the same time (None: the number of CPUs,
    less one a device, but two). `memory_gib` limits the resident memory of an arm's process. `warm_compile` also
    measures compiling with a warm cache. `artifacts` is a folder that keeps what compilers make.
    `entries` are the targets that the configuration describes. `seeds` is with how many seeds results are compared,
    `batch_sizes` with which other leading dimensions. `max_recompiles` limits how often equal calls and those of other
    sizes may recompile (None: no limit). `quick` asks for breaks and results only, nothing is timed.
    With `same_state_dict` a new key of the state dict is a difference. `repro` is the file for
    a script that shows a wrong result.
    """

    device: str | None = None
    mode: str | None = None
    backend: str = "inductor"
    dynamic: bool | None = None
    train: bool = False
    require_cuda: bool = False
    min_speedup: float | None = None
    allow_break: tuple[str, ...] = ()
    own_paths: tuple[str, ...] = ()
    before: str | None = None
    timeout_s: float = 600.0
    rounds: int = 20
    retime_s: float = 20.0
    seed: int = 0
    python: str = ""
    devices: tuple[str, ...] = ()
    jobs: int | None = None
    memory_gib: float | None = None
    warm_compile: bool = False
    artifacts: str = ""
    settings: Settings = field(default_factory=Settings)
    entries: tuple[Entry, ...] = ()
    seeds: int = 1
    batch_sizes: tuple[int, ...] = ()
    max_recompiles: int | None = None
    quick: bool = False
    same_state_dict: bool = False
    repro: str = ""
