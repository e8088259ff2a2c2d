"""What is told of a frame that Dynamo fails at, and of what breaks under a file's name and is none of it."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from breaklint.observe.collect import collect, wait  # noqa: E402
from breaklint.observe.process import replay  # noqa: E402
from breaklint.observe.process.tracing import Tracing  # noqa: E402
from breaklint.observe.profile import Seen  # noqa: E402
from breaklint.observe.raw import Lines, Plan  # noqa: E402

TEXT = """\
import torch


def inner(x):
    x = x + 1
    return x * 2


def f(x):
    y = x + 1
    print("here")
    return inner(y) + 2
"""


class Process:
    """One in which Dynamo is listened to, and what comes of it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "net.py"
        self.path.write_text(TEXT)
        self._out = folder / "out"
        self._out.mkdir()
        self.plan = Plan(str(self._out), str(folder))
        self._lines = Lines(self.plan.out, "calls")

    def write(self, **told: Any) -> None:
        self._lines.write(compiled=True, by="test", torch="2.13.0", **told)

    def compile(self, *texts: str) -> None:
        """Compile `f` of each text under the file's name, in turn."""
        tracing = Tracing(self.write, self.plan.is_own)
        tracing.install()
        try:
            for text in texts:
                names: dict[str, Any] = {}
                exec(compile(text, str(self.path), "exec", dont_inherit=True), names)
                torch._dynamo.reset()
                with suppress(Exception, KeyboardInterrupt, SystemExit):
                    torch.compile(names["f"], backend="eager")(torch.ones(2))
        finally:
            tracing.remove()
            torch._dynamo.reset()

    def seen(self) -> dict[str, Seen]:
        return {key.function: seen for key, seen in collect(self.plan).profile.functions.items()}


@pytest.fixture
def process(tmp_path: Path) -> Process:
    return Process(tmp_path)


def test_rows_and_breaks_are_told(process: Process) -> None:
    process.compile(TEXT)
    seen = process.seen()
    assert {name: sorted(each.traced) for name, each in seen.items()} == {"f": [1, 2, 3, 4], "inner": [1, 2, 3]}
    assert [broken.row for broken in seen["f"].breaks] == [3]
    assert not seen["f"].given_up


ERRORS = [RecursionError, MemoryError, KeyboardInterrupt, TypeError, AssertionError, IndexError, SystemExit]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("place", ["tracing", "guards", "backend"])
def test_a_failure_of_dynamo_judges_no_row(
    process: Process, monkeypatch: pytest.MonkeyPatch, error: type[BaseException], place: str
) -> None:
    """The frame was given up; the break before it is still one."""
    translator, translators = torch._dynamo.symbolic_convert, torch._dynamo.guards.CheckFunctionManager
    original, build = translator.InstructionTranslatorBase.starts_line, translators.__init__
    call_user_compiler = torch._dynamo.output_graph.OutputGraph.call_user_compiler
    rows: list[int] = []

    def starts_line(self: Any, row: int) -> Any:
        rows.append(row)
        if place == "tracing" and row == 6:
            raise error
        return original(self, row)

    def fails(original: Any) -> Any:
        def after(self: Any, *args: Any, **kwargs: Any) -> Any:
            if 6 in rows:
                raise error
            return original(self, *args, **kwargs)

        return after

    monkeypatch.setattr(translator.InstructionTranslatorBase, "starts_line", starts_line)
    if place == "guards":
        monkeypatch.setattr(translators, "__init__", fails(build))
    if place == "backend":
        monkeypatch.setattr(torch._dynamo.output_graph.OutputGraph, "call_user_compiler", fails(call_user_compiler))
    process.compile(TEXT)
    assert 6 in rows
    seen = process.seen()
    assert {name: sorted(each.traced) for name, each in seen.items()} == {"f": [1, 2, 3], "inner": []}
    assert [broken.row for broken in seen["f"].breaks] == [3]
    assert all(each.given_up for each in seen.values())


def test_rows_of_a_frame_are_told_when_it_is_done(process: Process) -> None:
    """Its process may be ended before."""
    tracing = Tracing(process.write, process.plan.is_own)
    names: dict[str, Any] = {}
    exec(compile(TEXT, str(process.path), "exec", dont_inherit=True), names)
    tracing.row(names["inner"].__code__, 5)
    assert process.seen() == {}
    tracing.ends(is_judged=True)
    assert sorted(process.seen()["inner"].traced) == [2]


def test_a_break_of_other_code_on_a_row_is_none_of_the_files(process: Process) -> None:
    """In one process, and on the row that the file's own code was traced on, before or after."""
    other = TEXT.replace("x = x + 1\n    return", "print(1); x = x + 1\n    return")
    process.compile(TEXT, other, TEXT)
    seen = process.seen()
    assert seen["inner"].breaks == ()
    assert [broken.row for broken in seen["f"].breaks] == [3]
    (note,) = collect(process.plan).notes
    assert note == "net.py: what ran as inner is not what the file says, and left out"


def test_a_frame_of_other_code_is_given_up_by_itself(process: Process) -> None:
    other = TEXT.replace("return inner(y) + 2", "with torch.no_grad():\n        print(inner(y))")
    process.compile(TEXT, other)
    assert {name: each.given_up for name, each in process.seen().items()} == {"f": False, "inner": False}


def test_a_file_that_is_edited_afterwards_is_left_out(process: Process) -> None:
    process.compile(TEXT)
    process.path.write_text(TEXT + "\n")
    observed = collect(process.plan)
    assert observed.profile.functions == {}
    assert observed.notes == ("net.py: changed while it was observed, and left out",)


def test_a_file_that_is_written_again_as_it_was_is_not(process: Process) -> None:
    process.compile(TEXT)
    process.path.write_text("")
    process.path.write_text(TEXT)
    assert process.seen()


def test_a_replay_that_does_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for another thread, which a copy of the process does not have."""
    monkeypatch.setattr(replay, "IDLE", 0.3)
    for command, ended in ((["sleep", "60"], True), (["true"], False)):
        ends, held = os.pipe()
        process = subprocess.Popen(command, pass_fds=[held])
        os.close(held)
        assert bool(replay._wait(process.pid, ends)) == ended
        assert process.wait() == (-9 if ended else 0)
        os.close(ends)


def test_replays_of_a_class_run_one_after_the_other(tmp_path: Path) -> None:
    """So its budget holds: what would begin once it is used up is not begun."""
    plan = Plan(str(tmp_path), str(tmp_path), budget=0.2, slots=4)
    told = {"class": "Spins", "name": "net:Spins", "form": "x", "torch": "2.13.0"}
    for number in range(4):
        replay.replay(plan, {**told, "inputs": str(number)}, lambda: (_Spins(), (torch.ones(1),), {}))
    wait(plan, lambda _: None)
    ends = [json.loads(path.read_text().splitlines()[-1]) for path in tmp_path.glob("replay-*")]
    assert sorted(each["end"] for each in ends) == ["skipped", "skipped", "skipped", "stopped"]
    assert all("more than 0.2 s" in each["why"] for each in ends)


class _Spins(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        while True:
            x = x + 1
