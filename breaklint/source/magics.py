"""Lines that IPython takes and Python does not: `%time f(x)`, `!ls`, `files = !ls`, `f?`.

https://ipython.readthedocs.io/en/stable/interactive/python-ipython-diff.html
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Mapping, Sequence

PYTHON_CELLS = frozenset({"capture", "prun", "time", "timeit"})  # magics whose cell is Python all the same
# Line magics that give the names of the notebook no other values: all others may, as `%run` and `%pylab` do.
QUIET = frozenset(
    "alias autoawait autoreload bookmark cat cd clear colors conda config cp debug dirs doctest_mode env gui hist "
    "history ls load_ext lsmagic magic mamba man matplotlib mkdir more mv notebook page pdb pdoc pfile pinfo pinfo2 "
    "pip popd pprint precision psearch psource pushd pwd quickref reload_ext rm rmdir set_env system sx tb tensorboard "
    "timeit uv who who_ls whos xmode".split()
)
_MAGIC = re.compile(r"\s*%+\s*(\w*)")
_LINE = re.compile(r"(?P<indent>\s*)(?:[%!?/,;].*|[\w.]+\s*\?{1,2})\s*", re.DOTALL)
_ASSIGNED = re.compile(r"(?P<indent>\s*)(?P<target>[\w., *()\[\]]+?\s*=\s*)[%!][^=].*", re.DOTALL)


def is_python(source: str) -> bool:
    """Whether a cell holds Python: an empty one does not, nor need one that begins with a magic such as `%%bash`."""
    first = source.lstrip().partition("\n")[0]
    return (first != "" and not first.startswith("%%")) or first[2:].partition(" ")[0].strip() in PYTHON_CELLS


def mask_magics(source: str, number: int) -> tuple[str, dict[str, str]]:
    """The source with its magic lines as Python of as many lines, and by stripped new line the old one.

    `number` distinguishes the cells of a notebook: every new line is unique.
    """
    if not re.search(r"[%!?/,;]", source):
        return source, {}
    originals: dict[str, str] = {}
    lines: list[str] = []
    continued = False
    for line in source.split("\n"):
        python = _as_python(line, lines, continued)
        if python is None:
            lines.append(line)
            continue
        continued = line.rstrip().endswith("\\")
        python += f"# breaklint magic {number}.{len(lines) + 1}"
        originals[python.strip()] = line.lstrip()
        lines.append(python)
    return "\n".join(lines), originals


def _as_python(line: str, before: Sequence[str], continued: bool) -> str | None:
    if continued and "# breaklint magic" in before[-1]:
        return line[: len(line) - len(line.lstrip())]
    if line.startswith("%%") and not "".join(before).strip():
        return ""  # a comment alone: an import that a fix adds must not come above the magic of the cell
    result = _ASSIGNED.fullmatch(line) or _LINE.fullmatch(line)
    if result is None or _is_open(before):
        return None
    target = result.groupdict().get("target", "")
    python = "exec(get_ipython())" if _may_bind(line[len(result["indent"]) + len(target) :]) else "get_ipython()"
    return f"{result['indent']}{target}{python}  "


def _may_bind(magic: str) -> bool:
    """Whether a magic line may rebind a name of the notebook; `%time` does if it runs an assignment."""
    result = _MAGIC.match(magic)
    return result is not None and result[1] not in QUIET and not (result[1] in ("time", "prun") and "=" not in magic)


def _is_open(lines: Sequence[str]) -> bool:
    """Whether the next line goes on with a string, a bracket or a backslash."""
    text = "".join(f"{line}\n" for line in lines)
    try:
        for _ in tokenize.generate_tokens(io.StringIO(text).readline):
            pass
    except tokenize.TokenError:
        return True
    except SyntaxError:
        return False
    return text.endswith("\\\n")


def restore_magics(line: str, originals: Mapping[str, str]) -> str:
    """A line as it was before `mask_magics`, indented as it is now."""
    stripped = line.strip()
    return line[: len(line) - len(line.lstrip())] + originals[stripped] if stripped in originals else line
