"""The report as one HTML page that needs nothing else: no script, no network, no file beside it."""

from __future__ import annotations

from pathlib import Path

from breaklint import __version__
from breaklint.verify.judge.results import VerifyReport
from breaklint.verify.report.page_data import page
from breaklint.verify.report.templates import page_environment

_TEMPLATES = Path(__file__).with_name("page")


def write(report: VerifyReport) -> str:
    """The page; whatever comes from sources, paths and messages is escaped."""
    environment = page_environment(_TEMPLATES)
    style = (_TEMPLATES / "style.css").read_text("utf-8")
    return environment.get_template("page.html.j2").render(**page(report), style=style, version=__version__) + "\n"
