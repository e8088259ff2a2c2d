"""Runs one file's test cases before and after its fixes, for fix_corpus.py: real graph breaks, and equal outputs.

A file is in ParityBench's form: `TESTCASES` is a list of (class, constructor arguments, forward arguments, ...), where
the arguments are lambdas that give (args, kwargs). Libraries that are not installed are replaced by mocks.
"""

from __future__ import annotations

import importlib.util
import json
import random
import signal
import sys
import types
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import torch
import torch._dynamo

from breaklint.verify.accuracy import clone, snapshot
from breaklint.verify.accuracy import compare as differences
from breaklint.verify.breaks import read_reports
from breaklint.verify.trace import CompileTrace

SECONDS_A_CASE = 60


class Missing:
    """An import finder of last resort: a library that is not installed is a module of mocks."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """A spec for any name."""
        return importlib.util.spec_from_loader(name, self)  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> types.ModuleType:
        """A package whose every attribute is a mock."""
        module = types.ModuleType(spec.name)
        module.__path__, module.__version__ = [], "2.15.0"  # type: ignore[attr-defined]
        module.__getattr__ = lambda _: MagicMock()  # type: ignore[method-assign]
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to run."""


class Config(dict[str, Any]):
    """A mapping whose items are attributes too."""

    __getattr__ = dict.__getitem__


def helpers() -> types.ModuleType:
    """What the files import from ParityBench's own helper module."""

    def mock_layer(in_features: Any = None, out_features: Any = None, *_: Any, **__: Any) -> torch.nn.Module:
        return torch.nn.Linear(in_features, out_features) if in_features and out_features else torch.nn.ReLU()

    module = types.ModuleType("_paritybench_helpers")
    module.__dict__.update(
        _mock_config=Config, _mock_layer=mock_layer, _paritybench_base=object, patch_functional=lambda: None,
        _fails_compile=lambda: lambda function: function,
    )  # fmt: skip
    return module


def load(path: Path, name: str) -> types.ModuleType:
    """Import one version of the file under a name of its own."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    finder = Missing()
    sys.meta_path.append(finder)  # only for the file's own imports: torch asks for libraries to see whether they exist
    try:
        spec.loader.exec_module(module)
    finally:
        sys.meta_path.remove(finder)
    return module


def seed() -> None:
    """The same random numbers for every version."""
    random.seed(0)
    torch.manual_seed(0)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(0)


def first_line(error: BaseException) -> str:
    """The error's type and the first line of its text."""
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"


def prepared(case: Sequence[Any]) -> tuple[torch.nn.Module, Sequence[Any], dict[str, Any]]:
    """The model of a test case, in eval mode as the labels were made, and the arguments of its forward."""
    args, kwargs = case[1]()
    seed()
    model = case[0](*args, **kwargs)
    model.eval()
    for parameter in model.parameters():  # some are made of uninitialised memory
        if parameter.is_floating_point():
            parameter.data.uniform_(-0.1, 0.1)
    seed()
    given, named = case[2]()
    return model, given, named


def eager(case: Sequence[Any]) -> Any:
    """What the model gives: outputs, and how it left its inputs; or its error."""
    try:
        model, args, kwargs = prepared(case)
        args = clone(args)
        seed()
        return {"outputs": snapshot(model(*args, **kwargs)), "inputs": snapshot(args)}
    except Exception as error:  # noqa: BLE001 (an error is an outcome like another)
        return {"error": first_line(error)}


def broken_rows(case: Sequence[Any], path: Path) -> set[int]:
    """The rows of the file that break the graph."""
    torch._dynamo.reset()
    with CompileTrace() as trace:
        try:
            model, args, kwargs = prepared(case)
            compiled = torch.compile(model, backend="eager")
            seed()
            compiled(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 (breaks until then count)
            sys.stderr.write(f"{path.name}: {first_line(error)}\n")
    rows = {(b.filename, b.row) for b in read_reports(trace.breaks)}
    rows |= {b.called_from for b in read_reports(trace.breaks) if b.called_from is not None}
    return {row for filename, row in rows if filename == str(path)}


def limited(seconds: int) -> None:
    """Raise TimeoutError in `seconds`; 0 takes it back."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)


def compare(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """For every version of the file (the first is the original): break rows, whole models, and cases that differ."""
    modules: list[types.ModuleType | str] = []
    for number, path in enumerate(paths):
        try:
            modules.append(load(path, f"version_{number}"))
        except Exception as error:  # noqa: BLE001 (a file that does not import is what we look for)
            modules.append(first_line(error))
    if isinstance(modules[0], str):
        return [{"import": modules[0]} for _ in paths]
    results: list[dict[str, Any]] = []
    for path, module in zip(paths, modules, strict=True):
        if isinstance(module, str):
            results.append({"import": module})
            continue
        rows: set[int] = set()
        whole, ran, differing = 0, 0, []
        for number, (old, new) in enumerate(zip(modules[0].TESTCASES, module.TESTCASES, strict=True)):
            limited(SECONDS_A_CASE)
            try:
                expected = eager(old)
                if "error" in expected or differences(expected, eager(old), ""):
                    continue  # nothing to compare with
                ran += 1
                got = expected if module is modules[0] else eager(new)
                wrong = [got["error"]] if "error" in got else differences(expected, got, "")
                differing += [f"case {number}: {wrong[0]}"] if wrong else []
                broken = broken_rows(new, path)
            except TimeoutError:
                continue
            finally:
                limited(0)
            rows |= broken
            whole += not broken
        results.append({"rows": sorted(rows), "whole": whole, "ran": ran, "differing": differing})
    return results


def main() -> None:
    """Compare the versions named on the command line; prints one JSON line."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    sys.modules["_paritybench_helpers"] = helpers()
    print("RESULT " + json.dumps(compare([Path(path).resolve() for path in sys.argv[1:]])))


if __name__ == "__main__":
    main()
