from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import arm_servers
import pytest
from model_files import model

from breaklint.verify.command import verify
from breaklint.verify.judge.results import TargetReport
from breaklint.verify.options import VerifyOptions

Folder = Callable[..., Path]


@pytest.fixture(scope="session", autouse=True)
def servers() -> Iterator[None]:
    """What imports torch for the arms of one run does so for all."""
    arm_servers.keep_all()
    yield
    arm_servers.close()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Writes a fixture folder from the forward methods before and after."""

    def write(before: str, after: str | None = None) -> Path:
        (tmp_path / "before.py").write_text(model(before), encoding="utf-8")
        if after is not None:
            (tmp_path / "after.py").write_text(model(after), encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture(scope="session")
def examine() -> Callable[..., TargetReport]:
    """Verifies one target on the CPU with a backend that compiles nothing, so that a run takes seconds."""

    def run(target: Path | str, **options: object) -> TargetReport:
        seen: list[str] = []
        chosen = {"devices": ("cpu",), "backend": "eager", "rounds": 3, "timeout_s": 300.0} | options
        return verify([str(target)], VerifyOptions(**chosen), seen.append).targets[0]  # type: ignore[arg-type]

    return run
