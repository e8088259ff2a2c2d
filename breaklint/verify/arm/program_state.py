"""What a target's program holds outside of its model: the region's modules, the process, the model's own interface."""

from __future__ import annotations

import inspect
import io
import pickle
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch

from breaklint.verify.arm.accuracy import Record
from breaklint.verify.arm.process_state import ProcessState, drawn
from breaklint.verify.arm.snapshot import snapshot
from breaklint.verify.arm.state import shared_data
from breaklint.verify.arm.user_lines import in_one_line

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_WARNING = re.compile(r".+?:\d+: (?P<category>\w+): (?P<message>.*)")


@dataclass(frozen=True)
class ProgramState:
    """`modules` are those of the region as one load of the target made them, `main` the name of the target's own."""

    process: ProcessState
    modules: Sequence[ModuleType]
    main: str

    def settings(self) -> dict[str, str]:
        """The settings of the process."""
        return self.process.settings({module.__name__ for module in self.modules})

    def warnings_in(self, text: str) -> list[str]:
        """The warnings in what was written to stderr that the region's files give, without their rows."""
        files = tuple(file for module in self.modules if (file := getattr(module, "__file__", None)))
        told = (_WARNING.match(line) for line in text.splitlines() if line.startswith(files))
        return [f"{each['category']}: {each['message']}" for each in told if each]

    def globals(self) -> Record:
        """A copy of the data in the region's modules."""
        copied: Record = snapshot(shared_data(self.modules, self.main))
        return copied

    def after_construction(self, model: Any) -> Record:
        """All of it before the first call, with the keys of the state dict and the parameters of forward."""
        keys = list(model.state_dict()) if isinstance(model, torch.nn.Module) else []
        told = {"settings": self.settings(), "drawn": drawn(), "globals": self.globals()}
        parts = {"state_dict": keys, "parameters": _parameters(model), "pickle": _pickle_error(model)}
        if isinstance(model, torch.nn.Module):
            parts |= {"order": [name for name, _ in model.named_parameters()]}
            parts |= {"buffers": [name for name, _ in model.named_buffers()]}
            parts |= {"overrides": _overrides(model)}
        return {"order": [], "buffers": [], "overrides": [], **told, **parts}


def _overrides(model: torch.nn.Module) -> list[str]:
    """The methods of `nn.Module` that its classes have as their own, and load hooks: most are run by no call."""
    found = set[str]()
    for module in model.modules():
        for kind in type(module).__mro__:
            if not kind.__module__.startswith(("torch.", "builtins")):
                found |= {f"{kind.__qualname__}.{name}" for name in vars(kind).keys() & vars(torch.nn.Module).keys()}
        for name in ("_load_state_dict_pre_hooks", "_load_state_dict_post_hooks", "_state_dict_hooks"):
            if getattr(module, name):
                found.add(f"{type(module).__qualname__}: {len(getattr(module, name))} of its {name}")
    return sorted(each for each in found if "__" not in each.replace("__deepcopy__", "").replace("__setstate__", ""))


def modules_with(region: Mapping[str, ModuleType], model: Any) -> list[ModuleType]:
    """The modules of the region, and those that define the model's class and its parts', but none of torch's own."""
    parts = model.modules() if isinstance(model, torch.nn.Module) else (model,)
    kinds = {getattr(part if inspect.isfunction(part) else type(part), "__module__", "") for part in parts}
    modules = {**region, **{name: sys.modules[name] for name in sorted(kinds & sys.modules.keys())}}
    return [
        module
        for name, module in modules.items()
        if isinstance(module, ModuleType) and not name.startswith(("torch.", "breaklint.", "__main__"))
    ]


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> str | None:
        """Tensors and arrays, which may be large, are left out."""
        return "tensor" if isinstance(obj, torch.Tensor) or type(obj).__module__ == "numpy" else None


def _pickle_error(model: Any) -> str:
    """Why a model cannot be stored whole or sent to another process; "" where it can."""
    try:
        _Pickler(io.BytesIO()).dump(model)
    except Exception as error:  # noqa: BLE001 - what a model holds may raise anything
        return in_one_line(error)
    return ""


def _parameters(model: Any) -> dict[str, str]:
    """The parameters that a caller may name, in order, each with its kind and default."""
    try:
        forward = model.forward if isinstance(model, torch.nn.Module) else model
        given = inspect.signature(forward).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {p.name: f"{p.kind.description}{_default(p.default)}" for p in given}


def _default(value: Any) -> str:
    return "" if value is inspect.Parameter.empty else f" = {_ADDRESS.sub('', repr(value))}"
