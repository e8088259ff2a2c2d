"""Write docs/survey.md, or the results that it is made of.

python benchmarks/accuracy/survey_page.py pack BEFORE.jsonl AFTER.jsonl NEWER.jsonl
python benchmarks/accuracy/survey_page.py check SITE_PACKAGES
python benchmarks/accuracy/survey_page.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
RESULTS, PAGE = PROJECT / "benchmarks" / "results" / "survey-transformers.json", PROJECT / "docs" / "survey.md"
MODES = ("eval", "train")
CAUSES = {
    "GB0007": "A method of a tensor that was looked up before one of its arguments broke the graph"
    " (`h.masked_scatter(mask, norm(h[mask]))`): Dynamo is given the bound method then, and does not trace it.",
    "GB0033": "A number is read from a tensor: `.item()`, or a tensor as a size or a padding.",
    "GB0036": "The size of the output depends on data: `x[mask]`, `torch.where(c)`, `torch.bincount`.",
    "GB0088": "The code raises where Dynamo traces it: in eager mode alone it makes the mask that it then subscripts"
    " (BRK657). A caller that inlines it is taken up first, and has the same exception on its own row: no cause by"
    " itself.",
    "GB0124": "`.item()` on a tensor.",
    "GB0156": "After a break, the rest of the frame holds an object whose methods Dynamo does not trace.",
    "GB0170": "A branch on a tensor (`if length <= limit`).",
    "GB0206": "`x.requires_grad = True` in forward.",
    "GB0291": "A method of a logger.",
    "GB4347": "Not a cause of its own: the wrapper that collects hidden states is resumed after a break below it.",
    "GB8985": "`x.requires_grad_()` on a tensor that is made in forward.",
}


INTRODUCTION = """\
# Survey of library models

What `breaklint observe --library transformers` ([observe](observe.md)) says of a sample: {number} of the 1,841 public
classes of transformers 5.23, the first in the order of a seed (`benchmarks/accuracy/survey.py --seed 33`), as many
as there was time for. It is a sample: a share of it has an error of several points. Configurations are shrunken and
inputs made up, without a cache and without labels; a mode of a model has one form of inputs, training its backward.

Of the {number}, {parts} are parts without a configuration of their own, and {not_built} could not be built or called:
they are not in the table. "No result" is a limit of 90 seconds a mode on a machine with other work.
"""
HEAD = "| | models | in one graph | broken | raised | no result |\n|---|---|---|---|---|---|"
AFTER = """
After `breaklint check --fix --unsafe-fixes` of the {files} files with breaks, in a copy of the library: models with a
break in one of the ten that it changed. Those of torch 2.15 are the first of those that broke or had no result on 2.13,
as many as there was time for: they say whether the same models still break, not what share of all does.
"""
DRAWS = """\
NumPy's random numbers, from which the speech models take masks and dropped layers, were not seeded in these runs. Run
again with a seed, all twelve runs of the six models but one are equal: in training, an expert of SwitchTransformers
that an unsafe fix runs on all rows draws its dropout for all of them, which the fix says.
"""
BREAKS = """
## What breaks

| row of transformers | Dynamo's id | found by check | models of the sample |
|---|---|---|---|"""
MISSED = """
`breaklint check --target-torch 2.13` finds {found} of the {total} rows without a profile. The others, by cause:
"""
NOT_BUILT = """
## What could not be built

The first reason for each; sizes that do not fit come from shrunken or made-up numbers, not from the model.
"""


def main(arguments: Sequence[str]) -> int:
    """Pack results, or write the page."""
    if arguments[:1] == ["pack"]:
        before, after, newer = (
            [json.loads(line) for line in Path(name).read_text().splitlines()] for name in arguments[1:]
        )
        RESULTS.write_text(json.dumps(packed(before, after, newer), indent=1) + "\n")
    if arguments[:1] == ["check"]:
        results = json.loads(RESULTS.read_text())
        results["found"] = found_by_check(results["before"], Path(arguments[1]))
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    PAGE.write_text(page(json.loads(RESULTS.read_text())))
    return 0


def packed(before: list[Any], after: list[Any], newer: list[Any]) -> dict[str, Any]:
    """All results without the numbers of their outputs, of which it is kept whether fixes change them."""
    eager = {(each["model"], each["mode"]): each["outputs"] for each in before}
    for each in after:
        outputs = eager.get((each["model"], each["mode"]))
        each["same_as_before"] = close(outputs, each["outputs"]) if outputs and each["outputs"] else None
    named = {"before": before, "after": after, "newer": newer}
    return {name: [{**each, "outputs": None} for each in every] for name, every in named.items()}


def found_by_check(results: list[Any], folder: Path) -> list[tuple[str, int]]:
    """The rows that broke on which check finds a break, in the library's files below a folder."""
    broken = {(file, row) for each in results for file, row, _, _ in each["breaks"]}
    options = ["--isolated", "--no-cache", "--target-torch", "2.13", "--output-format", "json"]
    command = [sys.executable, "-m", "breaklint", "check", *options, *sorted({file for file, _ in broken})]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    breaks = [each for each in json.loads(done.stdout) if each["effect"] == "break"]
    rows_of = ((each["filename"], each["location"]["row"], each["end_location"]["row"]) for each in breaks)
    return sorted(broken & {(file, row) for file, first, last in rows_of for row in range(first, last + 1)})


