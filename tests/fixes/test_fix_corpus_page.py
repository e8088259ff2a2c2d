"""The page about the corpus of known breaks tells what its results hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "fix-corpus.md").read_text("utf-8")
BY_NAME = (ROOT / "benchmarks" / "results" / "fix-corpus.md").read_text("utf-8")
RESULT: dict[str, Any] = json.loads((ROOT / "benchmarks" / "results" / "fix-corpus-2.11.json").read_text("utf-8"))


def test_every_site_that_is_left_is_named_once() -> None:
    left = [
        f"{row['file'].removeprefix('test_').removesuffix('.py')}:{row['row']}"
        for row in RESULT["rows"]
        if not row["state"].startswith("removed")
    ]
    assert sorted(re.findall(r"`(\w+:\d+)`", BY_NAME)) == sorted(left)


def test_the_page_counts_the_sites_of_each_reason() -> None:
    table = PAGE.partition("## What is left")[2]
    groups = re.findall(r"^## (.+)\n\n(.+)$", BY_NAME, re.MULTILINE)
    counts = {reason: int(number) for number, reason in re.findall(r"^\| (\d+) \| (.+?): ", table, re.MULTILINE)}
    assert counts == {reason: names.count(":") for reason, names in groups}


@pytest.mark.parametrize("version", ["safe", "all"])
def test_the_shares_are_those_of_the_results(version: str) -> None:
    sites = RESULT["sites"]
    assert f"| {version} fixes | {sites['removed'][version]} | {sites['share'][version]:.1%} |" in PAGE


def test_the_unsafe_fixes_are_those_of_the_results() -> None:
    table = PAGE.partition("## Why most fixes are unsafe")[2].partition("\n## ")[0]
    counted = sum(int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE))
    assert counted == RESULT["sites"]["removed"]["all"] - RESULT["sites"]["removed"]["safe"]


def test_no_output_is_wrong_and_every_file_still_imports() -> None:
    assert RESULT["no_longer_import"] == RESULT["safe"]["differing"] == RESULT["all"]["differing"] == []
