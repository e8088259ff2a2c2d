"""The code that pages show: files to write and commands to run, in their order."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import cli_server
from harness import FEW_PLUGINS, PROJECT

BLOCK = re.compile(
    r"(?:<!-- not run: (?P<reason>[^>]+) -->\n+)?^(?P<fence>```+)(?P<info>[^\n]*)\n(?P<body>.*?)^(?P=fence)$",
    re.M | re.S,
)
TITLE = re.compile(r'title="([^"]+)"')
# Commands that are the same in a forked process: no shell's work in them, and nothing started but arms of verify.
FORKED = re.compile(r"breaklint (?!capture|observe)[\w ./:=,-]+")
SHELLS = ("console", "bash", "sh", "shell")


@dataclass(frozen=True)
class Block:
    """A fenced block; `not_run` is why its commands cannot run everywhere, as `<!-- not run: … -->` above it says."""

    language: str
    title: str
    body: str
    not_run: str

    def commands(self) -> Iterator[tuple[str, str]]:
        """The commands of a shell block with the output shown under each; without `$ ` every line is a command."""
        if "$ " not in self.body:
            yield from ((line.partition("  # ")[0].strip(), "") for line in self.body.splitlines() if line.strip())
            return
        for run in re.split(r"^\$ ", self.body, flags=re.MULTILINE)[1:]:
            command, _, output = run.partition("\n")
            yield command, output


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page."""
    return [
        Block(
            (match["info"].split() or [""])[0],
            (TITLE.findall(match["info"]) or [""])[0],
            match["body"],
            match["reason"] or "",
        )
        for match in BLOCK.finditer(page.read_text("utf-8"))
    ]


def shell_environment(folder: Path) -> Mapping[str, str]:
    """An environment in which `breaklint` and `python` are those of the test, as after an installation."""
    bin = folder / "bin"
    bin.mkdir(parents=True)
    script = bin / "breaklint"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m breaklint "$@"\n')
    script.chmod(0o755)
    path = f"{bin}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(PROJECT), "COLUMNS": "100", **FEW_PLUGINS}


def shell(command: str, folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command as a user's shell does; both streams are one."""
    if FORKED.fullmatch(command) and (server := cli_server.forking()):
        return server.run(command.split()[1:], folder, merged=True, COLUMNS=environment["COLUMNS"])
    bash = [shutil.which("bash") or "bash", "-c", command]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(bash, cwd=folder, env=environment, encoding="utf-8", check=False, **streams)
