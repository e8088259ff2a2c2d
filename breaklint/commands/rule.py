"""`breaklint rule`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.options import form_option
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.model import graph_break_page
from breaklint.output.wording import printable, printable_lines

if TYPE_CHECKING:
    from breaklint.model import Rule

_GRAPH_BREAK = re.compile(r"GB\d+", re.IGNORECASE)


@click.command()
@click.argument("label", metavar="[CODE]", required=False)
@click.option("--all", "everything", is_flag=True, help="Print the pages of all rules.")
@form_option("text", "markdown", "json")
def rule(label: str | None, everything: bool, form: str) -> None:
    """Explain a rule: pattern, reason and remedy. Without CODE, list all rules.

    \b
    breaklint rule BRK201
    breaklint rule tensor-item
    breaklint rule BRK2                          list the rules with this code prefix
    breaklint rule GB0124                        the rules about this graph break of Dynamo
    breaklint rule --all --output-format markdown
    """
    from breaklint.lint.config import load_settings
    from breaklint.rules.python_loading import rules_of

    rules = rules_of(load_settings(Path.cwd()))
    selected = _find(rules, label) if label else list(rules)
    if form == "text" and not everything and (label is None or len(selected) > 1):
        from breaklint.output.rule_page import one_line

        if label and _GRAPH_BREAK.fullmatch(label):
            click.echo(f"{label.upper()}  {_title(label.upper())}: {graph_break_page(label.upper())}\n")
        for item in selected:
            click.echo(printable(one_line(item)))
        return
    _show(selected, form, as_list=label is None or len(selected) > 1)


def _find(rules: tuple[Rule, ...], label: str) -> list[Rule]:
    """The rule of that code or name, those whose codes begin so, or those about a graph break of Dynamo.

    UsageError when there is none.
    """
    if _GRAPH_BREAK.fullmatch(label):
        return _about(rules, label.upper())
    from breaklint.rules.selection import near, selects

    lower = label.lower()
    exact = [item for item in rules if lower in map(str.lower, (item.code, item.name, *item.aliases))]
    if result := exact or [item for item in rules if lower != "all" and selects(label, item)]:
        return result

    raise UsageError(f"{label}: no such rule{near(label, rules)}")


def _about(rules: tuple[Rule, ...], graph_break: str) -> list[Rule]:
    if result := [item for item in rules if graph_break in item.dynamo]:
        return result
    title, page = _title(graph_break), graph_break_page(graph_break)
    raise UsageError(f"{graph_break} ({title}): no rule is about this graph break; torch describes it at {page}")


def _title(graph_break: str) -> str:
    """Torch's title of a graph break; raises UsageError if no measured torch has it."""
    from breaklint.torchops.facts import for_target
    from breaklint.torchops.tables import versions

    titles = (for_target(version).graph_breaks.get(graph_break) for version in reversed(versions()))
    if (title := next(filter(None, titles), None)) is None:
        raise UsageError(f"{graph_break}: torch {versions()[-1]} has no such graph break")
    return title


def _show(rules: list[Rule], form: str, as_list: bool) -> None:
    from breaklint.output.rule_page import as_data, markdown

    if form == "json":
        import json

        data: Any = [as_data(item) for item in rules]
        click.echo(json.dumps(data if as_list else data[0], indent=2))
        return
    page = printable_lines("\n".join(markdown(item) for item in rules))
    if form == "markdown" or not sys.stdout.isatty():  # drawn, the page would be filled up to a width and cut there
        click.echo(page, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(soft_wrap=False).print(Markdown(page))
