"""Calls of one model one after the other: what it keeps of one shows in the next."""

from __future__ import annotations

import copy
import io
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import torch

from breaklint.verify.arm.accuracy import Record
from breaklint.verify.arm.arm_session import ArmSession
from breaklint.verify.arm.changing import clone, in_dtype
from breaklint.verify.arm.comparability import dtypes
from breaklint.verify.arm.gradients import backward, with_gradients
from breaklint.verify.arm.observe import seed_all
from breaklint.verify.arm.snapshot import snapshot
from breaklint.verify.arm.state import kept
from breaklint.verify.arm.time_limit import OutOfTime, time_limit
from breaklint.verify.arm.user_lines import in_one_line
from breaklint.verify.arm.variants import resized, shortened

EQUAL_CALLS = 9
SEQUENCE_S = 2.0
"""Seconds of processor time beyond which no step may go."""
Step = tuple[str, Callable[[], Record | None]]


class _Sequence:
    """A model that is called again and again; each step gives what is seen of it, or None if there is no such call."""

    def __init__(self, session: ArmSession) -> None:
        self._session = session
        self.renew()

    def renew(self) -> None:
        """Go on with a new model: what a call that raises leaves behind is another matter."""
        self._case = self._session.fresh()
        self._model = self._case.model

    def steps(self) -> Iterator[Step]:
        yield "the given call", lambda: self._call(self._given)
        yield "a call of 3 rows", lambda: self._call(resized(self._given, 3))
        yield f"{EQUAL_CALLS} equal calls", lambda: self._equal(self._given)
        yield "a call with one element less in dimension 1", lambda: self._call(shortened(self._given))
        yield "a training step", lambda: self._trained(self._given)
        yield "another training step", lambda: self._trained(self._given)
        if not isinstance(self._model, torch.nn.Module):
            return
        yield "a call of a copy", lambda: self._copied(self._given)
        if len({module.training for module in self._model.modules()}) == 1:
            yield "a call in the other mode", lambda: self._in_other_mode(self._given)
            yield "a call in the first mode", lambda: self._in_other_mode(self._given)
        yield "a call in bfloat16", lambda: self._narrowed(self._given)

    @property
    def _given(self) -> Any:
        return self._case.args, self._case.kwargs

    def _call(self, call: Any, model: Any = None) -> Record | None:
        if call is None:
            return None
        args, kwargs = clone(call)
        with torch.no_grad():
            return {"output": snapshot((model or self._model)(*args, **kwargs))}

    def _equal(self, call: Any) -> Record:
        calls: list[Record | None] = []
        for _ in range(EQUAL_CALLS):
            seed_all(self._session.setup.seed + 1)
            calls.append(self._call(call))
        program = self._case.program
        state = {"state": snapshot(kept(self._model)), "globals": program.globals() if program else {}}
        return {"calls": calls, **state}

    def _trained(self, call: Any) -> Record:
        (args, kwargs), _ = with_gradients(call)
        output = self._model(*args, **kwargs)
        backward(output)
        return {"output": snapshot(output)}

    def _in_other_mode(self, call: Any) -> Record | None:
        self._model.train(not self._model.training)
        return self._call(call)

    def _copied(self, call: Any) -> Record | None:
        model = copy.deepcopy(self._model)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.mul_(0.5)
        return self._call(call, model)

    def _narrowed(self, call: Any) -> Record | None:
        """Only which outputs are in it: rounding makes of values what it likes."""
        told = self._call(in_dtype(call, torch.bfloat16), self._model.to(torch.bfloat16))
        return told and {"bfloat16": [place for place, dtype in dtypes(told["output"]).items() if "bfloat16" in dtype]}


def sequence(session: ArmSession) -> list[Record]:
    """What each step does. The original, which comes first, leaves the names of its steps for the others, and of those
    in which it raises."""
    if not session.setup.rewritten:
        return []
    model, taken, began = _Sequence(session), list[Record](), time.process_time()
    known: dict[str, bool] | None = session.shared.get("steps")
    longest = session.shared["given_s"]  # with what is done once only
    raising: dict[str, bool] = {}
    for name, step in model.steps():
        if name not in known if known is not None else time.process_time() - began + longest > SEQUENCE_S:
            break
        before = time.process_time()
        told = _told(session, step)
        if "call_s" not in session.shared:
            session.shared["call_s"] = time.process_time() - before
        longest = EQUAL_CALLS * session.shared["call_s"]
        raising[name] = told is not None and "exception" in told
        if known[name] if known is not None else raising[name]:
            model.renew()
        elif told is not None:
            taken.append({"step": name, **told})
    session.shared.setdefault("steps", raising)
    return taken


def _told(session: ArmSession, step: Callable[[], Record | None]) -> Record | None:
    seed_all(session.setup.seed + 1)
    limit, quiet = time_limit(session.shared["given_s"] * EQUAL_CALLS), io.StringIO()
    try:
        with limit, redirect_stdout(quiet), redirect_stderr(quiet):
            return step()
    except (Exception, OutOfTime) as error:  # noqa: BLE001 - a model may raise anything
        return {"exception": in_one_line(error)}
