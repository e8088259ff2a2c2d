"""`breaklint observe`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.options import PLACE, config_options, settings_for
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import printable

if TYPE_CHECKING:
    from breaklint.observe.collect import Observed

NOTHING_OBSERVED = 1


@click.command(
    context_settings={"allow_interspersed_args": False},
    epilog="Exit code: that of the command if it is not 0; 1: nothing was observed; 2: usage error.",
)
@click.option("--out", type=PLACE, metavar="FILE", help="The profile to write. [default: .breaklint/observed.json]")
@click.option("--merge", is_flag=True, help="Merge profiles, for example of CI jobs, instead of running a command.")
@click.option(
    "--own-paths",
    multiple=True,
    type=PLACE,
    metavar="FOLDER",
    help="Also observe code below this folder, for example a library.",
)
@config_options
@click.argument("command", nargs=-1, type=PLACE, metavar="-- COMMAND...")
def observe(command: tuple[str, ...], **options: Any) -> int:
    """Run tests or a script, and record graph breaks and recompilations on their inputs.

    The first outermost calls of modules run under torch.compile with the backend eager, in the program itself. Code
    that the program compiles itself is observed as well. `breaklint check` joins its findings with the profile that is
    written.

    \b
    breaklint observe -- pytest tests
    breaklint observe -- python train.py --epochs 1
    breaklint observe --merge shard1.json shard2.json
    """
    from breaklint.lint.environments import program
    from breaklint.observe.place import PLACE as PROFILE
    from breaklint.observe.profile import merge, read, text_of
    from breaklint.observe.run import observe as run
    from breaklint.observe.run import recording
    from breaklint.source.writing import write_text

    settings = settings_for(Path.cwd(), options)
    root = Path(settings.root or Path.cwd())
    out = Path(options["out"]) if options["out"] else root / PROFILE
    if not command:
        raise UsageError("name a command, or profiles to --merge")
    if options["merge"]:
        write_text(out, text_of(merge(read(Path(file)) for file in command)), creates_folder=True)
        return 0
    if out.is_dir():
        raise UsageError(f"{out}: is a folder; name a file with --out")
    with recording(root, options["own_paths"]) as plan:
        status, observed = run(command, plan, program(settings))
    if observed.profile:
        write_text(out, text_of(observed.profile), creates_folder=True)
    tell(observed, out)
    return status or (0 if observed.profile else NOTHING_OBSERVED)


def tell(observed: Observed, out: Path) -> None:
    """Print to standard error the observed and the skipped calls, and the file of the profile."""
    from breaklint.observe.collect import summary

    for note in observed.notes:
        click.echo(f"breaklint: {printable(note)}", err=True)
    if observed.profile:
        click.echo(f"breaklint: {printable(summary(observed))}; see {printable(str(out))}", err=True)
    else:
        click.echo("breaklint: nothing was observed: no call of a module or of compiled code of this project", err=True)
