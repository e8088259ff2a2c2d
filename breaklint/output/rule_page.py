"""A rule card as a page or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from breaklint.model import Effect, Example, Rule, graph_break_page
from breaklint.torchops.tables import versions
from breaklint.torchops.torch_versions import holds

_EFFECTS = {
    Effect.BREAK: "breaks the graph",
    Effect.RECOMPILE: "recompiles again and again",
    Effect.UNROLL: "unrolls: graph and compile time grow with a dimension",
    Effect.SYNC: "makes the GPU wait; the graph does not break",
}
_BAD = {
    Effect.BREAK: "Breaks",
    Effect.RECOMPILE: "Recompiles",
    Effect.UNROLL: "Unrolls",
    Effect.SYNC: "Makes the GPU wait",
}

SHOWN = 2  # the other examples of a card are tests


def markdown(rule: Rule) -> str:
    """The page of a rule in Markdown."""
    return "\n\n".join(_sections(rule)) + "\n"


def as_data(rule: Rule) -> dict[str, Any]:
    """The rule as plain data, ready for JSON."""
    match = [item._asdict() for item in rule.match]
    return {**rule._asdict(), "match": match, "examples": [example._asdict() for example in rule.examples]}


def one_line(rule: Rule) -> str:
    """Code, name and summary."""
    return f"{rule.code}  {rule.name}: {rule.summary}"


def _sections(rule: Rule) -> Iterator[str]:
    yield f"# {rule.code} {rule.name}"
    yield rule.summary
    yield "\n".join(_facts(rule))
    yield "## Why"
    yield rule.why.strip()
    if rule.help:
        yield "## Remedy"
        yield rule.help.strip()
    for target in rule.targets:
        yield f"## {target.name}"
        yield from filter(None, (target.why, target.help))
    yield "## Fix"
    yield _fix(rule)
    examples = rule.examples[:SHOWN]
    for number, example in enumerate(examples, start=1):
        yield f"## Example {number}" if len(examples) > 1 else "## Example"
        yield from _example(example, rule.effect)


def _facts(rule: Rule) -> Iterator[str]:
    if rule.match or rule.check:
        yield f"- Effect: **{rule.effect.value}** ({_EFFECTS[rule.effect]})"
    else:
        yield "- Effect: none (this rule is about breaklint itself)"
    yield f"- Severity: {rule.severity.value}"
    if rule.dynamo:
        yield f"- Dynamo's graph breaks: {', '.join(map(_linked, rule.dynamo))}"
    yield from _versions(rule)
    if rule.aliases:
        yield f"- Before: {', '.join(f'`{alias}`' for alias in rule.aliases)}; these names still select and suppress it"


def _linked(graph_break: str) -> str:
    return f"[{graph_break}]({graph_break_page(graph_break)})"


def _versions(rule: Rule) -> Iterator[str]:
    """For which of the measured torch versions the rule holds, and which of its patterns hold for some of them."""
    if rule.torch:
        fitting = [torch for torch in versions() if holds(rule.torch, torch)]
        yield f"- torch: `{rule.torch}`; of the versions measured ({', '.join(versions())}): {', '.join(fitting)}"
    for torch in dict.fromkeys(match.torch for match in rule.match if match.torch):
        result = [name for match in rule.match if match.torch == torch for name in match.names]
        names = ", ".join(f"`{name.removeprefix('builtins.')}`" for name in dict.fromkeys(result))
        yield f"- torch `{torch}` only: {names}"


def _fix(rule: Rule) -> str:
    if not rule.fix_kind:
        return f"No automatic fix: {_sentence(rule.no_fix)}" if rule.no_fix else "No automatic fix."
    if rule.fix_kind.startswith("show-"):
        who = "`breaklint check` shows a possible change, which it does not write"
    else:
        who = "`breaklint check --fix` applies the fix if it is safe, and with `--unsafe-fixes` also if it may not be"
    return f"{who} (`{rule.fix_kind}`: {_sentence(rule.fix_why, ')')}"


def _sentence(text: str, closing: str = "") -> str:
    return f"{text.strip().removesuffix('.')}{closing}."


def _example(example: Example, effect: Effect) -> Iterator[str]:
    inputs = f"Inputs: `{', '.join(example.inputs)}`" if example.inputs else ""
    torch = f"torch: `{example.torch}`" if example.torch else ""
    if facts := " · ".join(filter(None, (inputs, torch))):
        yield facts
    for title, code in ((_BAD[effect], example.bad), ("Fixed", example.fixed), ("Fine as it is", example.good)):
        if code:
            yield f"{title}:"
            yield f"```python\n{code.strip()}\n```"
    if example.note:
        yield example.note.strip()
