"""Run targets on the workers of a Dask cluster, each a machine or a GPU of its own."""

# mypy: disable-error-code="no-untyped-call"
# (distributed leaves most of its functions untyped)

from __future__ import annotations

import time
import uuid
from collections import defaultdict
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
TRIES = 2
EVENT_WAITS, EVENT_WAIT_S = 1000, 0.01


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
            return _Cluster(client, options, progress, done).run(names)

    return run


class _Cluster:
    def __init__(
        self,
        client: Client,
        options: VerifyOptions,
        progress: Callable[[str], None],
        done: Callable[[TargetReport], None],
    ) -> None:
        self._client, self._options, self._progress, self._done = client, options, progress, done
        self._topic = f"breaklint-{uuid.uuid4().hex}"
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
                future = self._client.submit(_run_one, target, self._options, self._topic, pure=False, resources=wants)
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
        tried = self._starts()[name]
        lost = ", ".join(tried[:-1])
        try:
            report, run = future.result()
        except Exception as error:  # noqa: BLE001 - whatever ended the worker, or broke in it, is this target's result
            gone = ", ".join(tried)
            why = f"lost on {gone} ({type(error).__name__})" if tried else f"{type(error).__name__}: {error}"
            self._done(TargetReport(name, Verdict.ERROR, why, ran_on=gone))
            return
        self._runs.append(run)
        if lost:
            self._progress(f"{name}: worker {lost} was lost; run again on {tried[-1]}")
        self._done(replace(report, ran_on=f"{tried[-1]}{f' (lost on {lost})' if lost else ''}"))

    def _starts(self) -> dict[str, list[str]]:
        """The workers on which each target was started, in order."""
        return _starts(self._client.get_events(self._topic))


def _starts(events: Any) -> dict[str, list[str]]:
    started: dict[str, list[str]] = defaultdict(list)
    for _, event in events or ():
        started[event["target"]].append(event["worker"])
    return started


class LostTwiceError(RuntimeError):
    """Two workers went away while they ran the same target."""


def _run_one(target: Target, options: VerifyOptions, topic: str) -> tuple[TargetReport, RunReport]:
    """Runs on a worker."""
    from distributed import get_client, get_worker

    client, worker = get_client(), get_worker()
    tried = _starts(client.get_events(topic))[target.name]
    if len(tried) >= TRIES:
        raise LostTwiceError(f"{target.name} ended {' and '.join(tried)}")
    worker.log_event(topic, {"target": target.name, "worker": worker.address})
    # It is sent in the background: a worker that ended before it was would not be known to have started.
    for _ in range(EVENT_WAITS):
        if len(_starts(client.get_events(topic))[target.name]) > len(tried):
            break
        time.sleep(EVENT_WAIT_S)
    return run_target(target, options)
