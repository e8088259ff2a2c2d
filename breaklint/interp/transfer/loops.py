"""Loops, run until the environment no longer changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from breaklint.interp.contents import alike
from breaklint.interp.environment import Env, join_env
from breaklint.interp.events import Loop
from breaklint.interp.frame import Frame
from breaklint.interp.in_turn import TURNS, items_in_turn
from breaklint.interp.iteration import element_of, items_of
from breaklint.interp.lattice import UNKNOWN, Union, Value
from breaklint.interp.models import special_methods
from breaklint.interp.predicates import is_tensor, truth
from breaklint.interp.transfer import narrowing, subscripts
from breaklint.interp.transfer.truth import emit_truth_test, is_open
from breaklint.interp.values import NONE, Const, Static, Tensor
from breaklint.project.liveness import Loop as LoopNode
from breaklint.project.liveness import LoopNames
from breaklint.project.walking import has_row

MAX_TURNS = 16  # of a loop in driver code that compiles, each run separately


def visit_For(frame: Frame, node: ast.For | ast.AsyncFor) -> bool:
    iterable = special_methods.iterated(frame, frame.eval(node.iter))
    frame.emit(Loop(node, frame, iterable, node.target))
    if frame.interp.runs_in_turn:
        return _in_turn(frame, node, [partial(_bind, frame, node, item) for item in items_in_turn(frame, iterable)])
    items = items_of(iterable) if frame.interp.is_driving else None
    if items is not None and len(items) <= MAX_TURNS and has_row(node, frame.module.rows_with("compile")):
        return _each(frame, node, [partial(_bind, frame, node, item) for item in items])

    def enter() -> None:
        subscripts.assign(frame, node.target, element_of(iterable) or UNKNOWN)

    return _repeat(frame, node, enter)


def _bind(frame: Frame, node: ast.For | ast.AsyncFor, item: Value) -> bool:
    subscripts.assign(frame, node.target, item)
    return True


def _in_turn(frame: Frame, node: LoopNode, starts: Iterable[Callable[[], bool]]) -> bool:
    """Run a loop's body iteration by iteration, with the loop as the context of its calls."""
    around = frame.interp.loops_around
    around.append((frame.module, node))
    try:
        return _each(frame, node, starts)
    finally:
        around.pop()


def _each(frame: Frame, node: LoopNode, starts: Iterable[Callable[[], bool]]) -> bool:
    """Run a loop's body iteration by iteration while its `start` returns true: each may compile another value."""
    breaks: list[Env] = []
    reached = True
    for start in starts:
        frame.env = dict(frame.env)
        frame.exits.append([])
        if not start():
            frame.exits.pop()
            break
        frame.exits.append(breaks)
        falls_through = frame.interp.run_block(frame, node.body)
        frame.exits.pop()
        reached = frame.continue_from([*([frame.env] if falls_through else []), *frame.exits.pop()])
        if not reached:
            break
    finished = [frame.env] if reached and frame.interp.run_block(frame, node.orelse) else []
    return frame.continue_from([*finished, *breaks])


def visit_While(frame: Frame, node: ast.While) -> bool:
    frame.emit(Loop(node, frame, None))
    if frame.interp.runs_in_turn:
        return _in_turn(frame, node, [lambda: _goes_on(frame, node)] * TURNS)
    saved, frame.context = frame.context, frame.context.within("loop")
    test = frame.eval(node.test)
    frame.context = saved  # Dynamo resumes after a break at the jump, but not at a call in the test
    emit_truth_test(frame, node.test, test, "while")
    outcome = truth(test)
    if outcome is False:
        return frame.interp.run_block(frame, node.orelse)

    def enter() -> None:
        frame.env = narrowing.narrow(frame, node.test, True) or frame.env

    entered = tuple(_open_operands(frame, node.test))

    def again() -> bool | None:
        outer = frame.context
        for operand in entered:
            frame.context = frame.context.under_test(operand, True)
        at_jump, frame.context = frame.context, frame.context.within("loop")
        value = frame.eval(node.test)
        frame.context = at_jump
        emit_truth_test(frame, node.test, value, "while")
        frame.context = outer
        return truth(value)

    falls_through = _repeat(frame, node, enter, again, endless=outcome is True)
    if falls_through:
        frame.env = narrowing.narrow(frame, node.test, False) or frame.env
    return falls_through


