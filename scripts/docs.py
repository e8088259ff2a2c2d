"""Writes docs/rules/ from the cards, docs/graph-breaks.md, the kinds of fixes, and the schema of the settings.

With --check, says whether they are fresh.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from breaklint.fixes.base import CODEMODS
from breaklint.fixes.registry import kinds
from breaklint.lint.config_schema import schema
from breaklint.model import NEWEST_TORCH, Rule, graph_break_page
from breaklint.output.rule_page import markdown
from breaklint.rules.cards import load_rules
from breaklint.torchops.facts import for_target

PROJECT = Path(__file__).resolve().parent.parent
RULES = PROJECT / "docs" / "rules"
GRAPH_BREAKS = PROJECT / "docs" / "graph-breaks.md"
SCHEMA = PROJECT / "docs" / "settings.schema.json"
SAFETY = PROJECT / "docs" / "fix-safety.md"
KINDS = re.compile(r"(?<=<!-- kinds: begin -->\n).*?(?=<!-- kinds: end -->)", re.DOTALL)
TOPICS = Path(__file__).with_name("graph_breaks.yaml")
REGISTRY = "https://meta-pytorch.github.io/compile-graph-break-site/"
PLACES = {
    "source": ("In the source, and no rule", "Code that a rule could be about, and none is. Much of it is rare."),
    "run": ("Only when it runs", "Values, types, settings and errors decide; `breaklint verify` shows these breaks."),
    "asked": ("Intended", "The code wants the break, so that there is nothing to find."),
    "inside": ("Inside Dynamo", "Dynamo's own limits, and code that models do not hold."),
}


def pages() -> dict[Path, str]:
    """The text of every generated page."""
    rules = load_rules()
    effect = {rule.code: rule.effect.value if rule.match or rule.check else "" for rule in rules}
    rows = [f"| [{rule.code}]({rule.name}.md) | {rule.name} | {effect[rule.code]} | {rule.summary} |" for rule in rules]
    rows += [
        f"| {alias} | | | now [{rule.code}]({rule.name}.md) |"
        for rule in rules
        for alias in rule.aliases
        if alias.isupper()
    ]
    index = "\n".join(["# Rules", "", "| code | name | effect | what |", "|---|---|---|---|", *rows, ""])
    single = {RULES / f"{rule.name}.md": markdown(rule) for rule in rules}
    graph_breaks = "\n".join(_graph_breaks(rules)) + "\n"
    return {
        RULES / "index.md": index,
        GRAPH_BREAKS: graph_breaks,
        SCHEMA: json.dumps(schema(), indent=2) + "\n",
        SAFETY: KINDS.sub(lambda _: _kinds(), SAFETY.read_text("utf-8")),
    } | single


def _kinds() -> str:
    """The table of the kinds of fixes."""
    rows = ["| kind | fix | safe |", "|---|---|---|"]
    for name in (item for item in kinds() if not item.startswith("show-")):
        kind = CODEMODS[name]
        safe = "never" if not kind.safe else "sometimes" if kind.unsafe else "always"
        rows.append(f"| {name} | {kind.summary.removesuffix('.')} | {safe} |")
    return "".join(f"{row}\n" for row in rows)


def _graph_breaks(rules: tuple[Rule, ...]) -> Iterator[str]:
    """The lines of the page about torch's registry; ValueError when an id is in no topic."""
    titles = for_target(NEWEST_TORCH).graph_breaks
    covered = {id: [rule for rule in rules if id in rule.dynamo] for id in titles}
    groups = yaml.safe_load(TOPICS.read_text("utf-8"))
    rest = {id: group["place"] for group in groups for id in group["ids"].split() if not covered.get(id)}
    if homeless := sorted(id for id in titles if not covered[id] and id not in rest):
        raise ValueError(f"{', '.join(homeless)}: in no topic of {TOPICS.name}; add them")
    yield "# Graph breaks of torch and the rules about them"
    yield f"\nEvery id in the [registry]({REGISTRY}) of torch {NEWEST_TORCH}, {len(titles)} of them."
    yield "An id leads to torch's page about it; `breaklint rule GB0124` prints the rules about one.\n"
    yield "| where | ids |\n|---|---|"
    yield f"| [A rule finds it](#found-by-rules) | {sum(map(bool, covered.values()))} |"
    for place, (title, _) in PLACES.items():
        anchor = title.lower().replace(",", "").replace(" ", "-")
        yield f"| [{title}](#{anchor}) | {list(rest.values()).count(place)} |"
    yield "\n## Found by rules\n\nOne id may have many causes: the rules name those they know.\n"
    yield "| id | graph break | rules |\n|---|---|---|"
    for id, result in covered.items():
        if result:
            links = ", ".join(f"[{rule.code}](rules/{rule.name}.md)" for rule in result)
            yield f"| [{id}]({graph_break_page(id)}) | {_cell(titles[id])} | {links} |"
    for place, (title, what) in PLACES.items():
        yield f"\n## {title}\n\n{what}\n\n| topic | graph breaks |\n|---|---|"
        for group in groups:
            ids = [id for id in group["ids"].split() if group["place"] == place and rest.get(id)]
            if ids:
                yield f"| {group['topic']} | {' · '.join(_link(id, titles[id], place) for id in ids)} |"


def _link(id: str, title: str, place: str) -> str:
    """The id as a link to torch's page, with its title where a rule might be about it."""
    return f"[{id}]({graph_break_page(id)})" + (f" {_cell(title)}" if place == "source" else "")


def _cell(text: str) -> str:
    """Text that stands in a table as it is."""
    text = text.strip()
    for mark in "\\`*_<|":
        text = text.replace(mark, "\\" + mark)
    return text


def main() -> int:
    """Write the pages, or with --check list those that differ from the cards."""
    expected = pages()
    stale = [path for path, text in expected.items() if not path.is_file() or path.read_text("utf-8") != text]
    obsolete = [path for path in RULES.glob("*.md") if path not in expected]
    if "--check" in sys.argv[1:]:
        for path in (*stale, *obsolete):
            print(f"{path.relative_to(PROJECT)}: not what the rule cards say; run `make docs`")
        return 1 if stale or obsolete else 0
    RULES.mkdir(parents=True, exist_ok=True)
    for path in stale:
        path.write_text(expected[path], "utf-8")
    for path in obsolete:
        path.unlink()
    print(f"{len(expected)} pages, {len(stale)} written, {len(obsolete)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
