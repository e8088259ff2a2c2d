"""Options of the compiler that a file sets at its top level: what they make traceable is no finding there."""

from __future__ import annotations

import ast

from breaklint.analysis.module import Module
from breaklint.analysis.project import Project, dotted_name


def is_set(project: Project, module: Module, option: str) -> bool:
    """Whether the file sets the option (`torch._dynamo.config.allow_rnn`) to True when it is imported."""
    known = module.cache.get("options")
    if known is None:
        known = module.cache["options"] = _options(project, module)
    assert isinstance(known, frozenset)
    return option in known


def _options(project: Project, module: Module) -> frozenset[str]:
    found = set()
    for statement in module.skeleton.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant) and statement.value.value:
            dotted = [dotted_name(target) for target in statement.targets if isinstance(target, ast.Attribute)]
            found |= {project.resolve(module, name) for name in dotted if name is not None}
    return frozenset(name for name in found if isinstance(name, str))
