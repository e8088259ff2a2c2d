"""The data that flows through breaklint: frozen, plain, without syntax nodes and without logic.

Every command loads it: named tuples, which Python makes in a fifth of the time that data classes take.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Effect(str, Enum):
    """The effect of a line on the graph."""

    BREAK = "break"
    RECOMPILE = "recompile"
    UNROLL = "unroll"
    SYNC = "sync"


class Severity(str, Enum):
    """How loud a finding is."""

    ERROR = "error"
    WARNING = "warning"


class Applicability(str, Enum):
    """How far a fix can be trusted.

    `safe`: eager behaviour is the same for every input. `unsafe`: it may differ, as `why` states. `display`: advice
    only, never written to a file.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Position(NamedTuple):
    """A place in a text: row and column count from 1, columns in characters."""

    row: int
    column: int


class Span(NamedTuple):
    """A stretch of text, from `start` up to but not including `end`."""

    start: Position
    end: Position

    @property
    def rows(self) -> range:
        """The rows that it touches."""
        return range(self.start.row, self.end.row + 1)


class Edit(NamedTuple):
    """Replace the text of `span` by `content`.

    In reports of a notebook `cell` is the number of a cell, and `span` counts from its start; else `cell` is 0.
    """

    span: Span
    content: str
    cell: int = 0


class Fix(NamedTuple):
    """One way to fix a finding; `why` is the reason why it is safe or unsafe, and `kind` the slug of its codemod, ""
    for a rule in Python."""

    applicability: Applicability
    message: str
    why: str
    edits: tuple[Edit, ...]
    kind: str = ""


OBSERVED_STATES = ("confirmed", "ran", "hidden", "unreached")


class Observed(NamedTuple):
    """The state of a finding in the profile of `breaklint observe`, under the torch version `torch`.

    `state` is "confirmed" (Dynamo did what the finding states), "ran" (traced, and it did not), "hidden" (the frame
    runs in eager mode because of another break), or "unreached"; `by` are the tests and scripts, the first few.
    """

    state: str
    torch: str
    by: tuple[str, ...] = ()


class Cause(NamedTuple):
    """The expression from which a finding's value comes, or the call that breaks: file, row and source.

    `cell`: the number of the cell of a notebook in which `row` counts; 0 in a file.
    """

    filename: str
    row: int
    source: str
    cell: int = 0


class Cost(NamedTuple):
    """The cost of a break.

    `skipped` are the functions that Dynamo runs in eager mode because of it, `hides` the number of other breaks in
    these functions, and `graphs` the number of graphs that an entry point loses if its cause is removed. `by_default`:
    the break happens if each parameter of its function has its default. `last`: its function has no other break.
    `milliseconds` of a call are gained without it, as verify measured. `raises`: the break is an error, as
    with `fullgraph=True`.
    """

    skipped: tuple[str, ...] = ()
    hides: int = 0
    graphs: int = 0
    by_default: bool = True
    last: bool = False
    milliseconds: float = 0.0
    raises: bool = False


class Forward(NamedTuple):
    """The graphs of one call of an entry point.

    `certain` counts the breaks that happen with the default arguments, `most` all.
    """

    filename: str
    row: int
    name: str
    certain: int
    most: int


class EagerCall(NamedTuple):
    """A helper with several breaks without a fix, and the graphs of an entry point before and after it is disabled."""

    filename: str
    row: int
    name: str
    breaks: int
    before: int
    after: int


