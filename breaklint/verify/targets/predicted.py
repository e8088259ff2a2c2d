"""Errors that a target's text alone shows, so that no process is started to find them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

from breaklint.project.own_names import own_names
from breaklint.source.decoding import read_source
from breaklint.source.syntax import parse
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.sources import check_before
from breaklint.verify.targets.targets import Target
from breaklint.verify.targets.testcases import case_classes

ENTRY = "[[tool.breaklint.verify]]"
NO_INPUTS = f"no get_inputs(); add one that returns the list of forward's arguments, or describe them as {ENTRY}"
NO_MODULE = "it defines no nn.Module; name a factory in it as FILE:name"
RETURNS = "returns (model, args) or (model, args, kwargs)"
INIT = f"its arguments come from get_init_inputs() in the file, or from `init` in {ENTRY}"
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_Defined = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_CUDA = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg", "/dev/nvhost-gpu")
"""Where Linux has the devices that torch calls CUDA."""


def predicted_error(target: Target, options: VerifyOptions = VerifyOptions()) -> str:  # noqa: B008 - it is frozen
    """Why the target cannot be loaded, where its file says so; "" where it may be.

    Raises:
        SourceError: the file cannot be read or is no Python.
        TargetError: what `--before` names is not there.
    """
    if options.before is not None:
        check_before(target, options.before)
    if target.recipe.keys() & {"captured", "library"}:
        return ""
    tree = parse(str(target.path), read_source(str(target.path)).text)
    here = options.python in ("", sys.executable)
    if here and not target.is_fixture and (lacking := next(_missing(tree.body, target), "")):
        return lacking
    names = {name for name, _ in own_names(tree)}
    if "__getattr__" in names or _hides_names(tree):
        return ""
    return next(filter(None, (check() for check in _checks(tree, target, names))), "")


def is_cuda_missing(devices: Sequence[str | None]) -> bool:
    """Is a GPU requested on a machine that has none?"""
    wanted = any(device is not None and device.startswith("cuda") for device in devices)
    return wanted and sys.platform == "linux" and not any(Path(place).exists() for place in _CUDA)


def _checks(tree: ast.Module, target: Target, names: set[str]) -> Iterator[partial[str]]:
    defined = {node.name: node for node in tree.body if isinstance(node, _Defined)}
    classes = {name: node for name, node in defined.items() if isinstance(node, ast.ClassDef)}
    yield partial(_missing_name, target, classes, names)
    if target.factory:
        yield partial(_bad_factory, target, defined)
        return
    if "case" in target.recipe:
        yield partial(_missing_case, target)
        return
    if not target.attribute and not classes:
        yield partial(str, f"{target.path}: {NO_MODULE}")
    if "get_inputs" not in names and "inputs" not in target.recipe:
        yield partial(str, f"{target.path}: {NO_INPUTS}")
    yield partial(_no_module, target, tree, classes)
    if "get_init_inputs" not in names and "init" not in target.recipe:
        yield partial(_lacking_arguments, target, defined, classes)


def _missing_name(target: Target, classes: Mapping[str, ast.ClassDef], names: set[str]) -> str:
    if target.attribute.partition(".")[0] in {"", *names}:
        return ""
    listed = f"its classes are {', '.join(classes)}" if classes else "it defines no class"
    return f"{target.path}: no {target.attribute!r} in it; {listed}"


def _bad_factory(target: Target, defined: Mapping[str, ast.stmt]) -> str:
    where, node = f"{target.path}: {target.attribute}", defined.get(target.attribute)
    if isinstance(node, ast.FunctionDef) and (lacks := _required(node)) and not node.decorator_list:
        missing = f"missing a required argument: {lacks!r}"
        return f"{where} is called without arguments ({missing}); it has to be one that {RETURNS}"
    return ""


def _missing_case(target: Target) -> str:
    number, count = target.recipe["case"], len(case_classes(target.path))
    if not count or number < count:
        return ""
    return f"{target.path}: no test case {number}; TESTCASES in it has {count}, counted from 0"


def _no_module(target: Target, tree: ast.Module, classes: Mapping[str, ast.ClassDef]) -> str:
    """What has no base is no module; calls at the top level may make classes that are."""
    if target.attribute:
        named = classes.get(target.attribute)
        if named is None or not _is_plain(named):
            return ""
        where, example = f"{target.path}: {target.attribute}", f"{target.path.name}:make"
        return f"{where} is no module class; a function that {RETURNS} is named as {example}"
    made = (node for node in tree.body if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Import))
    has_calls = any(isinstance(each, ast.Call) for node in made for each in ast.walk(node))
    return f"{target.path}: {NO_MODULE}" if all(map(_is_plain, classes.values())) and not has_calls else ""


def _is_plain(node: ast.ClassDef) -> bool:
    is_callable = any(isinstance(each, ast.FunctionDef) and each.name == "__call__" for each in node.body)
    bases = [base for base in node.bases if not (isinstance(base, ast.Name) and base.id == "object")]
    return not (bases or node.keywords or node.decorator_list or is_callable)


def _lacking_arguments(target: Target, defined: Mapping[str, _Defined], classes: Mapping[str, ast.ClassDef]) -> str:
    modules = {name: node for name, node in classes.items() if not _is_plain(node)}
    name = target.attribute or ("Model" if "Model" in modules else next(iter(modules), "") if len(modules) == 1 else "")
    node = defined.get(name)
    if node is None or node.decorator_list or (isinstance(node, ast.ClassDef) and node.keywords):
        return ""
    is_class, made = isinstance(node, ast.ClassDef), [node]
    if is_class:
        made = [each for each in node.body if isinstance(each, _FUNCTIONS) and each.name in ("__init__", "__new__")]
    lacks = _required(made[0], int(is_class)) if len(made) == 1 and not made[0].decorator_list else ""
    return f"{target.path}: {name}: missing a required argument: {lacks!r}; {INIT}" if lacks else ""


def _required(node: ast.stmt, bound: int = 0) -> str:
    """The first parameter that a call without arguments lacks, `bound` ones being given; "" where it lacks none."""
    assert isinstance(node, _FUNCTIONS)
    taken = node.args
    positional = [*taken.posonlyargs, *taken.args]
    required = positional[bound : len(positional) - len(taken.defaults)]
    named = [each for each, default in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if default is None]
    return next((each.arg for each in (*required, *named)), "")


def _missing(body: Sequence[ast.stmt], target: Target) -> Iterator[str]:
    """Imports of packages that are nowhere on the search path, as the file makes them first of all."""
    for statement in body:
        if isinstance(statement, ast.Import):
            imported = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            imported = [statement.module or ""]
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        else:
            return  # which may change the search path
        for name in imported:
            top = name.partition(".")[0]
            if not (top in sys.stdlib_module_names or PathFinder.find_spec(top, [target.root, ""]) or find_spec(top)):
                yield f"ModuleNotFoundError: No module named {top!r} ({target.path}:{statement.lineno})"


def _hides_names(tree: ast.Module) -> bool:
    """May the file bind more names than stand in it: those of another module, or by text that is run?"""
    top = [statement for statement in tree.body if not isinstance(statement, _Defined)]
    nodes = [node for statement in top for node in ast.walk(statement)]
    return any(
        (isinstance(node, ast.alias) and node.name == "*")
        or (isinstance(node, ast.Name) and node.id in ("exec", "globals", "vars"))
        for node in nodes
    )
