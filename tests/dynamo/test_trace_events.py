"""Recompilations in a trace of torch: functions, guards and rows."""

from __future__ import annotations

from breaklint.dynamo.events import Recompile
from breaklint.dynamo.guards import place_of
from breaklint.dynamo.trace_events import TraceReader, trace_events

TRACE = """\
V1125 17:48:01.1 6972 torch/_logging.py:1] {"str": ["/home/user/net.py", 3]}
V1125 17:48:01.1 6972 torch/guards.py:1] {"artifact": {"name": "recompile_reasons"}, "has_payload": "c5"}
\t[
\t"0/1: self.n == 1            # self.n += 1  # user/net.py:7 in forward (HINT: an integer)",
\t"0/0: tensor 'x' size mismatch at index 0. expected 2, actual 4"
\t]
V1125 17:48:01.2 6972 torch/convert.py:1] {"dynamo_start": {"stack": [{"line": 6, "name": "forward", "filename": 3}]}}
"""


def recompilations(trace: str) -> list[Recompile]:
    reader = TraceReader()
    for event, payload in trace_events(trace.splitlines()):
        reader.take(event, payload)
    return reader.recompilations


def test_a_trace_has_the_guards_and_then_the_function() -> None:
    (one,) = recompilations(TRACE)
    assert (one.filename, one.row, one.function) == ("/home/user/net.py", 6, "forward")
    assert [guard.text for guard in one.guards] == ["self.n == 1", "x.size(0) == 2"]
    assert place_of(one, one.guards[0]) == ("/home/user/net.py", 7)
