"""`breaklint observe` on a small project, as a user runs it: one run of a script, read by many tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import cli_server
import pytest
from harness import FEW_PLUGINS, PROJECT

NET = """\
import gc
import os
import time

import torch
from torch import nn

PARENT = os.getpid()
CALLS = []


class Net(nn.Module):
    def forward(self, x, mask=None):
        CALLS.append(1)
        print("seen")
        if mask is not None:
            x = x * mask.sum().item()
        return helper(x) + x.sum().item()


def helper(x):
    if x.sum() > 0:
        return x * 2
    return x


class Writes(nn.Module):
    def forward(self, x):
        with open("written.txt", "a") as file:
            file.write("once\\n")
        return x


class Hangs(nn.Module):
    def forward(self, x):
        if os.getpid() != PARENT:
            time.sleep(100)
        return x


class Spins(nn.Module):
    def forward(self, x):
        while os.getpid() != PARENT:
            pass
        return x


class Aborts(nn.Module):
    def forward(self, x):
        if os.getpid() != PARENT:
            os.abort()
        return x


class Ends(nn.Module):
    def forward(self, x):
        if os.getpid() != PARENT:
            os._exit(3)
        return x


class Fails(nn.Module):
    def forward(self, x):
        return x @ x


class Lean(nn.Module):
    def forward(self, x):
        print("lean")
        if os.getpid() != PARENT and not gc.get_freeze_count():
            raise RuntimeError("what the script made is looked through for garbage")
        return x


class Late(nn.Module):
    def forward(self, x):
        print("late")
        return x


class Starts(nn.Module):
    def forward(self, x):
        if os.getpid() != PARENT:
            raise RuntimeError("Cannot re-initialize CUDA in forked subprocess.")
        return x
"""
RUN = """\
import threading
import warnings

import torch
import net

warnings.simplefilter("error")
X = torch.ones(2, 3)
torch._dynamo.config.capture_scalar_outputs = True
net.Net()(X)
for kind in (net.Writes, net.Hangs, net.Spins, net.Aborts, net.Ends, net.Fails):
    try:
        kind()(X)
    except RuntimeError:
        print("raised")
import torch._dynamo.guards

timed, torch._dynamo.guards.profile_guard_manager = torch._dynamo.guards.profile_guard_manager, None
net.Lean()(X)
torch._dynamo.guards.profile_guard_manager = timed
asked = torch.cuda._is_in_bad_fork, torch.cuda.is_available
torch.cuda._is_in_bad_fork = torch.cuda.is_available = lambda: True  # as in a copy of a process that looks for devices
net.Late()(X)
torch.cuda._is_in_bad_fork, torch.cuda.is_available = asked
net.Starts()(X)


class Local(torch.nn.Module):
    def forward(self, x):
        return x.tolist()


def main():
    class Inner(Local):
        def forward(self, x):
            return super().forward(x)

    Inner()(X)


main()


class Doubles(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x):
        self.count += 1
        return x * 2


torch.fx.symbolic_trace(Doubles())
torch.func.vmap(Doubles())(X)
shared = Doubles().share_memory()
with torch.inference_mode():
    thread = threading.Thread(target=shared, args=(X,))
    thread.start()
    thread.join()
