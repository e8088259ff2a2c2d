"""Run the user's command with recording switched on, and make the profile."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from breaklint.calls.running import INJECT
from breaklint.errors import UsageError
from breaklint.observe.collect import Observed, collect, wait
from breaklint.observe.library import Library, append
from breaklint.observe.profile import Profile, ProfileError, merged, read, text_of
from breaklint.observe.raw import Plan

Progress = Callable[[str], None]


@contextmanager
def recording(root: Path, budget: float, own: Sequence[str] = ()) -> Iterator[Plan]:
    """A plan with a folder that is there meanwhile."""
    out = tempfile.mkdtemp(prefix="breaklint-observe-")
    try:
        yield Plan(out, os.path.realpath(root), tuple(map(os.path.realpath, own)), budget, max(1, os.cpu_count() or 1))
    finally:
        shutil.rmtree(out, ignore_errors=True)


def announce(plan: Plan, environment: MutableMapping[str, str]) -> None:
    """Have the processes that get this environment record."""
    before = [folder for folder in environment.get("PYTHONPATH", "").split(os.pathsep) if folder]
    environment.update(plan.environment())
    environment["PYTHONPATH"] = os.pathsep.join([str(INJECT), *before])


def observe(command: Sequence[str], plan: Plan, progress: Progress) -> tuple[int, Observed]:
    """The command's exit status, and what was observed; after Ctrl-C, which the command gets as well, all until then.

    Raises:
        UsageError: the command cannot be started.
    """
    environment = dict(os.environ)
    announce(plan, environment)
    try:
        process = subprocess.Popen(command, env=environment)
    except OSError as error:
        raise UsageError(f"{command[0]}: cannot be started: {error.strerror or error}") from error
    status = _status(process)
    wait(plan, progress)
    return status, collect(plan)


def _status(process: subprocess.Popen[Any]) -> int:
    while True:
        with suppress(KeyboardInterrupt):
            status = process.wait()
            return status if status >= 0 else 128 - status


def write(profile: Profile, place: Path) -> None:
    """Write the profile in place of what is there.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=place.parent, suffix=".tmp")
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text_of(profile))
        Path(temporary).chmod(0o644)
        Path(temporary).replace(place)
    except OSError as error:
        raise UsageError(f"{place}: cannot be written: {error.strerror or error}") from error


def with_earlier(profile: Profile, place: Path) -> Profile:
    """The profile and the one in a file, where there is a sound one."""
    try:
        return merged([read(place), profile])
    except ProfileError:
        return profile


def observe_library(
    library: Library, models: Sequence[tuple[str, str]], plan: Plan, results: Path, jobs: int, progress: Progress
) -> tuple[int, Observed]:
    """Build a library's models and observe them; a line a model and mode goes into `results` as soon as it is done."""
    told = {"family": library.family, "models": models, "jobs": jobs, "seconds": plan.budget}
    command = [sys.executable, "-m", "breaklint.observe.process.library.driver"]
    # Models are built on the CPU: backward would start each device that is visible, in every copy.
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", **plan.environment()}
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(told).encode())
    process.stdin.close()
    with suppress(KeyboardInterrupt):  # which the driver gets as well
        for number, line in enumerate(process.stdout, 1):
            done = json.loads(line)
            found = library.results(done["model"], plan)
            append(results, found)
            states = ", ".join(f"{each.mode} {each.state}".strip() for each in found)
            progress(f"{number}/{len(models)} {done['model']}: {states} ({done['seconds']:.1f} s)")
    status = _status(process)
    wait(plan, progress)
    return status, collect(plan)
