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
    result: Env = {}
    for name, value in a.items():
        other = b.get(name)
        if other is not None:
            result[name] = value if other is value else join(value, other)
        elif "." not in name:
            result[name] = value
    for name, value in b.items():
        if name not in a and "." not in name:
            result[name] = value
    return result


def continue_from(frame: Scope, ends: list[Env]) -> bool:
    """Continue with what holds at any of the ends; False when there is none."""
    if not ends:
        return False
    frame.env = ends[0]
    for env in ends[1:]:
        frame.env = join_env(frame.env, env)
    return True
