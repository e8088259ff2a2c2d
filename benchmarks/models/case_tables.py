"""The tables of docs/case-*.md, from the results of verify on an H200.

    python benchmarks/models/case_tables.py [--check] [--add SECTION=VERIFY.json ...]

Between `<!-- measured: NAME ... -->` and `<!-- measured: end -->` stands a row for every run of these models in
results/real-models-h200.json or case-studies-cpu.json. With `--check` nothing is written, and the exit status is 1
where a page differs. `--add` first puts what `breaklint verify --output-format json:VERIFY.json` measured into a
section of the results, one of SECTIONS: those of a CPU are kept apart.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
RESULTS = PROJECT / "benchmarks" / "results" / "real-models-h200.json"
ON_CPU = PROJECT / "benchmarks" / "results" / "case-studies-cpu.json"
PAGES = sorted((PROJECT / "docs").glob("case-*.md"))
SECTIONS = {"default": "default", "reduce-overhead": "reduce-overhead"}
SECTIONS |= {f"case studies, {mode}": f"{mode}, second run" for mode in ("default", "reduce-overhead")}
SECTIONS |= {f"newest, {mode}": mode for mode in ("default", "reduce-overhead")}
SECTIONS |= {"CPU, default": "default, on a CPU"}
BLOCK = re.compile(r"(<!-- measured: ([\w ]+) -->\n).*?(<!-- measured: end -->)", re.DOTALL)
HEAD = (
    "\n| model | mode | graphs a call | eager | as it is | fixed | gain | compiling, s | memory, MB | verdict |\n"
    "| --- | --- | --: | --: | --: | --: | --- | --: | --: | --- |\n"
)


def row(name: str, mode: str, target: dict[str, Any]) -> str:
    """The row of one model in one mode; the times are medians of a call in ms."""
    arms = target["arms"]
    before, after = arms["before"], arms["after"]
    low, high = target["interval"]
    cells = [
        f"`{name}`",
        mode,
        f"{before['graphs_per_call']} → {after['graphs_per_call']}",
        *(f"{arm['median_ms']:.2f}" for arm in (arms["eager"], before, after)),
        f"{target['speedup']:.2f}× [{low:.2f}, {high:.2f}]",
        f"{before['compile_s']:.1f} → {after['compile_s']:.1f}",
        " → ".join(
            f"{arm['peak_memory_bytes'] / 1e6:.0f}" if arm["peak_memory_bytes"] else "–" for arm in (before, after)
        ),
        target["verdict"].replace("-", " "),
    ]
    return f"| {' | '.join(cells)} |\n"


def table(names: list[str], results: dict[str, Any]) -> str:
    """The rows of some models, a section of the results after the other."""
    rows = ""
    for section, mode in SECTIONS.items():
        for name in names:
            targets = results.get(section, {"targets": []})["targets"]
            rows += "".join(row(name, mode, each) for each in targets if each["target"].endswith(f":case_{name}"))
    return f"{HEAD}{rows}\n"


def written(text: str, results: dict[str, Any]) -> str:
    """A page with its tables as the results have them."""
    return BLOCK.sub(lambda found: found[1] + table(found[2].split(), results) + found[3], text)


def read(path: Path) -> dict[str, Any]:
    """The sections of a file of results."""
    results: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return results


def add(section: str, report: dict[str, Any]) -> None:
    """Put the targets of a report into a section, in place of earlier measurements of theirs."""
    path = ON_CPU if section.startswith("CPU") else RESULTS
    results, new = read(path), {each["target"] for each in report["targets"]}
    kept = [each for each in results.get(section, {"targets": []})["targets"] if each["target"] not in new]
    results[section] = {"environment": report["environment"], "targets": [*kept, *report["targets"]]}
    path.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def main() -> None:
    """Write the pages, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--add", action="append", default=[], metavar="SECTION=FILE")
    options = parser.parse_args()
    for section, _, file in (each.partition("=") for each in options.add):
        add(section, json.loads(Path(file).read_text("utf-8")))
    check, results = options.check, {**read(ON_CPU), **read(RESULTS)}
    stale = []
    for page in PAGES:
        text = page.read_text("utf-8")
        if (new := written(text, results)) != text:
            stale.append(page.name)
            if not check:
                page.write_text(new, "utf-8")
    print("differs:" if check else "written:", *stale)
    sys.exit(bool(stale) and check)


if __name__ == "__main__":
    main()
