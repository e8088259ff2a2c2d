"""Settings, repositories and caches that strangers wrote: nothing runs, nothing else is written, nothing hangs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.errors import TargetError
from breaklint.verify.targets.revisions import texts_at

MODEL = "import torch\n\n\n@torch.compile\ndef f(x):\n    return x.item()\n"
PROGRAMS = (
    "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "filter.e=v.clean", "diff.evil.command",
    "diff.evil.textconv", "diff.external", "core.fsmonitor", "core.pager", "core.sshCommand", "core.editor",
    "alias.diff", "alias.config", "gpg.program", "credential.helper", "uploadpack.packObjectsHook",
)  # fmt: skip


def in_git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.email=a@example.org", "-c", "user.name=a", "-c", "advice.addEmbeddedRepo=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)


def committed(folder: Path) -> None:
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        in_git(folder, *command)


@pytest.fixture
def repository(write_files: WriteFiles) -> Path:
    """A repository with changed files, whose configuration names a program wherever git knows one.

    So does that of its submodule, which is called like a file of Python.
    """
    attributes = "*.py filter=evil diff=evil\nb.py filter=e=v\n"
    folder = write_files({"a.py": MODEL, "b.py": MODEL, ".gitattributes": attributes})
    write_files({"sub.py/.gitattributes": "*.py filter=inner\n", "sub.py/b.py": MODEL})
    committed(folder / "sub.py")
    committed(folder)
    for place in (folder, folder / "sub.py"):
        for key in (*PROGRAMS, *(["filter.inner.clean"] if place != folder else [])):
            in_git(place, "config", key, f"touch '{folder}/ran {key}'; cat")
        hook = place / ".git/hooks/post-index-change"
        hook.write_text(f"#!/bin/sh\ntouch '{folder}/ran hook'\n")
        hook.chmod(0o755)
    for name in ("a.py", "b.py"):
        (folder / name).write_text(MODEL.replace("return", "y =") + "    return y\n")
    (folder / "sub.py/b.py").write_text(MODEL.replace("item", "mean"))  # of the same size: git has to compare
    return folder


def ran(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("ran *")]


def test_since_runs_nothing_that_a_repository_names(repository: Path, breaklint: RunBreaklint) -> None:
    done = breaklint("check", "--since", "HEAD", "--output-format", "concise")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.count("BRK201") == 2
    assert ran(repository) == []


def test_before_runs_nothing_that_a_repository_names(repository: Path) -> None:
    assert {*texts_at("HEAD", repository / "a.py").values()} == {MODEL}
    assert ran(repository) == []


def test_the_repository_would_run_its_filters_and_those_of_its_submodule(repository: Path) -> None:
    for path in ("a.py", "sub.py"):
        subprocess.run(["git", "diff", "--name-only", "HEAD", path], cwd=repository, check=False, capture_output=True)
        assert [name for name in ran(repository) if name.startswith("ran filter")]
        for mark in repository.glob("ran *"):
            mark.unlink()


@pytest.fixture
def partial_clone(write_files: WriteFiles) -> Path:
    """A repository that lacks the text of a file; its configuration names a program that would bring it."""
    folder = write_files({"a.py": MODEL})
    committed(folder)
    shown = subprocess.run(["git", "rev-parse", "HEAD:a.py"], cwd=folder, capture_output=True, text=True, check=True)
    name = shown.stdout.strip()
    (folder / ".git/objects" / name[:2] / name[2:]).unlink()
    settings = {
        "core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
        "remote.origin.url": ".", "remote.origin.uploadpack": f"touch '{folder}/ran uploadpack'; git-upload-pack",
    }  # fmt: skip
    for key, value in settings.items():
        in_git(folder, "config", key, value)
    (folder / "a.py").write_text(MODEL.replace("return", "y ="))
    return folder


def test_what_a_partial_clone_lacks_is_not_fetched(partial_clone: Path, breaklint: RunBreaklint) -> None:
    done = breaklint("check", "--since", "HEAD")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "in a partial clone" in done.stderr
    with pytest.raises(TargetError, match="--before HEAD: "):
        texts_at("HEAD", partial_clone / "a.py")
    assert ran(partial_clone) == []


def test_a_pattern_that_keeps_the_search_busy_is_told(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({".gitignore": f"{'a*' * 40}b\n", f"{'a' * 200}.py": MODEL})
    done = breaklint("check", BREAKLINT_FILE_SECONDS="1")
    assert done.returncode == 2
    assert "the search for files took more than 1 s of processor time: fix the patterns of .gitignore" in done.stderr
    assert done.stderr.count("\n") == 1


LINKS = (".gitignore", "CACHEDIR.TAG")


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("exists", [True, False], ids=["to a file", "to nothing"])
def test_links_in_a_cache_that_came_along_are_not_written_through(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path, name: str, exists: bool
) -> None:
    write_files({"tree/model.py": MODEL, "tree/breaklint.toml": "", **({"mine": "mine"} if exists else {})})
    (tmp_path / "tree/.breaklint_cache").mkdir()
    (tmp_path / "tree/.breaklint_cache" / name).symlink_to("../../mine")
    breaklint("check", "tree")
    assert (tmp_path / "mine").exists() is exists
    assert not exists or (tmp_path / "mine").read_text() == "mine"


EXTENDED = ["password = hunter2", "hunter2", '{"hunter2": 1}', "[hunter2\n", "select = 'hunter2"]
CARDS = ["root:hunter2: x", "[hunter2", "\thunter2", "- hunter2", "hunter2: {"]


@pytest.mark.parametrize(
    ("setting", "text"),
    [*(('extend = "../secret"', text) for text in EXTENDED), *(('rules = ["../secret"]', text) for text in CARDS)],
)
def test_a_file_that_a_configuration_names_is_not_read_out(
    write_files: WriteFiles, breaklint: RunBreaklint, setting: str, text: str
) -> None:
    write_files({"secret": text, "tree/model.py": MODEL, "tree/breaklint.toml": f"{setting}\n"})
    done = breaklint("check", "tree")
    assert (done.returncode, done.stdout) == (2, "")
    assert "hunter2" not in done.stderr


ESCAPES = "\x1b[31m\x1b]0;title\x07"
TOML_ESCAPES = "\\u001b[31m\\u001b]0;title\\u0007"
CARD = f"""\
code: MINE001
name: mine
summary: "mine {TOML_ESCAPES}"
effect: break
severity: error
why: "mine {TOML_ESCAPES}"
help: "mine {TOML_ESCAPES}"
dynamo: [GB0124]
match: {{calls: [torch.mine]}}
examples:
- bad: |
    import torch
    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.mine(x)  # break
  inputs: [f32[4]]
