"""Run the user's command with its module calls compiled in place, and make the profile."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from breaklint.calls.lines import Plan
from breaklint.calls.running import run
from breaklint.observe.collect import Observed, collect


@contextmanager
def recording(root: Path, own: Sequence[str] = ()) -> Iterator[Plan]:
    """A plan with a folder that is there meanwhile."""
    out = tempfile.mkdtemp(prefix="breaklint-observe-")
    try:
        yield Plan(out, os.path.realpath(root), tuple(map(os.path.realpath, own)))
    finally:
        shutil.rmtree(out, ignore_errors=True)


def observe(command: Sequence[str], plan: Plan, python: str = sys.executable) -> tuple[int, Observed]:
    """The command's exit status and the profile; after Ctrl-C, the profile until then.

    `python` is the interpreter that comes first for the command, if it is not this one.

    Raises:
        UsageError: the command cannot be started.
    """
    first = {} if python == sys.executable else {"PATH": os.pathsep.join((os.path.dirname(python), os.environ["PATH"]))}
    status = run(command, {**plan.environment(), **first})
    return status, collect(plan)
