"""`breaklint test`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import printable_lines

if TYPE_CHECKING:
    from breaklint.model import Rule

FAILED = 1
NO_TORCH = "torch is not installed, so Dynamo was not asked: pip install 'breaklint[verify]'"


@click.command(epilog="Exit code: 0 all is as the cards say, 1 something is not, 2 a card is wrong.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATHS]...")
@click.option("--static", is_flag=True, help="Only what check and fix say; run nothing.")
def test(paths: tuple[Path, ...], static: bool) -> int:
    """Prove rule cards of your own by their examples.

    PATHS are cards and folders of cards, by default those that the configuration names as `rules`. Always: the marked
    lines of `bad` are found and no others, `good` and `fixed` are silent, and the fix writes `fixed`. Where torch is
    installed the examples also run: `bad` breaks on these lines for a listed reason, `good` and `fixed` compile whole,
    and `fixed` gives the results and gradients of `bad`.

    \b
    breaklint test my_rules
    breaklint test --static my_rules/slow-lookup.yaml
    """
    from breaklint.rules.cards import card_paths, load_rules

    places = list(paths) or _configured()
    codes = _codes([file for place in places for file in card_paths(place)])
    rules = [rule for rule in load_rules(places) if rule.code in codes]
    failures = _static(rules, places)
    version = "" if static else _torch()
    if version:
        for label, lines in _dynamo(codes, places, version).items():
            failures[label] += lines
    for rule in rules:
        _tell(rule, failures)
    if not version and not static:
        click.echo(f"breaklint: note: {NO_TORCH}", err=True)
    wrong = sum(map(bool, failures.values()))
    asked = f"check, fix and torch {version}" if version else "check and fix"
    click.echo(f"{len(failures) - wrong} of {len(failures)} examples are as the cards say, for {asked}.")
    return FAILED if wrong else 0


def _configured() -> list[Path]:
    from breaklint.lint.config import load_settings

    places = [Path(path) for path in load_settings(Path.cwd()).rules]
    if not places:
        raise UsageError("the configuration names no `rules`: give files or folders, as breaklint test my_rules")
    return places


def _codes(files: Sequence[Path]) -> set[str]:
    from breaklint.rules.cards import read_card

    if not files:
        raise UsageError("no rule cards (*.yaml) there; `breaklint new-rule NAME` writes one")
    return {read_card(file).code for file in files}


Failures = dict[tuple[str, int], list[str]]


def _static(rules: Sequence[Rule], places: Sequence[Path]) -> Failures:
    from breaklint.lint.card_examples import failures

    return {
        (rule.code, number): failures(rule, example, places)
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


def _dynamo(codes: set[str], places: Sequence[Path], version: str) -> Failures:
    from breaklint.verify.prove.runner import exported, proven

    mine = [example for example in exported(places) if example["code"] in codes]
    return {
        (row["code"], row["example"]): [f"{line} (torch {version})" for line in row["failures"]]
        for row in proven(mine, version)
    }


def _tell(rule: Rule, failures: Failures) -> None:
    mine = {number: lines for (code, number), lines in failures.items() if code == rule.code}
    wrong = sum(map(bool, mine.values()))
    click.echo(f"{rule.code} {rule.name}: {f'{wrong} of {len(mine)} examples fail' if wrong else 'ok'}")
    for number, lines in mine.items():
        for line in lines:
            indented = printable_lines(line).replace("\n", "\n      ")
            click.echo(f"  example {number}: {indented}")
