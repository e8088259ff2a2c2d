"""Localise a wrong result, and write a script that shows it alone."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from breaklint.verify.host.workers import Worker
from breaklint.verify.judge.results import ArmReport
from breaklint.verify.options import SEED, VerifyOptions
from breaklint.verify.targets.sources import Source, location

FEWER_ROWS = (1, 2, 0)
"""Batch sizes that are tried in turn, the smallest that still shows a difference is kept; 0 is that of the call."""
NO_GRAPH_DIFFERS = "no graph by itself differs once compiled: Dynamo traces something else than what runs uncompiled"
_CALL = re.compile(r"^with (.+?): ")
_MODE = re.compile(r"^in (training|evaluation) mode: ")


class Localiser:
    """Finds where the results of an arm begin to differ from the original's."""

    def __init__(self, workers: Mapping[str, Worker], options: VerifyOptions, folder: Path) -> None:
        self._workers, self._options, self._folder = workers, options, folder

    def localised(self, name: str, arm: ArmReport) -> tuple[str, dict[str, Any]]:
        """The first operation or graph that differs ("" where none does), and the call that shows it."""
        line = next(iter((*arm.rewrite_differences, *arm.differences)))
        call, mode = _CALL.match(line), _MODE.match(line)
        chosen: dict[str, Any] = {"call": call[1] if call else "", "other_mode": mode is not None, "rows": 0}
        for rows in FEWER_ROWS:
            chosen["rows"] = rows
            if found := self._found(name, arm, chosen):
                return found, chosen
        return "", chosen

    def _found(self, name: str, arm: ArmReport, chosen: dict[str, Any]) -> str:
        worker = self._workers[name]
        if not arm.rewrite_differences:
            graph = str(worker.ask("differing_graph", call=chosen["call"], rows=chosen["rows"])["found"])
            if not graph and chosen["rows"] == 0:
                return NO_GRAPH_DIFFERS
            return f"the first that differs once compiled is {graph}" if graph else ""
        path = str(self._folder / "operations.pt")
        self._workers["eager"].ask("operations", path=path, **chosen)
        told = worker.ask("first_operation", path=path, **chosen)
        return str(told["found"]) if told["differs"] or not chosen["rows"] else ""

    def script(
        self, name: str, arm: ArmReport, sources: Mapping[str, Source], chosen: dict[str, Any], found: str
    ) -> str:
        """A script that needs nothing but torch, and shows the difference."""
        path = self._folder / "inputs.pt"
        how = {"path": str(path), "call": chosen["call"], "rows": chosen["rows"]}
        change = self._workers["eager"].ask("save_arguments", **how)["change"]
        original = "eager" if arm.rewrite_differences else name
        sides = {side: self._workers[side].ask("own_files")["files"] for side in (original, name)}
        place = location(sources[name])
        line = next(iter((*arm.rewrite_differences, *arm.differences)))
        train = self._options.train != chosen["other_mode"]
        return _SCRIPT.format(
            why=_in_comment(f"{line}\n{found}".strip()),
            before=_files(sides[original]),
            after=_files(sides[name]) if arm.rewrite_differences else "None  # the same, compiled",
            main=repr((_relative(sources[original]), _relative(sources[name]))),
            module=repr(place["module"]),
            attribute=repr(place["attribute"]),
            factory=place["factory"],
            init=repr(place["recipe"].get("init")),
            change=repr(change),
            train=train,
            seed=SEED,
            backend=repr(self._options.backend),
            inputs=_wrapped(base64.b64encode(path.read_bytes()).decode()),
        )


def _relative(source: Source) -> str:
    return str(Path(source.filename).relative_to(source.target.root))


def _files(texts: Mapping[str, str]) -> str:
    entries = "".join(f"    {path!r}: {_quoted(text)},\n" for path, text in sorted(texts.items()))
    return "{\n" + entries + "}"


def _quoted(text: str) -> str:
    plain = "'''" not in text and "\\" not in text and not text.endswith("'")
    return f"'''\\\n{text}'''" if plain else repr(text)


def _in_comment(text: str) -> str:
    return "\n".join(f"# {line}" for line in text.splitlines())


