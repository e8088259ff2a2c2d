"""Options for adoption in steps: a baseline, changed lines only, comments for existing findings."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from breaklint.commands.options import codes, refuse_source, with_options
from breaklint.commands.terminal import click
from breaklint.errors import BreaklintError, UsageError
from breaklint.model import OBSERVED_STATES
from breaklint.output.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from breaklint.lint.results import RunResult
    from breaklint.model import Finding, Settings
    from breaklint.source.source_text import SourceText

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")


def adoption_options(command: Decorated) -> Decorated:
    """`--baseline`, `--write-baseline`, `--since`, `--observed`, `--profile`, `--measured` and `--add-ignore`."""
    path = click.Path(path_type=Path, dir_okay=False)
    return with_options(
        command,
        click.option("--baseline", type=path, metavar="FILE", help="Report only findings that are not in this file."),
        click.option(
            "--write-baseline",
            type=path,
            callback=_no_source,
            metavar="FILE",
            help="Write all findings to this file.",
        ),
        click.option("--since", metavar="REV", help="Report only findings on lines changed since this git revision."),
        click.option(
            "--observed",
            multiple=True,
            callback=_states,
            metavar="STATE",
            help=f"Report only findings that `breaklint observe` recorded as {', '.join(OBSERVED_STATES)}.",
        ),
        click.option(
            "--profile",
            type=path,
            metavar="FILE",
            help="The profile of observe. [default: .breaklint/observed.json]",
        ),
        click.option(
            "--measured",
            type=path,
            metavar="FILE",
            help="Sort by the milliseconds in a JSON report of `breaklint verify`.",
        ),
        click.option("--add-ignore", is_flag=True, help="Write `# breaklint: ignore[...]` after every finding."),
    )


def _no_source(_context: click.Context, _option: click.Parameter, file: Path | None) -> Path | None:
    if file is not None:
        refuse_source(file)
    return file


def _states(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    chosen = codes(_context, _option, values) or ()
    for value in chosen:
        if value not in OBSERVED_STATES:
            raise click.BadParameter(f"{value!r} is not one of {', '.join(OBSERVED_STATES)}")
    return chosen


def refuse_contradictions(options: dict[str, Any]) -> None:
    """UsageError for options that exclude each other."""
    writing = [name for name in ("fix", "diff", "add_ignore", "write_baseline") if options[name]]
    if len(writing) > 1 and writing != ["fix", "diff"]:
        first, second = (f"--{name.replace('_', '-')}" for name in writing[:2])
        raise UsageError(f"{first} and {second} cannot be combined")
    if options["write_baseline"] and (narrowing := next((name for name in ("baseline", "since") if options[name]), "")):
        raise UsageError(f"--write-baseline writes all findings: leave --{narrowing} out")
    if (options["fix"] or options["diff"]) and (options["since"] or options["baseline"]):
        raise UsageError("--since and --baseline limit the reported findings, not the changes of --fix and --diff")


def with_profile(result: RunResult, start: Path, settings: Settings, options: dict[str, Any]) -> RunResult:
    """The result joined with the profile of `breaklint observe`, if there is one, and narrowed by `--observed`."""
    from breaklint.observe.place import find_profile, root_of

    place = options["profile"] or find_profile(start, settings.root)
    if place is None:
        if options["observed"]:
            raise UsageError("--observed needs a profile: run `breaklint observe -- pytest` first")
        return result
    from breaklint.observe.join import join_profile
    from breaklint.observe.profile import ProfileError, read

    try:
        profile = read(place)
    except ProfileError as error:
        if options["observed"] or options["profile"]:
            raise
        return result._replace(notices=(*result.notices, f"{error}"))
    root = root_of(Path(place), settings.root, {key.path for key in profile})
    result = join_profile(result, profile, root, settings)
    if options["observed"]:
        findings = tuple(
            finding for finding in result.findings if finding.observed and finding.observed.state in options["observed"]
        )
        result = _restrict(result, findings, "--observed")
    return result


def narrow(result: RunResult, options: dict[str, Any], settings: Settings) -> RunResult:
    """The result with the findings that `--since` and the baseline leave, and their milliseconds of `--measured`."""
    if options["measured"]:
        from breaklint.verify.report.measured import with_milliseconds

        result = result._replace(findings=with_milliseconds(result.findings, str(options["measured"])))
    if options["since"]:
        from breaklint.source.changed_lines import on_changed_lines

        result = _restrict(result, on_changed_lines(result.findings, options["since"]), "--since")
    path = options["baseline"] or (Path(settings.baseline) if settings.baseline else None)
    if path and not options["write_baseline"]:
        from breaklint.lint.baseline import without_baseline

        result = _restrict(result, without_baseline(result.findings, path), "--baseline")
    return result


def _restrict(result: RunResult, findings: tuple[Finding, ...], option: str) -> RunResult:
    count = len(result.findings) - len(findings)
    left_out = (*result.left_out, (option, count)) if count else result.left_out
    return result._replace(findings=findings, left_out=left_out)


def write_adoption(result: RunResult, options: dict[str, Any]) -> RunResult | None:
    """The result after `--write-baseline` or `--add-ignore` has written its findings; None without these options."""
    if options["write_baseline"]:
        from breaklint.lint.baseline import write_baseline

        write_baseline(options["write_baseline"], result.findings)
        click.echo(f"Wrote {number_of(len(result.findings), 'finding')} to {options['write_baseline']}.")
        return result._replace(findings=())
    return _ignored(result) if options["add_ignore"] else None


def _ignored(result: RunResult) -> RunResult:
    from breaklint.source.decoding import read_source
    from breaklint.source.ignore_comments import with_ignores
    from breaklint.source.writing import write_source

    errors, count = [], 0
    for filename, group in groupby(result.findings, key=lambda finding: finding.filename):
        findings = list(group)
        try:
            source = read_source(filename)
            write_source(source, with_ignores(source.text, [_in_text(finding, source) for finding in findings]))
            count += len(findings)
        except BreaklintError as error:
            errors.append(str(error))
    click.echo(f"Wrote comments for {number_of(count, 'finding')}.")
    return result._replace(findings=(), errors=(*result.errors, *errors))


def _in_text(finding: Finding, source: SourceText) -> Finding:
    """A finding of a cell, at its place in the text of the whole notebook."""
    if not finding.cell:
        return finding
    from breaklint.source.notebooks import joined_span, rows

    return finding._replace(span=joined_span(finding, rows(source.text)))
