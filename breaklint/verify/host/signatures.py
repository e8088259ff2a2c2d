"""By what a verdict is known to hold still: the files it came from, the machine, and all that was requested."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from breaklint.lint.cache import settings_key
from breaklint.lint.workers import usable_cores
from breaklint.verify.host.saving import asked
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.targets import Target

LARGE = 2**20
"""Larger files, and those of installed packages, are told apart by size and time, others by what they hold."""
_INSTALLED = re.compile(r"[\\/](site|dist)-packages[\\/]")
_OF_THE_SESSION = re.compile(
    r"_|SHLVL|PWD|OLDPWD|COLUMNS|LINES|TERM.*|COLORTERM|WINDOWID|SSH_.*|TMUX.*|STY|XDG_SESSION.*|DBUS_.*|VSCODE_.*"
    r"|PYTEST_.*|COV_.*|COVERAGE_.*|GPG_.*|INVOCATION_ID|JOURNAL_STREAM|NO_COLOR|FORCE_COLOR|BREAKLINT_CACHE_DIR"
)
"""Names in the environment that terminals and sessions set, on which no model depends."""

Files = dict[str, Any]


def circumstances(options: VerifyOptions, folder: Path) -> str:
    """All that verdicts depend on besides targets and their files; of `folder`, the cache's, that it is this one."""
    where = folder.stat()
    parts = [
        asked(options),
        [options.device, options.devices, options.warm_compile, shutil.which(options.python) if options.python else ""],
        settings_key(options.settings),
        machine(),
        sorted((name, value) for name, value in os.environ.items() if not _OF_THE_SESSION.fullmatch(name)),
        [where.st_dev, where.st_ino],  # what came with an untrusted project was made elsewhere
    ]
    return _digest(parts)


def identity(target: Target, under: str) -> str:
    """A name for a target under these circumstances, whatever its files hold."""
    return _digest([asdict(target), under])[:32]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, default=str, sort_keys=True).encode()).hexdigest()


def machine() -> list[str]:
    """What it computes with, and the driver, found out without torch."""
    processor = re.findall(r"^model name.*", _text(Path("/proc/cpuinfo")), re.MULTILINE)[:1]
    return [platform.platform(), platform.processor(), *processor, str(usable_cores()), *_graphics()]


def _graphics() -> list[str]:
    driver = Path("/proc/driver/nvidia")
    if driver.is_dir():
        return [_text(driver / "version"), *(_text(path) for path in sorted(driver.glob("gpus/*/information")))]
    if shutil.which("nvidia-smi") is None:
        return []
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        return [subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout]
    except (OSError, subprocess.TimeoutExpired):
        return []


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def of_files(paths: Iterable[str]) -> Files:
    """What tells each file from another of its name, and each folder of Python files of the project's own from one
    in which others would be imported."""
    files: Files = {path: _of_file(path) for path in sorted(set(paths))}
    folders = {str(Path(path).parent) for path in files if path.endswith(".py") and not _INSTALLED.search(path)}
    return files | {folder + os.sep: _importable(folder) for folder in sorted({*folders, os.getcwd()})}


def still_holds(files: Files) -> bool:
    """Are all as they were?"""
    return all(
        (_importable(path) if path.endswith(os.sep) else _of_file(path)) == known for path, known in files.items()
    )


def changed_since(files: Files, moment: float) -> bool:
    """Was one of them written after this time, in seconds since the epoch?"""
    times = (os.stat(path).st_mtime for path in files if os.path.isfile(path))
    return any(time >= moment for time in times)


def _of_file(path: str) -> Any:
    try:
        status = os.stat(path)
        if status.st_size > LARGE or _INSTALLED.search(path):
            return [status.st_size, status.st_mtime_ns]
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


def _importable(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(
                entry.name
                for entry in entries
                if entry.name.endswith(".py") or os.path.isfile(os.path.join(entry.path, "__init__.py"))
            )
    except OSError:
        return []