"""
COMMANDS = (
    ["check"], ["check", "--diff", "--unsafe-fixes"], ["check", "--show-files"], ["check", "--show-settings"],
    ["config"], ["check", "--output-format", "concise"], ["rule"], ["rule", "MINE001"], ["rule", "--all"],
    ["test", "--static"], ["verify", "two"], ["verify", f"gone{ESCAPES}.py"], ["check", f"gone{ESCAPES}.py"],
    ["check", "bad"], ["config", "bad"], ["report", "merge", f"gone{ESCAPES}"],
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=repr)
def test_what_strangers_wrote_gives_a_terminal_no_orders(
    write_files: WriteFiles, breaklint: RunBreaklint, command: list[str]
) -> None:
    key = f'"{TOML_ESCAPES}"'
    write_files({
        f"m{ESCAPES}.py": MODEL, f"b{ESCAPES}.py": MODEL + "(", "card.yaml": CARD, f"bad/{ESCAPES}.py": "",
        "breaklint.toml": f'rules = ["card.yaml"]\nexclude = [{key}]\n[per-file-ignores]\n{key} = ["BRK9"]\n'
        f'[[verify]]\nname = "two"\ntarget = {key}\n',
        "bad/breaklint.toml": f"{key} = 1\n",
    })  # fmt: skip
    done = breaklint(*command)
    assert not {"\x1b", "\x07"} & set(done.stdout + done.stderr)
    assert "bug in breaklint" not in done.stderr


DEEP = 100_000
TOO_MUCH = {
    "a card that is too long": ({"card.yaml": "[],\n" * 200_000}, "card.yaml: is larger than 500 kB"),
    "a card that is nested too deeply": ({"card.yaml": "[" * DEEP}, "card.yaml: is nested too deeply"),
    "a card that is nested deeply and whole": ({"card.yaml": "[" * 600 + "]" * 600}, "card.yaml"),
    "a configuration that is too long": ({"breaklint.toml": "# \n" * 200_000}, "breaklint.toml: is larger than 500 kB"),
    "a configuration that is nested too deeply": (
        {"breaklint.toml": f"a = {'[' * DEEP}{']' * DEEP}"},
        "breaklint.toml: is nested too deeply",
    ),
}


@pytest.mark.parametrize(("files", "line"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_settings_beyond_all_limits_are_one_line(
    write_files: WriteFiles, breaklint: RunBreaklint, files: dict[str, str], line: str
) -> None:
    write_files({"breaklint.toml": 'rules = ["card.yaml"]\n', "card.yaml": CARD, "m.py": MODEL, **files})
    done = breaklint("check", "m.py")
    assert done.returncode == 2
    assert line in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
