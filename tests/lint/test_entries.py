"""What a run says it looked at, and entries that the configuration names."""

from __future__ import annotations

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.lint.engine import Engine
from breaklint.model import Settings

NET = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x * 2\n"
COMPILED = "import torch\n\n\n@torch.compile\ndef step(x):\n    return x * 2\n"
STEPS = (
    "import lightning\n\n\nclass Task(lightning.LightningModule):\n    def training_step(self, batch, i):\n"
    "        return self(batch)\n\n    def validation_step(self, batch, i):\n        return self(batch)\n"
)
LOSSES = (
    "import torch\n\n\nclass Meter:\n    def score(self, x: torch.Tensor):\n        return x.sum().item()\n\n\n"
    "def margin(x: torch.Tensor):\n    return x.max().item()\n"
)
UNKNOWN = "import torch\nfrom elsewhere import load\n\nmodel = torch.compile(load())\n"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param({"a.py": NET}, "No findings in 1 file (1 entry: 1 forward).", id="a module"),
        pytest.param({"a.py": COMPILED}, "No findings in 1 file (1 entry: 1 torch.compile).", id="a function"),
        pytest.param({"a.py": STEPS}, "No findings in 1 file (2 entries: 2 steps).", id="steps of Lightning"),
        pytest.param(
            {"a.py": NET, "b.py": NET, "c.py": COMPILED},
            "No findings in 3 files (3 entries: 2 forward, 1 torch.compile).",
            id="several kinds, the most frequent first",
        ),
        pytest.param(
            {"p/__init__.py": "", "p/a.py": "import torch\n\n\ndef f(x: torch.Tensor):\n    return x * 2\n"},
            "No findings in 2 files (1 entry: 1 public function).",
            id="a function of a package",
        ),
        pytest.param({"a.py": "x = 1\n"}, "No findings in 1 file.", id="a file without torch"),
    ],
)
def test_a_run_without_findings_says_what_it_looked_at(
    write_files: WriteFiles, breaklint: RunBreaklint, files: dict[str, str], said: str
) -> None:
    write_files(files)
    for _ in range(2):  # the second time from the cache
        assert breaklint("check", ".").stdout == f"{said}\n"


@pytest.mark.parametrize("files", [{"a.py": LOSSES}, {"a.py": LOSSES, "b.py": "import torch\n"}])
def test_a_run_that_sees_nothing_compiled_says_so(
    write_files: WriteFiles, breaklint: RunBreaklint, files: dict[str, str]
) -> None:
    write_files(files)
    these = "this file" if len(files) == 1 else "these 2 files"
    for _ in range(2):
        last = breaklint("check", ".").stdout.splitlines()[-1]
        assert last.startswith(f"0 entry points: nothing in {these} is compiled, as far as check can see; ")


@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github"])
def test_what_is_compiled_and_not_known_is_a_note(write_files: WriteFiles, breaklint: RunBreaklint, form: str) -> None:
    write_files({"a.py": UNKNOWN})
    done = breaklint("check", "--output-format", form, "a.py")
    why = "and breaklint cannot infer its value; add the function to entry-points"
    assert f"a.py:4: torch.compile compiles `load()`, {why}" in done.stderr
    assert done.returncode == 0


LIBRARY = "import torch\nimport zoo.nets\n\nfast = torch.compile(zoo.nets.{what}, mode='default')\n"


@pytest.mark.parametrize("what", ["step", "Net()"], ids=["a function", "an object"])
def test_what_is_compiled_of_a_library_that_is_not_found_is_a_note(
    write_files: WriteFiles, breaklint: RunBreaklint, what: str
) -> None:
    write_files({"a.py": LIBRARY.format(what=what), "b.py": COMPILED.replace("item", "sum")})
    for _ in range(2):  # the second time from the cache
        done = breaklint("check", "a.py")
        assert f"a.py:4: torch.compile compiles `zoo.nets.{what}`, " in done.stderr
        assert done.stdout == "No findings in 1 file (1 call of the compiler that check cannot resolve).\n"


def test_functions_of_torch_that_are_compiled_are_no_note(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"a.py": "import torch\n\nfast = torch.compile(torch.relu)\nslow = torch.compile(torch.nn.ReLU())\n"})
    assert breaklint("check", "a.py").stderr == ""


HELPERS = "def step(x):\n    return x / x.max().item()\n"
SCRIPT = "import torch\nimport helpers\n{more}\nfast = torch.compile(helpers.step)\n{end}"
RUNS = "if __name__ == '__main__':\n    fast(torch.rand(3))\n"


@pytest.mark.parametrize(
    ("more", "end", "found"),
    [("", RUNS, True), ("", "", False), ("from . import other\n", RUNS, False)],
    ids=["a script", "a module", "a module of the package that also runs"],
)
@pytest.mark.parametrize("checked", ["pack/main.py", "pack/helpers.py"])
def test_a_script_inside_a_package_imports_from_its_own_folder(
    write_files: WriteFiles, breaklint: RunBreaklint, more: str, end: str, found: bool, checked: str
) -> None:
    write_files({
        "pack/__init__.py": "",
        "pack/other.py": "",
        "pack/helpers.py": HELPERS,
        "pack/main.py": SCRIPT.format(more=more, end=end),
    })  # fmt: skip
    assert ("helpers.py:2:" in breaklint("check", "pack").stdout) is found
    assert ("helpers.py:2:" in breaklint("check", checked).stdout) is (found and checked == "pack/helpers.py")


