"""Options that several commands have, and how their values are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.source.discovery import SUFFIXES

if TYPE_CHECKING:
    from breaklint.model import Settings

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
_OVERRIDES = (
    "select", "ignore", "extend_select", "fixable", "unfixable", "per_file_ignores", "exclude", "target_torch",
    "show_callers", "follow_callers", "conditional", "rules",
)  # fmt: skip
Outputs = tuple[tuple[str, str], ...]
PLACE = click.Path(readable=False)  # checked by what opens it; a shell completes it


def codes(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    """`--select BRK1,BRK2 --select BRK301` as one tuple; None when the option was not given."""
    return tuple(code.strip() for value in values for code in value.split(",") if code.strip()) if values else None


def ignores(
    _context: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    """`--per-file-ignores "a.py:BRK1,BRK2,b.py:BRK3"` as pairs of a pattern and codes; None when it was not given."""
    result: dict[str, tuple[str, ...]] = {}
    pattern = ""
    for item in codes(_context, _option, values) or ():
        before, colon, code = item.rpartition(":")
        pattern = before if colon else pattern
        if not pattern or not code:
            raise click.BadParameter(f"{item!r}: give a file pattern and codes, as tests/*:BRK2,BRK301")
        result[pattern] = (*result.get(pattern, ()), code)
    return tuple(result.items()) or None


def outputs(formats: Sequence[str]) -> Callable[[click.Context, click.Parameter, tuple[str, ...]], Outputs]:
    """A reader of `--output-format FORMAT[:FILE]`: pairs of format and file, "" for standard output."""

    def read(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> Outputs:
        pairs = tuple((name, file) for name, _, file in (value.partition(":") for value in values))
        for name, file in pairs:
            if name not in formats:
                raise click.BadParameter(f"{name!r} is not one of {', '.join(formats)}")
            refuse_source(file)
        if sum(not file for _, file in pairs) > 1:
            raise click.BadParameter("only one format can go to standard output: give the others a file, as json:FILE")
        return pairs

    return read


def refuse_source(file: str | Path) -> None:
    """BadParameter when a report would be written over a source."""
    if str(file).endswith(SUFFIXES):
        raise click.BadParameter(f"{file}: a report must not replace Python code: give another name")


def output_option(formats: Sequence[str], default: str) -> Callable[[Decorated], Decorated]:
    """`--output-format FORMAT[:FILE]`, which gives the parameter `formats`; `default` is named in the help."""
    return click.option(
        "--output-format",
        "formats",
        multiple=True,
        callback=outputs(formats),
        metavar="FORMAT[:FILE]",
        help=f"One of {', '.join(formats)}, to FILE or standard output; may be repeated. [default: {default}]",
    )


def form_option(*formats: str) -> Callable[[Decorated], Decorated]:
    """`--output-format FORMAT` for standard output, which gives the parameter `form`; the first is the default."""
    return click.option(
        "--output-format",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="The output format.",
    )


def write_output(text: str, file: str, err: bool = False) -> None:
    """Write a report to `file`, or when it is "" to standard output (`err`: error); UsageError when that fails."""
    if not file:
        click.echo(text, nl=False, err=err, color=True)  # whether to colour was decided before
        return
    from breaklint.source.writing import write_text

    write_text(Path(file), text)


def refuse_missing(path: str | Path) -> None:
    """UsageError when there is nothing at `path`."""
    if not os.path.exists(path):
        raise UsageError(f"{path}: no such file or folder")


def refuse_unwritable(file: str) -> None:
    """UsageError if `write_output` cannot write to `file`, before a long run."""
    folder = os.path.dirname(file) or os.curdir
    place = file if os.path.exists(file) else folder
    if file and (os.path.isdir(file) or not os.path.isdir(folder) or not os.access(place, os.W_OK)):
        reason = "is a folder" if os.path.isdir(file) else "no such folder, or not allowed"
        raise UsageError(f"{file}: cannot be written: {reason}")


def config_options(command: Decorated) -> Decorated:
    """`--config` and `--isolated`, and the rule files and torch version that go over the configuration."""
    return with_options(
        command,
        click.option(
            "--rules",
            multiple=True,
            type=click.Path(),
            callback=lambda _context, _option, places: places or None,
            metavar="PATH",
            help="Also load rules from here: cards, and Python files, which are run.",
        ),
        click.option("--target-torch", metavar="VERSION", help="The torch to check for; several: 2.13,2.15."),
        click.option(
            "--config",
            multiple=True,
            callback=_file_and_keys,
            metavar="FILE|KEY=VALUE",
            help="Use this configuration file; or set a key: ignore=BRK101,BRK2. May be repeated.",
        ),
        click.option("--isolated", is_flag=True, help="Use no configuration file."),
    )


def selection_options(command: Decorated) -> Decorated:
    """Which findings are reported, for commands that report those of check."""
    return with_options(
        command,
        _listed("--select", "CODES", "Enable only these rules: `BRK2,tensor-item`."),
        _listed("--ignore", "CODES", "Disable these rules."),
        _listed("--extend-select", "CODES", "Also enable these rules."),
        click.option(
            "--per-file-ignores",
            multiple=True,
            callback=ignores,
            metavar="PATTERN:CODES",
            help="Disable rules in some files: `tests/*:BRK2,BRK301`.",
        ),
        _listed("--exclude", "PATTERNS", "Exclude these files: `old/,*_v1.py`."),
        click.option(
            "--show-callers", is_flag=True, default=None, help="Also report calls of functions that break (BRK801)."
        ),
        click.option(
            "--follow-callers/--no-follow-callers",
            default=None,
            help="Check a file given by name through its callers in the project, or alone. [default: follow]",
        ),
        click.option(
            "--conditional/--no-conditional",
            default=None,
            help="Report or drop findings that depend on a condition. [default: report]",
        ),
    )


def fix_options(command: Decorated) -> Decorated:
    """Whose fixes are written, for commands that write or run fixes."""
    return with_options(
        command,
        _listed("--fixable", "CODES", "Fix only findings of these rules."),
        _listed("--unfixable", "CODES", "Do not fix findings of these rules."),
    )


def with_options(command: Decorated, *options: Callable[[Decorated], Decorated]) -> Decorated:
    """A command with options, which its help lists in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def environment_options(command: Decorated) -> Decorated:
    """`--python` and `--no-environment`, for commands that follow imports into installed packages."""
    return with_options(
        command,
        click.option(
            "--python", metavar="PATH", help="Follow imports into this environment. [default: .venv, the active one]"
        ),
        click.option(
            "--environment/--no-environment",
            "follow_environment",
            default=None,
            help="Follow imports into installed packages, or not. [default: follow]",
        ),
    )


