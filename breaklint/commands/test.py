"""`breaklint test`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import printable_lines

if TYPE_CHECKING:
    from breaklint.model import Rule, Settings

FAILED = 1
NO_TORCH = "torch is not installed, so nothing was run on Dynamo: pip install torch"


@click.command(epilog="Exit code: 0 all examples and cases pass, 1 one fails, 2 a rule file is invalid.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATHS]...")
@click.option("--static", is_flag=True, help="Test only check and fix, and run no example.")
def test(paths: tuple[Path, ...], static: bool) -> int:
    """Test your own rules by their examples and by cases in Markdown.

    PATHS are cards, Python files with rules (which are run), Markdown files with cases, and folders of them (default:
    `rules` in the configuration). In a case, comments such as `# BRK201` mark the lines of fenced Python that check has
    to report. In an example, check has to report the marked lines of `bad` and nothing in `good` and `fixed`, and the
    fix has to write `fixed`. If torch is installed, the examples also run: `bad` has to break on the marked lines for a
    listed reason, `good` and `fixed` must not break, and `fixed` has to give the same results and gradients as `bad`.

    \b
    breaklint test my_rules
    breaklint test --static my_rules/slow-lookup.yaml
    breaklint test my_rules tests/cases/lookups.md
    """
    from breaklint.rules.python_loading import rules_of

    pages = _pages(paths)
    settings = _settings_of([path for path in paths if path not in pages]) if paths else _configured()
    codes = _codes(settings, bool(pages))
    rules = [rule for rule in rules_of(settings) if rule.code in codes]
    failures = _static(rules, settings)
    version = "" if static else _torch()
    if version:
        for label, lines in _dynamo(rules, version).items():
            failures[label] += lines
    for rule in rules:
        _tell(rule, failures)
    if not version and not static:
        click.echo(f"breaklint: note: {NO_TORCH}", err=True)
    cases_pass = _cases(pages, settings)
    wrong = sum(map(bool, failures.values()))
    tools = f"check, fix and torch {version}" if version else "check and fix"
    if failures:
        click.echo(f"{len(failures) - wrong} of {len(failures)} examples pass, for {tools}.")
    return FAILED if wrong or not cases_pass else 0


def _pages(paths: Sequence[Path]) -> list[Path]:
    """The Markdown files that the command line names, and those in its folders, without README.md."""
    inside = [file for path in paths for file in sorted(path.rglob("*.md")) if file.name != "README.md"]
    return list(dict.fromkeys([*(path for path in paths if path.suffix == ".md"), *inside]))


def _cases(pages: Sequence[Path], settings: Settings) -> bool:
    """Run the cases of all pages and print failures; returns whether all pass."""
    from breaklint.lint.cases import failures, read_cases

    results = [(case, failures(case, settings)) for page in pages for case in read_cases(page)]
    for _, lines in results:
        for line in lines:
            click.echo(printable_lines(line))
    if pages:
        click.echo(f"{sum(not lines for _, lines in results)} of {len(results)} cases pass.")
    return not any(lines for _, lines in results)


def _settings_of(paths: Sequence[Path]) -> Settings:
    """Settings with the rules that the command line names, and no others."""
    from breaklint.model import Settings
    from breaklint.rules.python_sources import python_files

    places = [path.absolute() for path in paths]
    return Settings(rules=tuple(map(str, places)), python_rules=tuple(map(str, python_files(places))))


def _configured() -> Settings:
    from breaklint.lint.config import load_settings
    from breaklint.lint.user_config import untrusted_notice
    from breaklint.model import Settings

    settings = load_settings(Path.cwd())
    if not settings.rules:
        raise UsageError("the configuration names no `rules`: give files or folders, as breaklint test my_rules")
    if notice := untrusted_notice(settings):
        click.echo(f"breaklint: note: {printable_lines(notice)}", err=True)
    return Settings(rules=settings.rules, python_rules=settings.python_rules)


def _codes(settings: Settings, cases: bool) -> set[str]:
    from breaklint.rules.card_parsing import read_card
    from breaklint.rules.cards import card_paths, load_rules
    from breaklint.rules.python_loading import load_python_rules

    places = [Path(place) for place in settings.rules]
    cards = [read_card(file).code for place in places for file in card_paths(place)]
    python_codes = [cls.card().code for cls in load_python_rules(settings.python_rules, load_rules(tuple(places)))]
    if not cards and not python_codes and not cases:
        raise UsageError("no rules (*.yaml, *.py) there; `breaklint new-rule NAME` writes one")
    return {*cards, *python_codes}


Failures = dict[tuple[str, int], list[str]]


def _static(rules: Sequence[Rule], settings: Settings) -> Failures:
    from breaklint.lint.card_examples import failures

    return {
        (rule.code, number): failures(rule, example, settings)
        for rule in rules
        for number, example in enumerate(rule.examples, 1)
    }


def _torch() -> str:
    """The version of the installed torch, "" when there is none; torch itself is not imported here."""
    from importlib.metadata import PackageNotFoundError

    from breaklint.verify.prove.runner import torch_version

    try:
        return torch_version()
    except PackageNotFoundError:
        return ""


def _dynamo(rules: Sequence[Rule], version: str) -> Failures:
    from breaklint.verify.prove.runner import examples_of, prove

    return {
        (row["code"], row["example"]): [f"{line} (torch {version})" for line in row["failures"]]
        for row in prove(examples_of(rules), version)
    }


def _tell(rule: Rule, failures: Failures) -> None:
    mine = {number: lines for (code, number), lines in failures.items() if code == rule.code}
    wrong = sum(map(bool, mine.values()))
    click.echo(f"{rule.code} {rule.name}: {f'{wrong} of {len(mine)} examples fail' if wrong else 'ok'}")
    for number, lines in mine.items():
        for line in lines:
            indented = printable_lines(line).replace("\n", "\n      ")
            click.echo(f"  example {number}: {indented}")
