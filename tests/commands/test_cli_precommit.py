"""The hooks and the recipes of docs/ci.md, run in another project: by day with this breaklint, at night installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from documents import blocks, shell_environment
from harness import PROJECT

pytest.importorskip("pre_commit")

PLACE = "https://github.com/OWNER/breaklint"
NEEDED = (":!benchmarks", ":!tests", ":!editor")  # what is installed has nothing of these
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
YAML = [
    (block.body, yaml.safe_load(block.body)) for block in blocks(PROJECT / "docs" / "ci.md") if block.language == "yaml"
]
PRINTED = [(text, data) for text, data in YAML if PLACE in text]
AUTHORS = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", "Test"), ("EMAIL", "test@example.org"))
}
CLEAN = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n"
BREAKS = CLEAN.replace("torch.relu(x)", "x * x.mean().item()")
FIXABLE = "from torch.autograd import Variable\n" + CLEAN.replace("torch.relu(x)", "torch.relu(Variable(x))")


@dataclass
class Repository:
    """A git repository with the hooks installed."""

    folder: Path
    environment: dict[str, str]

    def git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.git("add", name)

    def commit(self) -> tuple[bool, str]:
        """Whether the hooks let the commit pass, and what they printed."""
        done = self.git("commit", "-q", "-m", "A change")
        return done.returncode == 0, done.stdout + done.stderr

    def committed(self, name: str) -> str:
        return self.git("show", f"HEAD:{name}").stdout


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """This checkout as a repository of hooks, and one environment for all tests."""
    folder = tmp_path_factory.mktemp("hooks")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *NEEDED]
    named = subprocess.run(listed, cwd=PROJECT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, named.split("\0")):
        if (PROJECT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, folder / name)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHONPATH"))}
    environment |= AUTHORS
    # What is printed for readers is run as it is: git finds this checkout where they would write their address and tag.
    instead = {"COUNT": "1", "KEY_0": f"url.{folder}.insteadOf", "VALUE_0": PLACE}
    environment |= {f"GIT_CONFIG_{key}": value for key, value in instead.items()}
    environment["PIP_NO_COMPILE"] = "1"  # most of what is installed is not imported
    environment["PRE_COMMIT_HOME"] = str(tmp_path_factory.mktemp("home"))
    repository = Repository(folder, environment)
    for arguments in (["init", "-q"], ["add", "--force", "."], ["commit", "-q", "-m", "Hooks"], ["tag", "TAG"]):
        assert repository.git(*arguments).returncode == 0
    return repository


def with_config(environment: dict[str, str], folder: Path, config: str) -> Repository:
    """A new repository with this configuration of pre-commit."""
    repository = Repository(folder, environment)
    repository.git("init", "-q")
    repository.write(".pre-commit-config.yaml", config)
    install = [sys.executable, "-m", "pre_commit", "install"]
    subprocess.run(install, cwd=folder, env=environment, check=True, capture_output=True)
    return repository


@pytest.fixture
def with_hooks(tmp_path: Path) -> Callable[..., Repository]:
    """Makes a repository whose commits run these hooks, with this breaklint on the path."""
    environment = dict(shell_environment(tmp_path)) | AUTHORS | {"PRE_COMMIT_HOME": str(tmp_path / "home")}

    def make(*names: str) -> Repository:
        chosen = [HOOKS[name] | {"language": "system"} for name in names]
        (tmp_path / "project").mkdir()
        config = yaml.safe_dump({"repos": [{"repo": "local", "hooks": chosen}]})
        return with_config(environment, tmp_path / "project", config)

    return make


def test_the_fix_hook_rewrites_the_file_and_the_next_commit_passes(with_hooks: Callable[..., Repository]) -> None:
    repository = with_hooks("breaklint-fix", "breaklint")
    repository.write("model.py", FIXABLE)
    passed, output = repository.commit()
    assert not passed
    assert "files were modified by this hook" in output
    repository.git("add", "model.py")
    assert repository.commit()[0]
    assert "Variable(" not in repository.committed("model.py")


HELPER = "def helper(x):\n    return x\n"
CALLER = "from helper import helper\n" + CLEAN.replace("torch.relu(x)", "helper(x)")


def test_a_commit_of_a_helper_alone_is_checked_through_its_callers(with_hooks: Callable[..., Repository]) -> None:
    repository = with_hooks("breaklint")
    repository.write("pyproject.toml", '[tool.breaklint]\nexclude = ["legacy/"]\n')
    repository.write("legacy/model.py", BREAKS)  # pre-commit names it, and check leaves it out
    repository.write("helper.py", HELPER)
    repository.write("model.py", CALLER)
    assert repository.commit()[0]
    repository.write("helper.py", HELPER.replace("return x", "return x * x.mean().item()"))
    passed, output = repository.commit()
    assert not passed
    assert "helper.py:2:16: BRK201" in output
    assert "model.py" not in output


def test_the_local_hook_of_the_guide_is_the_installed_one() -> None:
    (local,) = [
        hook
        for _, data in YAML
        if "repos" in data
        for repo in data["repos"]
        if repo["repo"] == "local"
        for hook in repo["hooks"]
    ]
    hook = HOOKS["breaklint"]
    assert local == {name: hook[name] for name in ("id", "name", "entry", "types_or", "require_serial")} | {
        "language": "system"
    }


@pytest.mark.nightly
def test_the_lines_of_the_guide_install_the_hook(hooks: Repository, tmp_path: Path) -> None:
    (config,) = [text for text, data in PRINTED if "repos" in data]
    repository = with_config(hooks.environment, tmp_path, config)
    repository.write("model.py", BREAKS)
    passed, output = repository.commit()
    assert not passed
    assert "model.py:6:20: BRK201" in output


def scripts() -> list[list[str]]:
    """The shell lines of each job in the guide that installs breaklint by pip: GitHub's and GitLab's."""
    steps = [[step["run"] for step in data] for _, data in PRINTED if isinstance(data, list)]
    return steps + [job["script"] for _, data in PRINTED if "breaklint" in data for job in [data["breaklint"]]]


@pytest.fixture(scope="module")
def clean_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a Python into which nothing is installed yet."""
    folder = tmp_path_factory.mktemp("clean")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def test_the_guide_installs_in_both_services() -> None:
    assert len(scripts()) == 2


@pytest.mark.nightly  # by day test_ci_recipes.py runs the other lines
@pytest.mark.parametrize("script", scripts(), ids=lambda script: script[-1].split()[3])
def test_a_job_of_the_guide_checks_a_project_of_another_name(
    script: list[str], hooks: Repository, clean_python: Path, tmp_path: Path
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "model.py").write_text(BREAKS)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n')
    environment = hooks.environment | {"PATH": f"{clean_python}{os.pathsep}{os.environ['PATH']}"}
    lines = ["bash", "-ec", "\n".join(script)]
    done = subprocess.run(lines, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    reports = done.stdout + "".join(path.read_text() for path in tmp_path.glob("*.json"))
    assert "BRK201" in reports, done.stderr
