"""The schema of a rule card, checked key by key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from breaklint.analysis import patterns
from breaklint.errors import CardError
from breaklint.model import NEWEST_TORCH
from breaklint.source.did_you_mean import did_you_mean
from breaklint.torchops.torch_versions import holds

Kind = type | tuple[type, ...]
TEXT: Kind = str
TEXTS: Kind = (str, list)

CARD: Mapping[str, Kind] = {
    "code": TEXT, "name": TEXT, "summary": TEXT, "effect": TEXT, "severity": TEXT, "dynamo": list, "torch": TEXT,
    "why": TEXT, "message": TEXT, "help": TEXT, "match": list, "check": TEXT, "fix": dict, "no_fix": TEXT,
    "setting": TEXT, "fallback": TEXT, "aliases": list, "targets": dict, "examples": list,
}  # fmt: skip
REQUIRED = ("code", "name", "summary", "effect", "why", "examples")
PATTERNS = (
    "call", "method", "set_attribute", "attribute", "construct", "call_instance", "call_object", "with", "pattern",
)  # fmt: skip
MATCH: Mapping[str, Kind] = {
    **dict.fromkeys(PATTERNS, TEXTS), "on": TEXTS, "where": dict, "torch": TEXT, "used": TEXT, "target": TEXT,
}  # fmt: skip
TARGET: Mapping[str, Kind] = {"why": TEXT, "message": TEXT, "help": TEXT, "no_fix": TEXT}
NEEDS_RECEIVER = ("method", "set_attribute", "attribute")
FIX: Mapping[str, Kind] = {"kind": TEXT, "alternatives": list, "replace": TEXT, "applicability": TEXT, "why": TEXT}
APPLICABILITIES = ("safe", "unsafe", "display")
EXAMPLE: Mapping[str, Kind] = {
    "bad": TEXT, "inputs": list, "fixed": TEXT, "good": TEXT, "torch": TEXT, "note": TEXT, "compilations": TEXT,
}  # fmt: skip
COMPILATIONS = re.compile(r"\d+ for batch \d+(, \d+)*")

EFFECTS = ("break", "recompile", "unroll", "sync")
SEVERITIES = ("error", "warning")
KINDS = (
    "tensor", "bool-tensor", "int-tensor", "float-tensor", "sparse-tensor", "computed", "parameter",
    "tensors", "fields", "tensor-fields",
    "number", "size", "shape", "ndarray", "module", "logger", "static", "string", "list", "sequence", "dict", "none",
    "true", "false", "present", "missing", "any", "unknown",
)  # fmt: skip
CODE = re.compile(r"[A-Z]{2,5}\d{3}")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LABEL = re.compile(f"{CODE.pattern}|{SLUG.pattern}")
GRAPH_BREAK = re.compile(r"GB\d{4}")
CHECK = re.compile(r"(breaklint\.(rules\.)?checks\.\w+\.)?[A-Za-z_]\w*")  # a class; cards once named its module too


def validate_card(data: Any, where: str) -> dict[str, Any]:
    """The card's data, or CardError naming the card and the key that is wrong."""
    card = _mapping(data, CARD, where, "")
    for key in REQUIRED:
        if key not in card:
            raise CardError(f"{where}: key `{key}` is missing")
    _one_of(card["effect"], EFFECTS, where, "effect")
    if "severity" in card:
        _one_of(card["severity"], SEVERITIES, where, "severity")
    _check_text(card["code"], CODE, where, "code", "letters and three digits, such as BRK101")
    _check_text(card["name"], SLUG, where, "name", "a slug, such as tensor-item")
    for identifier in card.get("dynamo", ()):
        _check_text(identifier, GRAPH_BREAK, where, "dynamo", "graph break ids, such as GB0124")
    if "fallback" in card:
        _one_of(card["fallback"], ("true",), where, "fallback")
    _specifier(card, where, "torch")
    for number, alias in enumerate(card.get("aliases", ()), 1):
        _check_text(alias, LABEL, where, f"aliases[{number}]", "a code or a name that a rule had before")
    for name, target in card.get("targets", {}).items():
        _check_text(name, SLUG, where, "targets", "names of targets, such as scipy")
        _mapping(target, TARGET, where, f"targets.{name}")
    _pattern(card, where)
    _fix(_mapping(card.get("fix", {}), FIX, where, "fix"), card.get("match", ()), where)
    for number, example in enumerate(card["examples"], 1):
        _example(example, f"examples[{number}]", where)
    return card


def _pattern(card: dict[str, Any], where: str) -> None:
    """A card needs a match, except for a code that breaklint itself raises (BRK9xx)."""
    if "check" in card:
        _check_text(card["check"], CHECK, where, "check", "a class of breaklint/rules/checks, such as BranchOnTensor")
    elif "match" not in card and not card["code"].startswith("BRK9"):
        raise CardError(f"{where}: key `match` or `check` is missing")
    for number, entry in enumerate(card.get("match", ()), 1):
        _alternative(entry, f"match[{number}]", where)
        if "target" in entry:
            _one_of(entry["target"], card.get("targets", {}), where, f"match[{number}].target")


