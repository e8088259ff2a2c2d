"""Which lines of the working tree differ from a git revision."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from breaklint.errors import UsageError
from breaklint.model import Finding
from breaklint.source.git import NAMES_OF_CHANGED, git
from breaklint.source.source_text import NOTEBOOK

_FILES = ("*.py", f"*{NOTEBOOK}")
_PARTIAL = "--since: git cannot compare; in a partial clone, fetch the revision's files first (`git diff` does)"
_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def on_changed_lines(findings: Sequence[Finding], revision: str) -> tuple[Finding, ...]:
    """The findings on lines changed since `revision`, or in files that are not in git.

    Raises UsageError without a git repository, or if it does not contain the revision.
    """
    changed = changed_rows(revision)
    return tuple(finding for finding in findings if _touches(finding, changed))


def _touches(finding: Finding, changed: dict[str, list[range] | None]) -> bool:
    path = os.path.realpath(finding.filename)
    if path not in changed:
        return False
    rows = changed[path]
    (first, _), (last, _) = finding.span
    return rows is None or any(first < part.stop and part.start <= last for part in rows)


def changed_rows(revision: str) -> dict[str, list[range] | None]:
    """By absolute path, the changed lines of every file that differs from `revision`; None for the whole file.

    All of a file counts that is new, or a notebook.
    """
    top = _git("rev-parse", "--show-toplevel").rstrip("\n")
    if revision.startswith("-"):
        raise UsageError(f"--since {revision}: not a revision")
    _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", wrong=f"--since {revision}: no such revision")
    # -z ends names with a null byte only where names stand alone, so that the rows are requested file by file.
    names = _git(*NAMES_OF_CHANGED, "--diff-filter=d", revision, "--", *_FILES, folder=top, wrong=_PARTIAL)
    new = _git("ls-files", "-z", "--others", "--exclude-standard", "--", *_FILES, folder=top)
    rows: dict[str, list[range] | None] = {
        os.path.realpath(os.path.join(top, name)): _rows(revision, name, top) for name in names.split("\0") if name
    }
    return rows | {os.path.realpath(os.path.join(top, name)): None for name in new.split("\0") if name}


def _rows(revision: str, name: str, top: str) -> list[range] | None:
    options = ("-U0", "--no-ext-diff", "--no-textconv", "--no-color", "--text")
    diff = _git("diff", *options, revision, "--", name, folder=top, wrong=_PARTIAL)
    hunks = (match for line in diff.split("\n") if (match := _HUNK.match(line)))
    rows = [range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1)) for hunk in hunks]
    return None if rows and name.endswith(NOTEBOOK) else rows  # the rows that git knows are those of its JSON


def _git(*arguments: str, folder: str = "", wrong: str = "--since: not in a git repository") -> str:
    """The output of git; raises UsageError with the reason `wrong` if it fails."""
    try:
        output = git(folder or os.getcwd(), *arguments)
    except FileNotFoundError:
        raise UsageError("--since: git is not installed") from None
    if output is None:
        raise UsageError(wrong)
    return os.fsdecode(output)
