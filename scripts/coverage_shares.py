"""The share of statements and branches that the measured tests take, part by part, held against a floor for each.

    python scripts/coverage_shares.py --without verify   after `coverage run`; 1 when a part is below its floor
    python scripts/coverage_shares.py --out FILE         the same of all parts, and writes FILE

A part is a folder of the package; what lies beside them is one, too. Floors are in `coverage_floors.json`, in percent.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections import defaultdict
from pathlib import Path

from coverage import Coverage

FLOORS: dict[str, float] = json.loads(Path(__file__).with_name("coverage_floors.json").read_text("utf-8"))
COUNTS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def counts_by_part() -> dict[str, dict[str, int]]:
    """Statements and branches of every part, and how many of them were taken, from the data of the last run."""
    measured = Coverage()
    measured.combine()
    measured.save()
    report = Path(measured.config.data_file).with_name("report.json")
    measured.json_report(outfile=str(report))
    parts: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTS, 0))
    for name, file in json.loads(report.read_text("utf-8"))["files"].items():
        path = Path(name)
        part = path.parts[1] if len(path.parts) > 2 else "beside them"
        for count in COUNTS:
            parts[part][count] += file["summary"][count]
    return dict(sorted(parts.items()))


def with_shares(counts: dict[str, int]) -> dict[str, float]:
    """The counts and, in percent, the share of statements, of branches, and of both together, as coverage.py has it."""
    statements, lines, branches, taken = (counts[count] for count in COUNTS)
    shares = {
        "statements_percent": lines / (statements or 1),
        "branches_percent": taken / (branches or 1),
        "percent": (lines + taken) / (statements + branches or 1),
    }
    return {**counts, **{name: round(100 * share, 1) for name, share in shares.items()}}


def main() -> int:
    """Print the shares, write them where asked, and name the parts below their floors."""
    parser = argparse.ArgumentParser(description="Coverage by part, and whether it is above its floor.")
    parser.add_argument("--without", action="append", default=[], metavar="PART", help="its tests did not run")
    parser.add_argument("--out", type=Path, help="a JSON file for the shares")
    asked = parser.parse_args()
    parts = {part: counts for part, counts in counts_by_part().items() if part not in asked.without}
    total = {count: sum(counts[count] for counts in parts.values()) for count in COUNTS}
    shares = {"all": with_shares(total), **{part: with_shares(counts) for part, counts in parts.items()}}
    if asked.out:
        result = {"python": platform.python_version(), "left_out": asked.without, "parts": shares}
        asked.out.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    for part, share in shares.items():
        print(f"{part:12} statements {share['statements_percent']:5} %   branches {share['branches_percent']:5} %")
    low = [part for part, floor in FLOORS.items() if part in shares and shares[part]["percent"] < floor]
    for part in low:
        print(f"{part}: {shares[part]['percent']} % lies below its floor of {FLOORS[part]} %", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
