"""print, logging, warnings and progress bars."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import tensors
from differential.source import Model

LOGGING = ("import logging", "import warnings", "logger = logging.getLogger('variant')")
CALLS = [
    "print(1)",
    "print('x', x.shape, sep=', ')",
    'print(f"{x.shape} {2 + 3}")',
    "print(x.sum())",
    "print()",
    "logger.info('%s', x.dim())",
    "logger.warning('odd')",
    "logging.getLogger('variant').debug('d')",
    "warnings.warn('old')",
    "warnings.warn('old', DeprecationWarning)",
    'print("""a\n  b""")',
    "print(x.mul_(2))",
    "print(self.helper(x).shape)",
    "print(torch.rand(2))",
    "logger.error(f'{x.dtype}')",
    "print(x, end='')",
    "print(n := 3)",
    "print(*x.shape)",
    "print(x.sum().item())",
    "print(self.calls)",
    "print('mean', x.sum(), sep=': ')",
    'print(f"{x.float().mean():.2f} of {len(x.shape)} {{}}")',
    "print('{', x.shape[0] if x.dim() else 0, True)",
]
PLACES = [
    "{c}\nreturn {t}",
    "z = {t}\n{c}\nreturn z",
    "if x.dim() > 1: {c}\nreturn {t}",
    "if x.dim() > 1:\n    {c}\nreturn {t}",
    "for i in range(2):\n    {c}\nreturn {t}",
    "z = {t}; {c}\nreturn z",
    "if x.sum() > 0:\n    {c}\n    return {t}\nreturn x",
    "try:\n    {c}\nfinally:\n    z = {t}\nreturn z",
    "done = {c}\nreturn {t}, done",
    "with torch.no_grad():\n    {c}\nreturn {t}",
    "{c}\n{c}\nreturn {t}",
    "for i in range(2): {c}\nreturn {t}",
    "if x.dim():\n    z = x\nelse:\n    {c}\n    z = -x\nreturn z",
    "(lambda: {c})()\nreturn {t}",
    "x.dim() > 1 and {c}\nreturn {t}",
    "self.training and x.dim() and {c}\nreturn {t}",
    "{c} if x.dim() > 1 else None\nreturn {t}",
    "if x.isnan().any():\n    {c}\nreturn {t}",
    "if x.sum() > 0 or x.dim() > 1: {c}\nreturn {t}",
]


@st.composite
def told(draw: st.DrawFn) -> Model:
    """A call that tells something, at any place."""
    call, place = draw(st.sampled_from(CALLS)), draw(st.sampled_from(PLACES))
    lines = place.replace("{t}", draw(tensors(["x", "y"], wild=False)))
    if "\n" not in call:
        lines = lines.replace("{c}", call)
    return Model(lines.replace("{c}", "print(2)"), head=LOGGING)