class Finding(NamedTuple):
    """A report of a rule for a place: most often a break, a recompilation, an unrolled loop or a wait.

    `function` is the dotted name of the function it is in (`Net.forward`), `dynamo` the ids in torch's graph break
    registry (https://meta-pytorch.org/compile-graph-break-site/), `note` the effect of the surroundings (a break in a
    loop costs the whole frame) and `no_fix` the reason for no fix when `fix` is None. `when` is the condition, as an
    expression, under which the line is reached at all; an empty one when it always is. In a notebook `cell` is the
    number of the cell, all cells counted from 1, and `span` counts from its start; in a file it is 0. If several torch
    versions are checked at once, `torch` are those for which it holds, and `holds` is the text (`until 2.13`).
    `observed` is None without a profile of `breaklint observe` for the current text of the function. `cause` is None if
    the finding is its own cause. `line` is the source of its first row, "" if reports have to read it.
    `public_function` is the one that users of the package have to compile to reach the line, "" if other code does.
    """

    filename: str
    span: Span
    code: str
    name: str
    message: str
    effect: Effect
    severity: Severity
    function: str
    dynamo: tuple[str, ...] = ()
    url: str = ""
    note: str = ""
    help: str = ""
    fix: Fix | None = None
    no_fix: str = ""
    cell: int = 0
    when: str = ""
    torch: tuple[str, ...] = ()
    holds: str = ""
    observed: Observed | None = None
    cause: Cause | None = None
    cost: Cost = Cost()
    line: str = ""
    public_function: str = ""


class Example(NamedTuple):
    """An example of a card, proven by `make prove`. `inputs` are tensor specs as `f32[4, 8]`.

    Lines of `bad` that end in `# break`, `# recompile`, `# unroll` or `# sync` have that effect. `torch` is a version
    specifier of the example. `compilations` is how often `bad` compiles, as `3 for batch 4, 5, 6`.
    """

    bad: str = ""
    fixed: str = ""
    good: str = ""
    inputs: tuple[str, ...] = ()
    torch: str = ""
    note: str = ""
    compilations: str = ""


class Match(NamedTuple):
    """One declarative pattern of a card: a call, method, attribute store, ... and conditions for its arguments.

    `pattern` is code that a call must look like, with names in braces for any expression. `torch` is the specifier of
    the versions for which the pattern holds. With `used` only reads whose value is used match, not those that store or
    pass it.
    """

    kind: str
    names: tuple[str, ...]
    on: tuple[str, ...] = ()
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    pattern: str = ""
    torch: str = ""
    used: bool = False
    target: str = ""  # the one of the rule's targets that it finds


class Target(NamedTuple):
    """The texts of a rule for one of its targets: they replace the general texts."""

    name: str
    why: str = ""
    message: str = ""
    help: str = ""
    no_fix: str = ""


class Rule(NamedTuple):
    """The content of a rule card; docs/cards.md describes every key."""

    code: str
    name: str
    summary: str
    effect: Effect
    severity: Severity
    why: str
    message: str = ""
    help: str = ""
    dynamo: tuple[str, ...] = ()
    torch: str = ""
    match: tuple[Match, ...] = ()
    check: str = ""
    fix_kind: str = ""
    fix_alternatives: tuple[str, ...] = ()  # kinds of fixes in the order in which they are tried, that one among them
    fix_why: str = ""
    fix_replace: str = ""
    fix_applicability: str = ""
    no_fix: str = ""
    examples: tuple[Example, ...] = ()
    url: str = ""
    setting: str = ""
    fallback: bool = False
    aliases: tuple[str, ...] = ()  # codes and names of rules that it has taken the place of
    targets: tuple[Target, ...] = ()

    def about(self, name: str) -> Rule:
        """The rule as it is about one of its targets."""
        result = next((target for target in self.targets if target.name == name), None)
        texts = result._asdict() if result is not None else {}
        return self._replace(**{key: text for key, text in texts.items() if text and key != "name"})


NEWEST_TORCH = "2.15"
# The codes of findings without a pattern in the code.
UNUSED_SUPPRESSION, OBSERVED_BREAK, OBSERVED_RECOMPILE = "BRK901", "BRK950", "BRK951"


def graph_break_page(graph_break: str) -> str:
    """Torch's own page of a graph break (`GB0124`), as Dynamo prints it."""
    return f"https://meta-pytorch.github.io/compile-graph-break-site/gb/{graph_break.lower()}.html"


