"""Seeded changes of real model code: some leave valid Python, some do not. The same seed makes the same text."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Callable, Sequence
from random import Random
from textwrap import dedent, indent

from harness import PROJECT

from breaklint.lint.cases import read_cases
from breaklint.rules.cards import load_rules

Mutation = Callable[[str, Random], str]
NAME = re.compile(r"[A-Za-z_]\w*")
HEADS = (
    "with torch.no_grad():", "for _ in range(2):", "if self.training:", "while x.sum() > 0:", "if (n := 1):",
    "try:", "async def inner():", "def inner(self, x):", "class Inner:", "match x:\n    case _:",
)  # fmt: skip
SWAPS = (
    ("x", "x.item()"), ("x", "Variable(x)"), ("x", "float(x.sum())"), ("x", "(x > 0).any()"), ("x", "x[x > 0]"),
    ("x", "int(x.max().item())"), ("x", "x.cpu().numpy()"), ("x", "x.nonzero()"), ("x", "(lambda: x)()"),
    ("x", "torch.tensor(x.item())"), ("x", "[y for y in x]"), ("x", "(x if x.sum() > 0 else -x)"), ("x", "pow(x, 2)"),
    ("return", "print(x)\n        return"), ("return", "if x.sum() > 0: x = x + 1\n        return"),
    ("self", "cls"), ("forward", "__call__"), (" + ", " @ "), (" > ", " != "), ("if ", "while "),
    ("return ", "yield "), ("return ", "x = "), (".item()", ".item"), ("torch.", "np."), ("def ", "async def "),
    ("(", "(*"), (")", ", **kw)"), ("=", ":="), ("'", "f'"), ('"', 'f"{x}'), (", ", ";"), ("    ", "\t"),
    ("\n", "\r\n"), ("\n", " \\\n"), ("\n", "\x0c\n"), ("x", "ｘ"), ("x", "é"), ("#", ""), (":", ": # c"),
    ("print(", "del ("), ("self.", "self.a.b.c."), ("for ", "async for "), ("with ", "async with "),
)  # fmt: skip


def corpus() -> list[tuple[str, str]]:
    """Real model code by name: fixtures, clean models, and the examples of the cards."""
    files = [*PROJECT.glob("fixtures/*/before.py")]
    named = [(str(path.relative_to(PROJECT)), path.read_text("utf-8")) for path in sorted(files)]
    cases = read_cases(PROJECT / "tests" / "cases" / "models" / "clean_models.md")
    named += [(case.name, case.files["model.py"].text) for case in cases]
    for rule in load_rules():
        for number, example in enumerate(rule.examples):
            for kind in ("bad", "fixed", "good"):
                if text := getattr(example, kind):
                    named.append((f"{rule.name}/{number}/{kind}", text))
    return named


def mutated(texts: Sequence[str], random: Random, donors: Sequence[str] = ()) -> str:
    """One of the texts after one to four changes, half the time with lines of another, or of a donor, in it."""
    text = random.choice(texts)
    if random.random() < 0.5:
        text = _spliced(text, random.choice(donors or texts), random)
    for _ in range(random.randint(1, 4)):
        text = random.choice(MUTATIONS)(text, random)
    return text


def _spliced(text: str, other: str, random: Random) -> str:
    """A text with some lines of another between its own, so that findings stand side by side."""
    lines, donor = text.split("\n"), other.split("\n")
    begin = random.randrange(len(donor))
    run = donor[begin : begin + random.randint(1, 8)]
    at = random.randrange(len(lines))
    run = indent(dedent("\n".join(run)), " " * _depth(lines[at])).split("\n")
    imports = [line for line in donor if line.startswith(("import ", "from "))]
    return "\n".join([*imports, *lines[:at], *run, *lines[at:]])


def _rename(text: str, random: Random) -> str:
    names = sorted(set(NAME.findall(text)) - set(keyword.kwlist))
    if len(names) < 2:
        return text
    old, new = random.sample(names, 2)
    return re.sub(rf"\b{old}\b", new, text)


def _reorder(text: str, random: Random) -> str:
    """Two lines that stand equally deep change places."""
    lines = text.split("\n")
    first = random.randrange(len(lines))
    equal = [i for i, line in enumerate(lines) if _depth(line) == _depth(lines[first])]
    second = random.choice(equal)
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def _wrap(text: str, random: Random) -> str:
    """A run of lines becomes the body of a compound statement."""
    lines = text.split("\n")
    begin = random.randrange(len(lines))
    depth = _depth(lines[begin])
    end = begin + 1
    while end < len(lines) and (not lines[end].strip() or _depth(lines[end]) >= depth) and random.random() < 0.8:
        end += 1
    body, head = "\n".join(lines[begin:end]), random.choice(HEADS)
    deeper = " " * 4 * (1 + head.count("\n"))
    block = [indent(head, " " * depth), indent(body, deeper)]
    if head == "try:":
        block.append(indent(random.choice(("except Exception:\n    pass", "finally:\n    pass")), " " * depth))
    return "\n".join([*lines[:begin], *block, *lines[end:]])


def _duplicate(text: str, random: Random) -> str:
    lines = text.split("\n")
    at = random.randrange(len(lines))
    return "\n".join([*lines[:at], *[lines[at]] * random.randint(1, 3), *lines[at:]])


def _delete_tokens(text: str, random: Random) -> str:
    try:
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.string.strip()]
    except (tokenize.TokenError, SyntaxError):
        return _cut(text, random)
    if not tokens:
        return text
    token = random.choice(tokens)
    lines = text.split("\n")
    (row, column), (end_row, end) = token.start, token.end
    if row == end_row:
        lines[row - 1] = lines[row - 1][:column] + lines[row - 1][end:]
    return "\n".join(lines)


def _cut(text: str, random: Random) -> str:
    return text[: random.randrange(len(text) + 1)] if random.random() < 0.3 else _duplicate(text, random)


def _indent(text: str, random: Random) -> str:
    lines = text.split("\n")
    at = random.randrange(len(lines))
    lines[at] = random.choice(("    ", " ", "\t", "")) + random.choice((lines[at], lines[at].lstrip()))
    return "\n".join(lines)


def _swap(text: str, random: Random) -> str:
    """One occurrence of something becomes something else."""
    old, new = random.choice(SWAPS)
    places = [match.start() for match in re.finditer(re.escape(old), text)]
    if not places:
        return text
    at = random.choice(places)
    return text[:at] + new + text[at + len(old) :]


def _join(text: str, random: Random) -> str:
    """A line is continued by the next, after a semicolon: several statements a line."""
    lines = text.split("\n")
    at = random.randrange(len(lines))
    if at + 1 < len(lines) and _depth(lines[at]) == _depth(lines[at + 1]):
        lines[at : at + 2] = [f"{lines[at].split('#')[0].rstrip()}; {lines[at + 1].lstrip()}"]
    return "\n".join(lines)


def _one_line_suite(text: str, random: Random) -> str:
    """`if x:` and its body become one line."""
    lines = text.split("\n")
    heads = [i for i, line in enumerate(lines[:-1]) if line.rstrip().endswith(":")]
    if not heads:
        return text
    at = random.choice(heads)
    lines[at : at + 2] = [f"{lines[at].rstrip()} {lines[at + 1].lstrip()}"]
    return "\n".join(lines)


def _parenthesise(text: str, random: Random) -> str:
    """An assigned or returned expression goes over several lines, with a comment between."""
    places = list(re.finditer(r"(?m)(?<==|n) ([^#\n(]+(?:\([^#\n]*\))?)$", text))
    if not places:
        return text
    result = random.choice(places)
    return f"{text[: result.start()]} (  # why\n  {result[1]}\n){text[result.end() :]}"


def _noise(text: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice("\0\x0c\x1a\u2028\ufeff\U0001f600\\`$?!'\"([{\x7f") + text[at:]


def _move_out(text: str, random: Random) -> str:
    """The last class goes into a function, its text as it is."""
    at = text.rfind("\nclass ")
    return text if at < 0 else f"{text[:at]}\ndef make():\n{indent(dedent(text[at + 1 :]), '    ')}"


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


MUTATIONS: tuple[Mutation, ...] = (
    _rename, _rename, _reorder, _reorder, _wrap, _wrap, _duplicate, _delete_tokens, _cut, _indent, _swap, _swap,
    _join, _one_line_suite, _parenthesise, _noise, _move_out,
)  # fmt: skip
