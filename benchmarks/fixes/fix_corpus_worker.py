"""Runs one file's test cases before and after its fixes, for fix_corpus.py: real graph breaks, and equal outputs.

Of the test cases those run that reach a class or function with a row that breaks, or that a fix changed.

A file is in ParityBench's form: `TESTCASES` is a list of (class, constructor arguments, forward arguments, ...), where
the arguments are lambdas that give (args, kwargs). Libraries that are not installed are replaced by mocks.
"""

from __future__ import annotations

import ast
import difflib
import importlib.util
import json
import os
import random
import signal
import socket
import sys
import types
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import MagicMock

import torch
import torch._dynamo

from breaklint.dynamo.listener import Listener
from breaklint.verify.arm.calls import clone
from breaklint.verify.arm.compare import compare as differences
from breaklint.verify.arm.record import snapshot

SECONDS_A_CASE = 120  # for all versions together
VERSIONS = ("before", "safe", "all")
DEFAULTS = torch._dynamo.config.save_config()
SETTINGS: dict[Path, bytes] = {}


class Stand(MagicMock):
    """A mock of a library that is not installed: supports any use, also as a base class."""

    def __mro_entries__(self, _: tuple[object, ...]) -> tuple[()]:
        return ()


class Missing:
    """An import finder of last resort: a library that a file imports and that is not installed is a module of mocks.

    Other libraries, whose existence installed libraries test, remain missing.
    """

    roots: ClassVar[set[str]] = set()  # also of the versions of the file that were imported before

    def __init__(self, text: str) -> None:
        nodes = list(ast.walk(ast.parse(text)))
        imports = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        imports |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
        for root in {name.partition(".")[0] for name in imports} - sys.modules.keys():
            self.roots.update({root} if importlib.util.find_spec(root) is None else ())

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """A spec for a module of one of these libraries."""
        return importlib.util.spec_from_loader(name, self) if name.partition(".")[0] in self.roots else None  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> types.ModuleType:
        """A package whose every attribute is a mock."""
        module = types.ModuleType(spec.name)
        module.__path__, module.__version__ = [], "2.15.0"  # type: ignore[attr-defined]
        module.__getattr__ = lambda _: Stand()  # type: ignore[method-assign]
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to run."""


class Config(dict[str, Any]):
    """A mapping whose items are attributes too."""

    __getattr__ = dict.__getitem__


def helpers() -> types.ModuleType:
    """The names that the files import from ParityBench's own helper module."""

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
    finder = Missing(path.read_text("utf-8"))
    sys.meta_path.append(finder)  # only for the file's own imports: torch asks for libraries to see whether they exist
    try:
        while True:
            try:
                spec.loader.exec_module(module)
                break
            except ModuleNotFoundError as error:  # as parts of torch raise that need more than is installed
                root = (error.name or "").partition(".")[0]
                if root in ("", *finder.roots, *sys.modules):
                    raise
                finder.roots.add(root)
    finally:
        sys.meta_path.remove(finder)
        SETTINGS[path] = torch._dynamo.config.save_config()  # a file may set options of the compiler
        torch._dynamo.config.load_config(DEFAULTS)
    return module


def seed(number: int = 0) -> None:
    """The same random numbers for every version."""
    random.seed(number)
    torch.manual_seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(number)


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
    positional, keywords = case[2]()
    return model, positional, keywords


def eager(case: Sequence[Any], seed_of_forward: int = 0) -> Any:
    """The result of the model: outputs, and its inputs after the call; or its error."""
    try:
        model, args, kwargs = prepared(case)
        args = clone(args)
        seed(seed_of_forward)
        return {"output": snapshot(model(*args, **kwargs), "output"), "inputs": snapshot(args, "inputs")}
    except Exception as error:  # noqa: BLE001 (an error is an outcome like another)
        return {"error": first_line(error)}


