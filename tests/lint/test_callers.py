"""A file that is given by name is checked as the other files of its project call it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.lint.calling_files import calling_files
from breaklint.lint.run import run
from breaklint.model import Settings
from breaklint.project.callers import MOST_BYTES, USERS
from breaklint.project.text_scan import Import, imports

HELPER = "import torch\n\n\ndef scale(x):\n    return x * x.mean().item()\n\n\ndef plain(x):\n    return x\n"
NET = "import torch\n{imports}\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return {call}\n"


def net(imported: str, call: str = "scale(x)") -> str:
    return NET.format(imports=imported, call=call)


def callers(folder: Path, *names: str) -> list[str]:
    result = calling_files([str(folder / name) for name in names], Settings())
    return sorted(os.path.relpath(path, folder) for item in result for path in item.callers.files)


MID = "from helper import scale\n\n\ndef mid(x):\n    return scale(x)\n"
LATE = "self.late(x)\n\n    def late(self, x):\n        from helper import scale\n        return scale(x)"
COMPILED = "import torch\nfrom helper import scale\n\n\n@torch.compile\ndef run(x):\n    return scale(x)\n"
LEADING = {
    "a name": {"net.py": net("from helper import scale")},
    "another name": {"net.py": net("from helper import (\n    plain,  # (of no use)\n    scale as s,\n)", "s(x)")},
    "the module": {"net.py": net("import helper", "helper.scale(x)")},
    "the module by another name": {"net.py": net("import helper as h", "h.scale(x)")},
    "all names": {"net.py": net("from helper import *")},
    "in a function": {"net.py": net("", LATE)},
    "another file": {"mid.py": MID, "net.py": net("from mid import mid", "mid(x)")},
    "a table of another file": {
        "mid.py": 'from helper import scale\n\nTABLE = {"s": scale}\n',
        "net.py": net("from mid import TABLE", 'TABLE["s"](x)'),
    },
    "a compiled function": {"net.py": COMPILED},
    "a class that takes it": {"net.py": net("import helper", "x\n\n    scaled = helper.scale")},
}


@pytest.mark.parametrize("files", LEADING.values(), ids=LEADING)
def test_a_file_that_leads_to_a_helper_is_found(write_files: WriteFiles, files: Mapping[str, str]) -> None:
    folder = write_files({"breaklint.toml": "", "helper.py": HELPER, **files})
    assert callers(folder, "helper.py") == ["net.py"]


PACKAGES = {
    "a relative import": ("pkg/net.py", net("from .helper import scale")),
    "a relative import of the module": ("pkg/net.py", net("from . import helper", "helper.scale(x)")),
    "an import from above": ("pkg/sub/net.py", net("from ..helper import scale")),
    "the package": ("pkg/net.py", net("from pkg import scale")),
    "the package, relatively": ("pkg/net.py", net("from . import scale")),
    "the package as a module": ("run.py", net("import pkg", "pkg.scale(x)")),
    "from outside": ("run.py", net("from pkg.helper import scale")),
    "a module of the package": ("run.py", net("import pkg.helper", "pkg.helper.scale(x)")),
}


@pytest.mark.parametrize("source", ["", "src/"], ids=["", "below src"])
@pytest.mark.parametrize(("name", "text"), PACKAGES.values(), ids=PACKAGES)
def test_a_helper_of_a_package_is_found_by_every_import(
    write_files: WriteFiles, source: str, name: str, text: str
) -> None:
    package = {"__init__.py": "from .helper import scale\n", "sub/__init__.py": "", "helper.py": HELPER}
    files = {f"{source}pkg/{inner}": code for inner, code in package.items()}
    folder = write_files({"pyproject.toml": "", **files, (f"{source}{name}" if "/" in name else name): text})
    assert callers(folder, f"{source}pkg/helper.py") == [f"{source}{name}" if "/" in name else name]


OTHERS = {
    "a name that is not used": net("from helper import scale", "x"),
    "a module of the same name": net("from other.helper import scale"),
    "a file without regions": "from helper import scale\n\n\ndef run(x):\n    return scale(x)\n",
    "a word in a comment": net("# helper has scale", "x"),
    "what is not there": net("from helper import missing", "missing(x)"),
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_file_that_does_not_lead_to_a_helper_is_not_checked_for_it(write_files: WriteFiles, text: str) -> None:
    folder = write_files({"breaklint.toml": "", "helper.py": HELPER, "net.py": text})
    assert callers(folder, "helper.py") == []


def test_imports_are_read_as_python_writes_them() -> None:
    text = (
        "import a, b.c as d  # e\nfrom .f import g, \\\n    h as i\n\tfrom .. import (j,\n  k as l)\nfrom m import *\n"
    )
    assert [*imports(text)] == [
        Import("a", 0, "", "a"),
        Import("b.c", 0, "", "d"),
        Import("f", 1, "g", "g"),
        Import("f", 1, "h", "i"),
        Import("", 2, "j", "j"),
        Import("", 2, "k", "l"),
        Import("m", 0, "*", "*"),
    ]


def test_no_more_files_are_searched_than_the_package_and_its_neighbours_where_nothing_marks_a_project(
    write_files: WriteFiles,
) -> None:
    uses = net("from pkg.helper import scale")
    files = {
        "pkg/__init__.py": "",
        "pkg/helper.py": HELPER,
        "pkg/deep/__init__.py": "",
        "pkg/deep/net.py": uses,
        "run.py": uses,
        "far/net.py": uses,
    }
    folder = write_files(files)
    assert callers(folder, "pkg/helper.py") == ["pkg/deep/net.py", "run.py"]


def reported(breaklint: RunBreaklint, *arguments: str) -> list[tuple[str, str]]:
    result = json.loads(breaklint("check", "--output-format", "json", *arguments).stdout)
    return [(os.path.basename(item["filename"]), item["code"]) for item in result]


CALLED = {"breaklint.toml": "", "helper.py": HELPER, "net.py": net("from helper import scale", "scale(x) + x.item()")}


def test_a_helper_given_by_name_has_the_findings_that_its_callers_lead_to_and_no_others(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files(CALLED)
    assert reported(breaklint, "helper.py") == [("helper.py", "BRK201")]
    assert reported(breaklint, "helper.py") == [("helper.py", "BRK201")]  # out of the cache
    assert reported(breaklint, "--no-cache", "helper.py", "net.py") == [("helper.py", "BRK201"), ("net.py", "BRK201")]
    assert reported(breaklint, "--no-follow-callers", "helper.py") == []
    write_files({"breaklint.toml": "follow-callers = false"})
    assert reported(breaklint, "helper.py") == []
    assert reported(breaklint, "--follow-callers", "helper.py") == [("helper.py", "BRK201")]


def test_a_changed_caller_or_helper_is_looked_at_again(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files(CALLED)
    for path in folder.iterdir():
        os.utime(path, (1, 1))  # long ago, so that results are kept
    assert reported(breaklint, "helper.py") == [("helper.py", "BRK201")]
    (folder / "net.py").write_text(net("from helper import plain", "plain(x)"))
    assert reported(breaklint, "helper.py") == []
    (folder / "net.py").write_text(CALLED["net.py"])
    (folder / "helper.py").write_text(HELPER.replace(".item()", ""))
    assert reported(breaklint, "helper.py") == []


def test_fixes_are_made_in_the_given_file_only(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    variable = "from torch.autograd import Variable\n\n\ndef scale(x):\n    return Variable(x)\n"
    caller = net("from torch.autograd import Variable\nfrom helper import scale", "scale(Variable(x))")
    folder = write_files({"breaklint.toml": "", "helper.py": variable, "net.py": caller})
    done = breaklint("check", "--fix", "--unsafe-fixes", "helper.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert "return x.detach()" in (folder / "helper.py").read_text()
    assert (folder / "net.py").read_text() == caller


def test_a_caller_that_cannot_be_checked_is_noted_and_does_not_fail_the_check(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files({**CALLED, "broken.py": net("from helper import scale", "scale(x")})
    done = breaklint("check", "helper.py")
    assert done.returncode == 1
    assert done.stderr.startswith("breaklint: note: broken.py:")


def test_a_comment_that_a_caller_needs_is_not_unused(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    silenced = f"{HELPER}\n\nclass Own(torch.nn.Module):\n    pass\n".replace(
        "item()", "item()  # breaklint: ignore[BRK201]"
    )
    write_files({**CALLED, "helper.py": silenced})
    assert reported(breaklint, "helper.py") == []
    assert reported(breaklint, "--no-follow-callers", "helper.py") == [("helper.py", "BRK901")]


def test_the_nearest_callers_are_checked_where_there_are_too_many(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    many = {f"far/net{number}.py": net("from near.helper import scale") for number in range(USERS + 1)}
    near = {"near/helper.py": HELPER, "near/net.py": net("from near.helper import plain", "plain(x)")}
    folder = write_files({"breaklint.toml": "", **near, **many})
    (result,) = calling_files([str(folder / "near/helper.py")], Settings())
    assert (len(result.callers.files), result.callers.complete) == (USERS + 1, False)
    assert result.callers.files[0] == str(folder / "near/net.py")
    assert (
        f"only the nearest {USERS + 1} callers of the given files were checked"
        in breaklint("check", "near/helper.py").stderr
    )


def test_a_search_that_ends_before_it_finds_a_caller_says_that_none_was_read(
    write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"breaklint.toml": "", "near/helper.py": HELPER, "near/net.py": net("from near.helper import scale")}
    folder = write_files(files)
    monkeypatch.setattr("breaklint.project.callers._LOOKS", 0)
    result = run([str(folder / "near/helper.py")], Settings(), jobs=1)
    assert [notice for notice in result.notices if notice.startswith("the search for callers reached its limits")]


def test_no_more_callers_are_checked_than_fit(write_files: WriteFiles) -> None:
    padding = "#" * (MOST_BYTES // 2)
    uses = {
        f"net{number}.py": net(f"from helper import {name}\n{padding}", f"{name}(x)")
        for number, name in enumerate(("scale", "plain", "scale"))
    }
    folder = write_files({"breaklint.toml": "", "helper.py": HELPER, **uses})
    (result,) = calling_files([str(folder / "helper.py")], Settings())
    assert (len(result.callers.files), result.callers.complete) == (1, False)


def test_every_name_of_a_file_has_its_users(write_files: WriteFiles) -> None:
    many = {f"a{number}.py": net("from helper import scale") for number in range(USERS)}
    folder = write_files(
        {"breaklint.toml": "", "helper.py": HELPER, **many, "z.py": net("from helper import plain", "plain(x)")}
    )
    assert callers(folder, "helper.py") == [*many, "z.py"]
