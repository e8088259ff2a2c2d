"""HTML pages, which need Jinja."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from breaklint.output.wording import printable_lines


@cache
def page_environment(templates: Path) -> Environment:
    """The environment of a folder of templates: what comes from outside is escaped, and every character visible."""
    return Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )


def _visible(value: object) -> object:
    """Texts without what would turn the direction of writing, or hide a part of a line."""
    return printable_lines(value) if type(value) is str else value  # Markup is the page's own