def test_entries_are_listed_with_their_places(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"a.py": NET, "b.py": COMPILED, "c.py": UNKNOWN})
    done = breaklint("check", "--show-entries", ".")
    assert done.stdout == "a.py:5: forward Net.forward\nb.py:5: torch.compile step\n"
    assert "c.py:4: torch.compile compiles" in done.stderr
    assert done.returncode == 0


def test_a_forward_that_is_compiled_is_listed_once(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"a.py": f"{NET}\n\nnet = torch.compile(Net())\n"})
    assert breaklint("check", "--show-entries", ".").stdout == "a.py:5: torch.compile Net.forward\n"


@pytest.mark.parametrize(
    ("patterns", "rows"),
    [
        pytest.param([], [], id="none"),
        pytest.param(["score"], [6], id="a method by its name"),
        pytest.param(["Meter.score"], [6], id="a method of a plain class"),
        pytest.param(["Meter.*"], [6], id="all methods of a class"),
        pytest.param(["losses.*"], [6, 10], id="all that a module defines"),
        pytest.param(["margin", "Meter.score"], [6, 10], id="several"),
        pytest.param(["core"], [], id="a part of a name"),
    ],
)
def test_patterns_name_entries(patterns: list[str], rows: list[int]) -> None:
    result = Engine(Settings(entry_points=tuple(patterns))).check("losses.py", LOSSES)
    assert [finding.span.start.row for finding in result.findings] == rows


def test_a_pattern_that_names_nothing_is_an_error(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"losses.py": LOSSES, "net.py": NET, "breaklint.toml": 'entry-points = ["Meter.scroe"]\n'})
    done = breaklint("check", ".")
    assert done.stderr == "breaklint: error: entry-points: the given files do not define Meter.scroe\n"
    assert done.returncode == 2


def test_a_pattern_may_name_what_lies_in_another_file_than_the_given_one(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files({"losses.py": LOSSES, "net.py": NET, "breaklint.toml": 'entry-points = ["Meter.score"]\n'})
    done = breaklint("check", "net.py")
    assert (done.returncode, done.stderr) == (0, "")


PACKAGE = (
    "import torch\n\nT = torch.Tensor\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    "        return half(x)\n\n\n"
    "def half(x: T):\n    return x / x.max().item()\n\n\n"
    "def margin(x: T, y=None):\n    if not eager() and x.sum() > 0:\n        print(y)\n    return _scale(x)\n\n\n"
    "def _scale(x: T) -> T:\n    return x.cpu() * x.max().item()\n\n\n"
    "def eager() -> bool:\n    return False\n\n\n"
    "def psnr(x: T) -> float:\n    return x.max().item()\n\n\n"
    "def load(path: str, x: T = None):\n    return x.max().item()\n\n\n"
    "class Meter:\n    def score(self, x: T):\n        return x.sum().item()\n"
)


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("losses.py", [(12, "")]),
        ("pack/losses.py", [(12, ""), (16, "margin is compiled"), (22, "margin is compiled")]),
    ],
)
def test_public_functions_that_compute_with_tensors_are_entries(
    write_files: WriteFiles, file: str, found: list[tuple[int, str]]
) -> None:
    path = str(write_files({"pack/__init__.py": ""}) / file)
    for text, expected in ((PACKAGE, found), (PACKAGE + "\n\ntorch.compile(Net())\n", found[:1])):
        result = Engine(Settings(ignore=("BRK1",))).check(path, text)
        assert [(each.span.start.row, each.when) for each in result.findings] == expected
        assert all(each.cost.by_default is (each.when == "") for each in result.findings)


@pytest.mark.parametrize(
    ("call", "codes"),
    [
        pytest.param("fast(torch.rand(4), True)", ["BRK101"], id="a flag that is set"),
        pytest.param("fast(torch.rand(4), False)", [], id="a flag that is not set"),
        pytest.param("fast(torch.rand(4))", [], id="a default that no call overrides"),
        pytest.param("fast(torch.rand(4), False), fast(torch.rand(4), True)", ["BRK101"], id="both"),
        pytest.param("use(fast)", ["BRK101"], id="calls that are not seen"),
    ],
)
def test_calls_say_what_the_parameters_of_an_entry_are(call: str, codes: list[str]) -> None:
    text = (
        "import torch\n\n\ndef step(x, loud=False):\n    if loud:\n        print('step')\n    return x * 2\n\n\n"
        f"fast = torch.compile(step)\n\n\ndef main(use):\n    {call}\n\n\nmain(open)\n"
    )
    assert [finding.code for finding in Engine(Settings()).check("steps.py", text).findings] == codes
