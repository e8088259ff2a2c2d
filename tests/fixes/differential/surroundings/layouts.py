"""The same lines written differently: on one line, continued, with comments, below a docstring that shares its line."""

from __future__ import annotations

import re
from random import Random

from differential.surroundings.drafts import Draft

SIMPLE = re.compile(r"^(?!(if|for|while|with|try|def|class|match|@|return|raise|async)\b)[^\n#]+$")
TOPS = [
    '"""About this file."""; import os\n',
    '"""About this file."""; from typing import Any\n',
    '"""About\nthis file."""\nfrom __future__ import annotations\n',
    "from __future__ import annotations; import os\n",
    "import os; import sys\n",
    "import os, \\\n    sys\n",
    "from os import (  # paths\n    path,\n)\n",
    "# coding: utf-8\n",
    "'text'; 'more'\n",
    "if True: import os\n",
    "try: import os\nexcept ImportError: pass\n",
    "x_ = '''\nimport math\n'''\n",
    "\f\n",
    "from os import *; import math as m_\n",
]


def top(draft: Draft, rng: Random) -> None:
    """What stands above all else."""
    draft.top = rng.choice(TOPS)
    draft.done.append(f"top {draft.top!r}")


def written(draft: Draft, rng: Random) -> None:
    """The lines of the method in another layout."""
    form = rng.choice(["semicolon", "semicolon", "one-line", "continued", "comment", "wide", "spaced", "doc"])
    draft.done.append(f"layout {form}")
    body = draft.body
    if form == "semicolon":
        pairs = [k for k in range(len(body) - 1) if SIMPLE.match(body[k]) and "\n" not in body[k + 1]]
        pairs = [k for k in pairs if SIMPLE.match(body[k + 1]) or body[k + 1].startswith(("return", "raise"))]
        if pairs:
            place = rng.choice(pairs)
            body[place : place + 2] = [f"{body[place]}{rng.choice(['; ', ';', ' ;  '])}{body[place + 1]}"]
    elif form == "one-line":
        places = [k for k in range(len(body)) if "\n" not in body[k] and not body[k].startswith(("if", "for", "with"))]
        if places:
            place = rng.choice(places)
            head = rng.choice(["if x.dim() > 0: {}", "if x is not None: {}", "for _ in range(2): {}",
                               "if c_: \\\n    {}", "with torch.no_grad(): {}", "while x is None: {}"])  # fmt: skip
            body[place] = ("c_ = x.dim() > 0\n" if "c_" in head else "") + head.format(body[place])
    elif form == "continued":
        places = [k for k in range(len(body)) if " = " in body[k].split("\n")[0] and "#" not in body[k]]
        for place in places[:1]:
            body[place] = body[place].replace(" = ", " = \\\n    ", 1)
    elif form == "comment":
        place = rng.randrange(len(body)) if body else 0
        body.insert(place, "# about it")
        if body[-1].count("\n") == 0 and "#" not in body[-1]:
            body[-1] += "  # last"
    elif form == "wide":
        place = rng.randrange(len(body)) if body else 0
        if body and SIMPLE.match(body[place]):
            body[place] = f"w_ = 'é日本𝒳'; {body[place]}"
    elif form == "spaced":
        body[:] = [
            re.sub(r"\.(\w+)\(", r" . \1 (", each) if "'" not in each and '"' not in each else each for each in body
        ]
    else:
        body.insert(0, '"""What it does."""; k_ = 1')
