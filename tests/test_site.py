"""The documentation builds as a site without a warning."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from harness import PROJECT

pytest.importorskip("material")
pytestmark = pytest.mark.nightly  # by day test_docs.py tests links


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_site(site: Path) -> None:
    pages = {path.relative_to(PROJECT / "docs").with_suffix(".html") for path in (PROJECT / "docs").rglob("*.md")}
    assert pages - {path.relative_to(site) for path in site.rglob("*.html")} == set()


def test_no_link_leads_out_of_the_site_to_a_file(site: Path) -> None:
    for page in site.glob("*.html"):
        assert re.findall(r'href="\.\./[^"]*"', page.read_text("utf-8")) == [], page.name