def broken_rows(case: Sequence[Any], path: Path) -> set[int]:
    """The rows of the file that break the graph."""
    torch._dynamo.reset()
    torch._dynamo.config.load_config(SETTINGS[path])
    with Listener() as trace:
        try:
            model, args, kwargs = prepared(case)
            compiled = torch.compile(model, backend="eager")
            seed()
            compiled(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 (breaks until then count)
            sys.stderr.write(f"{path.name}: {first_line(error)}\n")
    rows = {(b.filename, b.row) for b in trace.breaks()}
    rows |= {b.called_from for b in trace.breaks() if b.called_from is not None}
    return {row for filename, row in rows if filename == str(path)}


def limited(seconds: int) -> None:
    """Raise TimeoutError in `seconds`; 0 takes it back."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)


def import_all(paths: Sequence[Path]) -> tuple[list[types.ModuleType | None], list[str]]:
    """The versions of the file as modules, and why those that do not import do not ("" for the others)."""
    modules: list[types.ModuleType | None] = []
    errors: list[str] = []
    for number, path in enumerate(paths):
        try:
            modules.append(load(path, f"version_{number}"))
            errors.append("")
        except Exception as error:  # noqa: BLE001 (a file that does not import is what we look for)
            modules.append(None)
            errors.append(first_line(error))
    return modules, errors


def examine(old: Sequence[Any], new: Sequence[Any], path: Path, expected: Any, compared: bool) -> dict[str, Any]:
    """The result of one version for a test case: rows that break, and differences from the original's results."""
    differing = ""
    if compared and new is not old:
        got = eager(new)
        wrong = [got["error"]] if "error" in got else differences(expected, got)
        differing = wrong[0] if wrong else ""
    return {"rows": sorted(broken_rows(new, path)), "differing": differing}


def executed(case: Sequence[Any], path: Path) -> tuple[Any, set[int]]:
    """The result of the model, and the rows of the file that ran."""
    rows: set[int] = set()

    def follow(frame: types.FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != str(path):
            return None
        if event == "line":
            rows.add(frame.f_lineno)
        return follow

    sys.settrace(follow)
    try:
        return eager(case), rows
    finally:
        sys.settrace(None)


def changed_rows(paths: Sequence[Path]) -> set[int]:
    """The rows of the original that another version changes."""
    texts = [path.read_text("utf-8").split("\n") for path in paths]
    return {
        row
        for text in texts[1:]
        for tag, first, last, _, _ in difflib.SequenceMatcher(None, texts[0], text).get_opcodes()
        if tag != "equal"
        for row in range(first + 1, max(last, first + 1) + 1)
    }


def neighbours(path: Path, rows: set[int]) -> set[int]:
    """The rows, and all others of the innermost class or else function around each: a backward method runs later."""
    tree = ast.parse(path.read_text("utf-8"))
    kinds = (ast.ClassDef, ast.FunctionDef)
    blocks = [node for node in ast.walk(tree) if isinstance(node, kinds)]  # outer ones first
    result = set(rows)
    for row in rows:
        around = [node for node in blocks if node.lineno <= row <= (node.end_lineno or row)]
        classes = [node for node in around if isinstance(node, ast.ClassDef)]
        for node in (classes or around)[-1:]:
            result.update(range(node.lineno, (node.end_lineno or row) + 1))
    return result


def run_case(cases: Sequence[Sequence[Any]], paths: Sequence[Path], rows: set[int]) -> dict[str, Any] | None:
    """One test case in all versions; versions of the same text run once. None when it runs none of the rows, or raises.

    Results that depend on random numbers are not compared: a fix that draws others is not wrong.
    """
    expected, seen = executed(cases[0], paths[0])
    if "error" in expected or not seen & rows:
        return None
    random_result = bool(differences(expected, eager(cases[0], seed_of_forward=1)))
    comparable = not random_result and not differences(expected, eager(cases[0]))
    result: dict[str, Any] = {"random": not comparable}
    by_text: dict[str, dict[str, Any]] = {}
    for version, case, path in zip(VERSIONS, cases, paths, strict=True):
        text = path.read_text("utf-8")
        if text not in by_text:
            by_text[text] = examine(cases[0], case, path, expected, comparable)
        result[version] = by_text[text]
    return result


def without_network(weights: Path) -> None:
    """Refuse connections at once: a model that downloads its weights raises, and does not run here."""

    def refused(*_: object, **__: object) -> Any:
        raise ConnectionRefusedError("this run has no network")

    for target, name in ((socket, "getaddrinfo"), (socket, "create_connection"), (socket.socket, "connect")):
        setattr(target, name, refused)
    os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=str(weights), TORCH_HOME=str(weights))


def run_file(paths: Sequence[Path], rows: set[int], out: Path) -> None:
    """Run the versions of a file. Writes a JSON line that says why versions do not import, then one for every case."""
    without_network(out.parent / "weights")
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    sys.modules["_paritybench_helpers"] = helpers()
    modules, errors = import_all(paths)
    with out.open("w", buffering=1, encoding="utf-8") as file:
        file.write(json.dumps(errors) + "\n")
        if any(errors):
            return
        near = neighbours(paths[0], rows | changed_rows(paths))
        for number, cases in enumerate(zip(*(module.TESTCASES for module in modules if module), strict=True)):
            limited(SECONDS_A_CASE)
            try:
                result = run_case(cases, paths, near)
            except TimeoutError:
                continue
            finally:
                limited(0)
            if result is not None:
                file.write(json.dumps({"case": number, **result}) + "\n")
