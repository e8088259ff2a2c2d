"""Labels of ParityBench for the installed torch: the rows on which Dynamo broke when the modules of each file ran.

    python benchmarks/accuracy/corpus_labels.py --known LABELS.jsonl --source PARITYBENCH/generated --out NEW.jsonl

Only files that the known labels name are run, each in a process of its own, once and in eval mode as those were. The
output has the form that benchmarks/accuracy/accuracy.py reads; what the known labels say of mocks is taken over.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch

sys.path.append(str(Path(__file__).resolve().parents[1] / "fixes"))

from exam_worker import followed, found, recorded
from fix_corpus_worker import SETTINGS, helpers, load, prepared, seed

from breaklint.verify.arm.trace import CompileTrace


def main() -> int:
    """Run the files of the known labels, and write what Dynamo did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--known", type=Path, required=True, action="append")
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=int, default=240, help="at most for a file")
    parser.add_argument("-j", type=int, default=2)
    given = parser.parse_args()
    known = [json.loads(line) for path in given.known for line in path.read_text("utf-8").splitlines()]
    names = sorted({label["file"] for label in known})
    mocked = {(label["file"], row["line"]) for label in known for row in label["breaks"] if row.get("mock")}
    context = get_context("fork")  # torch is imported once
    waiting, running = list(reversed(names)), dict[str, Any]()
    with given.out.open("w", encoding="utf-8") as out:
        while waiting or running:
            while waiting and len(running) < given.j:
                name = waiting.pop()
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=child, args=(given.source / name, theirs, given.seconds))
                process.start()
                theirs.close()
                running[name] = (process, ours)
            for name, (process, ours) in [*running.items()]:
                if ours.poll(0.05):
                    try:
                        told = ours.recv()
                    except EOFError:
                        told = None
                    process.join()
                    del running[name]
                    if told is None:
                        print(f"{name}: ended early", file=sys.stderr)
                        continue
                    for broken in told["breaks"]:
                        broken["mock"] = (name, broken["line"]) in mocked
                    out.write(json.dumps({"file": name, "torch": torch.__version__.partition("+")[0], **told}) + "\n")
                    out.flush()
                    print(f"{name}: {told['modules_run']} modules, {len(told['breaks'])} breaks", file=sys.stderr)
            time.sleep(0.02)
    return 0


def child(path: Path, pipe: Any, seconds: int) -> None:
    """Run a file in this process; after `seconds` it ends without a word."""
    signal.alarm(seconds)
    torch.set_num_threads(1)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (what the modules print is no row)
    sys.modules["_paritybench_helpers"] = helpers()
    module = load(path, path.stem)
    cases = [case for case in module.__dict__.get("TESTCASES", ()) if isinstance(case[0], type)]
    pipe.send(labels([run(case, path) for case in cases]))
    os._exit(0)


def run(case: Sequence[Any], path: Path) -> dict[str, Any] | None:
    """What one module did, None where it does not run in eager mode."""
    executed, traced = defaultdict[str, set[int]](set), defaultdict[str, set[int]](set)
    torch._dynamo.reset()
    torch._dynamo.config.load_config(SETTINGS[path])
    own = [str(path)]
    try:
        with torch.no_grad():
            model, args, kwargs = prepared(case)
            with recorded(executed, own):
                model(*args, **kwargs)
            model, args, kwargs = prepared(case)
            with CompileTrace() as trace, followed(traced, own):
                seed()
                torch.compile(model, backend="eager")(*args, **kwargs)
    except Exception:  # noqa: BLE001 (a library's model may raise anything)
        return None
    return {"executed": executed[str(path)], "traced": traced[str(path)], "breaks": found(trace, own)}


def labels(results: Sequence[dict[str, Any] | None]) -> dict[str, Any]:
    """What all modules of a file tell together."""
    ran = [result for result in results if result is not None]
    executed = {row for result in ran for row in result["executed"]}
    traced = {row for result in ran for row in result["traced"]}
    breaks: dict[int, dict[str, Any]] = {}
    for broken in (each for result in ran for each in result["breaks"]):
        if broken["lib"] and broken["line"] not in traced:
            continue  # below code that Dynamo has given up, it takes up a library's frames by themselves
        told = {key: broken[key] for key in ("line", "type", "gb", "lib", "loop")}
        breaks.setdefault(broken["line"], told)
    return {
        "modules_run": len(ran),
        "executed": sorted(executed | traced),
        "untraced": sorted(executed - traced),
        "breaks": [breaks[row] for row in sorted(breaks)],
    }


if __name__ == "__main__":
    sys.exit(main())
