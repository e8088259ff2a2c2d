"""Writers of a verify report, one small module a format; each turns a `VerifyReport` into text."""

from __future__ import annotations

from collections.abc import Callable

from breaklint.verify.report import json, markdown, text
from breaklint.verify.results import VerifyReport

WRITERS: dict[str, Callable[[VerifyReport], str]] = {
    "text": text.write,
    "json": json.write,
    "markdown": markdown.write,
}
