"""What a run found, as text for people, editors and CI: one small writer a format."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breaklint.run import RunResult

Writer = Callable[["RunResult", bool], str]
FORMATS = ("full", "concise", "json", "github")


def render(name: str, result: RunResult, color: bool = False) -> str:
    """`result` in the format `name`, ending in a newline; `color` asks for ANSI colours where the format has them."""
    writer: Writer = import_module(f"breaklint.output.{name}").render  # each run imports only the one it needs
    return writer(result, color)
