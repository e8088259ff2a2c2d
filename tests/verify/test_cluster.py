"""Targets on a real Dask cluster of two workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_files import model

from breaklint.verify.command import verify
from breaklint.verify.judge.results import TargetReport, Verdict
from breaklint.verify.options import VerifyOptions

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

# The file is imported in an arm, the arm was forked by a process, and that one is the worker's child.
KILLS_ITS_WORKER = """\
mark = MARK
if not os.path.exists(mark) or ALWAYS:
    open(mark, "w").close()
    os.kill(int(open(f"/proc/{os.getppid()}/stat").read().split()[3]), 9)
    time.sleep(60)
"""
WHOLE = "return x * self.scale"


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, TargetReport]:
    folder = tmp_path_factory.mktemp("cluster")
    files = {
        "breaks": model("y = x * self.scale\nprint('hidden')\nreturn y + 1"),
        "whole": model(WHOLE),
        "kills-once": model(WHOLE) + killing(folder / "once", always=False),
        "kills-always": model(WHOLE) + killing(folder / "always", always=True),
    }
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    options = VerifyOptions(device="cpu", backend="eager", rounds=3, timeout_s=120.0, retime_s=0.0)
    names = [str(folder / f"{name}.py") for name in files] + ["gone.py"]
    with _cluster() as address:
        from breaklint.verify.host.cluster import on_cluster

        told: list[str] = []
        report = verify(names, options, told.append, on_cluster(address))
    return {Path(target.target).stem: target for target in report.targets}


def killing(mark: Path, always: bool) -> str:
    return KILLS_ITS_WORKER.replace("MARK", repr(str(mark))).replace("ALWAYS", str(always))


class _cluster:
    def __enter__(self) -> str:
        self._cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        return str(self._cluster.scheduler_address)

    def __exit__(self, *_: object) -> None:
        self._cluster.close()


def test_verdicts_are_those_of_a_local_run(reports: dict[str, TargetReport]) -> None:
    assert reports["whole"].verdict is Verdict.CLEAN
    assert [broken.gb for broken in reports["breaks"].arms["before"].breaks] == ["GB0059"]
    assert reports["breaks"].arms["after"].breaks == ()
    assert reports["gone"].verdict is Verdict.ERROR


def test_reports_name_the_worker(reports: dict[str, TargetReport]) -> None:
    assert reports["whole"].ran_on.startswith("tcp://")


def test_a_lost_worker_is_named_and_its_target_run_again(reports: dict[str, TargetReport]) -> None:
    report = reports["kills-once"]
    assert report.verdict is Verdict.CLEAN
    assert "(lost on tcp://" in report.ran_on


def test_a_target_that_loses_two_workers_is_given_up_with_both_named(reports: dict[str, TargetReport]) -> None:
    report = reports["kills-always"]
    assert report.verdict is Verdict.ERROR
    assert report.why.count("tcp://") == 2


def test_a_scheduler_that_does_not_answer_is_an_error_with_its_address() -> None:
    from breaklint.errors import UsageError
    from breaklint.verify.host.cluster import on_cluster

    with pytest.raises(UsageError, match=r"tcp://127\.0\.0\.1:9: no answer"):
        on_cluster("tcp://127.0.0.1:9", wait_s=1)([], VerifyOptions(), print, print)


@pytest.mark.parametrize(
    ("address", "files", "words"),
    [
        ("tls://host:1", {}, "needs --tls-ca, --tls-cert and --tls-key"),
        ("tls://host:1", {"ca": "a.pem"}, "--tls-cert, --tls-key is missing"),
        ("tcp://host:1", {"ca": "a", "cert": "b", "key": "c"}, "begins with tls://"),
        ("tls://host:1", {"ca": "a", "cert": "b", "key": "c"}, "--tls-ca a: no such file"),
    ],
)
def test_half_of_what_encryption_needs_is_refused(address: str, files: dict[str, str], words: str) -> None:
    from breaklint.errors import UsageError
    from breaklint.verify.host.cluster import Tls, on_cluster

    with pytest.raises(UsageError, match=words):
        on_cluster(address, tls=Tls(**files))
