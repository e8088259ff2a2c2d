"""Generated models before and after every kind of fix: how many are fixed, and in how many a caller sees a difference.

    python benchmarks/fixes/fix_differential.py --variants 2000 --jobs 2 --out benchmarks/results/fix-differential

Writes FILE.json and FILE.md. A disagreement is a difference that the fix does not warn of: of safe fixes any at all.
Exit code 1 when there is one. Every so many variants one is compiled as well: none may break where breaklint says no
more that it does.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "fixes"))

import torch
from differential.compiling import break_rows, breaks_left
from differential.inputs import Call
from differential.judging import Rewrite
from differential.kinds import GENERATORS
from differential.survey import survey

CALLS = 4
ENVIRONMENT = f"torch {torch.__version__}, Python {platform.python_version()}, CPU"
SHOWN = 20  # disagreements that are written in full
Row = dict[str, Any]


def measured(kind: str, variants: int, compile_every: int) -> Row:
    """The counts of one kind, with the whole disagreements."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    compiled = {"fixed": 0, "compiled": 0, "broke_before": 0}
    remaining: list[str] = []
    with tempfile.TemporaryDirectory() as folder:

        def look(rewrite: Rewrite, text: str, calls: list[Call]) -> None:
            compiled["fixed"] += 1
            if compiled["fixed"] % compile_every:
                return
            compiled["compiled"] += 1
            compiled["broke_before"] += bool(break_rows(text, calls[0].tensors()[0], Path(folder)))
            rows = breaks_left(text, rewrite, GENERATORS[kind].traced(calls[0]), Path(folder))
            if rows:
                remaining.append(f"rows {sorted(rows)} of\n{rewrite.text}")

        count = survey(kind, variants, CALLS, look)
    row = {**count.row(), "compiled": compiled["compiled"], "broke_before": compiled["broke_before"]}
    row |= {"breaks_remain": len(remaining), "seconds": round(time.perf_counter() - started)}
    return row | {"shown": [str(item) for item in count.disagreements[:SHOWN]], "remaining": remaining[:SHOWN]}


def write_table(rows: list[Row], out: Path | None) -> None:
    """Write the measurements so far."""
    if out is not None:
        out.with_suffix(".json").write_text(json.dumps({"environment": ENVIRONMENT, "rows": rows}, indent=1))
        out.with_suffix(".md").write_text(table(rows), encoding="utf-8")


def table(rows: list[Row]) -> str:
    """The counts as a table in Markdown."""
    head = ["kind of fix", "variants", "fixed: safe", "unsafe", "calls before and after", "disagreements", "compiled",
            "broke before", "break remains"]  # fmt: skip
    keys = ["kind", "variants", "safe", "unsafe", "calls", "disagreements", "compiled", "broke_before", "breaks_remain"]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    lines += [[str(row[key]) for key in keys] for row in rows]
    lines.append(["**all**", *(str(sum(row[key] for row in rows)) for key in keys[1:])])
    return "\n".join([*(f"| {' | '.join(line)} |" for line in lines), "", ENVIRONMENT, ""])


def main() -> int:
    """Measure every kind and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", type=int, default=2000, help="different models a kind")
    parser.add_argument("--compile-every", type=int, default=50, metavar="N", help="compile each Nth fixed model")
    parser.add_argument("--kinds", nargs="+", choices=sorted(GENERATORS), default=sorted(GENERATORS), metavar="KIND")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write FILE.json and FILE.md")
    options = parser.parse_args()
    work = partial(measured, variants=options.variants, compile_every=options.compile_every)
    rows: list[Row] = []
    # An executor that replaces its processes may wait for ever in Python 3.11.
    with get_context("spawn").Pool(options.jobs, maxtasksperchild=1) as pool:
        for row in pool.imap(work, options.kinds):
            rows.append(row)
            write_table(rows, options.out)
            print({key: row[key] for key in row if key not in ("shown", "remaining")}, flush=True)
            print(*row["shown"][:3], *row["remaining"][:3], sep="\n\n", flush=True)
    print(table(rows))
    return 1 if any(row["disagreements"] or row["breaks_remain"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
