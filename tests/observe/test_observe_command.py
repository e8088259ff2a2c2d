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
import torch
from torch import nn

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


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.count = 0

    def forward(self, x):
        self.count += 1
        return x * self.weight * self.count


class Settles(nn.Module):
    scale = None

    def forward(self, x):
        if self.scale is None:
            self.scale = 2
        return x * self.scale


class Fails(nn.Module):
    def forward(self, x):
        return x @ x


class Unlucky(nn.Module):
    def forward(self, x):
        return x * 3
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
try:
    net.Fails()(X)
except RuntimeError as error:
    print(type(error).__name__)
counts, settles = net.Counts(), net.Settles()
for _ in range(5):
    counts(X).sum().backward()
    settles(X)
print(counts.weight.grad.tolist())


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
torch.func.vmap(lambda x: x * 2)(X)
doubles = Doubles()
with torch.inference_mode():
    thread = threading.Thread(target=doubles, args=(X,))
    thread.start()
    thread.join()
print(int(doubles.count), "of a thread")
@torch.compile(backend="eager")
def compiled(x):
    return x * 2


compiled(X)
from torch._dynamo.output_graph import OutputGraph

call_user_compiler = OutputGraph.call_user_compiler
OutputGraph.call_user_compiler = None
print(net.Unlucky()(X).sum().item())
OutputGraph.call_user_compiler = call_user_compiler
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
    remaining = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    command = [sys.executable, "-m", "breaklint", *arguments]
    paths = os.pathsep.join([str(PROJECT), str(folder)])
    return subprocess.run(
        command, cwd=folder, env={**remaining, "PYTHONPATH": paths, **environment}, capture_output=True, text=True
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
    done = breaklint(folder, "observe", "--isolated", "--", sys.executable, "run.py")
    return Run(folder, done.returncode, done.stdout, done.stderr, checked(folder, "."))


def at(run: Run, source: str) -> list[tuple[str, str]]:
    """Code and observed state of the findings on the only row with this source."""
    row = next(number for number, line in enumerate(NET.splitlines(), 1) if source in line)
    here = [
        finding for finding in run.findings if finding["filename"] == "net.py" and finding["location"]["row"] == row
    ]
    return [(item["code"], item["observed"]["state"]) for item in here]


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

    output = next(finding["observed"] for finding in run.findings if finding["code"] == "BRK101")
    version = importlib.metadata.version("torch").partition("+")[0]
    assert output == {"state": "confirmed", "torch": version, "by": ["run.py"]}


def test_the_script_runs_as_it_would_alone(run: Run) -> None:
    out = "seen\nRuntimeError\n[30.0, 30.0, 30.0]\n1 of a thread\n18.0\n1 calls\n"
    assert (run.code, run.out) == (0, out)
    assert "torch/_dynamo" not in run.err  # nothing of what Dynamo logs
    assert "does not listen" not in run.err


def test_a_failure_of_dynamo_is_said(run: Run) -> None:
    assert "net.py: Dynamo failed at Unlucky.forward: TypeError" in run.err


def test_only_what_equal_calls_compile_again_and_again_is_a_recompilation(run: Run) -> None:
    functions = json.loads((run.folder / ".breaklint/observed.json").read_text())["files"]["net.py"]
    counts, settles = (
        next(iter(next(iter(functions[f"{name}.forward"].values())).values())) for name in ("Counts", "Settles")
    )
    assert [count["reason"] for count in counts["recompiles"]] == ["self.count == N (net.py:N)"]
    assert "recompiles" not in settles


def test_what_only_dynamo_saw_is_a_finding_with_the_nearest_rule(run: Run) -> None:
    """It is of a class that cannot be imported, and of an argument that check knows nothing of."""
    result = [
        finding
        for finding in run.findings
        if finding["filename"] == "run.py" and finding["function"] == "Local.forward"
    ]
    assert [(item["code"], item["function"], item["observed"]["state"]) for item in result] == [
        ("BRK950", "Local.forward", "confirmed")
    ]
    assert result[0]["message"].startswith("Dynamo broke the graph here: ")
    assert "BRK203" in result[0]["help"]


def test_what_the_code_compiles_itself_is_read(run: Run) -> None:
    profile = json.loads((run.folder / ".breaklint/observed.json").read_text())
    assert "compiled" in profile["files"]["run.py"]


def test_the_profile_has_no_path_of_this_machine(run: Run) -> None:
    assert str(run.folder) not in (run.folder / ".breaklint/observed.json").read_text()


@pytest.mark.parametrize("state", ["confirmed", "ran", "unreached"])
def test_findings_are_filtered_by_what_was_observed(run: Run, state: str) -> None:
    remaining = checked(run.folder, "--observed", state, ".")
    assert remaining == [finding for finding in run.findings if finding["observed"]["state"] == state] != []


def test_the_texts_say_it_too(run: Run) -> None:
    text = breaklint(run.folder, "check", "--isolated", "--by-line", "net.py").stdout
    assert "= observed: confirmed by run.py (torch " in text
    assert "= observed: not with the inputs seen in run.py (torch " in text
    assert "= observed: not reached (torch " in text
    sarif = json.loads(breaklint(run.folder, "check", "--isolated", "--output-format", "sarif", "net.py").stdout)
    states = {item["properties"]["observed"]["state"] for item in sarif["runs"][0]["results"]}
    assert states == {"confirmed", "ran", "unreached"}


def test_the_exit_code_is_the_commands_own(tmp_path: Path) -> None:
    assert breaklint(tmp_path, "observe", "--", sys.executable, "-c", "raise SystemExit(7)").returncode == 7


def test_nothing_observed_is_a_failure_and_leaves_the_profile_alone(tmp_path: Path) -> None:
    write(tmp_path, {".breaklint/observed.json": "kept"})
    done = breaklint(tmp_path, "observe", "--", sys.executable, "-c", "pass")
    assert (done.returncode, (tmp_path / ".breaklint/observed.json").read_text()) == (1, "kept")
    assert "nothing was observed" in done.stderr


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


def test_of_another_process():
    code = "import net, torch; net.Net()(torch.ones(2), torch.ones(1))"
    subprocess.run([sys.executable, "-c", code], check=True)
"""


def test_the_processes_that_pytest_starts_are_observed(tmp_path: Path) -> None:
    write(tmp_path, {"net.py": NET, "tests/test_net.py": TESTS})
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider"]
    done = breaklint(tmp_path, "observe", "--isolated", "--", *command, **FEW_PLUGINS)
    assert done.returncode == 0, done.stdout
    result = {(item["location"]["row"], item["code"]): item["observed"] for item in checked(tmp_path, "net.py")}
    rows = {source: number for number, line in enumerate(NET.splitlines(), 1) for source in [line.strip()]}
    assert result[rows["x = x * mask.sum().item()"], "BRK201"]["by"] == ["tests/test_net.py::test_of_another_process"]
    assert "tests/test_net.py::test_forward" in result[rows["if x.sum() > 0:"], "BRK301"]["by"]


TRAINING = """\
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import net

dist.init_process_group("gloo")
model = DistributedDataParallel(net.Counts())
for _ in range(4):
    model(torch.ones(2, 3)).sum().backward()
line = f"rank {dist.get_rank()}: {model.module.weight.grad.tolist()}\\n"
os.write(1, line.encode())  # at once: both processes write to one pipe
dist.destroy_process_group()
"""


def test_processes_of_a_distributed_job_are_observed(tmp_path: Path) -> None:
    write(tmp_path, {"net.py": NET, "train.py": TRAINING})
    torchrun = (sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", "29517")
    done = breaklint(tmp_path, "observe", "--isolated", "--", *torchrun, "train.py", OMP_NUM_THREADS="1")
    assert sorted(done.stdout.splitlines()) == [f"rank {rank}: [20.0, 20.0, 20.0]" for rank in (0, 1)], done.stderr
    result = [item for item in checked(tmp_path, "net.py") if item["function"] == "Counts.forward"]
    assert [(item["code"], item["observed"]["state"]) for item in result] == [("BRK701", "confirmed")]
