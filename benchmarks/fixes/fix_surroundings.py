"""Generated models in hostile surroundings before and after safe fixes: in how many a caller sees a difference.

    python benchmarks/fixes/fix_surroundings.py --variants 4000 --jobs 2 --out benchmarks/results/fix-surroundings

Names that mean something else, values that are changed between definition and use, blocks, functions, decorators,
subclasses, layouts, methods that set state, lists and dicts that change, and another file are put around the models of
every kind of fix (tests/fixes/differential/surroundings). Writes FILE.json and FILE.md. Exit code 1 when a difference
is found that no fix warns of.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "fixes"))

import torch
from differential.surroundings.hunting import KINDS, hunt

CALLS, BATCH, SHOWN = 2, 500, 40
COUNTED = ("variants", "fixed", "calls", "differences", "seconds")
ENVIRONMENT = f"torch {torch.__version__}, Python {platform.python_version()}, CPU"
Row = dict[str, Any]


def measured(task: tuple[str, int, float]) -> Row:
    """One batch of variants of a kind; nothing where the time to begin it is over."""
    torch.set_num_threads(1)
    kind, number, end = task
    started = time.perf_counter()
    if time.time() > end:
        return {"kind": kind, **dict.fromkeys(COUNTED, 0), "shown": []}
    result = hunt(kind, BATCH, CALLS, number)
    ordered = sorted(result.found, key=lambda each: len(each[1].before))
    shown = [f"{', '.join(done)}\n{found}" for done, found in ordered]
    return {
        "kind": kind,
        "variants": result.variants,
        "fixed": result.fixed,
        "calls": result.calls,
        "differences": len(result.found),
        "seconds": time.perf_counter() - started,
        "shown": shown[:SHOWN],
    }


def table(rows: dict[str, Row]) -> str:
    """The counts as a table in Markdown."""
    keys = ["variants", "fixed", "calls", "differences"]
    lines = [["kind of fix", "variants", "fixed", "calls before and after", "differences"], ["---", *["---:"] * 4]]
    lines += [[kind, *(str(row[key]) for key in keys)] for kind, row in sorted(rows.items())]
    lines.append(["**all**", *(str(sum(row[key] for row in rows.values())) for key in keys)])
    return "\n".join([*(f"| {' | '.join(line)} |" for line in lines), "", ENVIRONMENT, ""])


def main() -> int:
    """Hunt in every kind and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", type=int, default=4000, help="variants a kind")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, metavar="KIND")
    parser.add_argument("--start", type=int, default=0, help="the first batch: others hold other variants")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no batch after so long")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write FILE.json and FILE.md")
    given = parser.parse_args()
    batches = range(given.start, given.start + max(1, given.variants // BATCH))
    end = time.time() + given.seconds
    tasks = [(kind, number, end) for number in batches for kind in given.kinds]
    rows: dict[str, Row] = {}
    # An executor that replaces its processes may wait for ever in Python 3.11.
    with get_context("spawn").Pool(given.jobs, maxtasksperchild=20) as pool:
        for found in pool.imap_unordered(measured, tasks):
            row = rows.setdefault(found["kind"], dict.fromkeys(COUNTED, 0))
            for key in COUNTED:
                row[key] += found[key]
            row["shown"] = [*row.get("shown", ()), *found["shown"]][:SHOWN]
            print(found["kind"], {key: row[key] for key in row if key != "shown"}, flush=True)
            print(*found["shown"][:1], sep="\n\n", flush=True)
            if given.out is not None:
                result = json.dumps({"environment": ENVIRONMENT, "rows": rows}, indent=1)
                given.out.with_suffix(".json").write_text(result)
                given.out.with_suffix(".md").write_text(table(rows), encoding="utf-8")
    print(table(rows))
    return 1 if any(row["differences"] for row in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
