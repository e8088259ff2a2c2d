"""The variables of the processes of an observed command, and their JSON lines.

Each process appends to a file of its own. Needs the standard library only.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import asdict, dataclass
from typing import Any

VARIABLE = "BREAKLINT_OBSERVE"
SUFFIX = ".jsonl"
_TEST = "PYTEST_CURRENT_TEST"
_LIBRARIES = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Plan:
    """The folder `out` for lines, the `root` of the project, and further folders of `own` code."""

    out: str
    root: str
    own: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls) -> Plan:
        """The plan that `environment` put there."""
        plan = json.loads(os.environ[VARIABLE])
        return cls(plan["out"], plan["root"], tuple(plan["own"]))

    def environment(self) -> dict[str, str]:
        """The variable that configures other processes."""
        return {VARIABLE: json.dumps(asdict(self))}

    def is_own(self, filename: str) -> bool:
        """Whether a file is observed code: below the root and not installed there, or below one of `own`."""
        if not filename.endswith(".py"):
            return False
        path = os.path.realpath(filename)
        return is_project(path, self.root) or any(path.startswith(folder + os.sep) for folder in self.own)


def is_project(path: str, root: str) -> bool:
    """Whether a real path is below the root of a project, and not installed there."""
    parts = path[len(root) :].split(os.sep)
    return path.startswith(root + os.sep) and not any(name in parts for name in _LIBRARIES)


class Lines:
    """A file of JSON lines of this process; after a fork, of the new process."""

    def __init__(self, out: str) -> None:
        self._out, self._pid, self._path = out, 0, ""

    def write(self, **line: Any) -> None:
        """Append a line. It is opened for each, since the user's process may close descriptors that it did not open."""
        if self._pid != os.getpid():
            self._pid, self._path = os.getpid(), f"{self._out}/{os.getpid()}-{os.urandom(6).hex()}{SUFFIX}"
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def is_first(out: str, name: str) -> bool:
    """Whether this process is the first to claim this name."""
    try:
        os.close(os.open(f"{out}/claim-{digest(name.encode())}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def digest(data: bytes) -> str:
    """Sixteen hexadecimal digits that identify data."""
    return hashlib.sha256(data).hexdigest()[:16]


def running(root: str) -> str:
    """The test that is running, or the script or module that was started, relative to the root."""
    if test := os.environ.get(_TEST, ""):
        return test.rpartition(" (")[0] or test
    module: str = getattr(getattr(sys.modules.get("__main__"), "__spec__", None), "name", "")
    if module:
        return f"python -m {module.removesuffix('.__main__')}"
    script = sys.argv[0] if sys.argv else ""
    if not script or script == "-c":
        return "python -c" if script else "python"
    path = os.path.realpath(script)
    inside = path.startswith(root + os.sep)
    return os.path.relpath(path, root).replace(os.sep, "/") if inside else os.path.basename(path)
