"""Options of the compiler that a file sets at its top level: code that they make traceable is not a finding."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.events import Call, Event, Loop, Repeat
from breaklint.interp.values import Tensor, without_none
from breaklint.project.module import Module
from breaklint.project.project import Project
from breaklint.project.walking import dotted_name
from breaklint.rules.operator_parameters import is_number_in_graph, needs_captured, parameters_of

# Operators that break with the options as well, though their tags are those of others that do not.
UNCAPTURED: Final = frozenset(
    {"torch.nn.functional.ctc_loss", "torch.ctc_loss", "torch.combinations", "torch.nn.functional.pad"}
)


class CompilerOptions(frozenset[str]):
    """The options that a file sets to True, by qualified name."""


def is_set(project: Project, module: Module, option: str) -> bool:
    """Whether the file sets the option (`torch._dynamo.config.allow_rnn`) to True when it is imported."""
    return option in module.derive(CompilerOptions, lambda: _options(project, module))


def captures(event: Event) -> bool:
    """Whether the options that capture numbers and sizes in the graph apply to this operator (measured on torch 2.13):
    a dimension has to be known while it is traced."""
    if isinstance(event, (Repeat, Loop)):
        return False
    if not isinstance(event, Call):
        return True
    if needs_captured(event):
        return False
    if event.method == "tolist":
        tensor = without_none(event.owner) if event.owner is not None else None
        return isinstance(tensor, Tensor) and tensor.dtype not in ("bool", "float")
    is_capturable = event.target not in UNCAPTURED and not event.target.startswith("numpy.")
    return is_capturable and not any(item.name.startswith("dim") for item in parameters_of(event, is_number_in_graph))


def _options(project: Project, module: Module) -> CompilerOptions:
    targets = set()
    for statement in module.skeleton.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant) and statement.value.value:
            dotted = [dotted_name(target) for target in statement.targets if isinstance(target, ast.Attribute)]
            targets |= {project.resolve(module, name) for name in dotted if name is not None}
    return CompilerOptions(name for name in targets if isinstance(name, str))
