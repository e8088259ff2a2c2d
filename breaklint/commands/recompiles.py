"""`breaklint recompiles`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.options import PLACE, config_options, environment_options, settings_for
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import paint, printable
from breaklint.verify.targets.specs import SpecError, is_spec, read_spec

if TYPE_CHECKING:
    from breaklint.recompiles.frames import Outcome
    from breaklint.recompiles.options import Options
    from breaklint.recompiles.predict import Predicted
    from breaklint.recompiles.remedies import Remedy

UNBOUNDED = 1


@click.command(epilog="Exit code: 0, 1 a call runs in eager because the limit is reached, 2 a usage error.")
@click.argument("target", type=PLACE, metavar="FILE.py::ENTRY")
@click.option("--vary", multiple=True, metavar="NAME=VALUES", help="What varies from call to call; may be repeated.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=SPEC", help="An input in words: x=f32[4,8].")
@click.option("--dynamic", type=bool, metavar="true|false", help="What torch.compile is told as dynamic=.")
@click.option("--limit", type=click.IntRange(1), default=8, show_default=True, help="The recompile_limit.")
@click.option("--mark", "marks", multiple=True, metavar="NAME.DIM[=MIN:MAX]", help="A size marked with mark_dynamic.")
@click.option("--allow-unspec-int", is_flag=True, help="As with allow_unspec_int_on_nn_module.")
@click.option("--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@config_options
@environment_options
def recompiles(
    target: str,
    vary: tuple[str, ...],
    inputs: tuple[str, ...],
    dynamic: bool | None,
    limit: int,
    marks: tuple[str, ...],
    allow_unspec_int: bool,
    form: str,
    **options: Any,
) -> int:
    """Predict which calls compile, and which guard fails at each. No code is run.

    ENTRY is a module class, a method or a function. Its inputs are those of the file's get_inputs() and
    get_init_inputs(); else they follow from its parameters. Several --vary change together, call by call:

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
    from breaklint.recompiles.options import options_of, read_mark
    from breaklint.recompiles.predict import predict
    from breaklint.recompiles.remedies import remedies
    from breaklint.recompiles.vary import read_variations
    from breaklint.torchops.facts import for_target

    path, _, entry = target.partition("::")
    if not Path(path).is_file():
        raise UsageError(f"{path}: no such file; give a file and what is compiled in it, as net.py::Net")
    settings = settings_for(Path(path).parent, options)
    given = dict(map(_input, inputs))
    known, marked = options_of(for_target(settings.target_torch).does), tuple(map(read_mark, marks))
    told = replace(known, dynamic=dynamic, allow_unspec_int=allow_unspec_int, limit=limit, marks=marked)
    variations = read_variations(vary)

    def run(options: Options, tensors: frozenset[str]) -> Predicted:
        return predict(path, entry, variations, options, settings.environment, given, tensors)

    found = run(told, frozenset())
    steps = remedies(found, run, variations, told, settings.target_torch)
    click.echo(json.dumps(as_data(found, steps), indent=2) if form == "json" else as_text(found, path, steps))
    return UNBOUNDED if any(outcome.ends == "recompile_limit" for _, outcome in found.calls) else 0


def _input(text: str) -> tuple[str, Any]:
    """An argument in words, as verify reads it."""
    from breaklint.recompiles.vary import value_of

    name, equals, spec = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"--input {text}: write NAME=SPEC, as x=f32[4,8]")
    return name, tensor_of(spec) if is_spec(spec) else value_of(spec)


def tensor_of(text: str) -> Any:
    """The tensor that `f32[4, 8]` describes; its sizes are numbers."""
    from breaklint.recompiles.objects import Tensor

    try:
        spec = read_spec(text)
        return Tensor(spec.sizes({}), spec.dtype)
    except SpecError as error:
        raise UsageError(str(error)) from None


def as_data(found: Predicted, steps: Sequence[Remedy] = ()) -> dict[str, Any]:
    """The calls as JSON has them."""
    values = []
    for given, outcome in found.calls:
        each: dict[str, Any] = dict(zip(found.keys, (_plain(value) for value in given), strict=True))
        each |= {"compiles": outcome.compiles, "guard": outcome.guard.text if outcome.guard else None}
        if outcome.guard is not None and outcome.guard.row is not None:
            each["row"] = outcome.guard.row
            if outcome.guard.filename != found.filename:
                each["filename"] = outcome.guard.filename
        if outcome.guard is not None:
            each["remedy"] = next((step.text for step in steps if outcome.guard.text in step.guards), None)
        if outcome.ends:
            each["ends"] = outcome.ends
        values.append(each)
    told = [{"text": step.text, "compilations": step.compilations} for step in steps]
    return {"entry": found.entry, "compilations": found.compilations, "values": values, "remedies": told}


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, str, type(None))) else value if isinstance(value, float) else repr(value)


def as_text(found: Predicted, path: str, steps: Sequence[Remedy] = ()) -> str:
    """The calls as a table, and what to write so that fewer of them compile."""
    color = sys.stdout.isatty()
    rows = [(*found.keys, "compiles", "guard that fails")]
    rows += [
        (*(str(value) for value in given), "yes" if outcome.compiles else _no(outcome), _guard(outcome, path))
        for given, outcome in found.calls
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = []
    for place, row in enumerate(rows):
        line = "  ".join([*(text.ljust(width) for text, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        lines.append(paint(line, color, bold=True) if place == 0 else line)
    calls = len(found.calls)
    lines.append(f"{found.entry}: {_count(found.compilations)} in {calls} call{'' if calls == 1 else 's'}")
    lines += [*_notes(found), *map(_remedy, steps)]
    return "\n".join(printable(line) for line in lines) if not color else "\n".join(lines)


def _remedy(step: Remedy) -> str:
    count = "" if step.compilations is None else f"  ({_count(step.compilations)})"
    return f"remedy: {step.text}{count}"


def _count(number: int) -> str:
    return f"{number} compilation{'' if number == 1 else 's'}"


def _no(outcome: Outcome) -> str:
    return {"recompile_limit": "eager", "skipped": "skipped"}.get(outcome.ends, "no")


def _guard(outcome: Outcome, path: str) -> str:
    if outcome.guard is None:
        return ""
    where = f"{Path(outcome.guard.filename).name}:{outcome.guard.row}" if outcome.guard.row else path
    return f"{outcome.guard.text}  ({where})"


def _notes(found: Predicted) -> list[str]:
    ends = {outcome.ends for _, outcome in found.calls}
    notes = []
    if "recompile_limit" in ends:
        notes.append("the limit is reached: from there on the function runs in eager, without a message")
    if "skipped" in ends:
        notes.append("a call has no operation to compile: Dynamo never looks at the function again")
    if "too large" in ends:
        notes.append("too large to be followed to its end: there may be further guards")
    violated = next((outcome.guard for _, outcome in found.calls if outcome.ends == "ConstraintViolationError"), None)
    if violated is not None:
        size = violated.sources[0].text
        notes.append(f"ConstraintViolationError: {size} is marked as dynamic, and row {violated.row} fixes it")
    if any(outcome.broke for _, outcome in found.calls):
        notes.append("the graph breaks: the parts after a break compile on their own, and count as one here")
    return notes
