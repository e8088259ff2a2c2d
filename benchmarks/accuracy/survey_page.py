"""Write docs/survey.md, or the results that it is made of.

python benchmarks/accuracy/survey_page.py pack CHANGED.txt "torch 2.11=BEFORE.jsonl" "torch 2.11, fixed=AFTER.jsonl" …
python benchmarks/accuracy/survey_page.py check SITE_PACKAGES
python benchmarks/accuracy/survey_page.py

CHANGED.txt has the files that fixes changed, a line each. The first results are those of all models, the second of
those that ran again with the fixed files; others are of samples.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
RESULTS, PAGE = PROJECT / "benchmarks" / "results" / "survey-transformers.json", PROJECT / "docs" / "survey.md"
MODES = ("eval", "train")
FIRST = 190
"""Of the rows that broke, so many were found before the survey."""
SPEECH = ("Data2Vec", "Hubert", "SEW", "Speech", "UniSpeech", "Wav2Vec", "WavLM")
CAUSES = {
    "GB0007": "A method of a tensor that was looked up before one of its arguments broke the graph"
    " (`h.masked_scatter(mask, norm(h[mask]))`): Dynamo is given the bound method then, and does not trace it.",
    "GB0014": "An LSTM or a GRU.",
    "GB0033": "A number is read from a tensor: `.item()`, or a tensor as a size or a padding.",
    "GB0036": "The size of the output depends on data: `x[mask]`, `torch.where(c)`, `torch.bincount`.",
    "GB0088": "The code raises where Dynamo traces it: in eager mode alone it makes the mask that it then subscripts"
    " (BRK657). A caller that inlines it is taken up first, and has the same exception on its own row: no cause by"
    " itself.",
    "GB0124": "`.item()` on a tensor.",
    "GB0125": "`x.requires_grad_()` on a tensor that is made in forward.",
    "GB0142": "A context manager that is a generator of torch's own.",
    "GB0156": "After a break, the rest of the frame holds an object whose methods Dynamo does not trace.",
    "GB0170": "A branch on a tensor (`if length <= limit`).",
    "GB0206": "`x.requires_grad = True` in forward.",
    "GB0291": "A method of a logger.",
    "GB0208": "A torch function that returns no tensor.",
    "GB0213": "A Python operator that takes no tensor.",
    "GB0225": "A tensor is created with `requires_grad=True`.",
    "GB0264": "`nn.Parameter(...)` in forward.",
    "GB2669": "A comprehension in the rest of a frame that broke.",
    "GB4347": "Not a cause of its own: the wrapper that collects hidden states is resumed after a break below it.",
    "GB8985": "`x.requires_grad_()` on a tensor that is made in forward.",
}


INTRODUCTION = """\
# Survey of library models

What `breaklint observe --library transformers` ([observe](observe.md)) says of {number} of the 1,841 public classes of
transformers 5.23 with torch 2.11 (`benchmarks/accuracy/survey.py`), and of a random sample of 204 with torch 2.13.
Configurations are shrunken and inputs made up, without a cache and without labels; a mode of a model has one form of
inputs, training its backward. Of the {number}, {parts} are parts without a configuration of their own, and {not_built}
could not be built or called: they are not in the tables. "No result" is a limit of 45 seconds of processor time a mode
(90 in the sample), or a process that was ended.
"""
HEAD = "| | models | in one graph | broken | raised | no result |\n|---|---|---|---|---|---|"
FIXED = """
"Fixed" is after `breaklint check --fix --unsafe-fixes` of the {files} files with breaks, in a copy of the library, of
which it changed {changed}: the models of these files, and all that were not whole, ran again ({runs} runs). Outputs and
gradients of the uncompiled models were compared before and after in {compared} runs. They differ in
{differ}:
an expert that an unsafe fix runs on all rows draws its dropout for all of them, which the fix says. The rows of torch
2.15 are the first models of the sample that broke or had no result on 2.13: not a share of all.
"""
WRONG = """
## Compiled and not

