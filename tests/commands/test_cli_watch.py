"""`breaklint check --watch`, and completion in a shell."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import IO

import pytest
from click.shell_completion import ShellComplete
from harness import PROJECT, RunBreaklint, WriteFiles

from breaklint.cli import cli

CLEAN = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n"
BREAKS = CLEAN.replace("torch.relu(x)", "x * x.mean().item()")
SECONDS = 60  # for a run on a machine that is busy


class Watch:
    """A watch that runs, with what it prints."""

    def __init__(self, folder: Path, *options: str, stdout: int = subprocess.PIPE) -> None:
        command = [sys.executable, "-m", "breaklint", "check", "--watch", *options]
        environment = {**os.environ, "PYTHONPATH": str(PROJECT), "TERM": "xterm"}
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=stdout, stderr=subprocess.PIPE, text=True
        )
        self.out: Queue[str] = Queue()
        self.err: Queue[str] = Queue()
        for stream, queue in ((self.process.stdout, self.out), (self.process.stderr, self.err)):
            if stream is not None:
                threading.Thread(target=self._read, args=(stream, queue), daemon=True).start()

    @staticmethod
    def _read(stream: IO[str], queue: Queue[str]) -> None:
        for line in stream:
            queue.put(line)

    def wait_for(self, begin: str, queue: Queue[str]) -> None:
        """Wait until a line is printed that begins so: one change may be seen as two."""
        while not queue.get(timeout=SECONDS).startswith(begin):
            pass

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(SECONDS)


@pytest.fixture
def watches() -> Iterator[list[Watch]]:
    begun: list[Watch] = []
    yield begun
    for item in begun:
        item.process.kill()
        item.process.wait()


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and pseudo-terminals of POSIX")


def test_a_watch_checks_again_when_a_file_or_the_configuration_changes(
    write_files: WriteFiles, watches: list[Watch]
) -> None:
    pytest.importorskip("watchfiles")
    folder = write_files({"src/net.py": CLEAN, "breaklint.toml": ""})
    watches.append(watch := Watch(folder, "src"))
    watch.wait_for("No findings in 1 file (1 entry: 1 forward).", watch.out)
    watch.wait_for("Watching for changes", watch.err)
    (folder / "src/net.py").write_text(BREAKS)
    watch.wait_for("Found 1 graph break", watch.out)
    (folder / "breaklint.toml").write_text('selct = ["BRK1"]')
    watch.wait_for(f"breaklint: error: {folder / 'breaklint.toml'}: unknown key `selct`", watch.err)
    (folder / "src/new.py").write_text(CLEAN)
    (folder / "breaklint.toml").write_text('ignore = ["BRK2"]')
    watch.wait_for("No findings in 2 files (", watch.out)
    assert watch.end() == 0
    assert "\x1b" not in "".join([*watch.out.queue, *watch.err.queue])


def test_a_watch_in_a_terminal_clears_it_before_each_check(write_files: WriteFiles, watches: list[Watch]) -> None:
    pytest.importorskip("watchfiles")
    folder = write_files({"net.py": CLEAN})
    ours, theirs = os.openpty()
    watches.append(watch := Watch(folder, "net.py", stdout=theirs))
    os.close(theirs)
    watch.wait_for("Watching for changes", watch.err)
    assert os.read(ours, 1000).startswith(b"\x1b[2J")
    assert watch.end() == 0
    os.close(ours)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--diff", "."], "--watch and --diff cannot be combined"),
        (["--write-baseline", "base.json", "."], "--watch and --write-baseline cannot be combined"),
        (["-"], "--watch is for files, not for -"),
        (["gone.py"], "gone.py: no such file or folder"),
    ],
)
def test_what_cannot_be_watched_is_an_error(breaklint: RunBreaklint, arguments: list[str], line: str) -> None:
    done = breaklint("check", "--watch", *arguments)
    assert (done.returncode, done.stderr) == (2, f"breaklint: error: {line}\n")


def test_a_watch_without_its_library_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['watchfiles'] = None; import breaklint.cli; breaklint.cli.main()"
    command = [sys.executable, "-c", code, "check", "--watch", "."]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "breaklint: error: --watch needs watchfiles: pip install watchfiles\n"


SHOWN = dict(
    re.findall(
        r"^\| (\w+)\b.*`([^`]*_BREAKLINT_COMPLETE[^`]*)`",
        (PROJECT / "docs/command-line.md").read_text("utf-8"),
        re.MULTILINE,
    )
)


@pytest.fixture
def in_bash(tmp_path: Path) -> dict[str, str]:
    """An environment in which `breaklint` is this project's."""
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    command = tmp_path / "bin/breaklint"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m breaklint "$@"\n')
    command.chmod(0o755)
    return {**os.environ, "PYTHONPATH": str(PROJECT), "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("breaklint che", "check", id="command"),
        pytest.param("breaklint check --extend-s", "--extend-select", id="option"),
        pytest.param("breaklint check --output-format sa", "sarif", id="format"),
        pytest.param("breaklint rule BRK20", "BRK201 BRK202", id="rule"),
        pytest.param("breaklint check --select BRK20", "BRK201 BRK202", id="code"),
        pytest.param("breaklint check --ignore BRK3,tensor-i", "BRK3,tensor-item", id="code behind a comma"),
    ],
)
def test_bash_completes_with_the_line_that_the_docs_show(in_bash: dict[str, str], words: str, expected: str) -> None:
    script = f"{SHOWN['bash']}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
    script += "_breaklint_completion breaklint; echo ${COMPREPLY[@]}"
    done = subprocess.run(["bash", "-c", script], env=in_bash, capture_output=True, text=True, check=False)
    assert done.stdout.strip().startswith(expected), done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "check", "check --baseline", "check --cache-dir", "check --stdin-filename", "verify", "verify --before",
        "verify --results", "verify --own-paths", "verify --python", "report merge",
        "test", "config", "clean",
        "new-rule --folder", "capture --out", "capture -- python",
    ],
)  # fmt: skip
def test_a_shell_is_told_to_complete_files(words: str) -> None:
    completion = ShellComplete(cli, {}, "breaklint", "_BREAKLINT_COMPLETE")
    (item,) = completion.get_completions(words.split(), "mod")
    assert (item.type in ("file", "dir"), item.value) == (True, "mod")


@pytest.mark.parametrize(
    ("shell", "telling"), [("zsh", "compdef"), ("fish", "complete --no-files --command breaklint")]
)
def test_other_shells_get_the_script_that_the_docs_show(breaklint: RunBreaklint, shell: str, telling: str) -> None:
    assert f"_BREAKLINT_COMPLETE={shell}_source breaklint" in SHOWN[shell]
    assert telling in breaklint(_BREAKLINT_COMPLETE=f"{shell}_source").stdout
