"""The reason why tracing does not reach a line: no entry point, or a test with a constant outcome."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from breaklint.interp.interpreter import Interpreter
from breaklint.interp.predicates import truth
from breaklint.interp.ways_to_compiler import functions
from breaklint.lint.findings import excerpt
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.spans import source_of
from breaklint.project.walking import walk

FEW = 4  # entries, and functions that call one, which are named


def explain(interp: Interpreter, module: Module, row: int) -> list[str]:
    """The lines with the reason why no traced code evaluates an expression in a line of a file."""
    info = _function_around(module, row)
    if info is None:
        return ["not traced: the line is outside of functions, and runs before compilation"]
    entries = [*interp.roots.values()]
    traced = {region.function for region in entries} | {site.callee for site in interp.call_sites}
    if info in traced:
        tests = [*_closed_tests(interp, module, info, row)]
        return tests or [f"not traced: {info.name} is traced, but no path in it reaches this line"]
    name = info.name.rpartition(".")[2]
    callers = [item.name for item in functions(module) if item is not info and _calls(item, name)]
    lines = [f"not traced: no entry point reaches {info.name}"]
    if callers:
        lines.append(f"its callers are not reached either: {_few(callers)}")
    lines.append(f"entry points of this file: {_few([region.function.name for region in entries]) or 'none'}")
    option = f'entry-points = ["{info.name}"]'
    lines.append(f"if it is compiled, add {option}; if another file calls it, check that file as well")
    return lines


def _function_around(module: Module, row: int) -> FunctionInfo | None:
    """The innermost top-level function, or method, whose body contains a line."""
    enclosing = [info for info in functions(module) if info.node.lineno <= row <= (info.node.end_lineno or 0)]
    return max(enclosing, key=lambda info: info.node.lineno, default=None)


def _closed_tests(interp: Interpreter, module: Module, info: FunctionInfo, row: int) -> Iterator[str]:
    """The tests around a line whose outcome always excludes it."""
    for node in walk(info.node):
        if not isinstance(node, (ast.If, ast.While, ast.IfExp)):
            continue
        value = interp.values.get(node.test)
        outcome = None if value is None else truth(value)
        body = [node.body] if isinstance(node, ast.IfExp) else node.body
        other = [node.orelse] if isinstance(node, ast.IfExp) else node.orelse
        if (outcome is False and _holds(body, row)) or (outcome is True and _holds(other, row)):
            source = excerpt(source_of(module, node.test))
            yield f"not traced: `{source}` on line {node.lineno} is always {outcome} here"


def _holds(nodes: Sequence[ast.stmt] | Sequence[ast.expr], row: int) -> bool:
    return any(node.lineno <= row <= (node.end_lineno or node.lineno) for node in nodes)


def _calls(info: FunctionInfo, name: str) -> bool:
    if not info.may_hold(name):
        return False
    callees = (call.func for call in info.nodes.of(ast.Call))
    return any(getattr(item, "attr", getattr(item, "id", "")) == name for item in callees)


def _few(names: Sequence[str]) -> str:
    names = [*dict.fromkeys(names)]
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
