"""What `TORCH_LOGS=recompiles` says, read as functions, guards and rows."""

from __future__ import annotations

from breaklint.dynamo.events import Recompile
from breaklint.dynamo.guards import place_of
from breaklint.dynamo.recompilations import of_log
from breaklint.dynamo.trace_events import TraceReader, trace_events

HEAD = "V1125 16:41:58.774000 9902 torch/_dynamo/guards.py:5396] [0/1] [__recompiles] "
LINES = [
    "Recompiling function f in /home/user/net.py:4",
    "    triggered by the following guard failure(s):",
    "    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5",
    "    - 0/1: n == 2                                   # return x * n  # user/net.py:5 in f",
    "      User stack trace:",
    '        File "/home/user/net.py", line 5, in f',
]


def test_each_guard_with_its_row() -> None:
    (one,) = of_log(HEAD + line for line in LINES)
    assert (one.filename, one.row, one.function) == ("/home/user/net.py", 4, "f")
    assert [(guard.text, *place_of(one, guard)) for guard in one.guards] == [
        ("x.size(0) == 4", "/home/user/net.py", 4),
        ("n == 2", "/home/user/net.py", 5),
    ]


def test_other_lines_are_no_recompilations() -> None:
    assert of_log(["epoch 1: loss 0.5", "- 0/0: a list"]) == []


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
