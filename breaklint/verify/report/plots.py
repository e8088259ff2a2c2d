"""Positions for the page's plots, in per cent of their width, so that text keeps its size on every screen."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, isfinite, log2, log10
from statistics import median
from typing import Any

from breaklint.verify.judge.results import ArmReport, Speedup

View = dict[str, Any]
MARGIN = 3.0
LANES = 5
SLOWEST, FASTEST = 0.25, 8.0
"""The ends of the axis for ratios; what is beyond stands at the rim."""


class Axis:
    """Maps values to per cent of the width, with round ticks."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._high = low, high if high > low else low + (abs(low) or 1.0)

    def at(self, value: float) -> float:
        """The place of a value."""
        share = (value - self._low) / (self._high - self._low)
        return round(MARGIN + (100 - 2 * MARGIN) * min(1.0, max(0.0, share)), 2)

    def ticks(self) -> list[View]:
        """Three to six round values inside the axis."""
        rough = (self._high - self._low) / 4
        power = 10.0 ** floor(log10(rough))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
        first = floor(self._low / step) + (0 if self._low % step == 0 else 1)
        values = [n * step for n in range(int(first), int(self._high / step) + 1)]
        return [{"x": self.at(value), "label": f"{value:.6g}"} for value in values]


def latency(arms: Mapping[str, ArmReport]) -> View | None:
    """Every sample of every arm in milliseconds: points, the middle half and the median."""
    timed = {name: [ms for ms in arm.samples_ms if isfinite(ms)] for name, arm in arms.items() if not arm.error}
    timed = {name: samples for name, samples in timed.items() if samples}
    if not timed:
        return None
    axis = Axis(0.0, max(_without_outliers(samples) for samples in timed.values()) * 1.05)
    return {"rows": [_row(name, samples, axis) for name, samples in timed.items()], "ticks": axis.ticks(), "unit": "ms"}


def _without_outliers(samples: list[float]) -> float:
    """The largest sample, or twice the median: beyond, a point stands at the rim."""
    return min(max(samples), 2 * median(samples))


def _row(name: str, samples: list[float], axis: Axis) -> View:
    ordered = sorted(samples)
    quarter = len(ordered) // 4
    low, high = axis.at(ordered[quarter]), axis.at(ordered[-1 - quarter])
    return {
        "name": name,
        "label": f"{median(samples):.4g} ms",
        "points": [
            {"x": axis.at(ms), "y": 8 + 5 * (n % LANES), "label": f"{ms:.4g} ms"} for n, ms in enumerate(samples)
        ],
        "middle": axis.at(median(samples)),
        "low": low,
        "width": round(max(high - low, 0.3), 2),
    }


def interval_bar(speed: Speedup | None) -> View | None:
    """A ratio with its interval on a logarithmic axis, the same for all, so that cards can be compared."""
    if speed is None:
        return None
    axis = Axis(log2(SLOWEST), log2(FASTEST))
    low, at, high = (
        axis.at(log2(max(ratio, SLOWEST))) for ratio in (speed.interval[0], speed.ratio, speed.interval[1])
    )
    return {"one": axis.at(0.0), "left": low, "width": round(max(high - low, 0.8), 2), "at": at}


def sweep(arms: Mapping[str, ArmReport]) -> View | None:
    """Milliseconds with other sizes, a row a size and a bar an arm; None where only the given one was timed."""
    known = list(dict.fromkeys(name for arm in arms.values() for name in arm.sweep_ms))
    rows = []
    for size in known:
        times = {name: arm.sweep_ms[size] for name, arm in arms.items() if size in arm.sweep_ms}
        longest = max(times.values())
        bars = [{"name": n, "label": f"{ms:.4g} ms", "width": round(100 * ms / longest, 1)} for n, ms in times.items()]
        rows.append({"size": size, "bars": bars})
    return {"rows": rows} if rows else None
