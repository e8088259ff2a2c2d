"""The folder in which processes of the user's command leave what was observed: a file of JSON lines a replay.

Every process appends to files of its own; a file is locked while its replay is running. Needs the standard library.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

VARIABLE = "BREAKLINT_OBSERVE"
TEST = "PYTEST_CURRENT_TEST"
SUFFIX = ".jsonl"
BUDGET = "--budget (pytest: --breaklint-observe-budget)"
_LIBRARIES = ("site-packages", "dist-packages")
SYSTEM: Any = SimpleNamespace(
    **vars(os), realpath=os.path.realpath, dumps=json.dumps, clock=time.time, sleep=time.sleep
)
"""Functions of the standard library as they are when this is imported: later, tests may have replaced them."""


@dataclass(frozen=True)
class Plan:
    """What to observe, as the command tells its processes.

    `out` is the folder of this module, `root` that of the project, `own` further folders whose code counts as the
    project's, `budget` the seconds of processor time that the replays of a module class may take, `slots` how many
    replays run at a time.
    """

    out: str
    root: str
    own: tuple[str, ...] = ()
    budget: float = 20.0
    slots: int = 2

    @classmethod
    def from_environment(cls) -> Plan:
        """The plan that `environment` put there."""
        told = json.loads(os.environ[VARIABLE])
        return cls(**{**told, "own": tuple(told["own"])})

    def environment(self) -> dict[str, str]:
        """The variable that tells other processes."""
        return {VARIABLE: json.dumps(asdict(self))}

    def is_own(self, filename: str) -> bool:
        """Does a file belong to the observed code: below the root, and not installed there?"""
        if not filename.endswith(".py"):
            return False
        path = SYSTEM.realpath(filename)
        if any(path.startswith(folder + os.sep) for folder in self.own):
            return True
        return is_project(path, self.root)


def is_project(path: str, root: str) -> bool:
    """Is a real path below the root of a project, and not installed there?"""
    parts = path[len(root) :].split(os.sep)
    return path.startswith(root + os.sep) and not any(name in parts for name in _LIBRARIES)


class Lines:
    """A file of JSON lines that is this process's own, made when there is a first one to write.

    It is opened for each line: the user's process may close descriptors that it did not open, and use their numbers.
    """

    def __init__(self, out: str, kind: str) -> None:
        self._out, self._kind = out, kind
        self._pid, self._path = 0, ""

    def write(self, **told: Any) -> None:
        """Append a line; after a fork, to another file."""
        if self._pid != SYSTEM.getpid():
            self._pid, self._path = SYSTEM.getpid(), new_path(self._out, self._kind)
        descriptor = SYSTEM.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            SYSTEM.write(descriptor, encoded(told))
        finally:
            SYSTEM.close(descriptor)


def encoded(told: dict[str, Any]) -> bytes:
    """A line."""
    line: str = SYSTEM.dumps(told)
    return line.encode() + b"\n"


def over_budget(seconds: float) -> str:
    """Why what has taken too long is not replayed."""
    return f"replays of the class took more than {seconds:g} s of processor time; raise {BUDGET}"


def time_file(out: str, name: str) -> int:
    """The descriptor of the file that says how long replays of `name` took."""
    descriptor: int = SYSTEM.open(f"{out}/time-{digest(name)}", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    return descriptor


def note_begin(descriptor: int, pid: int) -> None:
    """Note in such a file that a process begins a replay."""
    SYSTEM.write(descriptor, f"{pid} began {SYSTEM.clock()}\n".encode())


def note_end(descriptor: int, pid: int, seconds: float) -> None:
    """Note in such a file how much processor time the replay of a process took."""
    SYSTEM.write(descriptor, f"{pid} took {seconds}\n".encode())


def time_taken(out: str, name: str, most: float) -> float:
    """Seconds of processor time that replays of `name` took, those that run counted until now, at `most` each."""
    try:
        lines = Path(out, f"time-{digest(name)}").read_text("utf-8").splitlines()
    except OSError:
        return 0.0
    times: dict[str, float] = {}
    for pid, verb, told in (line.split(" ") for line in lines):
        times[pid] = float(told) if verb == "took" else _taken_until_now(pid, SYSTEM.clock() - float(told))
    return sum(min(most, each) for each in times.values())


def _taken_until_now(pid: str, wall: float) -> float:
    """The processor time of a running process, 0 of one that has just ended; the time on the clock where the system
    does not tell."""
    told = time_of(pid)
    return told if told is not None else 0.0 if Path("/proc/self/stat").exists() else wall


def time_of(pid: int | str) -> float | None:
    """The processor time of a process until now; None where there is none, or the system does not tell."""
    try:
        told = Path("/proc", str(pid), "stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def new_file(out: str, kind: str) -> int:
    """The descriptor of a new file to append to, of which no other process knows."""
    return opened(new_path(out, kind))


def new_path(out: str, kind: str) -> str:
    """A name that no other file has."""
    return f"{out}/{kind}-{SYSTEM.getpid()}-{SYSTEM.urandom(6).hex()}{SUFFIX}"


def opened(path: str) -> int:
    """The descriptor of a file that is made for it."""
    descriptor: int = SYSTEM.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
    return descriptor


def first_to_claim(out: str, name: str) -> bool:
    """Is this process the first of all that asks for this name?"""
    try:
        SYSTEM.close(SYSTEM.open(f"{out}/claim-{digest(name)}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def digest(text: str) -> str:
    """Sixteen hexadecimal digits that stand for a text."""
    return digest_of(text.encode("utf-8", "surrogatepass"))


def digest_of(data: bytes) -> str:
    """The same of bytes."""
    return hashlib.sha256(data).hexdigest()[:16]
