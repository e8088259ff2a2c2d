"""A torch version from its wheel: a separate environment, its facts, the proofs of all cards, and the differences.

    python scripts/new_torch.py 2.16.0                 in a folder beside the checkout; downloads several gigabytes
    python scripts/new_torch.py 2.16.0 --python PATH   with an environment that has this torch

The facts go into breaklint/torchops, the differences into docs/torch/2.16.md, with a list of manual edits.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch_facts

from breaklint.rules.cards import load_rules
from docs import TOPICS

PROJECT = Path(__file__).resolve().parent.parent
PAGES = PROJECT / "docs" / "torch"
NEEDS = ("numpy", "pyyaml", "click", "libcst", "pathspec", "rich", "rich-click")
Proof = dict[str, Any]


def environment(version: str) -> Path:
    """The interpreter of an environment with this torch, beside the checkout."""
    folder = PROJECT.parent / f"torch-{version}"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", f"torch=={version}", *NEEDS], check=True)
    return python


def generate_facts(python: Path, folder: Path) -> None:
    """Add the column of the environment's torch to the tables."""
    out = folder / "facts.json"
    facts = str(PROJECT / "scripts" / "torch_facts.py")
    subprocess.run([str(python), facts, "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, facts, "--merge", str(out)], check=True)


def prove(python: Path, folder: Path) -> list[Proof]:
    """The results of all cards' examples on the environment's torch."""
    out = folder / "proofs.json"
    command = [str(python), "scripts/prove.py", "--json", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}  # which need not have breaklint
    subprocess.run(command, cwd=PROJECT, env=environment, check=False, stdout=subprocess.DEVNULL)
    return results(out)


def results(path: Path) -> list[Proof]:
    """The results that `scripts/prove.py --json` has written."""
    rows: list[Proof] = json.loads(path.read_text())["results"]
    return rows


def page(version: str, before: str, proofs: list[Proof]) -> str:
    """The differences to the version before it."""
    columns = torch_facts.committed()
    old, new = columns[before], columns[version]
    lines = [f"# torch {version}, compared with {before}", ""]
    lines += ["Written by `make torch`, before anything was edited.", ""]
    for title, rows in (
        ("Cards whose examples fail", failures(proofs)),
        ("Graph breaks: new, gone and renamed", changed(old, new, "graph_breaks")),
        ("Functions that Dynamo skips: begin, stop, for another reason", changed(old, new, "skipped")),
        ("Constructs", changed(old, new, "constructs")),
        ("Defaults of Dynamo's options", changed(old, new, "config")),
        ("Options that are gone, new, or that nothing reads", changed(old, new, "options", ("", "dead"))),
        ("Names that are gone, and functions whose arguments changed", changed(old, new, "names", ("", "def"))),
        ("Results of operators and modules", [*changed(old, new, "functions"), *changed(old, new, "modules")]),
    ):
        lines += [f"## {title}", "", *(rows or ["None."]), ""]
    return "\n".join([*lines, *to_edit(version, new, proofs), ""])


def failures(proofs: list[Proof]) -> list[str]:
    """A line a failed proof."""
    return [
        f"- {proof['code']} {proof['name']}, example {proof['example']}: {code(failure)}"
        for proof in proofs
        for failure in proof["failures"]
    ]


def changed(old: torch_facts.Column, new: torch_facts.Column, section: str, only: tuple[str, ...] = ()) -> list[str]:
    """One line per row that differs; `only` keeps old rows whose new text begins with one of these."""
    before, after = old.get(section, {}), new.get(section, {})
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in sorted({*before, *after}):
        pair = before.get(name, ""), after.get(name, "")
        remaining = not only or (pair[0] and any(pair[1].split(" ")[0] == word for word in only))
        if pair[0] != pair[1] and remaining:
            groups[pair].append(name)
    return [f"- {', '.join(map(code, names))}: {in_words(*pair)}" for pair, names in groups.items()]


def in_words(old: str, new: str) -> str:
    """A change in words."""
    return f"new: {code(new)}" if not old else f"gone; was {code(old)}" if not new else f"{code(old)}, now {code(new)}"


def code(text: str) -> str:
    """Text that stands in a page as it is."""
    return f"`{text.replace('`', '')}`"


def to_edit(version: str, column: torch_facts.Column, proofs: list[Proof]) -> Iterator[str]:
    """The remaining manual edits."""
    text = TOPICS.read_text() + " ".join(name for rule in load_rules() for name in rule.dynamo)
    homeless = [name for name in column["graph_breaks"] if name not in text]
    yield "## What to edit"
    yield ""
    yield f"1. `NEWEST_TORCH` in `breaklint/model.py`: `{version}`."
    failed = sorted({proof["name"] for proof in proofs if proof["failures"]})
    yield f"2. The cards above ({', '.join(failed) or 'none'}): ids, `torch:` of the card, a pattern or an example."
    yield f"3. `{TOPICS.name}`: ids without a topic: {', '.join(homeless) or 'none'}."
    yield "4. What a check in Python needs to know: a piece of code in `scripts/torch_probe/constructs.py`."
    yield "5. `make docs`, `make bless`, and `python benchmarks/accuracy/upgrades.py` with both versions."


def main() -> None:
    """Make the environment, generate, prove and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", help="a release, as 2.16.0")
    parser.add_argument("--python", type=Path, help="the interpreter of an environment that has this torch")
    parser.add_argument("--proofs", type=Path, help="results of the proofs, where they have been made")
    parser.add_argument("--no-facts", action="store_true", help="the tables have this version")
    options = parser.parse_args()
    python = options.python or environment(options.version)
    short = ".".join(options.version.split(".")[:2])
    with tempfile.TemporaryDirectory() as folder:
        if not options.no_facts:
            generate_facts(python, Path(folder))
        proofs = results(options.proofs) if options.proofs else prove(python, Path(folder))
    versions = sorted(torch_facts.committed(), key=torch_facts.release)
    before = versions[max(versions.index(short) - 1, 0)]
    PAGES.mkdir(exist_ok=True)
    path = PAGES / f"{short}.md"
    path.write_text(page(short, before, proofs))
    print(f"{path.relative_to(PROJECT)}: {sum(bool(proof['failures']) for proof in proofs)} proofs fail")


if __name__ == "__main__":
    main()