def _fix(fix: dict[str, Any], alternatives: Iterable[Any], where: str) -> None:
    """A fix has a kind, or a template for a pattern."""
    if fix and ("kind" in fix) == ("replace" in fix):
        raise CardError(f"{where}: `fix` needs exactly one of kind, replace")
    if "alternatives" in fix and fix.get("kind") not in fix["alternatives"]:
        raise CardError(f"{where}: `fix.alternatives` does not list `fix.kind`")
    if "replace" not in fix:
        if "applicability" in fix:
            raise CardError(f"{where}: `fix.applicability` needs `fix.replace`; a kind defines its own safety")
        return
    _one_of(fix.get("applicability", "unsafe"), APPLICABILITIES, where, "fix.applicability")
    if "why" not in fix:
        raise CardError(f"{where}: key `fix.why` is missing: the results that may differ, or the reason why none does")
    _code(patterns.parsed, fix["replace"], where, "fix.replace")
    result = [entry["pattern"] for entry in alternatives if "pattern" in entry]
    if not result:
        raise CardError(f"{where}: `fix.replace` needs a `pattern` in `match`")
    for pattern in result:
        if missing := set(patterns.names_in(fix["replace"])).difference(patterns.names_in(pattern)):
            raise CardError(f"{where}: `fix.replace` has `{{{min(missing)}}}`, which `{pattern}` does not capture")


def _code(parser: Callable[[str], object], text: str, where: str, key: str) -> None:
    try:
        parser(text)
    except ValueError as error:
        raise CardError(f"{where}: key `{key}`: {error}") from None


def _alternative(entry: Any, key: str, where: str) -> None:
    match = _mapping(entry, MATCH, where, key)
    patterns = [name for name in match if name in PATTERNS]
    if len(patterns) != 1:
        raise CardError(f"{where}: `{key}` needs exactly one of {', '.join(PATTERNS)}; it has {len(patterns)}")
    if patterns[0] in NEEDS_RECEIVER and "on" not in match:
        raise CardError(f"{where}: `{key}` needs `on`, the kinds of value it is about")
    _texts(match[patterns[0]], where, f"{key}.{patterns[0]}")
    _kinds(match.get("on", ()), where, f"{key}.on")
    _specifier(match, where, f"{key}.torch")
    if "used" in match:
        _one_of(match["used"], ("true",), where, f"{key}.used")
        if "attribute" not in match:
            raise CardError(f"{where}: `{key}.used` is about an `attribute`")
    if "pattern" in match:
        _captures(match, where, key)
    for argument, kinds in match.get("where", {}).items():
        _kinds(kinds, where, f"{key}.where.{argument}")


def _captures(match: dict[str, Any], where: str, key: str) -> None:
    """A pattern is one call; conditions name its captures that are arguments."""
    text = match["pattern"]
    if not isinstance(text, str):
        raise CardError(f"{where}: key `{key}.pattern` must be text, not {type(text).__name__}")
    _code(patterns.callee, text, where, f"{key}.pattern")
    if patterns.callee(text)[1] and "on" not in match:
        raise CardError(f"{where}: `{key}` needs `on`, the kinds of value it is about")
    for name in match.get("where", {}):
        if not patterns.place_of(text, str(name)):
            raise CardError(f"{where}: key `{key}.where.{name}`: `{{{name}}}` is not a parameter of `{text}`")


def _example(entry: Any, key: str, where: str) -> None:
    example = _mapping(entry, EXAMPLE, where, key)
    if not {"bad", "good", "fixed"} & set(example):
        raise CardError(f"{where}: `{key}` needs `bad` or `good`")
    if "fixed" in example and "bad" not in example:
        raise CardError(f"{where}: `{key}` has `fixed` without `bad`; call it `good`")
    _texts(example.get("inputs", ()), where, f"{key}.inputs")
    _specifier(example, where, f"{key}.torch")
    if "compilations" in example:
        _check_text(example["compilations"], COMPILATIONS, where, f"{key}.compilations", "3 for batch 1, 2, 8")


def _mapping(data: Any, keys: Mapping[str, Kind], where: str, key: str) -> dict[str, Any]:
    prefix = f"`{key}` " if key else "the card "
    if not isinstance(data, dict):
        raise CardError(f"{where}: {prefix}must be a mapping, not {type(data).__name__}")
    for name, value in data.items():
        dotted = f"{key}.{name}" if key else str(name)
        if name not in keys:
            raise CardError(f"{where}: unknown key `{dotted}`{did_you_mean(str(name), keys)}")
        if not isinstance(value, keys[name]):
            raise CardError(f"{where}: key `{dotted}` must be {_kind_name(keys[name])}, not {type(value).__name__}")
    return data


def _kinds(value: str | Iterable[str], where: str, key: str) -> None:
    for kind in _texts(value, where, key):
        # A dotted name is a class: the kind of its instances.
        if "." not in kind:
            _one_of(kind.removeprefix("!"), KINDS, where, key)


def _texts(value: Any, where: str, key: str) -> list[str]:
    items = [value] if isinstance(value, str) else list(value)
    for item in items:
        if not isinstance(item, str):
            raise CardError(f"{where}: key `{key}` must hold text, not {item!r}; quote it")
    return items


def _one_of(value: str, choices: Iterable[str], where: str, key: str) -> None:
    if value not in choices:
        remedy = did_you_mean(value, choices, f"; allowed: {', '.join(choices)}")
        raise CardError(f"{where}: key `{key}` is `{value}`{remedy}")


def _check_text(value: Any, pattern: re.Pattern[str], where: str, key: str, expected: str) -> None:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise CardError(f"{where}: key `{key}` is {value!r}; it must be {expected}")


def _specifier(entry: dict[str, Any], where: str, key: str) -> None:
    try:
        holds(entry.get("torch", ""), NEWEST_TORCH)
    except ValueError as error:
        raise CardError(f"{where}: key `{key}`: {error}") from None


def _kind_name(kind: Kind) -> str:
    names: dict[type, str] = {str: "text", list: "a list", dict: "a mapping"}
    return " or ".join(names[item] for item in (kind if isinstance(kind, tuple) else (kind,)))
