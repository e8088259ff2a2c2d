"""Rules in Python are run only when the user says so; a configuration that came with a repository cannot say it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles
from rules_of_users import NO_COLLECT, rule

RAN = "ran.txt"
RULE = f"open({RAN!r}, 'a').close()\n" + rule(NO_COLLECT)
NET = "import gc\nimport torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        gc.collect()\n"
FILES = {"rules/own.py": RULE, "net.py": NET}
CHECK = ("check", "--no-cache", "--output-format", "concise")


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": '[tool.breaklint]\nrules = ["rules"]\n'},
        {"breaklint.toml": 'rules = ["rules/own.py"]\n'},
        {"sub/breaklint.toml": 'rules = ["../rules"]\n', "sub/net.py": NET},
        {"breaklint.toml": 'rules = ["rules/card.yaml"]\n', "rules/card.yaml": "check: rules/own.py\n"},
    ],
    ids=["a folder", "a file", "a configuration below", "a card"],
)
@pytest.mark.parametrize("command", [CHECK, ("check", "--fix"), ("config",), ("rule", "BRK201"), ("new-rule", "a")])
def test_a_repository_cannot_make_breaklint_run_its_python(
    write_files: WriteFiles, breaklint: RunBreaklint, files: dict[str, str], command: tuple[str, ...]
) -> None:
    folder = write_files({**FILES, **files})
    done = breaklint(*command)
    assert not (folder / RAN).exists(), done.stdout + done.stderr
    assert "OWN001" not in done.stdout.replace("(OWN001). Change it", "")


def test_a_note_names_what_is_not_run_and_the_remedy(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files({**FILES, "breaklint.toml": 'rules = ["rules"]\n'})
    config = folder / "home" / "breaklint" / "breaklint.toml"
    done = breaklint(*CHECK, XDG_CONFIG_HOME=str(folder / "home"))
    assert done.returncode == 1
    remedy = f"give --rules, or list the folder as one of `trusted-folders` in {config}"
    output = (
        f"not run, because the configuration in {folder} names them and you did not: {Path('rules/own.py')}; {remedy}"
    )
    assert f"breaklint: note: {output}" in done.stderr.replace("\n", " ").replace("  ", " ")
    wrong = breaklint(*CHECK, "--select", "OWN001")
    assert "no rule is called 'OWN001'" in wrong.stderr
    assert "rules in Python that the configuration names are not run" in wrong.stderr


@pytest.mark.parametrize(
    ("home", "options", "runs"),
    [
        ("", ("--rules", "rules"), True),
        ("", ("--rules", "rules/own.py", "--isolated"), True),
        ('trusted-folders = ["{folder}"]\n', (), True),
        ('trusted-folders = ["{folder}/rules", "{folder}-other"]\n', (), False),
        ('trusted-folders = ["{folder}"]\n', ("--isolated",), False),
        ('rules = ["{folder}/rules"]\n', (), True),
        ('rules = ["{folder}/rules"]\n', ("--isolated",), False),
    ],
    ids=["named", "named though isolated", "trusted", "another is trusted", "isolated", "the user's", "not isolated"],
)
def test_the_user_can_say_so(
    write_files: WriteFiles, breaklint: RunBreaklint, home: str, options: tuple[str, ...], runs: bool
) -> None:
    folder = write_files({**FILES, "breaklint.toml": 'rules = ["rules"]\n'})
    (folder / "home" / "breaklint").mkdir(parents=True)
    (folder / "home" / "breaklint" / "breaklint.toml").write_text(home.replace("{folder}", folder.as_posix()))
    done = breaklint(*CHECK, *options, "net.py", XDG_CONFIG_HOME=str(folder / "home"))
    assert ("OWN001" in done.stdout) == runs, done.stderr
    assert (folder / RAN).exists() == runs


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('rule = ["a.py"]\n', "unknown key `rule`; did you mean `rules`?"),
        ("rules = 'a.py'\n", "`rules` must be a list of strings, not 'a.py'"),
        ('rules = ["nowhere.py"]\n', "nowhere.py: rules cannot be read: No such file or directory"),
    ],
)
def test_a_wrong_configuration_of_the_user_is_an_error_of_one_line(
    write_files: WriteFiles, breaklint: RunBreaklint, text: str, says: str
) -> None:
    folder = write_files({"net.py": NET, "home/breaklint/breaklint.toml": text})
    done = breaklint(*CHECK, "net.py", XDG_CONFIG_HOME=str(folder / "home"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert says in done.stderr


def package(folder: Path, entry: str) -> None:
    """A distribution as an installer leaves it: a module, and what it says of itself."""
    (folder / "own_package.py").write_text(RULE)
    info = folder / "own_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[breaklint.rules]\nown = {entry}\n")


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """The Python of a virtual environment that sees the packages of this one."""
    home = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    scripts = sysconfig.get_path("scripts", "venv", {"base": str(home), "platbase": str(home)})
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)}))
    (packages / "others.pth").write_text(
        "\n".join([str(PROJECT), *(path for path in sys.path if "site-packages" in path)])
    )
    return Path(scripts) / Path(sys.executable).name


def check_with(python: Path, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [python, "-m", "breaklint", *CHECK, *options, "net.py"]
    remaining = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, cwd=folder, env=remaining, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_an_installed_package_brings_rules(environment: Path, write_files: WriteFiles) -> None:
    folder = write_files({"work/net.py": NET}) / "work"
    packages = next(environment.parents[1].rglob("site-packages"))
    package(packages, "own_package")
    done = check_with(environment, folder)
    assert "net.py:7:9: OWN001 `gc.collect()` is a pattern" in done.stdout, done.stderr
    assert "OWN001" not in check_with(environment, folder, "--isolated").stdout
    info = next(packages.glob("*.dist-info"))
    (info / "entry_points.txt").write_text("[breaklint.rules]\nown = own_package:OwnRule\n")
    assert "OWN001" in check_with(environment, folder).stdout
    (info / "entry_points.txt").write_text("[breaklint.rules]\nown = own_package:cst\n")
    assert "OWN001" not in check_with(environment, folder).stdout
    (info / "entry_points.txt").write_text("[breaklint.rules]\nown = own_package:NO_SUCH\n")
    done = check_with(environment, folder)
    assert done.returncode == 2
    assert "own_package:NO_SUCH: rules cannot be loaded: AttributeError" in done.stderr


def test_what_looks_installed_in_the_current_folder_is_not(environment: Path, write_files: WriteFiles) -> None:
    folder = write_files({"work/net.py": NET}) / "work"
    package(folder, "own_package")
    assert "OWN001" not in check_with(environment, folder).stdout
    assert not (folder / RAN).exists()
