"""Writers of a verify report, one small module a format; each turns a `VerifyReport` into text."""

from __future__ import annotations

from collections.abc import Callable

from breaklint.verify.judge.results import VerifyReport
from breaklint.verify.report import json, markdown, text

Writer = Callable[[VerifyReport], str]
WRITERS: dict[str, Writer] = {"text": text.write, "json": json.write, "markdown": markdown.write}
