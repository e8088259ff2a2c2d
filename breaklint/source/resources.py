"""Where the files shipped with breaklint lie: inside the installed package, or at the top of a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def rules_dir() -> Path:
    """The folder of the built-in rule cards."""
    return _find("rules")


def fixtures_dir() -> Path:
    """The folder of the runnable example models."""
    return _find("fixtures")


def agents_page() -> Path:
    """The page of instructions for coding agents."""
    shipped = _PACKAGE / "_agents.md"
    return shipped if shipped.is_file() else _PACKAGE.parent / "docs" / "agents.md"


def _find(name: str) -> Path:
    # The installed copy comes first: beside an installed package, a folder `rules` would be somebody else's.
    shipped = _PACKAGE / f"_{name}"
    return shipped if shipped.is_dir() else _PACKAGE.parent / name
