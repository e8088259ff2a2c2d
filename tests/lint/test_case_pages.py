"""Pages of cases: what a block is, and which expectations fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.lint.cases import failures, marks, read_cases, with_prelude

NET = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        ...\n"
PAGE = f"""# Numbers

```python prelude
{NET}```

## an item

```python
return x / x.max().item()  # BRK201
```

```python fixed unsafe
return x / x.max().detach()  # BRK201
```
"""


def failing(folder: Path, text: str) -> list[str]:
    (folder / "page.md").write_text(text)
    return [line.replace(str(folder), "") for case in read_cases(folder / "page.md") for line in failures(case)]


def test_a_page_whose_expectations_hold_has_no_failure(tmp_path: Path) -> None:
    assert failing(tmp_path, PAGE) == []


@pytest.mark.parametrize(
    ("old", "new", "failure"),
    [
        ("  # BRK201\n```\n\n```python fixed", "\n```\n\n```python fixed", "/page.md:15: BRK201 is not expected"),
        (".item()  # BRK201", "  # BRK201", "/page.md:15: BRK201 is not reported"),
        ("item()  # BRK201", "item()  # BRK301", "/page.md:15: BRK301 is not reported"),
        ("item()  # BRK201", "item()  # missed", "/page.md:15: BRK201 is not expected"),
        ("item()  # BRK201", "item()  # BRK201 when: x", "/page.md:15: BRK201 when: x is not reported"),
        ("detach()", "item()", "/page.md:14: the fix writes something else"),
        ("return x / x.max().item()", "return (", "model.py"),
    ],
)
def test_what_fails_is_named_with_its_line(tmp_path: Path, old: str, new: str, failure: str) -> None:
    assert any(failure in line for line in failing(tmp_path, PAGE.replace(old, new, 1)))


def test_settings_files_and_conditions(tmp_path: Path) -> None:
    page = """# Two files

```toml
entry-points = ["run"]
```

## a helper

```python title="main.py"
from ops import scale


def run(x, debug=False):
    if debug:
        print(x)  # BRK101 when: debug
    return scale(x)
```

```python title="ops.py"
def scale(x):
    return x * x.sum().item()  # BRK201
```

## silent

```toml
ignore = ["BRK101"]
```

```python
def run(x, debug=False):
    print(x)  # no finding
```
"""
    result = failing(tmp_path, "import torch".join(page.split("import torch")))
    assert [case.name for case in read_cases(tmp_path / "page.md")] == ["a helper", "silent"]
    assert [case.settings for case in read_cases(tmp_path / "page.md")][1] == {
        "entry-points": ["run"],
        "ignore": ["BRK101"],
    }
    assert result == []


def test_an_unknown_setting_is_named(tmp_path: Path) -> None:
    page = PAGE.replace("# Numbers\n", '# Numbers\n\n```toml\nselct = ["BRK1"]\n```\n')
    assert any("unknown key `selct`" in line for line in failing(tmp_path, page))


def test_a_prelude_takes_the_case_at_its_last_line() -> None:
    assert with_prelude(NET, "return x\n") == NET.replace("...", "return x")
    assert with_prelude("import torch\n", "x = 1\n") == "import torch\nx = 1\n"


def test_only_whole_comments_are_expectations() -> None:
    text = "a  # noqa: BRK201\nb  # BRK201, BRK301\nc  # BRK201 is not meant\nd  # no finding\n"
    assert {row: mark.codes for row, mark in marks(text).items()} == {2: ("BRK201", "BRK301"), 4: ()}


def test_the_command_runs_pages(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    write_files({"cases/page.md": PAGE, "wrong.md": PAGE.replace(".item()", "")})
    done = breaklint("test", "cases")
    assert (done.returncode, done.stdout) == (0, "1 of 1 cases pass.\n")
    done = breaklint("test", "wrong.md")
    assert done.returncode == 1
    assert "wrong.md:15: BRK201 is not reported" in done.stdout
