"""Records what a new user does first, in a repository of their own: exit codes, lines and seconds of each step.

Copies the training code of `captioner/` into a new git repository. There it installs breaklint from a wheel into a new
environment, checks, asks why, fixes, verifies, commits with hooks of pre-commit, and runs the CI recipes of docs/ci.md
as they are printed: git finds a clone of this checkout where they name OWNER. Each revision has its own repository:

    python benchmarks/session/first_ten_minutes.py 8a9cddc HEAD --out benchmarks/results/first-ten-minutes

The Python that runs this needs build, pre-commit, PyYAML, pytest and torch. Its libraries are linked into the new
environment: installing does not include the download of torch. What pip prints is left out. Revisions that the file
holds already and that are not given stay in it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import site
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
sys.path.insert(0, str(CHECKOUT / "tests"))
from documents import blocks  # noqa: E402 -- the reader of the pages' code blocks

ADDRESS = "https://github.com/OWNER/breaklint"
TITLE = "The first ten minutes in another repository"
MODEL = "captioner/model.py::Captioner"
NEW_BREAK = """\
import torch


class Norm(torch.nn.Module):
    def forward(self, x):
        return x / x.norm().item()
"""


@dataclass(frozen=True)
class Step:
    """One command of a user's: how long it took, and what it printed (both streams)."""

    name: str
    command: str
    exit_code: int
    seconds: float
    cpu_seconds: float
    lines: int
    output: str = field(repr=False)


