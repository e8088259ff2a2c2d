"""Read recompilations from a log of torch: the function, the failing guards, and their lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from breaklint.dynamo.events import Recompile
from breaklint.dynamo.guards import STACK, guard_of

_HEAD: Final = re.compile(r"Recompiling function (?P<function>\S+) in (?P<filename>.+):(?P<row>\d+)\s*$")
_GUARD: Final = re.compile(r"- (?:\d+/\d+: )(?P<text>.*)$")
_PREFIX: Final = re.compile(r"^\[?[VIWE]?\d{4} [\d:.]+ .*?\] (?:\[[\d/_]+\] )?(?:\[__recompiles\] )?")
_LIMIT: Final = "torch._dynamo hit config."
_LOGGED: Final = ("[__recompiles]", _LIMIT)


def of_log(lines: Iterable[str]) -> list[Recompile]:
    """The recompilations in the lines of a log of `TORCH_LOGS=recompiles`, each once."""
    recompiles: list[Recompile] = []
    for line in (_PREFIX.sub("", line) for line in lines if any(words in line for words in _LOGGED)):
        if head := _HEAD.search(line):
            recompiles.append(Recompile(head["filename"].strip(), int(head["row"]), head["function"], ()))
        elif recompiles and line.startswith(_LIMIT):  # said of the recompilation that was logged just before
            recompiles[-1] = replace(recompiles[-1], limit_reached=True)
        elif recompiles and (guard := _GUARD.search(line)):
            recompiles[-1] = replace(recompiles[-1], guards=(*recompiles[-1].guards, guard_of(guard["text"])))
        elif recompiles and recompiles[-1].guards and (place := STACK.search(line)):
            recompiles[-1] = _with_place(recompiles[-1], place["filename"], int(place["row"]))
    return list(dict.fromkeys(recompiles))


def _with_place(one: Recompile, filename: str, row: int) -> Recompile:
    """The last guard with the full path of its source line, which may be cut in the log."""
    *rest, last = one.guards
    return replace(one, guards=(*rest, replace(last, filename=filename, row=row)))
