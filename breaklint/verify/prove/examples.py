"""Loads and runs the examples of rule cards. Needs torch and the standard library only."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from breaklint.verify.arm.calls import seed_all
from breaklint.verify.arm.loading import random_tensor

Example = dict[str, Any]
MARK = re.compile(r"#\s*(break|unroll|recompile|sync)\s*$")


def outcome(example: Example, key: str, folder: Path) -> tuple[list[Any], list[Any]]:
    """Output tensors (numbers count as 0-dim) and gradients of one eager call."""
    import torch

    model = load(example, key, folder)()
    leaves = [x.requires_grad_() if x.is_floating_point() else x for x in inputs(example["inputs"], 1)]
    with quiet():
        seed_all(0)
        outputs = tensors(model(*[leaf.clone() for leaf in leaves]))
    loss = [output.abs().double().sin().sum() for output in outputs if output.requires_grad]
    wanted = [x for x in (*leaves, *model.parameters()) if x.requires_grad]
    gradients = torch.autograd.grad(sum(loss[1:], loss[0]), wanted, allow_unused=True) if loss and wanted else ()
    present = [torch.zeros_like(x) if g is None else g for x, g in zip(wanted, gradients)]  # noqa: B905 (may be empty)
    return [output.detach() for output in outputs], present


def tensors(value: Any) -> list[Any]:
    """The tensors and numbers in an output, in order."""
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (bool, int, float)):
        return [torch.tensor(value)]
    if isinstance(value, dict):
        value = list(value.values())
    return [item for part in value for item in tensors(part)] if isinstance(value, (list, tuple)) else []


def load(example: Example, key: str, folder: Path) -> Callable[[], Any]:
    """The class `Net` of the example's source, in a file and a module of its own."""
    stem = f"{example['name']}_{example['number']}_{key}".replace("-", "_")
    path = folder / f"{stem}.py"
    path.write_text(example[key])
    module = types.ModuleType(stem)
    module.__file__ = str(path)
    sys.modules[stem] = module
    exec(compile(example[key], str(path), "exec"), module.__dict__)
    seed_all(0)
    build: Callable[[], Any] = module.Net
    return build


def marked_rows(source: str) -> set[int]:
    """The lines that end in a comment such as `# break`."""
    return {row for row, line in enumerate(source.splitlines(), 1) if MARK.search(line)}


def inputs(specs: list[str], scale: int) -> list[Any]:
    """Random tensors as the specs say: `f32[4, 8]`, `i64[4] < 5`, `bool[3]`, `f32[]`; SpecError when one is none."""
    import torch

    return [random_tensor(spec, {}, torch.Generator().manual_seed(n), scale) for n, spec in enumerate(specs)]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress output, logs and warnings of the examples."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
