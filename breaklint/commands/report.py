"""`breaklint report`: operations on saved reports of verify."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from breaklint.commands.options import PLACE, Outputs, config_options, output_option, settings_for, write_output
from breaklint.commands.terminal import click
from breaklint.commands.verify import FORMATS
from breaklint.errors import UsageError
from breaklint.output.wording import printable


@click.group()
def report() -> None:
    """Open, merge and compare reports of `breaklint verify`; show the profile of `breaklint observe`."""


@report.command("open")
@click.argument("file", type=PLACE, metavar="REPORT")
@click.option(
    "-o", "--output", type=PLACE, metavar="FILE", help="The page to write. [default: REPORT with the suffix .html]"
)
@click.option("--no-browser", is_flag=True, help="Only write the page; do not open it.")
def open_(file: str, output: str | None, no_browser: bool) -> int:
    """Write the report as one HTML page and show it in the browser."""
    import webbrowser

    from breaklint.verify.report import writer
    from breaklint.verify.report.reading import read

    page = Path(output) if output else Path(file).with_suffix(".html")
    saved = read(file)  # first: what is wrong with it matters more than what is missing to show it
    write_output(writer("html")(saved), str(page))
    click.echo(str(page))
    if not no_browser:
        webbrowser.open(page.resolve().as_uri())
    return 0


@report.command()
@click.argument("files", nargs=-1, required=True, type=PLACE, metavar="REPORT...")
@output_option(FORMATS, "text")
def merge(files: tuple[str, ...], formats: Outputs) -> int:
    """Merge reports, for example of shards, into one; the exit code is that of a single run.

    If several reports have the same target, the last one is used.
    """
    from breaklint.verify.judge.verdict import exit_code
    from breaklint.verify.options import VerifyOptions
    from breaklint.verify.report import writer
    from breaklint.verify.report.reading import merged, read

    together = merged(map(read, files))
    for name, file in formats or (("text", ""),):
        write_output(writer(name)(together), file)
    return exit_code(together, VerifyOptions(min_speedup=together.options.get("min_speedup")))


@report.command()
@click.argument("old", type=PLACE, metavar="OLD")
@click.argument("new", type=PLACE, metavar="NEW")
@click.option("--any-hardware", is_flag=True, help="Also compare reports from other hardware or with other options.")
def compare(old: str, new: str, any_hardware: bool) -> int:
    """Compare speed and verdicts of two reports.

    Exit code: 0 nothing is worse, 1 something is slower or no longer passes, 2 the reports cannot be compared.
    """
    from breaklint.verify.judge.compare import compare as compare_reports
    from breaklint.verify.judge.compare import version_changes
    from breaklint.verify.report.reading import read

    first, second = read(old), read(new)
    changes = compare_reports(first, second, any_hardware)
    for line in version_changes(first, second):
        click.echo(printable(line))
    for change in changes:
        click.echo(printable(f"{'worse ' if change.worse else '      '} {change.target}: {change.what}"))
    if not changes:
        click.echo("no difference beyond the noise")
    return int(any(change.worse for change in changes))


@report.command()
@click.argument("file", type=PLACE, metavar="[PROFILE]", default=".breaklint/observed.json")
@click.option("--html", "page", type=PLACE, metavar="FILE", help="Write a page with the source in colours instead.")
@config_options
def observed(file: str, page: str | None, **options: Any) -> int:
    """Show the profile: traced and broken lines by file, entry points, and input signatures."""
    from breaklint.lint.run import cache_folder, run
    from breaklint.observe.coverage import reached, text_of_coverage
    from breaklint.observe.place import root_of
    from breaklint.observe.profile import read

    profile, start = read(Path(file)), root_of(Path(file), "")
    settings = settings_for(start, options)
    root = root_of(Path(file), settings.root)
    entries = run([str(root)], settings, cache=cache_folder(settings, None)).entries
    if page is None:
        for line in text_of_coverage(profile, reached(profile, root, entries)).splitlines():
            click.echo(printable(line))
        return 0
    try:
        from breaklint.observe.html import html_of
    except ModuleNotFoundError as error:
        raise UsageError("--html needs jinja2: pip install jinja2") from error
    write_output(html_of(profile, root, entries), page)
    return 0
