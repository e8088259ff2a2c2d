"""Writers of a verify report, one small module a format; each turns a `VerifyReport` into text."""

from __future__ import annotations

from collections.abc import Callable

from breaklint.errors import UsageError
from breaklint.verify.judge.results import VerifyReport
from breaklint.verify.report import json, junit, markdown, text

Writer = Callable[[VerifyReport], str]
WRITERS: dict[str, Writer] = {"text": text.write, "json": json.write, "markdown": markdown.write, "junit": junit.write}


def writer(name: str) -> Writer:
    """The writer of a format; HTML needs a library that the others do not.

    Raises:
        UsageError: Jinja2 is not installed.
    """
    if name != "html":
        return WRITERS[name]
    try:
        from breaklint.verify.report import html
    except ModuleNotFoundError as error:
        raise UsageError("HTML reports need Jinja2: pip install jinja2") from error  # the extra brings torch as well
    return html.write
