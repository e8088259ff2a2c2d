"""Identities of findings that do not depend on line numbers, for tools that compare runs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from breaklint.model import Finding


def fingerprints(findings: Sequence[Finding], root: str = "") -> list[str]:
    """One of 32 hexadecimal digits for each finding, all different.

    It is the hash of the file's path below `root` (the current folder), the rule, the function and the message, which
    quotes the code; equal findings in one function are numbered.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    names = []
    for finding in findings:
        parts = (relative(finding.filename, root), finding.code, finding.function, finding.message)
        seen[parts] += 1
        names.append(sha256("\0".join((*parts, str(seen[parts]))).encode("utf-8", "surrogateescape")).hexdigest()[:32])
    return names


def relative(path: str, root: str = "") -> str:
    """The path below `root` (the current folder) with slashes; unchanged if it is elsewhere."""
    try:
        return Path(os.path.abspath(path)).relative_to(os.path.abspath(root or os.curdir)).as_posix()
    except ValueError:
        return Path(path).as_posix()


def uri(path: str) -> str:
    """The path as a URI reference: relative below the current folder, `file://` elsewhere."""
    display_path = relative(path)
    return ("file://" if os.path.isabs(display_path) else "") + quote(os.fsencode(display_path))
