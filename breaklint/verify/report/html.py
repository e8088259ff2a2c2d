"""The report as one HTML page that needs nothing else: no script, no network, no file beside it."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from breaklint import __version__
from breaklint.verify.report.page_data import page
from breaklint.verify.results import VerifyReport

_TEMPLATES = Path(__file__).with_name("page")


def write(report: VerifyReport) -> str:
    """The page; whatever comes from sources, paths and messages is escaped."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = (_TEMPLATES / "style.css").read_text("utf-8")
    return environment.get_template("page.html.j2").render(**page(report), style=style, version=__version__) + "\n"