def _listed(name: str, of: str, meaning: str) -> Callable[[Decorated], Decorated]:
    """An option for several values, separated by commas or repeated."""
    return click.option(name, multiple=True, callback=codes, metavar=of, help=meaning)


def _file_and_keys(context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> Path | None:
    """The configuration file among the values of `--config`; the parameter `inline` gets the keys among them."""
    keys = [value for value in values if "=" in value and not os.path.exists(value)]
    files = [value for value in values if value not in keys]
    if len(files) > 1:
        raise click.BadParameter(f"only one configuration file can be used: {' or '.join(files)}")
    if keys:
        from breaklint.lint.config_files import read_keys

        context.params["inline"] = read_keys(keys)
    else:
        context.params["inline"] = None
    return Path(files[0]) if files else None


def nearer_settings(options: dict[str, Any]) -> Callable[[Path], Settings] | None:
    """A reader of nested configurations with the values of the options; None if one configuration applies to all."""
    if options["config"] or options["isolated"]:
        return None
    return lambda path: settings_for(path, options | {"config": path})


def settings_for(start: Path, options: dict[str, Any]) -> Settings:
    """The settings for `start` with the values of the options that a command has, and the environment of `start`."""
    from breaklint.lint.config import load_settings
    from breaklint.lint.environments import UNSET, with_environment

    overrides = {name: options.get(name) for name in (*_OVERRIDES, "python", "follow_environment")}
    settings = load_settings(start, options["config"], options["isolated"], overrides, options["inline"], UNSET)
    return with_environment(settings, start, options["isolated"])
