"""A rule card from YAML to `Rule`. Most runs use parsed cards from card_cache.py instead."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from breaklint.analysis import patterns
from breaklint.errors import CardError, SourceError
from breaklint.model import Effect, Example, Match, Rule, Severity, Target, graph_break_page
from breaklint.rules.card_schema import validate_card
from breaklint.source.decoding import read_small

TEMPLATE = "template"  # the kind of fix that a card writes out itself
_SHORT = 10_000  # characters, in which no nesting exhausts the parser's stack
_MAX_DEPTH = 100


def read_card(path: Path) -> Rule:
    """One card from its file."""
    try:
        text = read_small(str(path)).decode("utf-8")
        if len(text) > _SHORT:
            _refuse_deep(text)
        data = yaml.load(text, Loader=_loader())
    except SourceError as error:
        raise CardError(str(error)) from error
    except UnicodeDecodeError as error:
        raise CardError(f"{path}: cannot be read: it is not UTF-8") from error
    except RecursionError:
        raise CardError(f"{path}: is nested too deeply") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)  # not the text there: any file may be named as a card
        place = f"{path}:{mark.line + 1}" if mark else f"{path}"
        raise CardError(f"{place}: not YAML: {getattr(error, 'problem', None) or type(error).__name__}") from None
    return parse_card(data, str(path))


def _refuse_deep(text: str) -> None:
    """RecursionError for a text whose nesting could exhaust the stack of the parser, which is written in C."""
    depth = 0
    for event in yaml.parse(text, Loader=_loader()):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_DEPTH:
            raise RecursionError


@cache
def _loader() -> Any:
    """YAML's safe loader without booleans: `on` is a key of cards, and `true` a kind of value."""
    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    resolvers = {
        first: [(tag, pattern) for tag, pattern in pairs if tag != "tag:yaml.org,2002:bool"]
        for first, pairs in base.yaml_implicit_resolvers.items()
    }
    return type("CardLoader", (base,), {"yaml_implicit_resolvers": resolvers})


def parse_card(data: Any, where: str) -> Rule:
    """One card from its YAML data; `where` names it in errors."""
    card = validate_card(data, where)
    fix = card.get("fix", {})
    effect = Effect(card["effect"])
    dynamo = tuple(card.get("dynamo", ()))
    severity = card.get("severity", "error" if effect is Effect.BREAK else "warning")
    return Rule(
        code=card["code"],
        name=card["name"],
        summary=card["summary"],
        effect=effect,
        severity=Severity(severity),
        why=card["why"].strip(),
        message=card.get("message", ""),
        help=card.get("help", "").strip(),
        dynamo=dynamo,
        torch=card.get("torch", ""),
        match=tuple(_match(entry) for entry in card.get("match", ())),
        check=card.get("check", ""),
        fix_kind=fix.get("kind", TEMPLATE if "replace" in fix else ""),
        fix_alternatives=tuple(fix.get("alternatives", ())),
        fix_replace=fix.get("replace", "").strip(),
        fix_applicability=fix.get("applicability", ""),
        fix_why=fix.get("why", "").strip(),
        no_fix=card.get("no_fix", "").strip(),
        examples=tuple(_example(entry) for entry in card["examples"]),
        url=graph_break_page(dynamo[0]) if dynamo else "",
        setting=card.get("setting", ""),
        fallback="fallback" in card,
        aliases=tuple(card.get("aliases", ())),
        targets=tuple(_target(name, entry) for name, entry in card.get("targets", {}).items()),
    )


def _target(name: str, entry: dict[str, str]) -> Target:
    return Target(name, **{key: text.strip() for key, text in entry.items()})


def _match(entry: dict[str, Any]) -> Match:
    kind = next(key for key in entry if key not in ("on", "where", "torch", "used", "target"))
    if kind == "pattern":
        return _of_pattern(entry)._replace(target=entry.get("target", ""))
    where = tuple((str(argument), _strings(kinds)) for argument, kinds in entry.get("where", {}).items())
    names = tuple(_qualified(name) if kind == "call" else name for name in _strings(entry[kind]))
    output = {key: entry.get(key, "") for key in ("torch", "target")}
    return Match(kind, names, _strings(entry.get("on", ())), where, used="used" in entry, **output)


def _of_pattern(entry: dict[str, Any]) -> Match:
    """The call that a pattern is, with conditions by capture as conditions by argument."""
    text = entry["pattern"].strip()
    function, method = patterns.callee(text)
    conditions = entry.get("where", {}).items()
    where = tuple((patterns.place_of(text, name), _strings(kinds)) for name, kinds in conditions)
    if method:
        return Match("method", (method,), _strings(entry.get("on", ())), where, text, entry.get("torch", ""))
    return Match("call", (_qualified(function),), (), where, text, entry.get("torch", ""))


def _qualified(name: str) -> str:
    return f"builtins.{name}" if hasattr(builtins, name) else name


def _example(entry: dict[str, Any]) -> Example:
    texts = {key: str(value) for key, value in entry.items() if key != "inputs"}
    return Example(inputs=_strings(entry.get("inputs", ())), **texts)


def _strings(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