print(int(shared.count), "of a thread")
compiled = torch.compile(lambda x: net.helper(x), backend="eager")
compiled(X)
print(len(net.CALLS), "calls")
"""


class Run(NamedTuple):
    """The folder, what the script and breaklint printed, and what check says afterwards."""

    folder: Path
    code: int
    out: str
    err: str
    findings: list[dict[str, Any]]


def breaklint(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    if arguments[0] == "check":
        return cli_server.breaklint(folder, *arguments)
    kept = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    command = [sys.executable, "-m", "breaklint", *arguments]
    paths = os.pathsep.join([str(PROJECT), str(folder)])
    return subprocess.run(
        command, cwd=folder, env={**kept, "PYTHONPATH": paths, **environment}, capture_output=True, text=True
    )


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def checked(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    done = breaklint(folder, "check", "--isolated", "--output-format", "json", *arguments)
    assert done.returncode in (0, 1), done.stderr
    findings: list[dict[str, Any]] = json.loads(done.stdout)
    return findings


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = write(tmp_path_factory.mktemp("project"), {"net.py": NET, "run.py": RUN})
    done = breaklint(folder, "observe", "--isolated", "--budget", "3", "--", sys.executable, "run.py")
    return Run(folder, done.returncode, done.stdout, done.stderr, checked(folder, "."))


def at(run: Run, source: str) -> list[tuple[str, str]]:
    """Code and observed state of the findings on the only row with this source."""
    row = next(number for number, line in enumerate(NET.splitlines(), 1) if source in line)
    here = [each for each in run.findings if each["filename"] == "net.py" and each["location"]["row"] == row]
    return [(each["code"], each["observed"]["state"]) for each in here]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('print("seen")', [("BRK101", "confirmed")]),
        ("x.sum() > 0", [("BRK301", "confirmed")]),
        ("mask.sum().item()", [("BRK201", "unreached")]),
        ("helper(x) + x.sum().item()", [("BRK201", "ran")]),
    ],
)
def test_a_finding_says_what_dynamo_did_there(run: Run, source: str, said: list[tuple[str, str]]) -> None:
    assert at(run, source) == said


def test_it_names_the_torch_and_the_script(run: Run) -> None:
    import importlib.metadata

    told = next(each["observed"] for each in run.findings if each["code"] == "BRK101")
    version = importlib.metadata.version("torch").partition("+")[0]
    assert told == {"state": "confirmed", "torch": version, "by": ["run.py"]}


def test_the_script_runs_as_it_would_alone(run: Run) -> None:
    assert (run.code, run.out) == (0, "seen\nraised\nlean\nlate\n1 of a thread\n1 calls\n")
    assert (run.folder / "written.txt").read_text() == "once\n"


@pytest.mark.parametrize(
    "why",
    [
        "Ends: not replayed: its process was ended",
        "Aborts: not replayed: its process was ended by SIGABRT",
        "Writes: not replayed: it raised PermissionError: a replay does nothing outside itself: open of written.txt",
        "Fails: not replayed: it raised",
        "Starts: not replayed: the process uses CUDA, and a copy of it could not",
    ],
)
def test_a_call_that_cannot_be_replayed_says_why(run: Run, why: str) -> None:
    assert f"breaklint: {why}" in run.err


def test_replays_neither_time_guards_nor_look_for_garbage(run: Run) -> None:
    """Each would take a good part of a replay's time."""
    assert at(run, 'print("lean")') == [("BRK101", "confirmed")]
    assert "Lean: not replayed" not in run.err


def test_a_process_that_has_looked_for_devices_is_observed(run: Run) -> None:
    """Most test suites ask `torch.cuda.is_available()`."""
    assert at(run, 'print("late")') == [("BRK101", "confirmed")]


def test_a_replay_that_never_ends_is_ended_by_the_limit_that_comes_first(run: Run) -> None:
    """Where the machine is busy, the clock is before the processor."""
    limits = ("replays of the class took more than 3 s of processor time; raise --budget", "it did not end within 12 s")
    assert any(f"breaklint: Spins: not replayed: {limit}" in run.err for limit in limits)


def test_a_replay_that_hangs_is_ended_by_the_limit_that_comes_first(run: Run) -> None:
    limits = ("it did nothing for 10 s", "it did not end within 12 s")
    assert any(f"breaklint: Hangs: not replayed: {limit}" in run.err for limit in limits), run.err


def test_what_only_dynamo_saw_is_a_finding_with_the_nearest_rule(run: Run) -> None:
    """It is of a class that cannot be imported, and of an argument that check knows nothing of."""
    found = [each for each in run.findings if each["filename"] == "run.py" and each["function"] == "Local.forward"]
    assert [(each["code"], each["function"], each["observed"]["state"]) for each in found] == [
        ("BRK950", "Local.forward", "confirmed")
    ]
    assert found[0]["message"].startswith("Dynamo broke the graph here: ")
    assert "BRK203" in found[0]["help"]


def test_what_the_code_compiles_itself_is_read(run: Run) -> None:
    profile = json.loads((run.folder / ".breaklint/observed.json").read_text())
    assert "helper" in profile["files"]["net.py"]


def test_the_profile_has_no_path_of_this_machine(run: Run) -> None:
    assert str(run.folder) not in (run.folder / ".breaklint/observed.json").read_text()


@pytest.mark.parametrize("state", ["confirmed", "ran", "unreached"])
def test_findings_are_filtered_by_what_was_observed(run: Run, state: str) -> None:
    kept = checked(run.folder, "--observed", state, ".")
    assert kept == [each for each in run.findings if each["observed"]["state"] == state] != []


