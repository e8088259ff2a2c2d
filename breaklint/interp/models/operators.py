"""Custom operators: whether a file registers a fake implementation, by which Dynamo infers the result of a call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from breaklint.project.module import Module

# The ways to register one; a composite implementation needs none.
REGISTERING: Final = ("register_fake", "impl_abstract", "Composite", "Meta")
# A line that names its operator: `@scale.register_fake`, `register_fake("mini::scale")`, `impl("scale", f, "Meta")`.
NAMING: Final = re.compile(r"""(?<!library)\.register_fake|::|["']\w+["'].*["']\w+["']""")


def has_fake(module: Module, name: str) -> bool:
    """Whether a file registers a fake for the operator with this name, or for one that the line does not name."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    return any(word.search(line) or not NAMING.search(line) for line in _registrations(module))


def _registrations(module: Module) -> Iterator[str]:
    """The lines of a file that may register a fake, without comments."""
    rows = {row for word in REGISTERING for row in module.rows_with(word)}
    lines = module.text.splitlines() if rows else []
    for line in (lines[row - 1].partition("#")[0] for row in rows):
        if not line.startswith(("from ", "import ")) and any(word in line for word in REGISTERING):
            yield line