@dataclass(frozen=True)
class Session:
    """A user's repository and environment variables, with the folder for everything that is made."""

    work: Path
    repository: Path
    environment: Mapping[str, str]

    def run(self, name: str, command: str, folder: Path | None = None, **more: str) -> Step:
        """Run a command as a shell does in the user's repository."""
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(
            ["bash", "-ec", command],
            cwd=folder or self.repository,
            env={**self.environment, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        seconds, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        output = done.stdout.replace(str(self.work), "")
        lines = len(output.splitlines())
        print(f"{name}: exit {done.returncode}, {seconds:.1f} s, {lines} lines", file=sys.stderr, flush=True)
        return Step(name, command, done.returncode, round(seconds, 2), round(cpu, 2), lines, output)


def session(work: Path, revision: str) -> Session:
    """A new repository with the training code; the revision's tree stands where recipes name OWNER and TAG."""
    source, repository = work / "breaklint", work / "captioner"
    subprocess.run(["git", "clone", "--quiet", "--shared", str(CHECKOUT), str(source)], check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", revision], cwd=source, check=True)
    subprocess.run(["git", "tag", "--force", "TAG"], cwd=source, check=True, capture_output=True)
    shutil.copytree(HERE / "captioner", repository, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
    (repository / ".gitignore").write_text("__pycache__/\n.breaklint_cache/\n.pytest_cache/\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHONPATH"))}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": "Test", f"GIT_{role}_EMAIL": "test@example.org"}
    instead = {"COUNT": "1", "KEY_0": f"url.{source}.insteadOf", "VALUE_0": ADDRESS}
    environment |= {f"GIT_CONFIG_{key}": value for key, value in instead.items()}
    environment |= {"XDG_CACHE_HOME": str(work / "cache"), "PRE_COMMIT_HOME": str(work / "pre-commit")}
    environment |= {"COLUMNS": "120", "PIP_QUIET": "2"}
    environment["PATH"] = os.pathsep.join([str(work / "venv" / "bin"), environment["PATH"]])
    made = Session(work, repository, environment)
    for command in ("git init -q .", "git add -A", "git commit -q -m 'A model'", "git tag first"):
        subprocess.run(["bash", "-ec", command], cwd=repository, env=environment, check=True)
    return made


def recipes() -> tuple[list[str], list[list[str]]]:
    """The configurations of pre-commit in docs/ci.md, and the shell lines of its CI jobs that install by pip."""
    printed = [yaml.safe_load(block.body) for block in blocks(CHECKOUT / "docs" / "ci.md") if block.language == "yaml"]
    hooks = [yaml.safe_dump(data) for data in printed if "repos" in data]
    jobs = [[step["run"] for step in data if "run" in step] for data in printed if isinstance(data, list)]
    jobs += [data["breaklint"]["script"] for data in printed if "breaklint" in data]
    return hooks, [job for job in jobs if any(ADDRESS in line for line in job)]


def installed(user: Session) -> Iterator[Step]:
    """A wheel, installed into an environment that sees torch."""
    source, venv = user.work / "breaklint", user.work / "venv"
    building = [sys.executable, "-m", "build", "--wheel", "--outdir", str(user.work), str(source)]
    subprocess.run(building, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    (folder,) = venv.glob("lib/python*/site-packages")
    (folder / "libraries.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    (wheel,) = user.work.glob("*.whl")
    # The linked libraries hold breaklint's own dependencies as well, which a user installs.
    yield user.run("install", f"pip install --ignore-installed {wheel.name}", folder=user.work)


def session_steps(user: Session) -> Iterator[Step]:
    """Everything in the order in which the README names it."""
    yield from installed(user)
    yield user.run("check", "breaklint check .")
    ignored = user.repository / ".gitignore"
    good = ignored.read_text()
    ignored.write_text(good + "build\\\n")
    yield user.run("check, a bad line in .gitignore", "breaklint check .")
    ignored.write_text(good)
    yield user.run("check, a line a finding", "breaklint check --output-format concise .")
    yield user.run("why", "breaklint why captioner/layers.py:34")
    yield user.run("rule", "breaklint rule BRK202")
    yield user.run("rule of a graph break", "breaklint rule GB0124")
    yield user.run("config", "breaklint config")
    yield user.run("fixes as a diff", "breaklint check --diff --unsafe-fixes .")
    yield user.run("fix", "breaklint check --fix .")
    yield user.run("the project's tests", "python -m pytest -q -p no:cacheprovider tests")
    yield user.run("verify", f"breaklint verify {MODEL} --devices cpu --quick")
    hooks, jobs = recipes()
    for name, config in zip(("local hook", "hook that installs itself"), hooks, strict=True):
        (user.repository / ".pre-commit-config.yaml").write_text(config)
        (user.repository / "captioner" / "norm.py").write_text(NEW_BREAK)
        python = sys.executable
        subprocess.run([python, "-m", "pre_commit", "install"], cwd=user.repository, env=user.environment, check=True)
        commit = "git add -A captioner/norm.py .pre-commit-config.yaml && git commit -q -m 'A norm'"
        yield user.run(f"commit, {name}", commit)
        (user.repository / "captioner" / "norm.py").write_text(NEW_BREAK.replace(".item()", ""))
        yield user.run(f"commit without the break, {name}", commit)
        subprocess.run(["git", "reset", "-q", "--hard", "first"], cwd=user.repository, check=True)
    for name, lines in zip(("GitHub", "GitLab"), jobs, strict=True):
        runner = user.work / name
        subprocess.run([sys.executable, "-m", "venv", str(runner)], check=True)
        subprocess.run(["git", "clone", "-q", str(user.repository), str(runner / "src")], check=True)
        path = os.pathsep.join([str(runner / "bin"), user.environment["PATH"]])
        yield user.run(f"CI recipe, {name}", "\n".join(lines), folder=runner, PATH=path)


def figures(recorded: Mapping[str, list[Step]]) -> str:
    """The table of all revisions, and what the last one printed."""
    names = list(dict.fromkeys(step.name for steps in recorded.values() for step in steps))
    by_name = {revision: {step.name: step for step in steps} for revision, steps in recorded.items()}
    head = "".join(f" {revision}: exit | lines | s | CPU s |" for revision in recorded)
    rows = [f"| step |{head}", "|---|" + "--:|--:|--:|--:|" * len(recorded)]
    for name in names:
        cells = ""
        for steps in by_name.values():
            step = steps[name]
            cells += f" {step.exit_code} | {step.lines} | {step.seconds:.1f} | {step.cpu_seconds:.1f} |"
        rows.append(f"| {name} |{cells}")
    last = list(recorded)[-1]
    printed = [
        f"### {step.name}\n\n```console\n$ {step.command}\n{step.output.rstrip()}\n[exit code {step.exit_code}]\n```"
        for step in recorded[last]
    ]
    title = f"# {TITLE}\n\nRecorded by `benchmarks/session/first_ten_minutes.py`."
    return "\n\n".join([title, "\n".join(rows), f"## What {last} prints", *printed]) + "\n"


def named(revision: str) -> str:
    """The short name of a commit."""
    parsed = ["git", "rev-parse", "--short", revision]
    return subprocess.run(parsed, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Record each revision that is given; `--out` names the files without their endings."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("revisions", nargs="+")
    arguments.add_argument("--out", type=Path, required=True)
    given = arguments.parse_args()
    file: Path = given.out.with_suffix(".json")
    known = json.loads(file.read_text())["steps"] if file.exists() else {}
    recorded = {revision: [Step(command="", output="", **row) for row in rows] for revision, rows in known.items()}
    for revision in map(named, given.revisions):
        with tempfile.TemporaryDirectory() as folder:
            recorded.pop(revision, None)
            recorded[revision] = list(session_steps(session(Path(folder), revision)))
    given.out.with_suffix(".md").write_text(figures(recorded))
    where = {"python": platform.python_version(), "machine": platform.machine()}
    kept = {
        revision: [{k: v for k, v in asdict(step).items() if k not in ("output", "command")} for step in steps]
        for revision, steps in recorded.items()
    }
    file.write_text(json.dumps({"environment": where, "steps": kept}, indent=1) + "\n")


if __name__ == "__main__":
    main()
