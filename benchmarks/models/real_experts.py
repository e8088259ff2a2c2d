"""Every class of experts of transformers that the fixes make compute with all rows, beside the original.

    python benchmarks/models/real_experts.py WORK [--out RESULTS.json]

WORK is the folder of real_models.py, which has to have installed newest_transformers. Each class is built from the
configuration of its model, made small, and called with one expert and with two for each token: outputs and all
gradients of the two versions are compared. In the fixed version classes lose the decorator that gives them another
implementation than the loop. Classes that a small configuration does not build are named.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch

from breaklint.lint.run import Mode, run
from breaklint.model import Settings

WIDTH, TOKENS, EXPERTS = 16, 10, 4
SIZES = {
    r"hidden_size|d_model|embed_dim": WIDTH, r"(moe_|expert_ffn_|ffn_)?(intermediate|hidden)_size|expert_dim|d_ff": 24,
    r"(num|n|moe_num)_?(local_|routed_)?experts": EXPERTS,
}  # fmt: skip
MARK = "chosen.any"


def fixed(work: Path) -> Path:
    """The copy of the library whose loops over experts are fixed."""
    original, place = work / "newest_transformers/original/transformers", work / "experts"
    if not place.exists():
        shutil.copytree(original, place / "part", ignore=shutil.ignore_patterns("__pycache__"))
        (place / "part").rename(place / "transformers")
        files = [path for path in (place / "transformers/models").glob("*/modeling_*.py") if _has_loop(path)]
        for path in files:  # under the decorator the loop is not what is compiled
            path.write_text(
                re.sub(r"^@use_experts_implementation.*\n", "", path.read_text("utf-8"), flags=re.M), "utf-8"
            )
        print(run([str(path) for path in files], Settings(), Mode(fix=True, unsafe=True, write=True)).errors)
    return place


def _has_loop(path: Path) -> bool:
    return re.search(r"for expert_id\w* in", path.read_text("utf-8")) is not None


def configuration(module: Any, cls: type) -> Any:
    """A small configuration of the model that a class belongs to."""
    config = inspect.signature(cls).parameters["config"].annotation
    config = getattr(module, config) if isinstance(config, str) else config
    if config is inspect.Parameter.empty:
        names = [name for name in vars(module) if name.endswith("Config") and name != "PreTrainedConfig"]
        config = getattr(module, max(names, key=lambda name: _alike(name, cls.__name__)))
    made = config()
    made = made.text_config if hasattr(made, "text_config") and not hasattr(made, "hidden_size") else made
    for name in list(vars(made)):
        size = next((size for pattern, size in SIZES.items() if re.fullmatch(pattern, name)), None)
        if size is not None and isinstance(getattr(made, name), int):
            setattr(made, name, size)
    made._experts_implementation = "eager"
    return made


def _alike(a: str, b: str) -> int:
    """With how many letters two names begin alike."""
    return next((at for at, pair in enumerate(zip(a, b, strict=False)) if len(set(pair)) > 1), len(a))


def called(module: Any, name: str, chosen: int) -> list[torch.Tensor]:
    """The output and the gradients of a class, with so many experts for each token."""
    cls = getattr(module, name)
    torch.manual_seed(chosen)
    experts = cls(configuration(module, cls))
    for parameter in experts.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    x, weights = torch.randn(TOKENS, WIDTH, requires_grad=True), torch.rand(TOKENS, chosen, requires_grad=True)
    places = torch.stack([torch.randperm(EXPERTS - 1)[:chosen] for _ in range(TOKENS)])
    output = experts(x, places, weights)
    output.square().sum().backward()
    leaves = [x, weights, *experts.parameters()]
    return [output.detach(), *(torch.zeros_like(leaf) if leaf.grad is None else leaf.grad for leaf in leaves)]


def measured(place: Path) -> dict[str, Any]:
    """What every class gives in the version that is imported; why, where it gives nothing."""
    told: dict[str, Any] = {}
    for path in sorted((place / "transformers/models").glob("*/modeling_*.py")):
        text = path.read_text("utf-8")
        if MARK not in text:
            continue
        module = importlib.import_module(f"transformers.models.{path.parent.name}.{path.stem}")
        classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
        for name in [node.name for node in classes if MARK in ast.unparse(node)]:
            try:
                told[name] = [called(module, name, chosen) for chosen in (1, 2)]
            except Exception as error:  # noqa: BLE001 (a class that is not built is named)
                told[name] = f"{type(error).__name__}: {error}".splitlines()[0][:100]
    return told


def main() -> None:
    """Run both versions, each in a process of its own, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--version", help=argparse.SUPPRESS)
    options = parser.parse_args()
    work = options.work.resolve()
    place, original = fixed(work), work / "newest_transformers/original"
    if options.version:
        torch.save(measured(place), work / f"{options.version}.pt")
        return
    told = []
    for version, paths in {"original": [original], "fixed": [place, original]}.items():
        path = os.pathsep.join([*map(str, paths), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1"}
        subprocess.run([sys.executable, __file__, str(work), "--version", version], env=environment, check=True)
        told.append(torch.load(work / f"{version}.pt"))
    before, after = told
    results: dict[str, Any] = {"equal": [], "differing": [], "not built": {}}
    for name, rows in before.items():
        if isinstance(rows, str):
            results["not built"][name] = rows
            continue
        pairs = [pair for row, other in zip(rows, after[name], strict=True) for pair in zip(row, other, strict=True)]
        equal = all(torch.allclose(one, other, rtol=1e-3, atol=1e-4) for one, other in pairs)
        results["equal" if equal else "differing"].append(name)
    print({key: len(value) for key, value in results.items()}, results["differing"], results["not built"])
    if options.out:
        options.out.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
