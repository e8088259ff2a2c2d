"""Hostile programs of several files (hostile/programs/*.txt), and in what they differ after their fixes.

A program is a law, a case of it, and files. `net.py` or `main.py` defines `Net`, which makes the model; `main.py` may
define `call(model, x, y)`, which then is how the model is called. Every program is run in processes of its own.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import os
import pickle
import random
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import torch
from differential import observing
from differential.comparing import Difference, differences
from differential.inputs import CHANGES, Call
from differential.observing import Record, snapshot, tensors_of
from differential.reasons import allowed

from breaklint.lint.engine import Engine
from breaklint.lint.run import run
from breaklint.lint.workers import Mode
from breaklint.model import Applicability, Fix, Settings

FOLDER = Path(__file__).with_name("hostile") / "programs"
CALLS = [
    *((Call((2, 3), torch.float32, "mixed", "plain", "separate", "computed", "grad", 1), change) for change in CHANGES),
    (Call((3,), torch.float32, "mixed", "plain", "separate", "leaves", "grad", 2), ""),
    (Call((3,), torch.float32, "negative", "plain", "separate", "leaves", "grad", 3), "+="),
    (Call((), torch.float32, "mixed", "plain", "separate", "leaves", "grad", 4), ""),
    (Call((0,), torch.float32, "mixed", "plain", "separate", "leaves", "grad", 5), ""),
    (Call((2, 3), torch.float64, "nan", "transposed", "view", "computed", "grad", 6), ""),
    (Call((3,), torch.float32, "inf", "plain", "separate", "leaves", "grad", 7), ""),
    (Call((3,), torch.int64, "mixed", "plain", "same object", "none", "grad", 8), ""),
    (Call((3,), torch.uint8, "mixed", "strided", "separate", "none", "no_grad", 9), ""),
    (Call((2, 3), torch.bool, "mixed", "plain", "separate", "none", "inference", 10), ""),
    (Call((3,), torch.bfloat16, "mixed", "expanded", "separate", "leaves", "no_grad", 11), ""),
    (Call((2, 3, 4), torch.float32, "positive", "plain", "separate", "none", "grad", 12), ""),
]


class Program(NamedTuple):
    """Files by their names, under the law that they attack."""

    law: str
    case: str
    files: dict[str, str]


@dataclass
class Result:
    """What fixes made of a program."""

    program: Program
    after: dict[str, str] = field(default_factory=dict)
    fixes: list[tuple[str, Fix]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    found: list[tuple[Difference, str]] = field(default_factory=list)  # with the call that shows it

    def __str__(self) -> str:
        told = [f"{self.program.law}: {self.program.case}", *self.errors]
        told += [f"{kind} ({fix.applicability.value}): {fix.why}" for kind, fix in self.fixes]
        told += [f"{each.kind}: {each.text}\n    called with {call}" for each, call in self.found[:2]]
        for name, text in self.after.items():
            if text != self.program.files[name]:
                told += [f"--- {name} before", self.program.files[name], f"--- {name} after", text]
            else:
                told += [f"--- {name}", text]
        return "\n".join(told)


def programs(folder: Path = FOLDER) -> list[Program]:
    """The programs of a folder. `--- net.py: scale` begins a file of that name in bases.txt, with what follows in place
    of its line `# here`."""
    known = bases(folder)
    found = []
    for path in sorted(folder.glob("*.txt")):
        for head, rest in _parts(path, "=== ") if path.name != "bases.txt" else ():
            law, _, case = head.partition(": ")
            files = {}
            for name, text in _split(rest, "--- "):
                name, _, base = name.partition(": ")
                files[name] = _filled(known[base], text) if base else text
            found.append(Program(f"{path.stem}: {law}", case, files))
    return found


def bases(folder: Path = FOLDER) -> dict[str, str]:
    """The files of bases.txt, by their names."""
    path = folder / "bases.txt"
    return dict(_parts(path, "=== ")) if path.exists() else {}


def _parts(path: Path, mark: str) -> list[tuple[str, str]]:
    return _split(path.read_text(encoding="utf-8"), mark)


def _split(text: str, mark: str) -> list[tuple[str, str]]:
    """The parts of a text behind lines that begin with a mark, each with the rest of that line."""
    parts = (part.partition("\n") for part in f"\n{text}".split(f"\n{mark}")[1:])
    return [(head.strip(), f"{rest.rstrip()}\n") for head, _, rest in parts]


def _filled(base: str, text: str) -> str:
    """A file with lines in place of `# here`, as far in as that stands."""
    line = next(line for line in base.splitlines(keepends=True) if line.strip() == "# here")
    return base.replace(line, indent(text.rstrip(), line[: line.index("#")]) + "\n" if text.strip() else "", 1)


def attacked(program: Program, folder: Path, unsafe: bool = False) -> Result:
    """What the fixes make of a program, and in what it then differs without a warning."""
    for name, text in program.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    result = Result(program)
    offered: list[tuple[str, Fix]] = []
    _fix(folder, unsafe, result, offered)
    if all(text == program.files[name] for name, text in result.after.items()):
        return result
    result.fixes = offered
    before, after = (_records(files) for files in (program.files, result.after))
    if isinstance(before, str) or isinstance(after, str):
        result.errors += [f"the program did not run: {each}" for each in (before, after) if isinstance(each, str)]
        return result
    permitted = {kind for name, fix in result.fixes for kind in allowed(name, fix)}
    for (call, change), one, other in zip(CALLS, before, after, strict=True):
        for difference in differences(one, other):
            if difference.kind not in permitted:
                result.found.append((difference, f"{call}, then `{change}`"))
    return result


def _fix(folder: Path, unsafe: bool, result: Result, offered: list[tuple[str, Fix]]) -> None:
    """Fix the files of a folder; what is offered on the way is noted, one round after the other."""
    rules = Engine(Settings()).rules
    for _ in range(8):
        looked = run([str(folder)], Settings(), Mode(), jobs=1)
        result.errors += [f"{each}" for each in looked.errors]
        kinds = {Applicability.SAFE, *([Applicability.UNSAFE] if unsafe else [])}
        new = [
            (rules[each.code].fix_kind, each.fix)
            for each in looked.findings
            if each.fix is not None and each.fix.applicability in kinds
        ]
        if not new:
            break
        offered += new
        fixed = run([str(folder)], Settings(), Mode(fix=True, unsafe=unsafe, write=True), jobs=1)
        result.errors += [f"{each}" for each in fixed.errors]
        if not fixed.changes:
            break
    result.after = {name: (folder / name).read_text(encoding="utf-8") for name in result.program.files}


def _records(files: dict[str, str]) -> list[Record] | str:
    """What every call of a program gives, does and leaves; a text where the program itself cannot be run.

    Processes that a program starts hold what it has open, and outlive its alarm: they would keep a pipe open for ever,
    so that it writes to a file, and they are ended with it.
    """
    with tempfile.NamedTemporaryFile() as told:
        child = os.fork()
        if child == 0:
            try:
                os.setpgid(0, 0)
                _tell(told.name, files)
            finally:
                os._exit(0)  # whatever the program has replaced
        os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        data = told.read()
    return pickle.loads(data) if data else "it ended its process"  # type: ignore[no-any-return]


def _tell(path: str, files: dict[str, str]) -> None:
    kept = dict(vars(builtins))
    opened = os.open(path, os.O_WRONLY)
    try:
        found: Any = list(_run(files))
    except BaseException:  # noqa: BLE001 - told to the parent
        vars(builtins).update(kept)
        found = traceback.format_exc()
    vars(builtins).update(kept)
    try:
        data = pickle.dumps(found)
    except Exception:  # noqa: BLE001 - an object of a class that the parent does not know
        data = pickle.dumps(traceback.format_exc())
    with os.fdopen(opened, "wb") as file:
        file.write(data)


def _run(files: dict[str, str]) -> Iterator[Record]:
    signal.alarm(30)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        for call, change in CALLS:
            for name in list(sys.modules):
                if f"{name.replace('.', '/')}.py" in files or f"{name}/__init__.py" in files:
                    del sys.modules[name]
            yield _record(files, call, change)


def _record(files: dict[str, str], call: Call, change: str) -> Record:
    seen = Record()
    torch.default_generator.manual_seed(0)
    main: dict[str, Any] = {}
    told: dict[str, Any] = {}

    def made() -> Any:
        module = importlib.import_module("main" if "main.py" in files else "net")
        main.update(vars(module))
        return main["Net"]()

    own = dict(vars(builtins))  # a program may replace some
    with observing._told(told):
        model, seen.error = observing._tried(made)
    theirs = {name: value for name, value in vars(builtins).items() if own.get(name) is not value}
    vars(builtins).update(own)
    if seen.error is not None:
        return seen
    arguments, leaves = call.tensors()
    observing._seed()
    how = main.get("call", lambda model, x, y: model(x, y))
    with observing._told(seen.told), observing.MODES[call.mode]():
        vars(builtins).update(theirs)
        output, seen.error = observing._tried(how, model, *arguments)
        vars(builtins).update(own)
    seen.output = _snapshot(output)
    first = next(tensors_of(output), None)
    if first is not None and change:
        _, seen.told["changed"] = observing._tried(CHANGES[change], first)
    is_module = isinstance(model, torch.nn.Module)
    kept = [*model.parameters(), *model.buffers()] if is_module else []
    seen.aliases = set(observing._aliases([*arguments, *kept, *tensors_of(output)]))
    names = [vars(sys.modules[name]) for name in ("net", "main") if name in sys.modules]
    spaces = {}
    for each in names:
        spaces.update(observing._plain_globals(each))
    state = [dict(model.named_buffers()), observing._plain_attributes(model)] if is_module else [{}, {}]
    seen.after = [_snapshot(each) for each in (arguments, *state, spaces)]
    seen.generators = [torch.get_rng_state().numpy().tobytes(), random.getstate(), observing._numpy_state()]
    with observing._told({}):
        _, seen.late = observing._tried(observing._backward, output)
    parameters = [*model.parameters()] if is_module else []
    seen.gradients = [_dense(leaf.grad) for leaf in (*leaves, *parameters)]
    return seen


def _snapshot(value: Any) -> Any:
    """As `snapshot`; of tensors of unusual kinds, what can be told of them in a text."""
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [_snapshot(each) for each in value])
    if isinstance(value, dict):
        return {key: _snapshot(each) for key, each in value.items()}
    if not isinstance(value, torch.Tensor):
        return snapshot(value)
    if value.is_meta or value.layout != torch.strided or value.is_quantized:
        return f"{value.layout} {value.device} {value.dtype} {tuple(value.shape)} {value.requires_grad} {value.is_leaf}"
    if type(value) not in (torch.Tensor, torch.nn.Parameter):
        return (type(value).__name__, [snapshot(value.detach().as_subclass(torch.Tensor)), value.requires_grad])
    return snapshot(value)


def _dense(gradient: torch.Tensor | None) -> Any:
    if gradient is None or gradient.is_meta:
        return None
    return snapshot(gradient.detach().to_dense().as_subclass(torch.Tensor))
