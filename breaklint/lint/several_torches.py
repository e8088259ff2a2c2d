"""Several torch versions at once (`--target-torch 2.13,2.15`): a run for each, and one result of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from breaklint.lint.merging import unique
from breaklint.lint.plan import Plan
from breaklint.lint.results import RunResult
from breaklint.model import Finding, Settings
from breaklint.torchops.tables import release

SEPARATOR = ","


def torches(settings: Iterable[Settings]) -> tuple[str, ...]:
    """Every torch version that some settings name, the oldest first."""
    versions = {torch for setting in settings for torch in setting.target_torch.split(SEPARATOR)}
    return tuple(sorted(versions, key=release))


def are_several(settings: Settings) -> bool:
    """Whether the settings name more than one torch version."""
    return SEPARATOR in settings.target_torch


def for_torch(settings: Settings, torch: str) -> Settings:
    """The settings for one of the versions that they name; settings with one version do not change."""
    return settings._replace(target_torch=torch) if are_several(settings) else settings


def plan_for(plan: Plan, torch: str) -> Plan:
    """The same files under settings for one version."""
    return plan._replace(groups=tuple((for_torch(settings, torch), files) for settings, files in plan.groups))


def combine_versions(results: Mapping[str, RunResult]) -> RunResult:
    """The results of one run per version, merged: each finding states its versions."""
    by_place: dict[tuple[object, ...], dict[str, Finding]] = {}
    for torch, result in results.items():
        for finding in result.findings:
            key = (finding.filename, finding.cell, finding.span.start, finding.code)
            by_place.setdefault(key, {})[torch] = finding
    findings = sorted(_with_versions(item, tuple(results)) for item in by_place.values())
    newest = results[max(results, key=release)]
    return newest._replace(
        findings=tuple(findings),
        errors=unique(*(result.errors for result in results.values())),
        notices=unique(*(result.notices for result in results.values())),
    )


def _with_versions(by_torch: Mapping[str, Finding], checked: Sequence[str]) -> Finding:
    """The finding of the newest version for which it holds, with the versions for which it does."""
    versions = tuple(by_torch)
    return by_torch[versions[-1]]._replace(torch=versions, holds=_range(versions, checked))


def _range(versions: Sequence[str], checked: Sequence[str]) -> str:
    """Some of the checked versions in words: `until 2.13`, `from 2.15`, or one by one."""
    if len(versions) == len(checked):
        return "on each"
    if tuple(versions) == tuple(checked[: len(versions)]):
        return f"until {versions[-1]}"
    if tuple(versions) == tuple(checked[-len(versions) :]):
        return f"from {versions[0]}"
    return f"on {', '.join(versions)}"
