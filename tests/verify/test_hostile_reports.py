"""Every format of verify's report shows what targets, sources and messages say as text."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from harness import RunBreaklint
from markdown_it import MarkdownIt
from model_files import EVIL, evil_report

from breaklint.commands.verify import FORMATS
from breaklint.verify.judge.results import VerifyReport
from breaklint.verify.report import WRITERS

NASTY = (
    EVIL, "]]></failure><x y='", "::error::x\n::set-env name=A::b\r\n", "\x1b[31m\x1b]0;title\x07", "\u202eevil\u2066",
    "\0\x08", "| a | b |\n[x](javascript:1) ![i](http://h/x) `c` <img src=x>", "</details>\n\n# owned\n\n<script>",
    "`</code><img src=x>`", "=cmd|' /C calc'!A0", "&lt;b&gt;", "\udcff", "{{ 7 * 7 }} {% raw %}", "</style></svg>",
)  # fmt: skip
ACTIVE = {"script", "img", "iframe", "object", "link", "base", "form", "a"}


def nasty(value: Any, text: str) -> Any:
    """A report in which EVIL is replaced by another text, all the way down."""
    if isinstance(value, str) and not isinstance(value, Enum):
        return value.replace(EVIL, text)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(nasty(item, text) for item in value)
    if isinstance(value, dict):
        return {nasty(key, text): nasty(item, text) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: nasty(getattr(value, each.name), text) for each in fields(value)})
    return value


def report(text: str) -> VerifyReport:
    made: VerifyReport = nasty(evil_report(), text)
    return made


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [tag, *(f"@{name}" for name, _ in attrs)]


@cache
def tags_of(text: str) -> list[str]:
    """The tags of a report on a text, as Markdown in which HTML is let through."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    return Tags(markdown.render(WRITERS["markdown"](report(text)))).found


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_no_format_gives_orders(name: str, text: str) -> None:
    shown = WRITERS[name](report(text))
    assert not set(shown) & {"\x1b", "\x07", "\0", "\x08"}
    assert "\u202e" not in shown
    shown.encode("utf-8", errors="backslashreplace")
    if name in ("text", "markdown"):
        assert not [line for line in shown.split("\n") if line.lstrip().startswith("::")]


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_markdown_shows_markup_as_text(text: str) -> None:
    plain, found = tags_of("plain"), tags_of(text)
    assert not set(found) & ACTIVE
    assert [tag for tag in found if tag != "code"] == [tag for tag in plain if tag != "code"]


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_json_keeps_its_shape(text: str) -> None:
    assert len(json.loads(WRITERS["json"](report(text)))["targets"]) == len(evil_report().targets)


@pytest.mark.parametrize("text", [NASTY[2], NASTY[3]])
def test_a_saved_report_gives_no_orders_when_it_is_merged(tmp_path: Path, breaklint: RunBreaklint, text: str) -> None:
    (tmp_path / "a.json").write_text(WRITERS["json"](report(text)))
    (tmp_path / "b.json").write_text(WRITERS["json"](replace(report(text), targets=report(text).targets[:2])))
    done = breaklint("report", "merge", "a.json", "b.json")
    assert "\x1b" not in done.stdout + done.stderr
    assert not [line for line in done.stdout.split("\n") if line.lstrip().startswith("::")]
    assert "bug in breaklint" not in done.stderr
