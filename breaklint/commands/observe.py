"""`breaklint observe`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.options import PLACE, config_options, settings_for
from breaklint.commands.runs_code import say_once
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import printable, printable_lines

if TYPE_CHECKING:
    from breaklint.observe.collect import Observed

NOTHING_OBSERVED = 1
LIBRARIES = ("transformers", "timm", "diffusers", "torch_geometric")


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog="Exit code: the command's own where that is not 0, 1 nothing was observed, 2 a usage error.",
)
@click.option("--out", type=PLACE, metavar="FILE", help="The profile to write. [default: .breaklint/observed.json]")
@click.option("--append", is_flag=True, help="Add to the profile that is there.")
@click.option("--merge", is_flag=True, help="Merge the profiles given in place of a command, such as those of CI jobs.")
@click.option(
    "--budget",
    type=click.FloatRange(min=1),
    default=20,
    show_default=True,
    metavar="SECONDS",
    help="Limit for the replays of one module class, of processor time.",
)
@click.option(
    "--own-paths",
    multiple=True,
    type=PLACE,
    metavar="FOLDER",
    help="Also observe code below this folder, as a library's.",
)
@click.option("--library", type=click.Choice(LIBRARIES), help="Observe models of this library on made-up inputs.")
@click.option("--models", default="*", show_default=True, metavar="PATTERNS", help="Which models, behind commas.")
@click.option("--results", type=PLACE, metavar="FILE", help="A line a model; what is in it is not observed again.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="How many models at a time. [default: CPUs]"
)
@config_options
@click.argument("command", nargs=-1, type=PLACE, metavar="-- COMMAND...")
def observe(command: tuple[str, ...], **options: Any) -> int:
    """Run tests or a script as they are, and record what Dynamo does on their inputs.

    The first outermost call of a module in each form of its inputs is replayed in a copy of the process, under
    torch.compile with backend eager; what the code compiles itself is read there. `breaklint check` joins its findings
    with the profile that is written.

    \b
    breaklint observe -- pytest tests
    breaklint observe -- python train.py --epochs 1
    breaklint observe --merge shard1.json shard2.json
    breaklint observe --library transformers --models 'bert*'
    """
    from breaklint.observe.place import PLACE as PROFILE
    from breaklint.observe.profile import merged, read
    from breaklint.observe.run import observe as run
    from breaklint.observe.run import recording, with_earlier, write

    settings = settings_for(Path.cwd(), options)
    root = Path(settings.root or Path.cwd())
    out = Path(options["out"]) if options["out"] else root / PROFILE
    if bool(command) == bool(options["library"]):
        raise UsageError("name a command, profiles to --merge, or a --library")
    if options["merge"]:
        write(merged(read(Path(each)) for each in command), out)
        return 0
    if out.is_dir():
        raise UsageError(f"{out}: is a folder; name a file with --out")
    say_once("observe", settings)
    if options["library"]:
        return observe_models(out, root, options)
    with recording(root, options["budget"], options["own_paths"]) as plan:
        status, observed = run(command, plan, lambda line: click.echo(f"breaklint: {printable(line)}", err=True))
    if observed.profile.functions:
        write(with_earlier(observed.profile, out) if options["append"] else observed.profile, out)
    tell(observed, out)
    return status or (0 if observed.profile.functions else NOTHING_OBSERVED)


def observe_models(out: Path, root: Path, options: Mapping[str, Any]) -> int:
    """Build models of a library, observe those of which there are no results yet, and say what came of all."""
    from breaklint.observe import library
    from breaklint.observe.run import observe_library, recording, with_earlier, write
    from breaklint.verify.targets.libraries import models_of

    package = library.package_of(options["library"])
    models = models_of(options["library"], package, [each.strip() for each in options["models"].split(",")])
    results = Path(options["results"]) if options["results"] else root / ".breaklint" / f"library-{package.name}.jsonl"
    installed = library.installed(options["library"])
    left = library.left_of(models, library.read(results), installed)
    title = f"{installed.family} {installed.version} with torch {installed.torch}"
    click.echo(f"breaklint: {len(models)} models of {title}, {len(models) - len(left)} known", err=True)
    status = 0
    if left:
        with recording(root, options["budget"], (str(package), *options["own_paths"])) as plan:
            status, observed = observe_library(
                installed, left, plan, results, options["jobs"] or os.cpu_count() or 1,
                lambda line: click.echo(f"breaklint: {printable(line)}", err=True),
            )  # fmt: skip
        write(with_earlier(observed.profile, out), out)
    names = {name for _, name in models}
    known = [each for each in library.read(results) if each.model in names and each[:3] == installed]
    click.echo(printable_lines(library.table(known)))
    return status


def tell(observed: Observed, out: Path) -> None:
    """Say on standard error what was observed, what was not, and where it is."""
    from breaklint.observe.collect import summary

    for note in observed.notes:
        click.echo(f"breaklint: {printable(note)}", err=True)
    if observed.profile.functions:
        click.echo(f"breaklint: {printable(summary(observed))}; see {printable(str(out))}", err=True)
    else:
        click.echo(
            "breaklint: nothing was observed: no call of a module, nor of what is compiled, in this project's code",
            err=True,
        )
