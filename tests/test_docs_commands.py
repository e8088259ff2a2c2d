"""Every command that a page shows runs, and prints what is shown under it."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import click
import pytest
from documents import SHELLS, Block, blocks, shell, shell_environment
from harness import PROJECT
from nightly import by_day

from breaklint.cli import cli

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent / "pages"  # files that a page's commands need and the page does not show, by page
PAGES = ("README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in sorted((PROJECT / "docs").glob("*.md"))))
# What a command may exit with besides 0: findings, breaks and failed examples are told, and noise leaves a speed open.
EXITS = {"breaklint check": 1, "breaklint test": 1, "breaklint verify": 3, "breaklint trace": 1}
ELSEWHERE = ("make", "pip")  # tests of their own below
QUICK = {"breaklint verify": " --backend eager --rounds 3"}
TORCH = re.compile(r"torch \d+\.\d+\.\d+(\+\w+)?")
INLINE = re.compile(r"`(breaklint [a-z][^`\n]*)`")


def shown(page: str) -> list[Block]:
    return [block for block in blocks(PROJECT / page) if block.title or block.language in SHELLS]


def commands(page: str, *beginnings: str) -> list[str]:
    every = [command for block in shown(page) if block.language in SHELLS for command, _ in block.commands()]
    return [command for command in every if command.startswith(beginnings)]


RUNNING = [page for page in PAGES if page != "README.md" and commands(page, "breaklint", "python")]
# Most of their commands import torch; by day test_user_rules.py and tests/codemod run the same.
BY_NIGHT = {"docs/writing-rules.md", "docs/libcst.md"}
# By day tests of these commands run them; each of them imports torch.
STARTS_TORCH = re.compile(r"breaklint (observe|recompiles|verify)|python -m pytest|breaklint check --observed")


@pytest.mark.slow
@pytest.mark.parametrize("all_commands", [False, pytest.param(True, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("page", by_day(RUNNING, {*RUNNING} - BY_NIGHT, str))
def test_the_commands_of_a_page_run_and_print_what_it_shows(page: str, all_commands: bool, tmp_path: Path) -> None:
    folder, environment = tmp_path / "project", shell_environment(tmp_path)
    extra = HERE / Path(page).stem
    shutil.copytree(extra, folder) if extra.is_dir() else folder.mkdir()
    for block in shown(page):
        if block.title:
            (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.title).write_text(block.body)
        elif not block.not_run:
            run(block, folder, environment, all_commands)


def run(block: Block, folder: Path, environment: dict[str, str], all_commands: bool) -> None:
    for command, output in block.commands():
        verb = " ".join(command.split()[:2])
        if verb.startswith(ELSEWHERE) or (STARTS_TORCH.match(command) and not all_commands):
            continue
        done = shell(command + QUICK.get(verb, ""), folder, environment)
        assert done.returncode in (0, EXITS.get(verb, 0)), f"{command}\n{done.stdout}"
        if output:
            assert TORCH.sub("torch", done.stdout) == TORCH.sub("torch", output), command


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page, "make")])
def test_the_make_targets_of_a_page_exist(page: str) -> None:
    for command in commands(page, "make"):
        done = shell(command.replace("make ", "make --dry-run ", 1), PROJECT, {})
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page, "pip")])
def test_what_a_page_installs_is_this_project_and_extras_that_it_has(page: str) -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    for command in commands(page, "pip"):
        verb, *expected = shlex.split(command)[1:]
        assert verb == "install"
        for item in expected:
            name, _, extras = item.partition(" @ ")[0].rstrip("]").partition("[")
            assert name in (".", project["name"])
            assert set(filter(None, extras.split(","))) <= set(project["optional-dependencies"])


def inline() -> list[str]:
    return sorted({result for page in PAGES for result in INLINE.findall((PROJECT / page).read_text("utf-8"))})


@pytest.mark.parametrize("command", inline())
def test_a_command_named_in_the_text_is_understood(command: str) -> None:
    group: click.Command = cli
    words = shlex.split(command)[1:]
    context = click.Context(cli)
    while isinstance(group, click.Group) and words:
        result = group.get_command(context, words.pop(0))
        assert result is not None, command
        group, context = result, click.Context(result)
    if words:
        group.make_context(group.name, words, resilient_parsing=False)
