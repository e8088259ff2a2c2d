"""The table of real_models.py: a row a model, and the sums."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]
FIXED = ("safe", "all", "options")
HEAD = (
    "| model | breaks (graphs - 1) | lines found | after safe fixes | all fixes | and options | one graph | equal |\n"
    "| --- | --: | --: | --: | --: | --: | --- | --- |\n"
)


def breaks(told: Row) -> int:
    """Graphs - 1; 1 where Dynamo made none or one graph and yet reports a break."""
    return max(told["graphs"] - 1, 1 if told["breaks"] else 0)


def left(row: Row, version: str) -> int:
    """The breaks that are left in a version: all of them where it raises."""
    return breaks(row["original"] if row[version]["error"] else row[version])


def whole(told: Row) -> bool:
    """Whether a model is one graph, also to fullgraph."""
    return not told["error"] and not told["breaks"] and told.get("fullgraph") == ""


def equal(row: Row) -> list[str]:
    """What differs from the original, in eager mode and compiled, with safe fixes, all, and all with options."""
    return [f"{version}: {line}" for version in FIXED for line in wrong(row, version)]


def wrong(row: Row, version: str) -> list[str]:
    """What differs from the original in one version."""
    told, known = row[version], set(row["original"].get("differing_compiled", ()))
    if told["error"]:
        return [told["error"]]
    return [*told["differing"], *(f"compiled{line}" for line in told["differing_compiled"] if line not in known)]


def is_early(line: str) -> bool:
    """Whether a difference is an attribute that a fix initialises at the first call, the original at a later one."""
    return ".state." in line and line.endswith(" is new")


def summary(rows: list[Row]) -> dict[str, Any]:
    """The sums over the rows that run."""
    good = [row for row in rows if not row["original"]["error"]]
    lines = {(b["file"], b["row"]): b["findings"] for row in good for b in row["original"]["breaks"]}
    return {
        "models": len(good),
        "models_that_break": sum(bool(breaks(row["original"])) for row in good),
        "breaks": sum(breaks(row["original"]) for row in good),
        "lines": len(lines),
        "lines_found": sum(map(bool, lines.values())),
        "left": {version: sum(left(row, version) for row in good) for version in FIXED},
        "whole": {version: sum(whole(row[version]) for row in good) for version in ("original", *FIXED)},
        "wrong": [row["case"] for row in good if not all(map(is_early, equal(row)))],
        "early": [row["case"] for row in good if any(map(is_early, equal(row)))],
    }


def markdown(results: list[Row]) -> str:
    """All tables."""
    text = "# Models of real libraries\n\n"
    for result in results:
        total = result["summary"]
        text += f"## {result['cases']}: {', '.join(result['requirements'][:1])}\n\n{HEAD}"
        text += "".join(_row(row) for row in result["rows"])
        text += _sums(result, total) + _remaining(result["rows"])
    return text


def _sums(result: Row, total: Row) -> str:
    one, after = total["whole"], total["left"]
    return (
        f"\n{total['models']} models, {total['models_that_break']} of them break: {total['breaks']} breaks, "
        f"{after['safe']} after the safe fixes, {after['all']} after all, {after['options']} with options as well. "
        f"One graph: {one['original']} models as they are, {one['safe']} with safe fixes, {one['all']} with all, "
        f"{one['options']} with options as well. "
        f"Of {total['lines']} lines that break, check finds {total['lines_found']}. "
        f"Wrong results: {', '.join(total['wrong']) or 'none'}. "
        f"With an attribute that is initialised earlier: {', '.join(total['early']) or 'none'}. "
        f"Of {result['files_changed']} changed files {len(result['no_longer_import'])} no longer import.\n\n"
    )


def _row(row: Row) -> str:
    before = row["original"]
    if before["error"]:
        return f"| {row['case']} | {before['error'].replace('|', '/')} | | | | | | |\n"
    found = [bool(each["findings"]) for each in before["breaks"]]
    lines = f"{sum(found)} of {len(found)}" if found else ""
    one = "yes" if whole(row["all"]) else "with options" if whole(row["options"]) else "no"
    cells = [breaks(before), lines, *(left(row, version) for version in FIXED), one]
    told = "; ".join(equal(row)).replace("|", "/").replace("\n", " ")[:200] or "yes"
    return f"| {row['case']} | {' | '.join(map(str, cells))} | {told} |\n"


def _remaining(rows: list[Row]) -> str:
    """The lines of the originals that break in rows that all fixes do not make whole, and what check says of them."""
    lines = {}
    for row in rows:
        if not row["original"]["error"] and not whole(row["all"]):
            for each in row["original"]["breaks"]:
                said = "; ".join(dict.fromkeys(f"{code}, {fix}" for code, fix in each["findings"])) or "not found"
                lines[each["file"], each["row"]] = f"{each['reason'].split(':')[0]} | {said}"
    if not lines:
        return ""
    text = "| line of a model that is not one graph after all fixes | reason | check says |\n| --- | --- | --- |\n"
    return text + "".join(f"| {file}:{row} | {said} |\n" for (file, row), said in sorted(lines.items())) + "\n"
