"""Which files are looked at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.source.discovery import discover


def found(folder: Path, *paths: str, **options: object) -> list[str]:
    files = discover([str(folder / path) for path in paths or ("",)], **options).files  # type: ignore[arg-type]
    return [Path(file).relative_to(folder).as_posix() for file in files]


TREES = {
    "only Python files": ({"a.py": "", "b.txt": "", "sub/c.py": ""}, ["a.py", "sub/c.py"]),
    "not what tools make": ({"a.py": "", ".venv/b.py": "", "build/c.py": "", "node_modules/d.py": ""}, ["a.py"]),
    "a file may be called build.py": ({"build.py": ""}, ["build.py"]),
    "gitignore": (
        {".gitignore": "gen_*.py\n/out/\n", "gen_a.py": "", "out/b.py": "", "s/out/c.py": ""},
        ["s/out/c.py"],
    ),
    "nested gitignore": ({"sub/.gitignore": "a.py\n", "a.py": "", "sub/a.py": "", "sub/deep/a.py": ""}, ["a.py"]),
    "an inner gitignore takes back": (
        {".gitignore": "*.py\n", "sub/.gitignore": "!keep.py\n", "a.py": "", "sub/keep.py": "", "sub/b.py": ""},
        ["sub/keep.py"],
    ),
}


@pytest.mark.parametrize(("tree", "expected"), TREES.values(), ids=TREES)
def test_a_folder_is_walked(write_files: WriteFiles, tree: dict[str, str], expected: list[str]) -> None:
    assert found(write_files({".git/HEAD": "", **tree})) == expected


def test_ignore_files_above_the_folder_count_up_to_the_top_of_the_repository(write_files: WriteFiles) -> None:
    folder = write_files(
        {
            ".gitignore": "b.py\n",
            "repo/.git/HEAD": "",
            "repo/.gitignore": "c.py\n",
            "repo/sub/a.py": "",
            "repo/sub/b.py": "",
            "repo/sub/c.py": "",
        }
    )
    assert found(folder, "repo/sub") == ["repo/sub/a.py", "repo/sub/b.py"]


def test_a_folder_or_file_that_is_named_is_taken_although_it_is_ignored(write_files: WriteFiles) -> None:
    folder = write_files({".git/HEAD": "", ".gitignore": "lib/\na.py\n", "a.py": "", "lib/b.py": "", ".venv/c.py": ""})
    assert found(folder, "a.py", "lib", ".venv") == [".venv/c.py", "a.py", "lib/b.py"]


def test_force_exclude_leaves_them_out_all_the_same(write_files: WriteFiles) -> None:
    folder = write_files({".git/HEAD": "", ".gitignore": "lib/\na.py\n", "a.py": "", "b.py": "", "lib/b.py": ""})
    assert found(folder, "a.py", "b.py", "lib/b.py", "lib", force_exclude=True) == ["b.py"]


def test_the_exclude_setting_is_relative_to_the_configuration(write_files: WriteFiles) -> None:
    folder = write_files({"pkg/a.py": "", "pkg/gen/b.py": "", "gen/c.py": ""})
    assert found(folder, "pkg", exclude=("/pkg/gen",), root=str(folder)) == ["pkg/a.py"]


def test_a_file_named_twice_is_looked_at_once(write_files: WriteFiles) -> None:
    assert found(write_files({"a.py": ""}), "", "a.py", "./a.py") == ["a.py"]


def test_a_named_file_needs_no_suffix(write_files: WriteFiles) -> None:
    assert found(write_files({"script": ""}), "script") == ["script"]


def test_loops_of_links_end(write_files: WriteFiles) -> None:
    folder = write_files({"sub/a.py": ""})
    (folder / "sub/again").symlink_to(folder)
    (folder / "dangling.py").symlink_to(folder / "gone.py")
    assert found(folder) == ["sub/a.py"]


@pytest.mark.parametrize(
    ("name", "reason"), [("gone.py", "no such file or folder"), ("pipe", "is not a regular file or folder")]
)
def test_what_cannot_be_looked_at_is_told_in_a_line_and_the_rest_goes_on(
    write_files: WriteFiles, name: str, reason: str
) -> None:
    folder = write_files({"a.py": ""})
    os.mkfifo(folder / "pipe")
    result = discover([str(folder / name), str(folder / "a.py")])
    assert result.errors == (f"{folder / name}: {reason}",)
    assert len(result.files) == 1


def test_paths_are_spelled_as_the_user_spelled_them(write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_files({"pkg/a.py": ""}))
    assert discover(["."]).files == discover(["pkg"]).files == discover(["./pkg/a.py"]).files == ("pkg/a.py",)


def test_a_line_that_is_no_pattern_is_left_out_and_the_others_hold(write_files: WriteFiles) -> None:
    folder = write_files({".git/HEAD": "", ".gitignore": "!\nb.py\nout\\\n", "a.py": "", "b.py": "", "c.py": ""})
    result = discover([str(folder)], exclude=("c.py",), root=str(folder))
    assert [Path(file).name for file in result.files] == ["a.py"]


@pytest.mark.parametrize(("option", "pattern"), [("--exclude", "!"), ("--per-file-ignores", "c\\:BRK2")])
def test_a_setting_that_is_no_pattern_is_an_error(breaklint: RunBreaklint, option: str, pattern: str) -> None:
    done = breaklint("check", option, pattern)
    assert done.returncode == 2
    assert f"`{pattern.partition(':')[0]}` is not a pattern of files" in done.stderr
