"""The report as one HTML page that needs nothing else: no script, no network, no file beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from breaklint import __version__
from breaklint.output.wording import printable_lines
from breaklint.verify.judge.results import ArmReport, TargetReport, Verdict, VerifyReport
from breaklint.verify.report.plots import interval_bar, latency, strips
from breaklint.verify.report.wording import (
    TONES,
    amount,
    break_line,
    environment_line,
    finding_place,
    fix_name,
    gate_lines,
    not_confirmed_line,
    run_line,
    seconds_text,
    speed_stands_out,
    speed_text,
)

View = dict[str, Any]
_TEMPLATES = Path(__file__).with_name("page")


def write(report: VerifyReport) -> str:
    """The page; whatever comes from sources, paths and messages is escaped."""
    environment = page_environment(_TEMPLATES)
    style = (_TEMPLATES / "style.css").read_text("utf-8")
    return environment.get_template("page.html.j2").render(**page(report), style=style, version=__version__) + "\n"


@cache
def page_environment(templates: Path) -> Environment:
    """The environment of a folder of templates: what comes from outside is escaped, and every character visible."""
    return Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )


def _visible(value: object) -> object:
    """Texts without what would turn the direction of writing, or hide a part of a line."""
    return printable_lines(value) if type(value) is str else value  # Markup is the page's own


def page(report: VerifyReport) -> View:
    """All that the template asks for: the report, and what it calls to have texts and positions of its values."""
    counts = Counter(target.verdict for target in report.targets)
    return {
        "environment": environment_line(report),
        "details": [(key, value) for key, value in sorted(report.environment.items()) if value is not None],
        "options": [(key, value) for key, value in sorted(report.options.items()) if value not in (None, [], False)],
        "run": run_line(report),
        "counts": [(verdict, counts[verdict]) for verdict in Verdict if counts[verdict]],
        "targets": report.targets,
        "tones": TONES,
        **{told.__name__: told for told in _CALLED},
    }


def shown_speed(target: TargetReport) -> str:
    """The ratio, where it stands out of the noise."""
    return f"{target.speedup.ratio:.2f}×" if target.speedup and speed_stands_out(target) else ""


def facts(target: TargetReport) -> Iterator[tuple[str, str]]:
    """Figures of before and after, where both were measured."""
    before, after = target.arms.get("before"), target.arms.get("after")
    if before is None or before.error:
        return
    sides = [before] + ([after] if after is not None and not after.error else [])

    yield "breaks", " → ".join(str(len(arm.breaks)) for arm in sides)
    rows = (
        ("graphs a call", [amount(arm.graphs_per_call) for arm in sides]),
        ("kernels generated", [amount(arm.kernels) for arm in sides]),
        ("compile", [seconds_text(arm.compile_s) for arm in sides]),
        ("ms a call", [digits(arm.median_ms) for arm in sides]),
    )
    for name, texts in rows:
        if all(texts):
            yield name, " → ".join(texts)


def complaints(arm: ArmReport) -> list[str]:
    """What `fullgraph` fails with, and how its results differ."""
    gate = [f"fullgraph: {arm.fullgraph.error}"] if arm.fullgraph and arm.fullgraph.error else []
    return [*gate, *arm.rewrite_differences, *arm.differences]


def notes(target: TargetReport) -> list[str]:
    """What is noted of a target and of its arms, and what no gate decides by."""
    told = [f"{name}: {note}" for name, arm in target.arms.items() for note in arm.notes]
    return [*gate_lines(target), *told]


def digits(value: float | None) -> str:
    """A number with as many digits as tell something, or nothing where it was not measured."""
    return f"{value:.4g}" if value else ""


_CALLED: tuple[Callable[..., object], ...] = (
    *(shown_speed, facts, complaints, notes, digits, amount, seconds_text, speed_text, fix_name),
    *(interval_bar, latency, strips, break_line, not_confirmed_line, finding_place),
)
