"""`breaklint new-rule`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from breaklint.commands.terminal import click
from breaklint.errors import UsageError

TEMPLATE = Path(__file__).with_name("rule_template.yaml")
FOLDER = "my_rules"


@click.command("new-rule")
@click.argument("name")
@click.option(
    "--folder", type=click.Path(path_type=Path), metavar="DIR", help=f"Where to write it. [default: {FOLDER}]"
)
@click.option("--code", metavar="CODE", help="Its code. [default: the first of OWN001, OWN002 … that is free]")
def new_rule(name: str, folder: Path | None, code: str | None) -> int:
    """Write a rule card to begin with: a rule that works, with proven examples, to be changed into yours.

    NAME is a slug that says what the rule finds, as `slow-lookup`. Where the configuration names a folder of `rules`,
    the card goes there.

    \b
    breaklint new-rule slow-lookup
    breaklint test my_rules
    """
    from breaklint.lint.config import load_settings
    from breaklint.rules.cards import load_rules

    configured = [Path(path) for path in load_settings(Path.cwd()).rules]
    folder = folder or next((path for path in configured if path.suffix != ".yaml"), Path(FOLDER))
    path = folder / f"{name}.yaml"
    known = load_rules(_distinct([*configured, *([folder] if folder.is_dir() else [])]))
    taken = {label for rule in known for label in (rule.code, rule.name)}
    code = code or next(free for number in range(1, 1000) if (free := f"OWN{number:03}") not in taken)
    _refuse_wrong(name, code, taken, path)
    _write(path, TEMPLATE.read_text("utf-8").format(name=name, code=code))
    shown = Path(os.path.relpath(folder))
    click.echo(f"Wrote {shown / path.name} ({code}). Change it, and prove it with: breaklint test {shown}")
    if folder.resolve() not in [place.resolve() for place in configured]:
        click.echo(f'To use it: rules = ["{shown}"] in breaklint.toml, or under [tool.breaklint] in pyproject.toml')
    return 0


def _distinct(places: Iterable[Path]) -> Sequence[Path]:
    """The places without those that are the same folder or file once more."""
    return list({place.resolve(): place for place in places}.values())


def _refuse_wrong(name: str, code: str, taken: set[str], path: Path) -> None:
    from breaklint.rules.card_schema import CODE, SLUG

    if not SLUG.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a rule: use small letters, digits and single hyphens: slow-lookup")
    if not CODE.fullmatch(code):
        raise UsageError(f"--code {code}: give two to five capital letters and three digits, such as OWN001")
    for label in (name, code):
        if label in taken:
            raise UsageError(f"{label}: another card has it already; choose another one")
    if path.exists():
        raise UsageError(f"{path}: there is such a file already")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
