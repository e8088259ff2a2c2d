"""The newest torch's names of dtypes, constants, attributes, fields of results and members of modules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from breaklint.torchops.tables import read_table

NO_SETTINGS: Final = frozenset({"parameter", "buffer", "module", "none", "list", "other"})
HOLDERS: Final = ("torch.nn.Parameter", "torch.nn.DataParallel")  # empty when they were measured
# Classes that cannot be instantiated, which have no row, each with a subclass.
ABSTRACT: Final = {"RNNBase": "LSTM", "RNNCellBase": "LSTMCell"}


def rows(section: str) -> Iterator[tuple[str, str]]:
    """All entries of a section in the newest torch version."""
    return ((name, row) for name, row in read_table()[section].items() if row)


@cache
def dtypes() -> dict[str, str]:
    """The class of each dtype by its short name (`half` is float): bool, int, float or complex."""
    classes = {name.rpartition(".")[2]: row.partition("/")[2] for name, row in rows("constants") if "dtype/" in row}
    return {name: kind for name, kind in classes.items() if kind != "other"}


@cache
def constants() -> dict[str, str]:
    """The kind of each constant of torch, math and NumPy by qualified name: float, dtype or none."""
    return {name: row.partition("/")[0] for name, row in rows("constants")}


@cache
def made_by(function: str) -> str:
    """The class of the result of a function of the standard library or of torch, "" for others."""
    return read_table()["makers"].get(function, "")


@cache
def tensor_types() -> dict[str, str]:
    """The dtype class of the results of `torch.FloatTensor` and similar types, by short name."""
    return dict(rows("tensor_types"))


@cache
def tensor_attributes() -> dict[str, str]:
    """The kind of each attribute of Tensor except methods: tensor, int, bool, size, dtype, tuple or other."""
    return {name: "tuple" if row.startswith("[") else row.partition("/")[0] for name, row in rows("attributes")}


@cache
def named_results() -> dict[str, int]:
    """The position of each field in the named tuples that operators return; the most frequent one if they differ."""
    return {name: int(row.partition(" ")[0]) for name, row in rows("named_results")}


def module_attributes(kind: str) -> dict[str, str]:
    """The kinds of attributes of torch.nn's classes by name: `parameter`, `buffer` or `setting`.

    The value is a buffer's dtype class, or the type of a setting: bool, int, float, str, tuple or list.
    """
    return _module_attributes()[kind]


@cache
def _module_attributes() -> dict[str, dict[str, str]]:
    result: dict[str, dict[str, str]] = {kind: {} for kind in (*NO_SETTINGS, "setting")}
    for word in (word for _, row in rows("module_attributes") for word in row.split(" ")):
        name, _, text = word.partition(":")
        content, _, dtype = text.partition("/")
        result[content if content in NO_SETTINGS else "setting"][name] = dtype or text
    return result


@cache
def held_by(cls: str) -> dict[str, str]:
    """The kinds of the members of instances of a class of torch.nn: parameter, buffer/float, module, bool, none …"""
    short = cls.rpartition(".")[2]
    row = dict(rows("module_attributes")).get(f"torch.nn.{ABSTRACT.get(short, short)}", "")
    return {attribute: kind for attribute, _, kind in (word.partition(":") for word in row.split(" "))}


def is_setting(cls: str, name: str) -> bool:
    """Whether an attribute of instances of a torch.nn class is a plain Python value, though other classes have a
    parameter of that name: `nn.LSTM(4, 4).bias` is True."""
    return held_by(cls).get(name, "none").partition("/")[0] not in NO_SETTINGS


@cache
def parameterless() -> frozenset[str]:
    """The classes of torch.nn whose instances have settings alone, neither parameters nor modules."""
    settings = {"bool", "float", "int", "none", "str", "tuple"}
    return frozenset(
        name
        for name, row in rows("module_attributes")
        if {word.partition(":")[2] for word in row.split(" ")} <= settings and not name.startswith(HOLDERS)
    )


@cache
def module_methods() -> frozenset[str]:
    """The methods of torch.nn's classes."""
    return frozenset(name for name, _ in rows("module_methods"))
