"""Facts read from the files of an installed torch, without running it: options, their uses, and names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

# Modules of options that programs set.
CONFIGS = (
    "torch._dynamo.config", "torch._inductor.config", "torch._functorch.config", "torch.fx.experimental._config",
    "torch.compiler.config", "torch._export.config",
)  # fmt: skip
# Modules whose functions and classes programs import beside the documented ones.
MODULES = (
    "torch", "torch.compiler", "torch._dynamo", "torch._dynamo.decorators", "torch._dynamo.utils",
    "torch._dynamo.testing",
    "torch._dynamo.convert_frame", "torch._dynamo.eval_frame", "torch._dynamo.exc",
    "torch.fx.experimental.symbolic_shapes",
    "torch._higher_order_ops", "torch.export", "torch.export.dynamic_shapes", "torch.func", "torch._functorch.apis",
    "torch.utils.checkpoint", "torch.nn.attention", "torch.nn.attention.flex_attention", "torch._inductor.utils",
    "torch._inductor.fx_passes.post_grad", "torch.library", "torch.amp", "torch.cuda.amp", "torch.nn.utils",
    "torch.nn.utils.rnn", "torch.autograd.graph", "torch.utils._pytree", "torch._guards",
)  # fmt: skip


def options(home: Path) -> dict[str, str]:
    """Every option by its qualified name: `read`, `alias` of another, or `dead` if only its own file mentions it."""
    result: dict[str, str] = {}
    words = mentioned(home)
    for module in CONFIGS:
        path = file_of(home, module)
        tree = ast.parse(path.read_text()) if path else ast.Module([], [])
        for name, value in assigned(tree.body):
            elsewhere = words.get(name.rpartition(".")[2], set()) - {path}
            alias = isinstance(value, ast.Call) and any(keyword.arg == "alias" for keyword in value.keywords)
            result[f"{module}.{name}"] = "alias" if alias else "read" if elsewhere else "dead"
    return result


def mentioned(home: Path) -> dict[str, set[Path]]:
    """The files in which each word occurs as an attribute, a keyword or a text: `config.name`, `patch(name=1)`."""
    places: dict[str, set[Path]] = {}
    for path in home.rglob("*.py"):
        if "testing" not in path.parts and "test" not in path.parts:
            for word in set(re.findall(r"(?:\.|[\"'(,\s])([A-Za-z_]\w*)\b", path.read_text(errors="replace"))):
                places.setdefault(word, set()).add(path)
    return places


def assigned(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr | None]]:
    """The options that the top level of a module, and of the classes in it, stores, with their values."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{name}", value) for name, value in assigned(node.body) if "." not in name)
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and not target.id.startswith("_"):
                    yield target.id, node.value


def names(home: Path) -> dict[str, str]:
    """The names of modules, qualified: `class`, `import`, or a function's parameters after `def`."""
    result: dict[str, str] = {}
    for module in MODULES:
        path = file_of(home, module)
        for node in top_level(ast.parse(path.read_text()).body) if path else ():
            if isinstance(node, ast.ClassDef):
                result[f"{module}.{node.name}"] = "class"
            elif isinstance(node, ast.FunctionDef):
                result[f"{module}.{node.name}"] = " ".join(["def", *parameters(node.args)])
            elif isinstance(node, (ast.ImportFrom, ast.Import)):
                for alias in node.names:
                    result.setdefault(f"{module}.{alias.asname or alias.name}", "import")
    return {name: kind for name, kind in result.items() if not name.rpartition(".")[2].startswith("_")}


def top_level(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported, on whatever condition."""
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from top_level([*node.body, *getattr(node, "orelse", ()), *getattr(node, "finalbody", ())])
            yield from top_level([item for handler in getattr(node, "handlers", ()) for item in handler.body])


def parameters(arguments: ast.arguments) -> Iterator[str]:
    """The possible argument names of a function, and `**` if it takes any."""
    yield from (parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))
    if arguments.kwarg is not None:
        yield "**"


def file_of(home: Path, module: str) -> Path | None:
    """The file of a module."""
    path = home.joinpath(*module.split(".")[1:])
    return next((item for item in (path.with_suffix(".py"), path / "__init__.py") if item.is_file()), None)
