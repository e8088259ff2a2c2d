"""Imports are followed into the environment of a project: its sources are read, and what breaks there is told at the
line that calls it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.errors import UsageError
from breaklint.interp import interpreter
from breaklint.lint.engine import Engine
from breaklint.lint.environments import UNSET, program, with_environment
from breaklint.model import NEWEST_TORCH, Settings
from breaklint.project.environment import Environment, find, site_packages
from breaklint.project.folders import Folders

LIBRARY = ".venv/lib/python3.11/site-packages"
CORE = """\
import torch
from torch import nn


def rows(index, size=None):
    if size is None:
        return int(index.max()) + 1
    return size


class Pool(nn.Module):
    def __init__(self, loud=False):
        super().__init__()
        self.loud = loud

    def forward(self, x, index):
        if self.loud:
            print(x.shape)
        return x.new_zeros(rows(index), x.size(1)).index_add_(0, index, x)
"""
NET = """\
import torch
from shapes import Pool
from shapes.core import rows


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = Pool()

    def forward(self, x, index):
        n = rows(index, x.size(0))
        return self.pool(x, index) * n
"""
FILES = {
    ".venv/pyvenv.cfg": "home = /usr/bin\n",
    f"{LIBRARY}/shapes/__init__.py": "from shapes.core import Pool\n",
    f"{LIBRARY}/shapes/core.py": CORE,
    "net.py": NET,
}
BREAKS = [(13, "BRK802", "this call breaks in shapes/core.py:7 (BRK202)")]


def found(breaklint: RunBreaklint, *options: str, **environment: str) -> list[tuple[int, str, str]]:
    done = breaklint("check", "--output-format", "json", "net.py", *options, **environment)
    assert done.returncode in (0, 1), done.stderr
    return [(each["location"]["row"], each["code"], each["message"]) for each in json.loads(done.stdout)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param([], BREAKS, id="the nearest .venv is found"),
        pytest.param(["--no-environment"], [], id="switched off"),
        pytest.param(["--isolated"], [], id="isolated"),
        pytest.param(["--isolated", "--python", ".venv"], BREAKS, id="isolated, but named"),
        pytest.param(["--python", f"{LIBRARY}"], BREAKS, id="site-packages by name"),
    ],
)
def test_what_breaks_in_a_package_is_told_at_the_call(
    write_files: WriteFiles, breaklint: RunBreaklint, options: list[str], expected: list[Any]
) -> None:
    write_files(FILES)
    assert found(breaklint, *options) == expected
    assert found(breaklint, *options) == expected  # from the cache


def test_dynamo_breaks_at_the_call_that_is_told(write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from breaklint.testing import graph_breaks

    folder = write_files(FILES)
    monkeypatch.syspath_prepend(folder / LIBRARY)
    net = run_path(str(folder / "net.py"))["Net"]()
    first, *_ = graph_breaks(net, torch.ones(4, 2), torch.tensor([0, 1, 1, 2]))
    assert (Path(first.filename).name, first.row) == ("core.py", 7)
    assert first.called_from == (str(folder / "net.py"), 13)


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        pytest.param('python = "envs/own"', BREAKS, id="named, relative to the configuration"),
        pytest.param('python = "envs/own/bin/python"', BREAKS, id="its interpreter"),
        pytest.param('python = "envs/own"\nfollow-environment = false', [], id="switched off"),
    ],
)
def test_the_configuration_names_the_environment(
    write_files: WriteFiles, breaklint: RunBreaklint, configuration: str, expected: list[Any]
) -> None:
    moved = {name.replace(".venv", "envs/own"): text for name, text in FILES.items()}
    write_files({**moved, "envs/own/bin/python": "", "breaklint.toml": configuration})
    assert found(breaklint, "--no-cache") == expected


def test_an_environment_that_does_not_exist_is_an_error_that_says_what_to_name(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files(FILES)
    done = breaklint("check", "--python", "nowhere", "net.py")
    assert done.returncode == 2
    assert done.stderr == (
        "breaklint: error: nowhere: no environment with installed packages: name the folder of an environment, or its "
        "interpreter (bin/python)\n"
    )


def test_the_nearest_environment_comes_before_the_active_one(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    other = "other/lib/python3.12/site-packages/shapes/__init__.py"
    folder = write_files({**FILES, other: "Pool = None\n"})
    assert found(breaklint, VIRTUAL_ENV=str(folder / "other")) == BREAKS


def test_without_one_nearby_the_active_environment_counts(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files({name.replace(".venv", "envs/own"): text for name, text in FILES.items()})
    assert found(breaklint) == []
    assert found(breaklint, VIRTUAL_ENV=str(folder / "envs/own")) == BREAKS
    assert find(str(folder)) == site_packages(sys.prefix)  # has torch


@pytest.mark.parametrize(("python", "found_in"), [("3.11", [11, 15, 19, 23]), ("3.12", [23])])
def test_the_python_of_the_environment_decides_about_locks_and_comprehensions(
    write_files: WriteFiles, breaklint: RunBreaklint, python: str, found_in: list[int]
) -> None:
    net = """\
