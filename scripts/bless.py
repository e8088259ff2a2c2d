"""Write the current output of the tool as the expected output of every fixture.

tests/commands/fixtures.md lists the findings and the graphs per call, after.py is the file after all fixes (absent if
they change nothing).
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from breaklint.lint.run_text import run_text
from breaklint.lint.workers import Mode
from breaklint.model import Settings
from breaklint.output import render
from breaklint.output.order import graphs_of

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
HEAD = """# The findings of the fixtures

`make bless` writes this page: for each `before.py` the findings of `breaklint check`, and the graphs per call.

```text
"""


def blessed(folder: Path) -> tuple[str, str | None]:
    """The findings and graphs of a fixture, and the text after all fixes; None if they change nothing."""
    data = (folder / "before.py").read_bytes()
    settings = Settings(target_torch=".".join(version("torch").split(".")[:2]))  # the one that tests run them on
    checked = run_text(data, "before.py", settings)
    fixed = run_text(data, "before.py", settings, Mode(fix=True, unsafe=True))
    *findings, _ = render("concise", checked).splitlines()
    lines = [line.replace("before.py", folder.name, 1) for line in findings] or [f"{folder.name}: no findings"]
    report = "".join(f"{line}\n" for line in [*lines, *graphs_of(checked)[1:]])
    return report, fixed.changes[0].text if fixed.changes else None


def write(path: Path, text: str | None) -> None:
    """Write or remove a file that differs, and name it."""
    if text is None and path.exists():
        path.unlink()
        print(f"removed {path.relative_to(ROOT)}")
    elif text is not None and (not path.exists() or path.read_text("utf-8") != text):
        path.write_text(text, "utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


def main() -> int:
    """Write the files that differ."""
    page = [HEAD]
    for folder in sorted(path.parent for path in FIXTURES.glob("*/before.py")):
        output, after = blessed(folder)
        page.append(output)
        write(folder / "after.py", after)
    write(ROOT / "tests/commands/fixtures.md", "".join([*page, "```\n"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