def _wrapped(text: str) -> str:
    return "\n".join(f'    "{text[start : start + 110]}"' for start in range(0, len(text), 110))


_SCRIPT = """\
{why}
#
# Written by `breaklint verify --repro`. Needs torch; run it with python.

import base64
import importlib
import importlib.util
import io
import random
import sys
import tempfile
from pathlib import Path

import torch

BEFORE = {before}
AFTER = {after}
MAIN, MODULE, ATTRIBUTE, FACTORY = {main}, {module}, {attribute}, {factory}
INIT, TRAIN, SEED, BACKEND = {init}, {train}, {seed}, {backend}
CHANGE = {change}  # the paths of modules, the name of an attribute, and another value
INPUTS = (
{inputs}
)


def loaded(files, main):
    folder = tempfile.mkdtemp()
    for path, text in files.items():
        Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
        Path(folder, path).write_text(text, encoding="utf-8")
    sys.path.insert(0, folder)
    for name in [name for name in sys.modules if f"{{name.replace('.', '/')}}.py" in files]:
        del sys.modules[name]
    importlib.invalidate_caches()
    if MODULE:
        return importlib.import_module(MODULE)
    spec = importlib.util.spec_from_file_location("repro_target", Path(folder, main))
    module = sys.modules["repro_target"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def built(module):
    names = [name for name, value in vars(module).items() if isinstance(value, type)
             and issubclass(value, torch.nn.Module) and value.__module__ == module.__name__]
    chosen = getattr(module, ATTRIBUTE or ("Model" if "Model" in names else names[-1]))
    if FACTORY:
        return chosen()[0]
    given = INIT if INIT is not None else module.get_init_inputs() if hasattr(module, "get_init_inputs") else []
    return chosen(**given) if isinstance(given, dict) else chosen(*given)


def leaves(value):
    if isinstance(value, torch.Tensor):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else []
    return [leaf for each in inner for leaf in leaves(each)]


def observed(files, main, compiled):
    torch.manual_seed(SEED)
    random.seed(SEED)
    model = built(loaded(files, main))
    if isinstance(model, torch.nn.Module):
        model.train(TRAIN)
    for path in CHANGE[0] if CHANGE else []:
        setattr(model.get_submodule(path), CHANGE[1], CHANGE[2])
    args, kwargs = torch.load(io.BytesIO(base64.b64decode("".join(INPUTS))), weights_only=False)
    for leaf in leaves([args, kwargs]):
        leaf.requires_grad_(leaf.is_floating_point())
    call = torch.compile(model, backend=BACKEND) if compiled else model
    torch.manual_seed(SEED + 1)
    random.seed(SEED + 1)
    try:
        outputs = leaves(call(*args, **kwargs))
    except Exception as error:
        return {{f"{{type(error).__name__}}": torch.zeros(())}}
    seen = {{f"output {{n}}": leaf.detach() for n, leaf in enumerate(outputs)}}
    weighted = [(leaf.float() * torch.arange(leaf.numel()).cos().view(leaf.shape)).sum()
                for leaf in outputs if leaf.requires_grad and not leaf.is_complex()]
    if weighted:
        sum(weighted).backward()
    if isinstance(model, torch.nn.Module):
        seen |= {{f"buffer {{name}}": buffer.detach() for name, buffer in model.named_buffers()}}
        seen |= {{f"gradient of {{name}}": p.grad for name, p in model.named_parameters() if p.grad is not None}}
    return seen


before = observed(BEFORE, MAIN[0], False)
after = observed(AFTER or BEFORE, MAIN[1] if AFTER else MAIN[0], AFTER is None)
differ = 0
for name in {{**before, **after}}:
    if name not in before or name not in after:
        print(name, "is only", "before" if name in before else "after")
        differ += 1
    elif before[name].shape != after[name].shape or before[name].dtype != after[name].dtype:
        print(name, "has another shape or dtype")
        differ += 1
    elif not torch.allclose(before[name], after[name], rtol=1e-4, atol=1e-5, equal_nan=True):
        print(f"{{name}} differs by up to {{(before[name].double() - after[name].double()).abs().max().item():.3g}}")
        differ += 1
print("they differ" if differ else "outputs, gradients and buffers are equal here")
sys.exit(1 if differ else 0)
"""