def close(one: list[Any], other: list[Any]) -> bool:
    """Do the numbers that stand for outputs agree, within what float32 leaves open?"""
    return len(one) == len(other) and all(
        a[0] == b[0] and all(abs(x - y) <= 1e-3 * max(1.0, abs(a[1])) for x, y in zip(a[1:], b[1:], strict=True))
        for a, b in zip(one, other, strict=True)
    )


def page(results: dict[str, Any]) -> str:
    """The page as Markdown."""
    before, after, newer = results["before"], results["after"], results["newer"]
    number = len({each["model"] for each in before})
    not_built = sorted((each for each in before if each["state"] == "not built"), key=lambda each: each["model"])
    parts = [each for each in before if each["state"] == "no model"]
    lines = [
        INTRODUCTION.format(number=number, parts=len(parts), not_built=len(not_built)),
        HEAD,
        *rows("torch 2.13", before),
        *rows("torch 2.15, of those that broke on 2.13", newer),
        AFTER.format(files=len({file for each in before for file, *_ in each["breaks"]})),
        HEAD,
        *rows("fixed, torch 2.13", after),
        "",
        *comparison(before, after, newer),
        BREAKS,
        *places(before, {(file, row) for file, row in results["found"]}),
        "",
        *(f"- {gb}: {CAUSES[gb]}" for gb in sorted(ids(before)) if gb in CAUSES),
        *missed(before, {(file, row) for file, row in results["found"]}),
        NOT_BUILT,
        *(f"- {each['model']}: {plain(each['why'])}" for each in not_built),
    ]
    return "\n".join(lines) + "\n"


def comparison(before: list[Any], after: list[Any], newer: list[Any]) -> Iterable[str]:
    """Which runs compute something else."""
    compared = [each for each in after if each["same_as_before"] is not None]
    changed = listed([each for each in compared if not each["same_as_before"]])
    wrong = listed([each for each in (*before, *newer) if each["wrong"]])
    yield f"Fixed and not: outputs and gradients were compared in {len(compared)} runs. They differ in: {changed}."
    yield DRAWS
    yield f"Compiled and not, with the backend `eager`: they differ in: {wrong}."


def rows(title: str, results: list[Any]) -> Iterable[str]:
    """A row a mode."""
    for mode in MODES:
        states = Counter(each["state"] for each in results if each["mode"] == mode)
        total = sum(states.values())
        if total:
            whole = f"{states['whole']} ({100 * states['whole'] / total:.1f} %)"
            others = " | ".join(str(states[state]) for state in ("broken", "raised", "ended"))
            yield f"| {title}, {mode} | {total} | {whole} | {others} |"


def missed(results: list[Any], found: set[tuple[str, int]]) -> Iterable[str]:
    """How many rows check finds, and the others by Dynamo's id."""
    broken = {(file, row, gb) for each in results for file, row, gb, _ in each["breaks"]}
    others = Counter(gb for file, row, gb in broken if (file, row) not in found)
    yield MISSED.format(found=len(broken) - others.total(), total=len(broken))
    for gb, number in sorted(others.items()):
        yield f"- {gb}, {number} row{'s' if number > 1 else ''}: {CAUSES.get(gb, '')}"


def places(results: list[Any], seen: set[tuple[str, int]]) -> Iterable[str]:
    """A row a line that broke; `seen` are those that check finds."""
    found: dict[tuple[str, int, str], set[str]] = {}
    for each in results:
        for file, row, gb, _ in each["breaks"]:
            found.setdefault((file, row, gb), set()).add(f"{each['model']} ({each['mode']})")
    for (file, row, gb), models in sorted(found.items()):
        is_found = "yes" if (file, row) in seen else "no"
        yield f"| {file.removeprefix('transformers/')}:{row} | {gb} | {is_found} | {', '.join(sorted(models))} |"


def ids(results: list[Any]) -> set[str]:
    """Dynamo's ids of all breaks."""
    return {gb for each in results for _, _, gb, _ in each["breaks"]}


def listed(results: list[Any]) -> str:
    """Models with modes."""
    names = (f"{each['model']} ({each['mode']}, torch {each['torch'].partition('+')[0]})" for each in results)
    return ", ".join(names) or "none"


def plain(why: str) -> str:
    """A reason as inline code."""
    return f"`{why[:160].replace('`', '')}`"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
