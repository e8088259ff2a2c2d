"""Prove the examples of rule cards on the installed torch: `python scripts/prove.py [--cards CODE…] [--json FILE]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from breaklint.rules.cards import load_rules
from breaklint.verify.prove.runner import examples_of, prove, torch_version


def table(rows: list[dict[str, Any]], version: str) -> str:
    """Card by card: how many examples are proven, and every failure."""
    lines = []
    for code in dict.fromkeys(row["code"] for row in rows):
        mine = [row for row in rows if row["code"] == code]
        counts = {word: sum(row["result"] == word for row in mine) for word in ("proven", "failed", "skipped")}
        words = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        lines.append(f"{code} {mine[0]['name']:32} {words}")
        lines += [f"    example {row['example']}: {failure}" for row in mine for failure in row["failures"]]
    total = {word: sum(row["result"] == word for row in rows) for word in ("proven", "failed", "skipped")}
    return "\n".join([*lines, f"torch {version}: " + ", ".join(f"{count} {word}" for word, count in total.items())])


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when everything is proven, 1 when something is not."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cards", nargs="+", default=[], metavar="CODE", help="only cards of these codes or names")
    parser.add_argument("--rules", nargs="+", default=[], type=Path, metavar="PATH", help="also these cards")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to this file")
    options = parser.parse_args(arguments)
    examples = examples_of(load_rules(options.rules))
    if options.cards:
        examples = [
            example
            for example in examples
            if example["name"] in options.cards or example["code"].startswith(tuple(options.cards))
        ]
    version = torch_version()
    rows = prove(examples, version)
    if options.json:
        options.json.write_text(
            json.dumps({"torch": version, "python": sys.version.split()[0], "results": rows}, indent=1)
        )
    sys.stdout.write(table(rows, version) + "\n")
    return 1 if any(row["result"] == "failed" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
