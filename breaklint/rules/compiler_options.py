"""Options of the compiler that a file sets at its top level: code that they make traceable is not a finding."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.events import Call, Event, Loop, Repeat
from breaklint.interp.values import Array, Tensor, without_none
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
    if needs_captured(event) or _is_number_of_sizes(event):
        return False
    if event.method == "tolist":
        tensor = without_none(event.owner) if event.owner is not None else None
        return isinstance(tensor, Tensor) and tensor.dtype not in ("bool", "float")
    is_capturable = event.target not in UNCAPTURED and not event.target.startswith("numpy.")
    return is_capturable and not any(item.name.startswith("dim") for item in parameters_of(event, is_number_in_graph))


def _is_number_of_sizes(call: Call) -> bool:
    """Whether a call converts the result of a NumPy function of sizes or numbers: `int(np.prod(x.shape))`."""
    inner = call.node.args[0] if isinstance(call.node, ast.Call) and call.args else call.node
    if call.method and isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute):
        inner = call.node.func.value
    if not isinstance(inner, ast.Call) or not isinstance((*call.args, call.owner)[0], Array):
        return False
    values = [call.frame.interp.values.get(node) for node in (*inner.args, getattr(inner.func, "value", inner.func))]
    return not any(isinstance(value, (Array, Tensor)) for value in values)


def _options(project: Project, module: Module) -> CompilerOptions:
    targets = set()
    for statement in module.skeleton.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant) and statement.value.value:
            dotted = [dotted_name(target) for target in statement.targets if isinstance(target, ast.Attribute)]
            targets |= {project.resolve(module, name) for name in dotted if name is not None}
    return CompilerOptions(name for name in targets if isinstance(name, str))
