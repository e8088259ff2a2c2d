"""Which environment the imports of checked files are followed into."""

from __future__ import annotations

from pathlib import Path

from breaklint.errors import UsageError
from breaklint.model import Settings
from breaklint.project.environment import find, site_packages


def with_environment(settings: Settings, start: Path, isolated: bool = False) -> Settings:
    """The settings with the environment that holds for `start` (a file or folder).

    That is the one that `python` names, else the nearest `.venv`, else the active one; with `isolated` only a named
    one counts. UsageError where the named one has no installed packages.
    """
    if not settings.follow_environment:
        return settings
    if settings.python:
        found = site_packages(settings.python)
        if not found:
            remedy = "name the folder of an environment, or its interpreter (bin/python)"
            raise UsageError(f"{settings.python}: no environment with installed packages: {remedy}")
    else:
        found = "" if isolated else find(str(start))
    return settings._replace(environment=found)
