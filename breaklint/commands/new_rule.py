"""`breaklint new-rule`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.source.writing import write_text

TEMPLATES = {
    ".yaml": Path(__file__).with_name("rule_template.yaml"),
    ".py": Path(__file__).with_name("rule_template.py.txt"),
}
FOLDER = "my_rules"
LABEL = re.compile(r"""^\s+(?:code|name)\s*=\s*["']([\w-]+)["']""", re.MULTILINE)  # of a rule in Python


@click.command("new-rule")
@click.argument("name")
@click.option(
    "--folder", type=click.Path(path_type=Path), metavar="DIR", help=f"Where to write the rule. [default: {FOLDER}]"
)
@click.option("--code", metavar="CODE", help="The code of the rule. [default: the first free one of OWN001, OWN002 …]")
@click.option("--python", "in_python", is_flag=True, help="Write a LibCST visitor instead of a card.")
def new_rule(name: str, folder: Path | None, code: str | None, in_python: bool) -> int:
    """Write a working rule with tested examples, as a template for your own.

    The rule is a card (one YAML file), or with --python a LibCST visitor. NAME is a slug for the pattern to find, such
    as `slow-lookup`. If the configuration has a folder in `rules`, the rule is written there.

    \b
    breaklint new-rule slow-lookup
    breaklint test my_rules
    """
    from breaklint.lint.config import load_settings

    settings = load_settings(Path.cwd())
    configured = [Path(path) for path in settings.rules]
    folder = folder or next((path for path in configured if path.suffix not in TEMPLATES), Path(FOLDER))
    suffix = ".py" if in_python else ".yaml"
    path = folder / f"{name.replace('-', '_') if in_python else name}{suffix}"
    labels = _existing_labels(_distinct([*configured, *([folder] if folder.is_dir() else [])]), settings.python_rules)
    code = code or next(free for number in range(1, 1000) if (free := f"OWN{number:03}") not in labels)
    _refuse_wrong(name, code, labels, path)
    write_text(path, _filled(TEMPLATES[suffix].read_text("utf-8"), name, code), creates_folder=True)
    location = Path(os.path.relpath(folder))
    click.echo(f"Wrote {location / path.name} ({code}). Change it, and prove it with: breaklint test {location}")
    if in_python:
        click.echo(
            f"To use it: breaklint check --rules {location}; a configuration cannot make check run Python by itself"
        )
    elif folder.resolve() not in [place.resolve() for place in configured]:
        click.echo(f'To use it: rules = ["{location}"] in breaklint.toml, or under [tool.breaklint] in pyproject.toml')
    return 0


def _existing_labels(places: Sequence[Path], python_rules: Sequence[str]) -> set[str]:
    """The codes and names of existing rules. Python files are parsed, not run."""
    from breaklint.model import Settings
    from breaklint.rules.python_loading import rules_of
    from breaklint.rules.python_sources import python_files

    rules = rules_of(Settings(rules=tuple(map(str, places)), python_rules=tuple(python_rules)))
    texts = "".join(file.read_text("utf-8", errors="replace") for file in python_files(places))
    return {label for rule in rules for label in (rule.code, rule.name)} | set(LABEL.findall(texts))


def _filled(template: str, name: str, code: str) -> str:
    """The template with the rule's labels in it."""
    cls = "".join(word.capitalize() for word in name.split("-"))
    cls = f"Rule{cls}" if cls[0].isdigit() else cls
    return template.replace("{name}", name).replace("{code}", code).replace("{cls}", cls)


def _distinct(places: Iterable[Path]) -> Sequence[Path]:
    """The places without those that are the same folder or file once more."""
    return list({place.resolve(): place for place in places}.values())


def _refuse_wrong(name: str, code: str, labels: set[str], path: Path) -> None:
    from breaklint.rules.card_schema import CODE, SLUG

    if not SLUG.fullmatch(name):
        raise UsageError(
            f"{name!r} is not a name for a rule: use small letters, digits and single hyphens: slow-lookup"
        )
    if not CODE.fullmatch(code):
        raise UsageError(f"--code {code}: give two to five capital letters and three digits, such as OWN001")
    for label in (name, code):
        if label in labels:
            raise UsageError(f"{label}: another card has it already; choose another one")
    if path.exists():
        raise UsageError(f"{path}: the file exists already")
