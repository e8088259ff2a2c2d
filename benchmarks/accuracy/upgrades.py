"""The changes that `breaklint upgrade` reports, compared with the versions, on all cards' examples and fixtures: lines
that begin or stop to break.

    python benchmarks/accuracy/upgrades.py --observe up-2.13.json      in an environment with torch: what it does
    python benchmarks/accuracy/upgrades.py --out benchmarks/results/upgrades.json up-2.13.json up-2.15.json …

Needs torch and PyYAML to observe, breaklint alone to compare.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import itertools
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from breaklint.dynamo.events import Break

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))
Case = dict[str, Any]
Rows = dict[str, list[int] | None]  # None: it does not run there


def cases() -> Iterator[Case]:
    """Every version of every example, and both sides of every fixture."""
    from breaklint.rules.cards import load_rules
    from breaklint.verify.prove.runner import examples_of

    for example in examples_of(load_rules()):
        for key in ("bad", "good", "fixed"):
            if example[key] and example["code"] < "BRK9":
                yield {
                    **example,
                    "key": key,
                    "id": f"{example['name']} {example['number']} {key}",
                    "text": example[key],
                }
    for path in sorted((PROJECT / "fixtures").glob("*/*.py")):
        if path.stem in ("before", "after") and "get_inputs" in path.read_text():
            yield {"id": f"fixtures {path.parent.name} {path.stem}", "text": path.read_text(), "path": str(path)}


def observed(case: Case, folder: Path) -> list[int] | None:
    """The lines on which the installed torch breaks the graph."""
    import torch

    from breaklint.dynamo.listener import Listener
    from breaklint.verify.prove.on_dynamo import Example

    try:
        if "key" in case:
            example = Example(case, folder)
            return rows_of(example.trace(case["key"], example.inputs()).breaks)
        torch._dynamo.reset()
        spec = importlib.util.spec_from_file_location("upgrade_case", case["path"])
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["upgrade_case"] = module
        spec.loader.exec_module(module)
        with redirect_stdout(io.StringIO()), Listener() as heard:
            model = module.Model(*getattr(module, "get_init_inputs", list)())
            torch.compile(model, backend="eager")(*module.get_inputs())
        return rows_of(heard.breaks())
    except Exception:  # noqa: BLE001 (an example for other versions may do anything)
        return None


def rows_of(breaks: Iterable[Break]) -> list[int]:
    """The lines of a case that break, or that call breaking code."""
    return sorted({broken.row if broken.own else (broken.called_from or ("", 0))[1] for broken in breaks})


def observe(out: Path) -> None:
    """Write the breaks on the installed torch."""
    import torch

    torch.set_num_threads(1)
    options = torch._dynamo.config.save_config()
    rows: Rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in cases():
            torch._dynamo.config.load_config(options)
            rows[case["id"]] = observed(case, Path(folder))
    out.write_text(json.dumps({"torch": torch.__version__, "rows": rows}))


def predicted(case: Case, torch: str) -> dict[int, range]:
    """The first lines on which check finds a break for a version, with all lines of each finding."""
    from breaklint.lint.engine import check_source
    from breaklint.model import Effect, Settings

    settings = Settings(target_torch=torch, follow_environment=False)
    findings = check_source(case["text"], f"{case['id'].replace(' ', '_')}.py", settings).findings
    spans = (finding.span for finding in findings if finding.effect is Effect.BREAK)
    return {span.start.row: range(span.start.row, span.end.row + 1) for span in spans}


def compare(files: list[Path]) -> dict[str, Any]:
    """For each pair of versions the changes that are right, wrong (said, and not so) and missed."""
    runs = [json.loads(path.read_text()) for path in files]
    versions = [".".join(run["torch"].split(".")[:2]) for run in runs]
    pairs = [*itertools.pairwise(range(len(runs))), (0, len(runs) - 1)]
    report: dict[str, Any] = {"torch": [run["torch"] for run in runs], "cases": len(runs[0]["rows"]), "pairs": {}}
    everything = {case["id"]: case for case in cases()}
    predictions = {(name, torch): predicted(case, torch) for name, case in everything.items() for torch in versions}
    report["lines"] = {torch: lines(run, predictions, torch) for run, torch in zip(runs, versions, strict=True)}
    for old, new in dict.fromkeys(pairs):
        right, wrong, missed = [], [], []
        for name in everything:
            before, after = runs[old]["rows"].get(name), runs[new]["rows"].get(name)
            if before is None or after is None:
                continue
            one, two = predictions[name, versions[old]], predictions[name, versions[new]]
            really, claims = differing(before, after), differing(one, two)
            spans = {**one, **two}
            for kind, row in sorted(claims):
                fits = {(what, at) for what, at in really if what == kind and at in spans[row]}
                (right if fits else wrong).append(f"{name}:{row} {kind}")
                really -= fits
            missed += [f"{name}:{row} {kind}" for kind, row in sorted(really)]
        counts = {"right": len(right), "wrong": len(wrong), "missed": len(missed)}
        report["pairs"][f"{versions[old]} to {versions[new]}"] = {**counts, "wrong_ones": wrong, "missed_ones": missed}
    return report


def differing(old: Iterable[int], new: Iterable[int]) -> set[tuple[str, int]]:
    """The lines that stop and begin to break."""
    return {("stops", row) for row in {*old} - {*new}} | {("begins", row) for row in {*new} - {*old}}


def lines(run: dict[str, Any], predictions: dict[tuple[str, str], dict[int, range]], torch: str) -> dict[str, int]:
    """How many lines break as check says for the version, how many it misses and how many it says wrongly."""
    counts = {"right": 0, "missed": 0, "wrong": 0}
    for name, rows in run["rows"].items():
        if rows is None or (name, torch) not in predictions:
            continue
        spans = predictions[name, torch].values()
        counts["right"] += sum(any(row in span for span in spans) for row in rows)
        counts["missed"] += sum(not any(row in span for span in spans) for row in rows)
        counts["wrong"] += sum(not any(row in span for row in rows) for span in spans)
    return counts


def main() -> None:
    """Observe, or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--observe", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.observe:
        observe(options.observe)
        os._exit(0)
    report = compare(options.files)
    if options.out:
        options.out.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
