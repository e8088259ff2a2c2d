"""A break is found in whatever form the program reaches it; that each form breaks is measured on Dynamo by night."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import forms_of_modules
import pytest
from forms import FORMS

from breaklint.lint.engine import check_source
from breaklint.model import Settings

assert forms_of_modules  # imported to register
EXPRESSIONS = {
    "BRK101": "print(x.shape)",
    "BRK301": "(x if x.sum() > 0 else -x)",
    "BRK401": "x[x > 0]",
}

MEASURE = """
import importlib.util, logging, pathlib, sys, warnings
import torch

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
torch.set_num_threads(1)
for path in sys.argv[1:]:
    torch._dynamo.reset()
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        torch.compile(module.Net(), backend="eager", fullgraph=True)(torch.rand(4, 8))
    except Exception:
        continue
    print(path)
"""


@pytest.mark.parametrize("code", EXPRESSIONS)
@pytest.mark.parametrize("name", FORMS)
def test_a_break_is_found_where_it_is(name: str, code: str) -> None:
    text = FORMS[name].replace("EXPR", EXPRESSIONS[code])
    lines = text.splitlines()
    found = check_source(text, "net.py", Settings()).findings
    marked = {each.code for each in found if "# here" in lines[each.span.start.row - 1]}
    assert code in marked, [(each.code, each.span.start.row) for each in found]


@pytest.mark.nightly
def test_dynamo_breaks_in_every_form(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    for name, text in FORMS.items():
        (tmp_path / f"{name}.py").write_text(text.replace("EXPR", EXPRESSIONS["BRK101"]), encoding="utf-8")
    paths = sorted(map(str, tmp_path.glob("*.py")))
    done = subprocess.run([sys.executable, "-c", MEASURE, *paths], capture_output=True, text=True, check=True)
    assert [line for line in done.stdout.splitlines() if line.endswith(".py")] == []
