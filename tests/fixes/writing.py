"""What the tests of fixes share: a forward method given by its body, checked and fixed."""

from __future__ import annotations

import textwrap

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Applicability, Finding, Settings

CLASS = "class Net(torch.nn.Module):\n"


def model(body: str, arguments: str = "x: torch.Tensor", head: str = "import torch") -> str:
    """The source of a module whose forward has this body."""
    lines = textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
    return f"{head}\n\n\n{CLASS}    def forward(self, {arguments}):\n{lines}\n"


def body_of(text: str) -> str:
    """The body of the forward method of such a source."""
    return textwrap.dedent(text.partition("def forward(")[2].partition("\n")[2]).strip("\n")


def fixed(
    body: str, unsafe: bool = True, arguments: str = "x: torch.Tensor", head: str = "import torch", **settings: str
) -> str:
    """The body that the fixes leave."""
    result = fix_source(model(body, arguments, head), "model.py", Settings(**settings), unsafe)  # type: ignore[arg-type]
    assert result.errors == ()
    return body_of(result.text or model(body, arguments, head))


def findings(body: str, arguments: str = "x: torch.Tensor", head: str = "import torch") -> tuple[Finding, ...]:
    """The findings in a body."""
    result = check_source(model(body, arguments, head), "model.py", Settings())
    assert result.errors == ()
    return result.findings


def reason(body: str, arguments: str = "x: torch.Tensor", head: str = "import torch") -> str:
    """Why the first finding of a body that has no fix, or only one that is shown, has none that is written."""
    result = [(finding.fix, finding.no_fix) for finding in findings(body, arguments, head)]
    unwritten = [(fix, why) for fix, why in result if fix is None or fix.applicability is Applicability.DISPLAY]
    fix, why = unwritten[0]
    return fix.why if fix else why


def applicability(body: str, arguments: str = "x: torch.Tensor", head: str = "import torch") -> str:
    """How far the fix of the first finding can be trusted."""
    fix = findings(body, arguments, head)[0].fix
    return fix.applicability.value if fix else "none"
