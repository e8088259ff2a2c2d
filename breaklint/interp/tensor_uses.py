"""Computations with tensors in functions without annotations: parameters that are tensors by use, and code that does
other work."""

from __future__ import annotations

import ast
from functools import cache
from typing import Final

from breaklint.interp.docstrings import libraries
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.parameter_inference import Evidence, evidence, is_tensor_attribute, uses
from breaklint.project.module import FunctionInfo, ImportedName
from breaklint.project.walking import dotted_name
from breaklint.torchops.signatures import newest_signature

# NumPy has no schema: attributes of tensors that arrays and numbers also have.
OF_ARRAYS: Final = frozenset(
    "T all any argmax argmin argpartition argsort astype base choose clip compress conj conjugate copy ctypes cumprod "
    "cumsum data device diagonal dot dtype dump fill flags flat flatten imag item itemset itemsize mT max mean min "
    "nbytes ndim nonzero partition prod ptp put ravel real repeat reshape resize round searchsorted shape size sort "
    "squeeze std strides sum swapaxes take to_device tobytes tofile tolist trace transpose var view "
    "is_integer numerator denominator hex".split()
)
ARRAYS: Final = frozenset("cupy jax numpy pandas polars scipy tensorflow xarray".split())
# Those that objects of other classes have as well.
OF_OTHERS: Final = OF_ARRAYS & frozenset(
    "base copy data dump fill flags flat hex is_integer item numerator denominator partition put real imag round size "
    "sort take trace view".split()
)
# Libraries whose use means that a function reads, writes, draws or converts.
OTHER_WORK: Final = frozenset(
    "PIL cv2 glob h5py imageio io json logging matplotlib numpy os pandas pathlib pickle plotly scipy shutil skimage "
    "sklearn subprocess sys tempfile urllib wandb yaml zipfile".split()
)
FILES: Final = OTHER_WORK - {"numpy", "scipy"}
OTHER_CALLS: Final = frozenset({"open", "print", "input"})
# Attributes of models, optimizers and losses in code that trains, and the conversion to NumPy.
OTHER_ATTRIBUTES: Final = frozenset("backward zero_grad state_dict load_state_dict parameters numpy".split())


def is_used_as_tensor(interp: AbstractInterpreter, info: FunctionInfo, name: str, is_module: bool) -> bool:
    """Whether a use of a parameter without annotation fits only a tensor, and no use contradicts it. A method of a
    module has no arrays, nor has a file that imports torch and no other library with arrays."""
    if evidence(info, name) is not Evidence.TENSOR:
        return False
    imported = libraries(info.module)
    has_arrays = not is_module and not ("torch" in imported and ARRAYS.isdisjoint(imported))
    others = OF_ARRAYS if has_arrays else OF_OTHERS
    return any(_is_of_tensor(interp, info, node, parent, others) for node, parent in uses(info).get(name, ()))


def _is_of_tensor(
    interp: AbstractInterpreter, info: FunctionInfo, node: ast.Name, parent: ast.AST, others: frozenset[str]
) -> bool:
    if isinstance(parent, ast.Attribute):
        return is_tensor_attribute(parent.attr) and parent.attr not in others
    if isinstance(parent, ast.Call) and node in parent.args and (dotted := dotted_name(parent.func)):
        target = interp.project.resolve(info.module, dotted)
        return isinstance(target, str) and _takes_only_tensors(target, parent.args.index(node))
    return False


@cache
def _takes_only_tensors(target: str, place: int) -> bool:
    """Whether a function of torch takes a tensor, and nothing else, at a position."""
    signature = newest_signature(target) if target.startswith("torch.") else None
    parameter = signature.parameter(place) if signature is not None else None
    return parameter is not None and parameter.kinds == {"tensor"}


def only_computes(info: FunctionInfo) -> bool:
    """Whether a function returns a value or stores into a parameter, and does not read, write, draw, train, or convert
    to NumPy."""
    nodes = info.nodes
    if any((nodes.of(ast.Import), nodes.of(ast.ImportFrom))) or info.is_generator or does_other_work(info):
        return False
    if any(each.attr in OTHER_ATTRIBUTES for each in nodes.of(ast.Attribute)):
        return False
    if any(each.value is not None and not isinstance(each.value, ast.Constant) for each in nodes.of(ast.Return)):
        return True
    parameters = {parameter.arg for parameter in info.node.args.args}
    stores = (node.value for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store))
    return any(isinstance(each, ast.Name) and each.id in parameters for each in stores)


def does_other_work(info: FunctionInfo, libraries: frozenset[str] = OTHER_WORK) -> bool:
    """Whether a function reads, writes or draws, by the libraries that it names or imports, and its builtins."""
    inner = [node.module for node in info.nodes.of(ast.ImportFrom)]
    inner += [alias.name for node in info.nodes.of(ast.Import) for alias in node.names]
    if any((name or "").partition(".")[0] in libraries for name in inner):
        return True
    for node in info.nodes.of(ast.Name):
        bound = info.module.names.get(node.id)
        if isinstance(bound, ImportedName):
            if bound.qualified.partition(".")[0] in libraries:
                return True
        elif node.id in OTHER_CALLS and bound is None:
            return True
    return False
