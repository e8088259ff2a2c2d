"""Find out which functions a target's call runs, before it is decided what to fix."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from breaklint.source.decoding import read_source
from breaklint.verify.host.place import CHECKS, Place
from breaklint.verify.host.run_arms import setup_of
from breaklint.verify.host.workers import ArmError
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.region import Reached
from breaklint.verify.targets.sources import Source, location
from breaklint.verify.targets.targets import Target

PATIENCE_S = 120.0
"""How long a call may take here; what takes longer is taken to reach everything."""


def reached(target: Target, options: VerifyOptions, place: Place) -> Reached:
    """The functions that one uncompiled call runs; of a model that fails, nothing is known, and its arms tell why.

    A fixture is what lies in its folder, and needs no finding out.
    """
    if target.is_fixture:
        return Reached()
    source = Source(target, read_source(str(target.path)).text)
    options = replace(options, timeout_s=min(options.timeout_s, PATIENCE_S))
    with (
        tempfile.TemporaryDirectory(prefix="breaklint-", ignore_cleanup_errors=True) as folder,
        place.slots,
        place.clock.doing(CHECKS),
        place.arm(Path(folder), options.timeout_s) as worker,
    ):
        try:
            worker.load(location(source), setup_of(options, place.kind, Path(folder)))
            functions = worker.ask("reached")["functions"]
        except ArmError:
            return Reached()
    return Reached(frozenset((str(Path(path).resolve()), int(row)) for path, row in functions))
