"""The kind of a parameter, from its annotation in torch's stubs and Python code or from its type in an ATen schema."""

from __future__ import annotations

import ast

# The kinds of names in annotations and of types of schema arguments; other names are `other`.
NAMES = {
    "Tensor": "tensor", "TensorOrTensors": "tensor tensors", "_TensorOrTensors": "tensor tensors",
    "Parameter": "tensor", "Number": "number", "_complex": "number", "complex": "number", "Scalar": "number",
    "number": "number", "PySymType": "number",
    "_int": "int", "int": "int", "SymInt": "int", "IntLikeType": "int",
    "_float": "float", "float": "float", "SymFloat": "float", "FloatLikeType": "float",
    "_bool": "bool", "bool": "bool", "SymBool": "bool", "BoolLikeType": "bool",
    "_size": "size", "Size": "size", "_symsize": "size", "_size_1_t": "int size", "_size_2_t": "int size",
    "_size_3_t": "int size", "_size_2_opt_t": "int size", "_size_3_opt_t": "int size", "_size_any_t": "int size",
    "_ratio_any_t": "float floats", "_dtype": "dtype", "dtype": "dtype", "ScalarType": "dtype",
    "DeviceLikeType": "device", "_device": "device", "device": "device", "Device": "device", "_layout": "layout",
    "layout": "layout", "Layout": "layout", "Generator": "generator",
    "memory_format": "memory_format", "MemoryFormat": "memory_format", "_str": "str", "str": "str",
}  # fmt: skip
SEQUENCES = {"Sequence", "list", "List", "tuple", "Tuple", "Iterable", "BroadcastingList1", "BroadcastingList2",
             "BroadcastingList3"}  # fmt: skip
PLURAL = {"tensor": "tensors", "int": "size", "float": "floats", "number": "floats"}


def of_annotation(text: str) -> set[str]:
    """The kinds in an annotation, with `none` where it may be None: `Tensor | Number | None`."""
    try:
        return of_node(ast.parse(text.strip(), mode="eval").body)
    except SyntaxError:
        return {"other"}


def of_node(node: ast.expr) -> set[str]:
    """The kinds in a parsed annotation."""
    if isinstance(node, ast.BinOp):
        return of_node(node.left) | of_node(node.right)
    if isinstance(node, ast.Constant):
        return {"none"} if node.value is None else of_annotation(node.value) if isinstance(node.value, str) else set()
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    if isinstance(node, ast.Subscript):
        return of_generic(node)
    return set(NAMES.get(name, "other").split())


def of_generic(node: ast.Subscript) -> set[str]:
    """The kinds in `Sequence[int]`, `Optional[Tensor]`, `Literal["mean"]`."""
    name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Literal":
        return {type(item.value).__name__ for item in items if isinstance(item, ast.Constant)} & {"str", "int", "bool"}
    inner: set[str] = set().union(*(of_node(item) for item in items))
    if name in ("Optional", "Union"):
        return inner | ({"none"} if name == "Optional" else set())
    if name in SEQUENCES:
        inner.discard("none")
        return {PLURAL.get(kind, "other") for kind in inner}
    return {"other"}


def of_schema(kind: str) -> set[str]:
    """The kinds in the type of a schema's argument: `Optional[List[int]]`."""
    return of_annotation(kind.replace("?", "").replace("NoneType", "None"))
