"""`breaklint recompiles`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from breaklint.commands.options import PLACE, form_option
from breaklint.commands.terminal import click
from breaklint.errors import UsageError

UNBOUNDED: Final = 1


@click.command(epilog="Exit code: 0, 1 the recompile limit is reached, 2 a usage error.")
@click.argument("target", metavar="TARGET")
@click.option(
    "--vary", multiple=True, metavar="NAME=VALUES", help="An input that varies between calls; can be repeated."
)
@click.option("--input", "inputs", multiple=True, metavar="NAME=SPEC", help="An input: x=f32[4,8].")
@click.option("--dynamic", type=bool, metavar="true|false", help="The dynamic= of torch.compile.")
@click.option("--limit", type=click.IntRange(1), default=8, show_default=True, help="The recompile_limit.")
@click.option("--python", default="", metavar="PATH", help="The Python that has torch.")
@form_option("text", "json")
@click.option("--config", type=PLACE, metavar="PATH", help="Read entries from this configuration file.")
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
def recompiles(
    target: str,
    vary: tuple[str, ...],
    inputs: tuple[str, ...],
    dynamic: bool | None,
    limit: int,
    python: str,
    form: str,
    config: str | None,
    isolated: bool,
) -> int:
    """Run calls under Dynamo, and report compilations and failing guards.

    TARGET is a target of `breaklint verify`, a function or a method (net.py::Net.encode). The calls run in a process of
    their own, with the backend eager. The inputs are those of verify, or of --input. Several --vary change together,
    call by call:

    \b
    x.0=4,5,6        dimension 0 of x
    n=2,3            a plain value; also mode=a,b and scale=0.5,1.0
    m=None,tensor    absent, present
    xs.len=2,3       the length of a list
    self.step=0,1    an attribute of the module
    x.dtype=float32,float16

    \b
    breaklint recompiles net.py::Net --vary x.0=1,2,8,9 --vary scale=0.5,1.0,1.5,2.0
    """
    from breaklint.lint.config import load_settings
    from breaklint.lint.environments import program, with_environment
    from breaklint.recompiles.counting import Settings, count
    from breaklint.recompiles.report import as_data, as_text
    from breaklint.recompiles.vary import read_variations
    from breaklint.verify.targets.entries import load_entries
    from breaklint.verify.targets.targets import find_target

    variations = read_variations(vary)
    if not python:
        loaded = load_settings(Path.cwd(), Path(config) if config else None, isolated)
        python = program(with_environment(loaded, Path.cwd(), isolated))
    model = find_target(target, load_entries(Path.cwd(), Path(config) if config else None, isolated))
    settings = Settings(dict(map(_input, inputs)), dynamic, limit, python)
    counts = count(model, variations, settings)
    click.echo(json.dumps(as_data(counts), indent=2) if form == "json" else as_text(counts))
    return UNBOUNDED if counts.reaches_limit else 0


def _input(text: str) -> tuple[str, Any]:
    """An argument in words, as verify reads it."""
    from breaklint.recompiles.vary import value_of
    from breaklint.verify.targets.specs import SpecError, is_spec, read_spec

    name, equals, spec = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"--input {text}: write NAME=SPEC, as x=f32[4,8]")
    try:
        if is_spec(spec):
            read_spec(spec).sizes({})
    except SpecError as error:
        raise UsageError(str(error)) from None
    return name, spec if is_spec(spec) else value_of(spec)