import functools
from torch import nn


class Net(nn.Module):
    @functools.cached_property
    def scale(self):
        return 3

    def scaled(self, x):
        return x * self.scale

    def forward(self, x, many: list, few: tuple):
        for i in range(2):
            y = {i: x * i for i, _ in enumerate(few)}

            x = x + sum([x * i for i in few])

            y = [x * i for i in many], [i * 2 for i in many]

            if i:
                y = [x * i for i in [1, 2]], [x * i for i in range(3)], {x[0] for x in few}
            print(y)
        return self.scaled(x)
"""
    write_files({"net.py": net, f".venv/lib/python{python}/site-packages/a.py": "", ".venv/pyvenv.cfg": ""})
    assert [row for row, *_ in found(breaklint)] == found_in


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        pytest.param({f"{LIBRARY}/shapes/core.py": CORE.replace("int(index.max()) + 1", "4")}, [], id="a package"),
        pytest.param({"shapes.py": "class Pool: ...\n"}, [], id="the project has a module of that name"),
    ],
)
def test_a_change_is_seen_by_the_next_run(
    write_files: WriteFiles, breaklint: RunBreaklint, changed: dict[str, str], expected: list[Any]
) -> None:
    write_files(FILES)
    assert found(breaklint) == BREAKS
    write_files(changed)
    assert found(breaklint) == expected


def test_an_editable_package_is_followed(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("sources")
    (elsewhere / "shapes").mkdir()
    (elsewhere / "shapes/__init__.py").write_text("from shapes.core import Pool\n")
    (elsewhere / "shapes/core.py").write_text(CORE)
    own = {name: text for name, text in FILES.items() if "shapes" not in name}
    write_files({**own, f"{LIBRARY}/__editable__.shapes.pth": f"import os\n{elsewhere}\n"})
    assert found(breaklint) == BREAKS


def test_the_project_itself_as_an_editable_package_is_no_installed_one(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    folder = write_files({name.replace(f"{LIBRARY}/shapes", "src/shapes"): text for name, text in FILES.items()})
    write_files({f"{LIBRARY}/__editable__.shapes.pth": f"{folder / 'src'}\n"})
    done = breaklint("check", "--output-format", "json", ".")
    assert [(Path(each["filename"]).name, each["code"]) for each in json.loads(done.stdout)] == [
        ("core.py", "BRK202"),
        ("core.py", "BRK101"),
        ("core.py", "BRK659"),
    ]


def test_torch_itself_is_not_followed(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    torch = "from torch import nn\n\ndef relu(x):\n    print(x)\n    return x\n"
    net = "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n"
    write_files({**FILES, "net.py": net, f"{LIBRARY}/torch/__init__.py": torch})
    assert found(breaklint) == []


@pytest.mark.parametrize(("tests", "told"), [(0, True), (1, False), (3, False)])
def test_what_breaks_in_a_special_case_of_the_package_and_its_warnings_are_not_told(
    write_files: WriteFiles, breaklint: RunBreaklint, tests: int, told: bool
) -> None:
    nested = "".join(f"{' ' * 4 * (at + 1)}if options.case{at}:\n" for at in range(tests))
    special = f"\n\ndef special(x, options):\n{nested}{' ' * 4 * (tests + 1)}print(x)\n    return x\n"
    net = "import torch\nfrom shapes.core import special\n\nclass Net(torch.nn.Module):\n"
    net += "    def forward(self, x, options):\n        return special(x, options)\n"
    write_files({**FILES, f"{LIBRARY}/shapes/core.py": CORE + special, "net.py": net})
    assert bool(found(breaklint)) is told
    write_files({f"{LIBRARY}/shapes/core.py": CORE + special.replace("print(x)", "x.item()")})
    assert bool(found(breaklint)) is (tests < 3)


@pytest.mark.parametrize(
    ("forward", "expected"),
    [
        pytest.param("return Pool(True)(x, index)", "", id="always"),
        pytest.param(
            "return self.pool(x, index) if self.training else x", "self.training", id="a condition of the call"
        ),
        pytest.param("return rows(index, self.size)", "size is None", id="a condition in the package"),
    ],
)
def test_the_conditions_of_the_call_and_of_the_package_are_told(
    write_files: WriteFiles, breaklint: RunBreaklint, forward: str, expected: str
) -> None:
    net = NET.partition("        n = rows")[0].replace("__init__(self)", "__init__(self, size=None)")
    net = net.replace("self.pool =", "self.size = size\n        self.pool =") + f"        {forward}\n"
    write_files({**FILES, "net.py": net})
    done = breaklint("check", "--output-format", "json", "net.py")
    assert [(each["code"], each["when"]) for each in json.loads(done.stdout)] == [("BRK802", expected)]


def test_options_and_flags_of_classes_of_a_package_have_their_values(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    """`**options` leaves the defaults of a package, and a flag that a subclass overrides is no setting."""
    core = CORE.replace("class Pool(nn.Module):", "class Base(nn.Module):\n    counts: bool\n")
    core = core.replace("loud=False", "loud=True").replace("if self.loud:", "if self.loud and self.counts:")
    core = core.replace("rows(index)", "index") + "\n\nclass Pool(Base):\n    counts = True\n"
    net = NET.replace("__init__(self)", "__init__(self, **options)").replace("Pool()", "Pool(**options)")
    write_files({**FILES, f"{LIBRARY}/shapes/core.py": core, "net.py": net})
    done = breaklint("check", "--output-format", "json", "net.py")
    assert [(each["code"], each["when"]) for each in json.loads(done.stdout)] == [("BRK802", "")]


def test_comments_and_selections_silence_it(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({**FILES, "net.py": NET.replace(" * n\n", " * n  # breaklint: ignore[BRK802] small graphs\n")})
    assert found(breaklint) == []
    write_files({"net.py": NET})
    assert found(breaklint, "--ignore", "library-call-that-breaks") == []


def test_what_packages_give_is_inferred(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    net = NET.replace("return self.pool(x, index) * n", "return torch.zeros(rows(index, x.size(0)), n).item()")
    write_files({**FILES, "net.py": net})
    assert [code for _, code, _ in found(breaklint)] == ["BRK201"]


def test_a_package_that_is_no_python_is_left_alone(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({**FILES, f"{LIBRARY}/shapes/__init__.py": "def (\n"})
    done = breaklint("check", "net.py")
    assert (done.returncode, done.stderr) == (0, "")


def test_what_packages_cost_has_a_limit_that_is_told(write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_files(FILES)
    monkeypatch.setattr(interpreter, "MAX_INSTALLED", 5)
    result = Engine(Settings(environment=str(folder / LIBRARY))).check(str(folder / "net.py"), NET)
    assert result.findings == ()
    assert [notice.partition("Net.forward is ")[2] for notice in result.notices] == [
        "calling installed packages for more than 5 steps; checked in part"
    ]


def test_why_follows_imports_too(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files(FILES)
    assert breaklint("why", "net.py:13").stdout.splitlines()[-1].strip() == "BRK802 " + BREAKS[0][2]


def test_the_settings_tell_where_imports_are_followed(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files(FILES)
    assert f"# imports are followed into {folder / LIBRARY}" in breaklint("config", ".").stdout


def test_places_of_installed_packages(write_files: WriteFiles) -> None:
    folder = write_files(
        {
            "unix/lib/python3.9/site-packages/a.py": "",
            "unix/lib/python3.12/site-packages/a.py": "",
            "windows/Lib/site-packages/a.py": "",
            "empty/pyvenv.cfg": "",
        }
    )
    assert site_packages(str(folder / "unix")) == str(folder / "unix/lib/python3.12/site-packages")
    assert site_packages(str(folder / "windows")) == str(folder / "windows/Lib/site-packages")
    assert site_packages(str(folder / "empty")) == ""


def test_an_environment_is_found_from_a_folder_below(write_files: WriteFiles) -> None:
    folder = write_files({**FILES, "src/models/net.py": ""})
    assert find(str(folder / "src/models")) == str(folder / LIBRARY)


ATTRS = "class Pair:\n    def __init__(self, a):\n        print(a)\n\n\ndef evolve(pair, **changes):\n    print(pair)\n"


def test_attrs_is_known_by_name_and_not_followed(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    net = "import attrs\nimport torch\n\n\n@torch.compile\ndef f(p, x):\n    return attrs.evolve(p, a=x).a\n"
    write_files({**FILES, "net.py": net, f"{LIBRARY}/attrs/__init__.py": ATTRS})
    assert found(breaklint) == []


@pytest.mark.parametrize(
    ("version", "target", "note"),
    [
        ("2.13.1+cpu", "2.13", ""),
        ("2.12.0", "2.12", "torch 2.12"),
    ],
)
def test_the_torch_of_the_environment_is_the_target(
    write_files: WriteFiles, breaklint: RunBreaklint, version: str, target: str, note: str
) -> None:
    write_files({**FILES, f"{LIBRARY}/torch/version.py": f"__all__ = ['__version__']\n__version__ = '{version}'\n"})
    assert f'target-torch = "{target}"\n' in breaklint("config", ".").stdout
    said = breaklint("check", "net.py").stderr
    assert note in said if note else not said.startswith("breaklint: note: torch")
    assert 'target-torch = "2.15"\n' in breaklint("config", ".", "--target-torch", "2.15").stdout
    assert 'target-torch = "2.12"\n' not in breaklint("config", ".", "--no-environment").stdout


def test_what_runs_code_uses_the_interpreter_that_has_torch(write_files: WriteFiles) -> None:
    folder = write_files(FILES)
    settings = with_environment(UNSET, folder)
    assert program(settings) == sys.executable  # there is no torch in it
    write_files({f"{LIBRARY}/torch/version.py": "__version__ = '2.13.0'\n"})
    with pytest.raises(UsageError, match="site-packages: the environment has torch, but no interpreter: create the"):
        program(settings)
    write_files({".venv/bin/python": ""})
    assert program(with_environment(UNSET, folder)) == str(folder / ".venv/bin/python")


@pytest.mark.parametrize(("included", "target"), [("true", "2.13"), ("false", NEWEST_TORCH)])
def test_an_environment_may_include_the_packages_of_its_interpreter(
    write_files: WriteFiles, included: str, target: str
) -> None:
    base = "base/lib/python3.12/site-packages"
    folder = write_files({**FILES, f"{base}/torch/version.py": "__version__ = '2.13.0'\n", f"{base}/extra.py": ""})
    write_files({".venv/pyvenv.cfg": f"home = {folder}/base/bin\ninclude-system-site-packages = {included}\n"})
    settings = with_environment(UNSET, folder)
    assert settings.target_torch == target
    assert Environment(settings.environment, Folders()).lacks("extra") == (included == "false")


MODULE = """import torch


class LightningModule(torch.nn.Module):
    def log(self, name, value):
        print(value)
"""
STEP = """from pytorch_lightning.core.module import LightningModule


class Net(LightningModule):
    def training_step(self, batch, batch_idx):
        self.log("loss", batch)
        return batch.sum()
"""


def test_a_measured_function_of_a_package_is_not_followed(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    package = f"{LIBRARY}/pytorch_lightning"
    write_files({**FILES, "net.py": STEP, f"{package}/__init__.py": "", f"{package}/core/__init__.py": ""})
    write_files({f"{package}/core/module.py": MODULE, f"{LIBRARY}/torch/version.py": "__version__ = '2.13.0'\n"})
    assert [(row, code) for row, code, _ in found(breaklint)] == [(6, "BRK618")]
