"""What the documentation shows is true: generated pages are fresh, commands run, options and links exist."""

from __future__ import annotations

import fnmatch
import re
import shlex
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from harness import PROJECT, RunBreaklint

from breaklint.cli import COMMANDS, cli

README = (PROJECT / "README.md").read_text("utf-8")
GUIDES = ("README.md", *(f"docs/{path.name}" for path in sorted((PROJECT / "docs").glob("*.md"))))
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")])
PLUGIN = PROJECT / "breaklint" / "pytest_plugin.py"
LINK = re.compile(r"\]\((?!https?://)([^)\s]*)\)")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)  # code, in which `a[b](c)` is a call


def shown_runs() -> Iterator[tuple[str, str]]:
    """The commands of the README's consoles, each with the output shown under it."""
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for run in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = run.partition("\n")
            yield command, output


RUNS = dict(shown_runs())


@pytest.fixture
def fixtures_here(tmp_path: Path) -> None:
    shutil.copytree(PROJECT / "fixtures", tmp_path / "fixtures", ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.parametrize("command", [command for command in RUNS if command.startswith("breaklint check")])
@pytest.mark.usefixtures("fixtures_here")
def test_check_prints_what_the_readme_shows(command: str, breaklint: RunBreaklint) -> None:
    done = breaklint(*shlex.split(command)[1:])
    assert done.returncode == 1, done.stderr
    assert done.stdout == RUNS[command]


@pytest.mark.slow
@pytest.mark.parametrize("command", [command for command in RUNS if command.startswith("breaklint verify")])
@pytest.mark.usefixtures("fixtures_here")
def test_verify_runs_as_the_readme_shows(command: str, breaklint: RunBreaklint) -> None:
    done = breaklint(*shlex.split(command)[1:], "--backend", "eager", "--rounds", "3")
    assert done.returncode in (0, 3), done.stderr  # noise may leave it open
    assert "the breaks are gone, results are equal" in done.stdout


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`(breaklint (?:rule|config)[^`]*)`", README))))
def test_a_command_named_in_the_text_runs(command: str, breaklint: RunBreaklint) -> None:
    assert breaklint(*shlex.split(command)[1:]).returncode == 0


@pytest.mark.parametrize("page", GUIDES)
def test_every_option_named_is_one_of_a_command(page: str) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", (PROJECT / page).read_text("utf-8")))
    assert named - known_options() == set()


@cache
def known_options() -> set[str]:
    """The options of every command, and those of other programs that the pages name."""
    scripts = [*(PROJECT / "scripts").glob("*.py"), *(PROJECT / "benchmarks").glob("*/*.py"), PLUGIN]
    known = {"--no-deps", "--target", "--no-format", "--epochs"}
    known |= {name for path in scripts for name in re.findall(r'"(--[a-z-]+)"', path.read_text("utf-8"))}
    with click.Context(cli) as context:
        pending = [cli.get_command(context, name) for name in COMMANDS]
        while pending:
            command = pending.pop()
            assert command is not None
            known |= {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
            pending += list(command.commands.values()) if isinstance(command, click.Group) else []
    return known


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    broken = [link for link in LINK.findall(FENCED.sub("", page.read_text("utf-8"))) if not resolves(page, link)]
    assert broken == []


def resolves(page: Path, link: str) -> bool:
    file, _, anchor = link.partition("#")
    target = page.parent / file if file else page
    return target.exists() and (not anchor or anchor in anchors(target))


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_what_the_readme_and_the_makefile_name_is_in_the_source_distribution() -> None:
    named = re.findall(r"\]\(([A-Z]+\.md)\)", (PROJECT / "README.md").read_text("utf-8"))
    described = (PROJECT / "pyproject.toml").read_text("utf-8")
    included = described[described.index("[tool.hatch.build.targets.sdist]") :].partition("\n[")[0]
    assert [name for name in (*named, "constraints.txt") if f'"/{name}"' not in included] == []
    assert "SECURITY.md" in named


def test_every_result_file_has_a_row_that_says_how_it_was_made() -> None:
    results = PROJECT / "benchmarks" / "results"
    page = (results.parent / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (`.+?) \|", page.partition("\n## Results\n")[2], re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w[^`]+)`", row)]
    files = [path.name for path in results.iterdir()]
    assert [name for name in named if not fnmatch.filter(files, name)] == []
    stems = {Path(name).stem for name in named}
    assert [
        file
        for file in files
        if Path(file).stem not in stems and not any(fnmatch.fnmatch(file, name) for name in named)
    ] == []
