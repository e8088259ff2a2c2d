"""Graph breaks out of what torch has logged, joined with rules and fixes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_server import breaklint

from breaklint.dynamo.logs import read_logs
from breaklint.errors import UsageError

MODEL = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        print("shape", x.shape)
        return x + 1


class Counter(torch.nn.Module):
    count = 0

    def forward(self, x):
        self.count += 1
        return x * self.count


if __name__ == "__main__":
    torch.compile(Net(), backend="eager")(torch.ones(3))
    counter = torch.compile(Counter(), backend="eager")
    for _ in range(12):
        counter(torch.ones(3))
"""


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("logged")
    (folder / "net.py").write_text(MODEL)
    output = {**os.environ, "TORCH_TRACE": str(folder / "traces")}
    subprocess.run([sys.executable, "net.py"], cwd=folder, env=output, check=True)
    return folder


def test_a_trace_has_each_break_with_its_rule_and_each_failing_guard_with_the_limit(logged: Path) -> None:
    done = breaklint(logged, "trace", "traces", "--output-format", "json")
    broken, again = json.loads(done.stdout)
    assert (done.returncode, broken["filename"], broken["row"], broken["gb"]) == (1, "net.py", 6, "GB0059")
    assert [(finding["code"], finding["row"]) for finding in broken["findings"]] == [("BRK101", 6)]
    assert (again["function"], again["guard_row"], again["count"], again["limit_reached"]) == ("forward", 14, 7, True)


def test_a_recompilation_is_printed_once_with_its_count(logged: Path) -> None:
    printed = breaklint(logged, "trace", "traces").stdout
    assert printed.count("compiles again, 7 times; then it reached the recompile limit") == 1


def test_a_log_without_breaks_has_none(tmp_path: Path) -> None:
    (tmp_path / "t.log").write_text('V1122 09:19:08.954000 16796 torch/_dynamo/x.py:9] {"dynamo_start": {}}\n')
    assert read_logs(str(tmp_path))[0] == []


@pytest.mark.parametrize(("name", "text"), [("t.log", "hello\n"), ("empty.txt", ""), ("gone", None)])
def test_what_is_no_log_of_torch_is_refused(tmp_path: Path, name: str, text: str | None) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=name):
        read_logs(str(tmp_path / name))[0]
