"""Run the user's command with its processes listening to calls of modules. Imports no torch."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from breaklint.errors import UsageError

INJECT = Path(__file__).with_name("inject")
"""The folder whose sitecustomize every Python process of the command runs first."""


def listening(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment variables that make processes listen."""
    before = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    return {**variables, "PYTHONPATH": os.pathsep.join([str(INJECT), *before])}


def run(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """The exit status of the command; Ctrl-C, which the command gets as well, does not end this process.

    Raises:
        UsageError: the command cannot be started.
    """
    try:
        process = subprocess.Popen(command, env=os.environ | listening(variables))
    except OSError as error:
        remedy = f"; run python {command[0]}" if command[0].endswith(".py") else ""
        raise UsageError(f"{command[0]}: cannot be started: {error.strerror or error}{remedy}") from error
    while True:
        with suppress(KeyboardInterrupt):
            status = process.wait()
            return status if status >= 0 else 128 - status
