"""Environments: the values of the names of a call, and their join."""

from __future__ import annotations

from collections.abc import Set

from breaklint.interp.lattice import Value, join

Env = dict[str, Value]


def has_paths(env: Env) -> bool:
    """Whether an environment narrows attributes, under their dotted paths: one search for all names."""
    return "." in " ".join(env)


def join_env(a: Env, b: Env, outside: Set[str]) -> Env:
    """The join of two environments. A name that only one of them binds keeps its value. A narrowed dotted path, or a
    name from `outside` the function, remains only if both have it."""
    if a is b:
        return a
    result = a.copy()
    for name, other in b.items():
        value = a.get(name)
        if value is other:
            continue  # as most are
        if value is not None:
            result[name] = join(value, other)
        elif "." not in name and name not in outside:
            result[name] = other
    for name in outside:
        if name in a and name not in b:
            del result[name]
    if has_paths(a):
        for name in [name for name in a if "." in name and name not in b]:
            del result[name]
    return result
