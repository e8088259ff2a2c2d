"""The report as one HTML page that needs nothing else: no script, no network, no file beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from breaklint import __version__
from breaklint.output.wording import printable_lines
from breaklint.verify.judge.results import VerifyReport
from breaklint.verify.report.page_data import page

_TEMPLATES = Path(__file__).with_name("page")


def write(report: VerifyReport) -> str:
    """The page; whatever comes from sources, paths and messages is escaped."""
    environment = page_environment(_TEMPLATES)
    style = (_TEMPLATES / "style.css").read_text("utf-8")
    return environment.get_template("page.html.j2").render(**page(report), style=style, version=__version__) + "\n"


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
