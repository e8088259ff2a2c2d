"""The tables of the case studies are those of the committed results."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_tables_are_those_of_the_results() -> None:
    script = ROOT / "benchmarks" / "models" / "case_tables.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "differs:", "")
    assert all("× [" in page.read_text("utf-8") for page in (ROOT / "docs").glob("case-*.md"))
