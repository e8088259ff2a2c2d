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
    """An executor for the cluster whose scheduler is at `address` and has to answer within `wait_s` seconds.

    Workers need breaklint, torch and the same files at the same paths. Where some declare the resource `GPU`, every
    target takes one of them.

    Raises:
        UsageError: dask.distributed is not installed, or no scheduler answers.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError("--executor dask needs dask.distributed: pip install distributed") from error

    def run(
        names: Sequence[str],
        options: VerifyOptions,
        progress: Callable[[str], None],
        done: Callable[[TargetReport], None],
    ) -> RunReport:
        try:
            client = Client(address, timeout=wait_s)
        except (OSError, ValueError) as error:
            raise UsageError(f"--scheduler {address}: no answer ({type(error).__name__}: {error})") from error
        with client:
            return _Cluster(client, options, done).run(names)

    return run


class _Cluster:
    def __init__(
        self,
        client: Client,
        options: VerifyOptions,
        done: Callable[[TargetReport], None],
    ) -> None:
        self._client, self._options, self._done = client, options, done
        self._runs: list[RunReport] = []

    def run(self, names: Sequence[str]) -> RunReport:
        from distributed import as_completed

        started = time.perf_counter()
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        wants = {GPU: 1} if any(worker["resources"].get(GPU) for worker in workers.values()) else None
        futures = {}
        for name in names:
            target = self._found(name)
            if target is not None:
                future = self._client.submit(_run_one, target, self._options, pure=False, resources=wants)
                futures[future] = name
        try:
            for future in as_completed(list(futures)):
                self._finished(futures[future], future)
        except BaseException:
            self._client.cancel(list(futures))
            raise
        wall = time.perf_counter() - started
        jobs = self._runs[0].jobs if self._runs else 0
        return RunReport(wall, jobs, tuple(sorted(workers)))

    def _found(self, name: str) -> Target | None:
        try:
            return find_target(name, self._options.entries)
        except BreaklintError as error:
            self._done(TargetReport(name, Verdict.ERROR, str(error)))
            return None

    def _finished(self, name: str, future: Any) -> None:
        try:
            report, run, worker = future.result()
        except Exception as error:  # noqa: BLE001 - whatever ended the worker, or broke in it, is this target's result
            self._done(TargetReport(name, Verdict.ERROR, f"{type(error).__name__}: {error}"))
            return
        self._runs.append(run)
        self._done(replace(report, ran_on=worker))


def _run_one(target: Target, options: VerifyOptions) -> tuple[TargetReport, RunReport, str]:
    """Runs on a worker; Dask runs it again on another if its worker ends, as often as its configuration allows."""
    from distributed import get_worker

    return *run_target(target, options), get_worker().address
