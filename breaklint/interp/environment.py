"""Environments: what the names of a call stand for, and what holds where two ways meet."""

from __future__ import annotations

from breaklint.interp.heap import Scope
from breaklint.interp.lattice import Value, join

Env = dict[str, Value]


def has_paths(env: Env) -> bool:
    """Whether anything is known of attributes, under their dotted paths: one look at all names at once."""
    return "." in " ".join(env)


def join_env(a: Env, b: Env) -> Env:
    """What holds after either of two branches. A name that only one of them binds keeps that value; what a test has
    narrowed (a dotted path) holds only when both know it."""
    if a is b:
        return a
    result = a.copy()
    for name, other in b.items():
        value = a.get(name)
        if value is other:
            continue  # as most are
        if value is not None:
            result[name] = join(value, other)
        elif "." not in name:
            result[name] = other
    if has_paths(a):
        for name in [name for name in a if "." in name and name not in b]:
            del result[name]
    return result


def continue_from(frame: Scope, ends: list[Env]) -> bool:
    """Continue with what holds at any of the ends; False when there is none."""
    if not ends:
        return False
    frame.env = ends[0]
    for env in ends[1:]:
        frame.env = join_env(frame.env, env)
    return True
