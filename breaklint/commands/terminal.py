"""click, and rich-click for help pages: importing it takes longer than checking a small file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or len(sys.argv) < 2 or not {"-h", "--help"}.isdisjoint(sys.argv):
    import rich_click as click
    from rich_click import RichGroup as Group

    click.rich_click.TEXT_PARAGRAPH_LINEBREAKS = "\n\n"  # the examples stand apart
else:
    import click
    from click import Group

__all__ = ["Group", "click"]
