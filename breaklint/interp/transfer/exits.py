"""Statements that leave a block: break, continue, return, raise, assert."""

from __future__ import annotations

import ast

from breaklint.interp.events import Truth
from breaklint.interp.frame import Frame
from breaklint.interp.predicates import truth
from breaklint.interp.transfer import narrowing
from breaklint.interp.values import NONE


def visit_Break(frame: Frame, node: ast.Break) -> bool:
    if frame.exits:
        frame.exits[-1].append(dict(frame.env))
    return False


def visit_Continue(frame: Frame, node: ast.Continue) -> bool:
    if len(frame.exits) > 1:
        frame.exits[-2].append(dict(frame.env))
    return False


def visit_Return(frame: Frame, node: ast.Return) -> bool:
    value = frame.eval(node.value) if node.value else NONE
    frame.returns.append(value)
    if frame.return_envs is not None:
        frame.return_envs.append(frame.env)
    return False


def visit_Raise(frame: Frame, node: ast.Raise) -> bool:
    if node.exc is not None and frame.context.traced:
        saved, frame.context = frame.context, frame.context.within("raise")
        frame.eval(node.exc)
        frame.context = saved
    return False


def visit_Assert(frame: Frame, node: ast.Assert) -> bool | None:
    saved, frame.context = frame.context, frame.context.within("assert")
    value = frame.eval(node.test)
    frame.context = saved
    frame.emit(Truth(node.test, frame, value, "assert"))
    if truth(value) is False:
        return False
    frame.env = narrowing.narrow(frame, node.test, True) or frame.env
    return None
