"""Writes the pages that are generated from the rule cards, docs/rules/. With --check, says whether they are fresh."""

from __future__ import annotations

import sys
from pathlib import Path

from breaklint.cards import load_rules
from breaklint.output.rule_page import markdown

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "rules"


def pages() -> dict[Path, str]:
    """The text of every generated page."""
    rules = load_rules()
    rows = [f"| [{rule.code}]({rule.name}.md) | {rule.name} | {rule.effect.value} | {rule.summary} |" for rule in rules]
    index = "\n".join(["# Rules", "", "| code | name | effect | what |", "|---|---|---|---|", *rows, ""])
    return {FOLDER / "index.md": index} | {FOLDER / f"{rule.name}.md": markdown(rule) for rule in rules}


def main() -> int:
    """Write the pages, or with --check name those that are not what the cards say."""
    wanted = pages()
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text("utf-8") != text]
    gone = [path for path in FOLDER.glob("*.md") if path not in wanted]
    if "--check" in sys.argv[1:]:
        for path in (*stale, *gone):
            print(f"{path.relative_to(FOLDER.parent.parent)}: not what the rule cards say; run `make docs`")
        return 1 if stale or gone else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in stale:
        path.write_text(wanted[path], "utf-8")
    for path in gone:
        path.unlink()
    print(f"{len(wanted)} pages, {len(stale)} written, {len(gone)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
