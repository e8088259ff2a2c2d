"""Writes what the tool says now as what it is expected to say, for every fixture: expected.txt and after.py.

expected.txt is what `breaklint check` prints, after.py what `--fix --unsafe-fixes` writes (absent when nothing).
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from breaklint.lint.run import run_text
from breaklint.lint.workers import Mode
from breaklint.model import Settings
from breaklint.output import render

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


def blessed(folder: Path) -> dict[str, str | None]:
    """The generated files of a fixture by name; None for one that is not to be there."""
    data = (folder / "before.py").read_bytes()
    settings = Settings(target_torch=".".join(version("torch").split(".")[:2]))  # the one that tests run them on
    checked = run_text(data, "before.py", settings)
    fixed = run_text(data, "before.py", settings, Mode(fix=True, unsafe=True))
    after = fixed.changes[0].text if fixed.changes else None
    return {"expected.txt": render("full", checked), "after.py": after}


def main() -> int:
    """Write the files that differ, and name them."""
    for folder in sorted(path for path in FIXTURES.iterdir() if (path / "before.py").is_file()):
        for name, text in blessed(folder).items():
            path = folder / name
            if text is None and path.exists():
                path.unlink()
                print(f"removed {path.relative_to(FIXTURES.parent)}")
            elif text is not None and (not path.exists() or path.read_text("utf-8") != text):
                path.write_text(text, "utf-8")
                print(f"wrote {path.relative_to(FIXTURES.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