class Settings(NamedTuple):
    """The settings of the user; `breaklint/lint/config.py` reads them from files and the command line.

    `select`, `ignore` and `extend_select` hold code prefixes (`BRK2`, `BRK201`) or rule names; an empty `select` means
    all.
    `target_torch` is the torch version, or several with commas (`assumes_torch`: nothing names it). `rules` are
    absolute paths of the user's cards.
    `python_rules` are rules that are run: absolute paths of Python files, and `module` or `module:Class` of installed
    packages. `untrusted_rules` are the Python files that a configuration names without the user's consent; they are
    not run.
    `show_callers` also reports calls of functions that break, `conditional` findings under a condition.
    `follow_callers` checks a file given by name also as the files of its project call it.
    `entry_points` are patterns of functions and methods that are compiled, besides `forward`.
    `fixable` and `unfixable` select the rules whose fixes may be made, as `select` and `ignore` do the rules.
    `extend_safe_fixes` name rules whose unsafe fixes count as safe, `extend_unsafe_fixes` those whose safe ones do not.
    `severity` gives rules another severity: pairs of a selector and a `Severity`'s value.
    `python` names the environment whose packages imports are followed into (`follow_environment`): its folder or its
    interpreter; an empty one is looked for. `environment` is the `site-packages` found, "" for none.
    `baseline` is a file of findings that are left out of reports; "" for none.
    `root` is the folder of the configuration: `exclude` and the patterns of `per_file_ignores` are relative to it.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    fixable: tuple[str, ...] = ()
    unfixable: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    extend_unsafe_fixes: tuple[str, ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    exclude: tuple[str, ...] = ()
    target_torch: str = NEWEST_TORCH
    assumes_torch: bool = False
    rules: tuple[str, ...] = ()
    python_rules: tuple[str, ...] = ()
    untrusted_rules: tuple[str, ...] = ()
    show_callers: bool = False
    follow_callers: bool = True
    conditional: bool = True
    entry_points: tuple[str, ...] = ()
    python: str = ""
    follow_environment: bool = True
    environment: str = ""
    baseline: str = ""
    root: str = ""


PUBLIC_FUNCTION = "public function"  # the kind of an entry


class Entry(NamedTuple):
    """A function at which Dynamo begins to trace: its place, its kind, and its name.

    `kind` is "forward", the name of the compiler ("torch.compile"), "step", "entry-points", or
    PUBLIC_FUNCTION if only users of its package may compile it.
    """

    filename: str
    row: int
    kind: str
    name: str


class FileResult(NamedTuple):
    """The result of one file: its findings, or the reason why it could not be checked.

    `errors` are lines for the user (unreadable file, bug in a rule). `fixed` counts applied fixes by rule code, and
    `text` is the new source when fixes changed it (None: unchanged). `notices` name the parts that were not checked to
    the end. `silenced` are the suppression comments that hid a finding, by file; they may be in another file.
    `unreported` are the absolute paths of files with findings that were left out, because these files were not given.
    `captured` are findings that do not hold, by file, place and code, as the file compiles their code with
    `fullgraph=True`. `reached` are the functions of other files, by file and name, that code reaches which is compiled
    in any case. `entries` are where tracing began; `uncompiled`: nowhere, in a file that mentions torch and gives
    nothing to the compiler. `unfollowed` counts the calls of the compiler whose argument check cannot resolve.
    `unmatched` are the patterns of entry points that name nothing in the file. `forwards` are the entry points that a
    break splits. `eager_calls` are the helpers that are better disabled as a whole.
    """

    filename: str
    findings: tuple[Finding, ...] = ()
    errors: tuple[str, ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()
    text: str | None = None
    notices: tuple[str, ...] = ()
    silenced: tuple[tuple[str, Span], ...] = ()
    unreported: tuple[str, ...] = ()
    captured: tuple[tuple[str, Span, str], ...] = ()
    reached: tuple[tuple[str, str], ...] = ()
    entries: tuple[Entry, ...] = ()
    uncompiled: bool = False
    unfollowed: int = 0
    unmatched: tuple[str, ...] = ()
    forwards: tuple[Forward, ...] = ()
    eager_calls: tuple[EagerCall, ...] = ()
