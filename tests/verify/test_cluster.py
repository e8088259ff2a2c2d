"""Targets on a real Dask cluster of two workers."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from model_files import model

from breaklint.verify.command import verify
from breaklint.verify.judge.results import TargetReport, Verdict
from breaklint.verify.options import VerifyOptions

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

# An interpreter of arms that ends the worker which starts it; the first time only, where there is a mark to leave.
KILLS_ITS_WORKER = """\
#!/bin/sh
if KILLS; then
    kill -9 $PPID
    sleep 60
fi
exec PYTHON "$@"
"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, TargetReport]:
    folder = tmp_path_factory.mktemp("cluster")
    whole = model("return x * self.scale")
    files = {
        "breaks": model("y = x * self.scale\nprint('hidden')\nreturn y + 1"),
        "loses-one": whole,
    }
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    pythons = {
        "breaks": "",
        "loses-one": killing(folder / "once", f"mkdir {folder / 'mark'}"),
    }
    options = VerifyOptions(devices=("cpu",), backend="eager", rounds=3, timeout_s=120.0)
    told: list[str] = []
    reports: list[TargetReport] = []
    with _cluster() as address:
        from breaklint.verify.host.cluster import on_cluster

        for name, python in pythons.items():
            names = [str(folder / f"{name}.py"), *(["gone.py"] if name == "breaks" else [])]
            reports += verify(names, replace(options, python=python), told.append, on_cluster(address)).targets
    return {Path(target.target).stem: target for target in reports}


def killing(path: Path, condition: str) -> str:
    path.write_text(KILLS_ITS_WORKER.replace("KILLS", condition).replace("PYTHON", sys.executable))
    path.chmod(0o755)
    return str(path)


class _cluster:
    def __enter__(self) -> str:
        self._cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        return str(self._cluster.scheduler_address)

    def __exit__(self, *_: object) -> None:
        self._cluster.close()


def test_verdicts_are_those_of_a_local_run(reports: dict[str, TargetReport]) -> None:
    assert [broken.gb for broken in reports["breaks"].arms["before"].breaks] == ["GB0059"]
    assert reports["breaks"].arms["after"].breaks == ()
    assert reports["gone"].verdict is Verdict.ERROR


def test_reports_name_the_worker(reports: dict[str, TargetReport]) -> None:
    assert reports["breaks"].ran_on.startswith("tcp://")


def test_a_target_whose_worker_ends_is_run_again_on_another(reports: dict[str, TargetReport]) -> None:
    assert reports["loses-one"].verdict is Verdict.CLEAN


def test_a_scheduler_that_does_not_answer_is_an_error_with_its_address() -> None:
    from breaklint.errors import UsageError
    from breaklint.verify.host.cluster import on_cluster

    with pytest.raises(UsageError, match=r"tcp://127\.0\.0\.1:9: no answer"):
        on_cluster("tcp://127.0.0.1:9", wait_s=1)([], VerifyOptions(), print, print)