With the backend `eager`, compiled outputs or gradients differed from those of the model in {wrong} runs on torch 2.11.
{speech} are of speech models in training, which draw from NumPy, and Dynamo draws its random numbers from torch's
generator: with `torch._dynamo.config.use_numpy_random_stream` the one that was tried, Wav2Vec2ForCTC on 2.13, is equal.
{rounding} others are taken for rounding, which that run measured by each element: on 2.13, the five of them that ran
again are equal by the largest element, as it is measured now. Phi4MultimodalVisionModel differs on 2.13 too, in both
modes; why is not known.
"""
BREAKS = """
## What breaks

| Dynamo's id | rows of transformers | found by check | models |
|---|---|---|---|"""
MISSED = """
`breaklint check --target-torch 2.11` finds {found} of the {total} rows without a profile, {first} before the survey.
The others:
"""
NOT_BUILT = """
## What could not be built

Sizes that do not fit come from shrunken or made-up numbers, not from the model.

| what lacked | models | an example |
|---|---|---|"""


def main(arguments: Sequence[str]) -> int:
    """Pack results, or write the page."""
    if arguments[:1] == ["pack"]:
        named = (argument.partition("=")[::2] for argument in arguments[2:])
        results = {name: [json.loads(line) for line in Path(file).read_text().splitlines()] for name, file in named}
        RESULTS.write_text(written(packed(results, Path(arguments[1]).read_text().splitlines())))
    if arguments[:1] == ["check"]:
        told = json.loads(RESULTS.read_text())
        RESULTS.write_text(written({**told, "found": found_by_check(told["breaks"], Path(arguments[1]))}))
    PAGE.write_text(page(json.loads(RESULTS.read_text())))
    return 0


def written(told: dict[str, Any]) -> str:
    """JSON with a line for each entry of a list."""
    lists = {
        name: "[\n" + ",\n".join(map(json.dumps, value)) + "\n]" for name, value in told.items() if type(value) is list
    }
    lines = (f"{json.dumps(name)}: {lists.get(name, json.dumps(value))}" for name, value in told.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def packed(results: dict[str, list[Any]], changed: list[str]) -> dict[str, Any]:
    """What the page tells of results: how many models came to what, what broke, what differed, what was not built."""
    (first, before), (second, after), *samples = results.items()
    outputs = {(each["model"], each["mode"]): each["outputs"] for each in before}
    pairs = [(each, outputs[each["model"], each["mode"]]) for each in after]
    both = [(each, was) for each, was in pairs if was and each["outputs"]]
    again = {(each["model"], each["mode"]): each for each in after}
    fixed = [again.get((each["model"], each["mode"]), each) for each in before]
    rows: dict[tuple[str, int, str], set[str]] = {}
    for each in before:
        for file, row, gb, _ in each["breaks"]:
            rows.setdefault((file, row, gb), set()).add(each["model"])
    named = [(first, before), (second, fixed), *samples]
    return {
        "states": {f"{name}, {mode}": states(every, mode) for name, every in named for mode in MODES},
        "models": len({each["model"] for each in before}),
        "parts": sum(each["state"] == "no model" for each in before),
        "changed": sum(name.endswith(".py") for name in changed),
        "runs": len(after),
        "compared": len(both),
        "differ": [[each["model"], each["mode"]] for each, was in both if not close(was, each["outputs"])],
        "wrong": sorted([each["model"], each["mode"]] for each in before if each["wrong"]),
        "breaks": [[*place, sorted(models)] for place, models in sorted(rows.items())],
        "found": [],
        "not_built": sorted([each["model"], each["why"]] for each in before if each["state"] == "not built"),
    }


def states(results: list[Any], mode: str) -> dict[str, int]:
    """How many models came to what in a mode."""
    return Counter(each["state"] for each in results if each["mode"] == mode)


def found_by_check(breaks: list[Any], folder: Path) -> list[tuple[str, int]]:
    """The rows that broke on which check finds a break, in the library's files below a folder."""
    broken = {(file, row) for file, row, *_ in breaks}
    options = ["--isolated", "--no-cache", "--target-torch", "2.11", "--output-format", "json"]
    command = [sys.executable, "-m", "breaklint", "check", *options, *sorted({file for file, _ in broken})]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    findings = [each for each in json.loads(done.stdout) if each["effect"] == "break"]
    rows_of = ((each["filename"], each["location"]["row"], each["end_location"]["row"]) for each in findings)
    return sorted(broken & {(file, row) for file, first, last in rows_of for row in range(first, last + 1)})


