"""Bindings of the names that fixes rely on or write, in every form that Python has."""

from __future__ import annotations

import re
from random import Random

from differential.surroundings.drafts import Draft

WRITTEN = ["torch", "math", "np", "numpy", "int", "list", "dict", "range", "staticmethod", "bool", "isinstance"]
ROOT = re.compile(r"(?<![\w.])([A-Za-z_]\w*)(?=\s*[.(])")
# As statements, in a function or at the top of the file.
STATEMENTS = [
    "{n} = Other()",
    "for {n} in (Other(), Other()):\n    pass",
    "with Other() as {n}:\n    pass",
    "({n} := Other())",
    "match Other():\n    case {n}:\n        pass",
    "match [Other(), 1]:\n    case [*{n}]:\n        pass",
    "try:\n    raise ValueError\nexcept ValueError as {n}:\n    pass",
    "import types as {n}",
    "from types import SimpleNamespace as {n}",
    "def {n}(*given, **named):\n    return 7",
    "class {n}:\n    prod = sum",
    "[{n}] = [Other()]",
    "_, *{n} = 1, Other()",
    "{n}: object = Other()",
    "[{n} := Other() for _ in range(1)]",
    "if not len('ab'):\n    {n} = Other()",
    "if len('ab'):\n    {n} = Other()",
    "while len('ab'):\n    {n} = Other()\n    break",
    "if not len('ab'):\n    del {n}",
]
INSIDE = [
    *STATEMENTS,
    "x.{n} = {n} = Other()",
    "(lambda {n}: {n})(Other())",
    "[0 for {n} in (1, 2)]",
    "globals()['{n}'] = Other()",
]
OUTSIDE = [
    *STATEMENTS,
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import {n}",
    "import sys, types\nsys.modules['sham'] = types.ModuleType('sham')\nsys.modules['sham'].{n} = Other()\n"
    "from sham import *",
    "try:\n    import not_there as {n}\nexcept ImportError:\n    {n} = Other()",
    "try:\n    import math as {n}\nexcept ImportError:\n    {n} = None",
    "globals()['{n}'] = Other()",
    "def install():\n    global {n}\n    {n} = Other()\n\n\ninstall()",
    "vars()['{n}'] = Other()",
    "exec('{n} = Other()')",
]
GLOBAL = ["global {n}\n{n} = Other()", "global {n}"]


def bind(draft: Draft, rng: Random) -> None:
    """Bind a name that the file calls, or that a fix may write."""
    text = draft.text()
    called = sorted(
        {*ROOT.findall("\n".join(draft.body)), *ROOT.findall(draft.made), *ROOT.findall("".join(draft.head))}
    )
    name = rng.choice([*WRITTEN, *(each for each in called if each not in ("self", "x", "y"))])
    where = rng.choice(["inside", "inside", "inside", "above", "below", "parameter", "enclosing", "global", "imported"])
    draft.done.append(f"{where} {name}")
    if where == "inside":
        draft.body.insert(draft.place(rng), rng.choice(INSIDE).format(n=name))
    elif where == "above":
        draft.head.insert(0 if rng.random() < 0.5 else len(draft.head), rng.choice(OUTSIDE).format(n=name))
    elif where == "below":
        draft.below.append(rng.choice(OUTSIDE).format(n=name))
    elif where == "parameter":
        draft.arguments += f", {name}=Other()"
    elif where == "enclosing":
        draft.enclosed = f"{name}=Other()"
    elif where == "global":
        draft.body.insert(0, rng.choice(GLOBAL).format(n=name))
    elif f"import {name}" not in text:
        draft.imports.insert(
            0,
            rng.choice([f"import {name}", f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import {name}"])
            if name in ("torch", "math", "numpy")
            else "import math as " + name,
        )


def lazily(draft: Draft, rng: Random) -> None:
    """Imports moved into the function, under a condition, under other names, or for type checkers alone."""
    if len(draft.imports) < 1:
        return
    place = rng.randrange(len(draft.imports))
    line = draft.imports[place]
    draft.done.append(f"import {line}")
    form = rng.choice(["inside", "try", "checking", "condition", "twice", "star"])
    if form == "inside" and line != "import torch":
        draft.body.insert(draft.place(rng) if rng.random() < 0.3 else 0, draft.imports.pop(place))
    elif form == "try":
        draft.imports[place] = f"try:\n    {line}\nexcept ImportError:\n    raise"
    elif form == "checking":
        draft.imports.append("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import math")
    elif form == "condition":
        draft.imports[place] = f"if len('ab') == 2:\n    {line}"
    elif form == "twice":
        draft.imports.append(line)
    else:
        draft.imports.append(rng.choice(["from torch import *", "from math import *", "from types import *"]))
