"""Imports the changed files of one version of the packages and runs the cases, for fix_packages.py.

    python fix_packages_worker.py WORK VERSION '["package/file.py", ...]'

Some libraries that need not be installed are replaced by mocks. Results of the version `before` are kept in WORK for
the others.
"""

from __future__ import annotations

import importlib
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from fix_corpus_worker import SETTINGS, Missing, broken_rows, eager, first_line

from breaklint.verify.arm.accuracy import compare

GROUPS = torch.tensor([0, 0, 1, 1, 2, 2])


# Libraries that the packages cannot do without, replaced by mocks where they are not installed.
MOCKED = "import torchaudio, torchvision"


def _module(file: str) -> Any:
    return importlib.import_module(file.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))


# The models of labelled files that a fix changes: class, arguments of the constructor, arguments of forward.
CASES: dict[str, Callable[[Any], list[Any]]] = {
    "torch_geometric/nn/aggr/gru.py": lambda m: [
        m.GRUAggregation, lambda: ((8, 8), {}), lambda: ((torch.rand(6, 8), GROUPS), {}),
    ],
    "torch_geometric/nn/aggr/set2set.py": lambda m: [
        m.Set2Set, lambda: ((8, 2), {}), lambda: ((torch.rand(6, 8), GROUPS), {}),
    ],
    "speechbrain/nnet/RNN.py": lambda m: [
        m.GRU, lambda: ((8,), {"input_shape": [2, 5, 8]}), lambda: ((torch.rand(2, 5, 8),), {}),
    ],
}  # fmt: skip


def imports(files: list[str]) -> dict[str, str]:
    """Why each file does not import, "" for those that do."""
    errors = {}
    for file in files:
        try:
            _module(file)
            errors[file] = ""
        except Exception as error:  # noqa: BLE001 (a file that does not import is what we look for)
            errors[file] = first_line(error)
    return errors


def main() -> None:
    """Import, run the cases, and print one JSON line."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    out, version = Path(sys.argv[1]).resolve(), sys.argv[2]
    sys.path.insert(0, str(out / version))
    sys.meta_path.append(Missing(MOCKED))
    found: dict[str, Any] = {"imports": imports(json.loads(sys.argv[3])), "rows": {}, "differing": []}
    kept, results = out / "before.pt", {}
    expected = torch.load(kept, weights_only=False) if version != "before" else {}
    for file, case_of in CASES.items():
        path = out / version / file
        if path.is_file():
            case = case_of(_module(file))
            SETTINGS[path] = torch._dynamo.config.save_config()
            results[file] = eager(case)
            found["rows"][file] = sorted(broken_rows(case, path))
            differences = compare(expected[file], results[file], "") if file in expected else []
            found["differing"] += [f"{file}: {text}" for text in differences]
    if version == "before":
        torch.save(results, kept)
    print("RESULT " + json.dumps(found))


if __name__ == "__main__":
    main()