def test_the_texts_say_it_too(run: Run) -> None:
    text = breaklint(run.folder, "check", "--isolated", "net.py").stdout
    assert "= observed: confirmed by run.py (torch " in text
    assert "= observed: not with the inputs seen in run.py (torch " in text
    assert "= observed: not reached (torch " in text
    sarif = json.loads(breaklint(run.folder, "check", "--isolated", "--output-format", "sarif", "net.py").stdout)
    states = {each["properties"]["observed"]["state"] for each in sarif["runs"][0]["results"]}
    assert states == {"confirmed", "ran", "unreached"}


def test_the_exit_code_is_the_commands_own(tmp_path: Path) -> None:
    assert breaklint(tmp_path, "observe", "--", sys.executable, "-c", "raise SystemExit(7)").returncode == 7


def test_nothing_observed_is_a_failure_and_leaves_the_profile_alone(tmp_path: Path) -> None:
    write(tmp_path, {".breaklint/observed.json": "kept"})
    done = breaklint(tmp_path, "observe", "--", sys.executable, "-c", "pass")
    assert (done.returncode, (tmp_path / ".breaklint/observed.json").read_text()) == (1, "kept")
    assert "nothing was observed" in done.stderr


def test_a_command_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    done = breaklint(tmp_path, "observe", "--", "no-such-command-at-all")
    assert (done.returncode, done.stderr.count("\n")) == (2, 2)  # the note on running code, and the error


ODD = """\
import os
import signal

import torch

import net


enabled = torch.is_grad_enabled


def interrupted():
    # A signal arrives while the form of a call is read.
    torch.is_grad_enabled = enabled
    os.kill(os.getpid(), signal.SIGUSR1)
    return enabled()


def handler(*told):
    raise TimeoutError


signal.signal(signal.SIGUSR1, handler)
torch.is_grad_enabled = interrupted
try:
    net.Net()(torch.ones(1))
except TimeoutError:
    print("ended in time")
net.Ends()(torch.ones(1))
os.closerange(3, 200)
file = open("mine.txt", "w")
net.Net()(torch.ones(1, 1))
file.close()
"""


def test_a_process_that_raises_in_handlers_of_signals_and_closes_all_descriptors_is_observed(tmp_path: Path) -> None:
    write(tmp_path, {"net.py": NET, "run.py": ODD})
    done = breaklint(tmp_path, "observe", "--isolated", "--", sys.executable, "run.py")
    assert (done.returncode, done.stdout) == (0, "ended in time\nseen\n")  # what the handler raises is not lost
    assert (tmp_path / "mine.txt").read_text() == ""  # no descriptor of the recorder is taken for the file's
    assert {each["observed"]["by"][0] for each in checked(tmp_path, "--observed", "confirmed", "net.py")} == {"run.py"}


TESTS = """\
import subprocess
import sys

import pytest
import torch

import net


@pytest.fixture(scope="session")
def model():
    return net.Net().eval()


def test_forward(model):
    model(torch.ones(2, 3))


def test_patched(monkeypatch, model):
    monkeypatch.setattr(net, "helper", lambda x: x)
    model(torch.ones(2, 3))


def test_of_another_process():
    code = "import net, torch; net.Net()(torch.ones(2), torch.ones(1))"
    subprocess.run([sys.executable, "-c", code], check=True)
"""


@pytest.mark.nightly  # by day test_attack.py observes tests that start processes
def test_pytest_observes_with_its_option_in_the_processes_that_it_starts(tmp_path: Path) -> None:
    write(tmp_path, {"net.py": NET, "tests/test_net.py": TESTS})
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider", "--breaklint-observe"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, **FEW_PLUGINS, "PYTHONPATH": os.pathsep.join([str(PROJECT), str(tmp_path)])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    found = {(each["location"]["row"], each["code"]): each["observed"] for each in checked(tmp_path, "net.py")}
    rows = {source: number for number, line in enumerate(NET.splitlines(), 1) for source in [line.strip()]}
    assert found[rows["x = x * mask.sum().item()"], "BRK201"]["by"] == ["tests/test_net.py::test_of_another_process"]
    assert "tests/test_net.py::test_forward" in found[rows["if x.sum() > 0:"], "BRK301"]["by"]
    assert "tests/test_net.py::test_patched" not in found[rows["if x.sum() > 0:"], "BRK301"]["by"]