def close(one: list[Any], other: list[Any]) -> bool:
    """Do the numbers that stand for outputs agree, within what float32 leaves open?"""
    return len(one) == len(other) and all(
        a[0] == b[0] and all(abs(x - y) <= 1e-3 * max(1.0, abs(a[1])) for x, y in zip(a[1:], b[1:], strict=True))
        for a, b in zip(one, other, strict=True)
    )


def page(told: dict[str, Any]) -> str:
    """The page as Markdown."""
    found = {(file, row) for file, row in told["found"]}
    files = len({file for file, *_ in told["breaks"]})
    differ = ", ".join(f"{model} ({mode})" for model, mode in told["differ"]) or "none"
    speech = sum(model.startswith(SPEECH) for model, _ in told["wrong"])
    vision = sum(model.startswith("Phi4Multimodal") for model, _ in told["wrong"])
    counts = {"wrong": len(told["wrong"]), "speech": speech, "rounding": len(told["wrong"]) - speech - vision}
    lines = [
        INTRODUCTION.format(number=f"{told['models']:,}", parts=told["parts"], not_built=len(told["not_built"])),
        HEAD,
        *(row(title, every) for title, every in told["states"].items()),
        FIXED.format(**{**told, "files": files, "differ": differ}),
        BREAKS,
        *causes(told["breaks"], found),
        "",
        *(f"- {gb}: {CAUSES[gb]}" for gb in sorted({gb for _, _, gb, _ in told["breaks"]}) if gb in CAUSES),
        MISSED.format(found=len(found), total=len({(file, row) for file, row, *_ in told["breaks"]}), first=FIRST),
        *(
            f"- {file.removeprefix('transformers/')}:{row} ({gb}): {', '.join(models)}"
            for file, row, gb, models in told["breaks"]
            if (file, row) not in found
        ),
        WRONG.format(**counts),
        NOT_BUILT,
        *not_built(told["not_built"]),
    ]
    return "\n".join(lines) + "\n"


def row(title: str, found: dict[str, int]) -> str:
    """A row of the first table."""
    total, whole = sum(found.values()), found.get("whole", 0)
    others = " | ".join(str(found.get(state, 0)) for state in ("broken", "raised", "ended"))
    return f"| {title} | {total:,} | {whole:,} ({100 * whole / total:.1f} %) | {others} |"


def causes(breaks: list[Any], found: set[tuple[str, int]]) -> Iterable[str]:
    """A row an id of Dynamo's, those with most models first."""
    of: dict[str, list[Any]] = {}
    for each in breaks:
        of.setdefault(each[2], []).append(each)
    models = {gb: {model for each in every for model in each[3]} for gb, every in of.items()}
    for gb in sorted(of, key=lambda gb: (-len(models[gb]), gb)):
        seen = sum((file, row) in found for file, row, *_ in of[gb])
        yield f"| {gb} | {len(of[gb])} | {seen} | {len(models[gb])} |"


def not_built(lost: list[Any]) -> Iterable[str]:
    """A row a kind of reason."""
    kinds: dict[str, list[Any]] = {}
    for model, why in lost:
        kinds.setdefault(kind(why), []).append((model, why))
    for name, every in sorted(kinds.items(), key=lambda each: (-len(each[1]), each[0])):
        model, why = every[0]
        yield f"| {name} | {len(every)} | {model}: `{why.replace('`', '').replace('|', '/')[:110]}` |"


def kind(why: str) -> str:
    """What kind of reason it is that a model was not built."""
    if "requires the" in why and "library" in why:
        return "a library that is not installed"
    if "forward needs" in why:
        return "an input of which breaklint knows no example"
    if why.startswith("no inputs"):
        return "any inputs"
    if "million parameters" in why:
        return "a configuration that is small enough"
    error = re.match(r"(?:called: )?(\w+)", why)
    return (
        f"{'inputs' if why.startswith('called: ') else 'a configuration'} that it takes ({error[1] if error else ''})"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
