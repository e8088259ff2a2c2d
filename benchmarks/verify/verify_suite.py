"""Times `breaklint verify` on all fixtures, of one tree or of several in turn, in two modes of torch.compile.

    python benchmarks/verify/verify_suite.py --device cuda --trees . /earlier --out verify-suite.json

Each tree runs with its own breaklint. Wall seconds, verdicts, and what is inconclusive are printed as they come.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

MODES = ("default", "reduce-overhead")


def main() -> int:
    """Run each tree in each mode, one after the other, and write the figures."""
    parser = argparse.ArgumentParser(description="What verifying all fixtures takes.")
    parser.add_argument("--trees", nargs="+", type=Path, default=[Path()], help="checkouts of breaklint")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES))
    parser.add_argument("--only", nargs="*", default=[], help="names of fixtures")
    parser.add_argument("--out", type=Path, help="a JSON file for the figures")
    asked = parser.parse_args()
    figures = []
    for mode in asked.modes:
        for tree in asked.trees:
            figures.append(_run(tree.resolve(), mode, asked.device, asked.only))
            print(json.dumps(figures[-1]), flush=True)
    if asked.out:
        asked.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def _run(tree: Path, mode: str, device: str, only: list[str]) -> dict[str, Any]:
    fixtures = [str(path) for path in sorted((tree / "fixtures").iterdir()) if path.name in (only or [path.name])]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "breaklint", "verify", *fixtures, "--devices", device, "--mode", mode]
        started = time.perf_counter()
        environment = {**os.environ, "PYTHONPATH": str(tree), "BREAKLINT_CACHE_DIR": folder}  # nothing is known
        subprocess.run([*command, "--output-format", f"json:{report}"], cwd=tree, env=environment, check=False)
        wall_s = time.perf_counter() - started
        targets = json.loads(report.read_text("utf-8"))["targets"]
    return {
        "tree": tree.name,
        "mode": mode,
        "wall_s": round(wall_s, 1),
        "verdicts": dict(Counter(target["verdict"] for target in targets)),
        "inconclusive": {t["target"]: t["why"] for t in targets if t["verdict"] == "inconclusive"},
        "failed": {
            f"{target['target']}: {name}": arm["error"]
            for target in targets
            for name, arm in target["arms"].items()
            if arm["error"]
        },
    }


if __name__ == "__main__":
    sys.exit(main())
