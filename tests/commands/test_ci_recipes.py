"""The GitHub Action and the recipes of docs/ci.md: their shell steps run here as a runner runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from documents import blocks, shell, shell_environment
from harness import PROJECT
from schemas import stored_schema

ACTION: dict[str, Any] = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
GUIDE = PROJECT / "docs" / "ci.md"
MODEL = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * x.mean().item()


def get_inputs():
    return [torch.randn(4, 8)]
"""


@dataclass
class Ran:
    """What a step did: its exit code and output, and the files that GitHub reads afterwards."""

    status: int
    printed: str
    outputs: str
    summary: str


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "model.py").write_text(MODEL)
    return folder


def run_step(name: str, folder: Path, **given: str) -> Ran:
    """Run a step with these inputs, in the environment and the shell that GitHub's documentation describes."""
    inputs = {key: str(entry["default"]) for key, entry in ACTION["inputs"].items()} | given
    values = {f"inputs.{key}": value for key, value in inputs.items()}
    environment = {key: expanded(text, values) for key, text in STEPS[name]["env"].items()}
    files = {key: folder.parent / key for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP")}
    files["RUNNER_TEMP"].mkdir(exist_ok=True)
    for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        files[key].write_text("before\n")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(PROJECT),
            **environment,
            **{key: str(file) for key, file in files.items()},
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return Ran(
        done.returncode, done.stdout, files["GITHUB_OUTPUT"].read_text(), files["GITHUB_STEP_SUMMARY"].read_text()
    )


def expanded(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: values[found[1]], text)


def test_the_action_is_what_github_expects() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = stored_schema(b"metadata-syntax-for-github-actions", b"draft-07")
    jsonschema.validate(ACTION, schema)


def test_the_check_step_annotates_and_summarises_and_leaves_sarif(project: Path) -> None:
    ran = run_step("Check", project, python=sys.executable, paths="src")
    assert ran.status == 1
    assert "::error" in ran.printed
    assert "file=src/model.py,line=6" in ran.printed
    assert ran.summary.startswith("before\n")
    assert "BRK201" in ran.summary
    sarif = Path(ran.outputs.splitlines()[-1].removeprefix("sarif="))
    assert json.loads(sarif.read_text())["runs"][0]["results"][0]["ruleId"] == "BRK201"


def test_further_options_reach_check(project: Path) -> None:
    assert run_step("Check", project, python=sys.executable, paths="src", args="--ignore BRK2").status == 0


def test_a_check_that_cannot_run_says_why(project: Path) -> None:
    ran = run_step("Check", project, python=sys.executable, paths="nowhere")
    assert ran.status == 2
    assert "nowhere" in ran.printed


@pytest.mark.parametrize(
    ("target", "statuses"),
    [
        ("src/gone.py::Net", {2}),  # for which no torch is needed
        pytest.param("src/model.py::Net", {0, 3}, marks=pytest.mark.nightly),  # noise may leave it open
    ],
)
def test_the_verify_step_writes_the_summary(project: Path, target: str, statuses: set[int]) -> None:
    pytest.importorskip("torch")
    options = "--devices cpu --backend eager --rounds 3"
    ran = run_step("Verify", project, python=sys.executable, verify=target, **{"verify-args": options})
    assert ran.status in statuses, ran.printed
    assert ran.summary.startswith("before\n")
    assert target in ran.summary


@pytest.mark.parametrize(("verify", "extra"), [("", ""), ("model.py::Net", "[verify]")])
def test_the_install_step_asks_for_the_checkout(
    project: Path, monkeypatch: pytest.MonkeyPatch, verify: str, extra: str
) -> None:
    """pip itself is not run, since it would need a network: a module of its name tells what it is asked."""
    (project / "pip.py").write_text("import sys\nprint(sys.argv[1:])\n")
    monkeypatch.setenv("GITHUB_ACTION_PATH", str(PROJECT))
    ran = run_step("Install breaklint", project, python=sys.executable, verify=verify)
    assert (ran.status, ran.printed) == (0, f"['install', '--quiet', '{PROJECT}{extra}']\n")


@pytest.mark.parametrize("name", ACTION["inputs"])
def test_every_input_is_used_and_documented(name: str) -> None:
    assert f"inputs.{name} " in json.dumps(ACTION["runs"])
    assert f"| `{name}` |" in GUIDE.read_text("utf-8")


def recipes() -> list[str]:
    """The breaklint commands in the YAML of the guide: `run:` of GitHub, `script:` of GitLab."""
    result: list[str] = []
    for block in blocks(GUIDE):
        data = yaml.safe_load(block.body) if block.language == "yaml" else None
        steps = data if isinstance(data, list) else []
        result += [step["run"] for step in steps if "run" in step]
        jobs = data.values() if isinstance(data, dict) else []
        result += [line for job in jobs if isinstance(job, dict) for line in job.get("script", [])]
    return sorted({line for line in result if line.startswith("breaklint")})


@pytest.mark.parametrize("command", recipes())
def test_a_recipe_of_the_guide_runs(command: str, project: Path, tmp_path: Path) -> None:
    done = shell(command, project, shell_environment(tmp_path))
    assert done.returncode == (0 if "--exit-zero" in command else 1), done.stdout


def test_the_guide_has_recipes_for_both() -> None:
    assert any("gitlab" in command for command in recipes())
    assert any("sarif" in command for command in recipes())
