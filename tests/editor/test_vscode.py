"""The extension for Visual Studio Code: packaged as it is published, and its server started as it starts it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from harness import PROJECT

EXTENSION = PROJECT / "editor/vscode"
UNREACHABLE = re.compile(r"ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|E40[134]\b|network")


def manifest() -> dict[str, object]:
    data: dict[str, object] = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    return data


def npm(folder: Path, *arguments: str) -> str:
    """What npm prints; skips where the registry cannot be reached."""
    done = subprocess.run(["npm", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode and UNREACHABLE.search(done.stderr):
        pytest.skip(f"npm's registry cannot be reached: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the extension with the library that it depends on."""
    if not (shutil.which("npm") and shutil.which("node")):
        pytest.skip("no npm and node on the PATH")
    folder = tmp_path_factory.mktemp("vscode") / "extension"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    npm(folder, "ci", "--no-audit", "--no-fund")
    return folder


def test_the_manifest_names_what_is_there_and_the_version_of_breaklint() -> None:
    described = manifest()
    version = re.search(r'__version__ = "(.+)"', (PROJECT / "breaklint/__init__.py").read_text("utf-8"))
    assert version is not None
    assert described["version"] == version[1]
    assert (EXTENSION / str(described["main"])).is_file()
    settings = set(re.findall(r'"breaklint\.(\w+)": \{', (EXTENSION / "package.json").read_text("utf-8")))
    assert settings == set(
        re.findall(r'configuration\.get\("(\w+)"\)', (EXTENSION / "extension.js").read_text("utf-8"))
    )


def test_its_settings_and_actions_are_documented() -> None:
    page = (EXTENSION / "README.md").read_text("utf-8")
    assert {"breaklint.command", "breaklint.arguments"} <= set(re.findall(r"`(breaklint\.\w+)`", page))
    assert set(re.findall(r"source\.fixAll\.\w+", page)) == {"source.fixAll.breaklint"}


@pytest.mark.nightly  # npm fetches the library for it; by day test_editor.py runs the server
def test_it_starts_the_server_and_gets_findings_and_the_server_ends_with_0(installed: Path) -> None:
    pytest.importorskip("pygls")
    command = installed.parent / "breaklint"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m breaklint "$@"\n')
    command.chmod(0o755)
    done = subprocess.run(
        ["node", "test/server.js", str(command), "--select", "BRK2"],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"codes": ["BRK201"], "hover": True, "code": 0}


@pytest.mark.nightly  # vsce is fetched for it
def test_it_is_packaged_with_all_that_it_needs(installed: Path) -> None:
    npm(installed, "run", "package")
    with zipfile.ZipFile(installed / "breaklint.vsix") as package:
        names = {name.removeprefix("extension/") for name in package.namelist()}
        packed = json.loads(package.read("extension/package.json"))
    assert packed["main"] == "./extension.js"
    assert {"extension.js", "server.js", "readme.md", "node_modules/vscode-languageclient/package.json"} <= names
    assert not {name for name in names if name.startswith(("test/", "breaklint.vsix"))}


@pytest.mark.parametrize("script", ["extension.js", "server.js", "test/server.js"])
def test_its_scripts_parse(script: str) -> None:
    if not shutil.which("node"):
        pytest.skip("no node on the PATH")
    subprocess.run(["node", "--check", script], cwd=EXTENSION, check=True, timeout=60)
