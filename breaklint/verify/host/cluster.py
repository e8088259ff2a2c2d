"""Run targets on the workers of a Dask cluster, each a machine or a GPU of its own."""

# mypy: disable-error-code="no-untyped-call"
# (distributed leaves most of its functions untyped)

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from breaklint.errors import BreaklintError, UsageError
from breaklint.verify.host.run import run_target
from breaklint.verify.judge.results import RunReport, TargetReport, Verdict
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.targets import Target, find_target

if TYPE_CHECKING:
    from distributed import Client

GPU = "GPU"


def on_cluster(address: str, wait_s: float = 30.0) -> Callable[..., RunReport]:
    """An executor for a Dask cluster: a target takes one resource `GPU` if some workers declare it."""
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError("--executor dask needs dask.distributed: pip install distributed") from error

    def run(
        names: Sequence[str],
        options: VerifyOptions,
        progress: Callable[[str], None],
        on_report: Callable[[TargetReport], None],
    ) -> RunReport:
        try:
            client = Client(address, timeout=wait_s)
        except (OSError, ValueError) as error:
            raise UsageError(f"--scheduler {address}: no answer ({type(error).__name__}: {error})") from error
        with client:
            return _run_on(client, names, options, on_report)

    return run


def _run_on(
    client: Client, names: Sequence[str], options: VerifyOptions, on_report: Callable[[TargetReport], None]
) -> RunReport:
    from distributed import as_completed

    started = time.perf_counter()
    workers = client.scheduler_info(n_workers=-1)["workers"]
    resources = {GPU: 1} if any(worker["resources"].get(GPU) for worker in workers.values()) else None
    futures: dict[Any, str] = {}
    for name in names:
        try:
            target = find_target(name, options.entries)
        except BreaklintError as error:
            on_report(TargetReport(name, Verdict.ERROR, str(error)))
        else:
            futures[client.submit(_run_one, target, options, pure=False, resources=resources)] = name
    jobs = 0
    try:
        for future in as_completed(list(futures)):
            try:
                report, run, worker = future.result()
            except Exception as error:  # noqa: BLE001 - any failure of the worker is this target's result
                on_report(TargetReport(futures[future], Verdict.ERROR, f"{type(error).__name__}: {error}"))
            else:
                jobs = run.jobs
                on_report(replace(report, ran_on=worker))
    except BaseException:
        client.cancel(list(futures))
        raise
    return RunReport(time.perf_counter() - started, jobs, tuple(sorted(workers)))


def _run_one(target: Target, options: VerifyOptions) -> tuple[TargetReport, RunReport, str]:
    """Runs on a worker; Dask runs it again on another if its worker ends, as often as its configuration allows."""
    from distributed import get_worker

    return *run_target(target, options), get_worker().address
