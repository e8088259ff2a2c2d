"""The environment of a project: whose imports are followed, whose torch counts, and whose interpreter runs code."""

from __future__ import annotations

import sys
from pathlib import Path

from breaklint.errors import UsageError
from breaklint.model import NEWEST_TORCH, Settings
from breaklint.project.environment import find, interpreter, site_packages, torch_of

UNSET = Settings(target_torch="")  # settings that an environment completes


def with_environment(settings: Settings, start: Path, isolated: bool = False) -> Settings:
    """The settings with the environment that holds for `start` (a file or folder), and with its torch as the target if
    they name none.

    That is the one that `python` names, else the one of `find`; with `isolated` only a named one counts. UsageError if
    the named one does not have installed packages.
    """
    folder = _environment_of(settings, start, isolated) if settings.follow_environment else ""
    torch = settings.target_torch or ".".join(torch_of(folder).split(".")[:2]) if folder else settings.target_torch
    return settings._replace(environment=folder, target_torch=torch or NEWEST_TORCH, assumes_torch=not torch)


def _environment_of(settings: Settings, start: Path, isolated: bool) -> str:
    if not settings.python:
        return "" if isolated else find(str(start))
    folder = site_packages(settings.python)
    if not folder:
        remedy = "name the folder of an environment, or its interpreter (bin/python)"
        raise UsageError(f"{settings.python}: no environment with installed packages: {remedy}")
    return folder


def program(settings: Settings) -> str:
    """The interpreter of the environment of some settings if that has torch, else this one. UsageError if that
    environment has torch, but no interpreter."""
    if not torch_of(settings.environment):
        return sys.executable
    path = interpreter(settings.environment)
    if not path:
        remedy = "create the environment again, or set `python` in the configuration to another"
        raise UsageError(f"{settings.environment}: the environment has torch, but no interpreter: {remedy}")
    return path
