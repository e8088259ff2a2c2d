"""The result of a run, as text for people, editors and CI: one writer per format."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

Writer = Callable[["RunResult", bool], str]
FORMATS = (
    "full", "by-line", "verbose", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit", "markdown",
)  # fmt: skip
_CARRY_EDITS = frozenset({"json", "json-lines", "sarif"})


def carries_edits(name: str) -> bool:
    """Whether a format shows the edits of fixes."""
    return name in _CARRY_EDITS


def render(name: str, result: RunResult, color: bool = False) -> str:
    """`result` in the format `name`, ending in a newline; `color` requests ANSI colours if the format has them."""
    module = import_module(f"breaklint.output.{name.replace('-', '_')}")  # each run imports only the one it needs
    writer: Writer = module.render
    return writer(result, color)