def _goes_on(frame: Frame, node: ast.While) -> bool:
    """Whether the test of a loop may allow another iteration."""
    if truth(frame.eval(node.test)) is False:
        return False
    frame.env = narrowing.narrow(frame, node.test, True) or frame.env
    return True


def _open_operands(frame: Frame, test: ast.expr) -> Iterator[ast.expr]:
    """The undecided operands of `a and b` that decide whether a loop is entered, up to the first tensor."""
    for operand in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else ():
        value = frame.interp.values.get(operand)
        if value is None or is_tensor(value):
            return
        if is_open(frame, operand, value):
            yield operand


def _repeat(
    frame: Frame, node: LoopNode, enter: Callable[[], None],
    again: Callable[[], bool | None] | None = None, endless: bool = False,
) -> bool:  # fmt: skip
    """Run a loop's body until the names that the next iteration may read no longer change (or a few times)."""
    live = _live(frame, node)
    before: Env = frame.env
    frame.env = dict(before)
    breaks: list[Env] = []
    saved, frame.context = frame.context, frame.context.under_condition()
    around = frame.context

    def run() -> bool:
        nonlocal endless
        start = dict(frame.env)
        frame.context = around.within("loop")
        frame.exits.append([])
        enter()
        frame.exits.append(breaks)
        reached = frame.interp.run_block(frame, node.body)
        frame.exits.pop()
        continued = frame.exits.pop()
        frame.context = around
        ends = [*([frame.env] if reached else []), *continued]
        if not ends:
            frame.env = start
            return True
        frame.continue_from(ends)
        if again is not None and again() is not True:
            endless = False  # a counter that the test compares has changed
        frame.env = join_env(start, frame.env, frame.outside)
        if frame.interp.widens:
            frame.env = {name: value if _is_same(start, name, value) else UNKNOWN for name, value in frame.env.items()}
        return _is_stable(start, frame.env, live)

    frame.interp.run_until_stable(run)
    frame.context = saved
    finished = [] if endless else [_grown(before, frame.env)]
    if finished and node.orelse:
        frame.env = finished[0]
        finished = [frame.env] if frame.interp.run_block(frame, node.orelse) else []
    return frame.continue_from([*finished, *breaks])


def _live(frame: Frame, node: LoopNode) -> frozenset[str] | None:
    """The names that an iteration may read before it binds them; None if it may be any."""
    if frame.function is None or frame.return_envs is not None:
        return None
    return frame.module.derive(LoopNames, lambda: LoopNames(frame.module.text)).live(node, frame.function.node)


def _is_stable(before: Env, after: Env, live: frozenset[str] | None) -> bool:
    """Whether an iteration from `after` has the same effects as the one from `before`."""
    if any(name not in after for name in before):
        return False
    return all(
        _is_same(before, *bound) for bound in after.items() if live is None or bound[0] in live or "." in bound[0]
    )


def _grown(before: Env, after: Env) -> Env:
    """The environment after a loop; `total = 0` that a loop adds tensors to is a tensor."""
    for name, value in after.items():
        if isinstance(value, Union) and isinstance(before.get(name), Const):
            rest = [option for option in value.options if not isinstance(option, (Const, Static))]
            if len(rest) == 1 and isinstance(rest[0], Tensor) and NONE not in value.options:
                after = {**after, name: rest[0]}
    return after


def _is_same(before: Env, name: str, value: Value) -> bool:
    return name in before and alike(before[name], value)
