"""The CPU time of `breaklint check` by module, and the number of evaluated expressions.

    python benchmarks/speed/profile_check.py transformers/models/llama timm
    python benchmarks/speed/profile_check.py --functions 30 transformers

Two runs in one process: the first is sampled every 4 ms of CPU time, the second counts evaluated expressions. Shares
are of all samples: `self` is the time in a module's own code, `inclusive` also that of its callees. Expressions are
counted by the class of the code: traced, constructors (and module level), repeated (calls in turn); each in the checked
file or in one that it imports, with the number of distinct expressions of each file.
"""

from __future__ import annotations

import argparse
import os
import signal
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from unittest import mock

from breaklint.interp.frame import Frame, Node
from breaklint.interp.lattice import Value
from breaklint.interp.repeated_calls import RepeatedCalls
from breaklint.lint.engine import Engine
from breaklint.lint.run import run
from breaklint.lint.workers import Mode
from breaklint.model import FileResult, Settings

INTERVAL = 0.004  # seconds of CPU time
PACKAGE = f"{Path(__file__).resolve().parents[2] / 'breaklint'}{os.sep}"
Names = tuple[str, str]  # a file, and a function in it


class Samples:
    """How often code was on the stack, and on top of it."""

    def __init__(self) -> None:
        self.total, self.self_time, self.inclusive = 0, Counter[Names](), Counter[Names]()

    def take(self, _signal: int, frame: FrameType | None) -> None:
        """Note the stack."""
        stack = list(_stack(frame))
        self.total += 1
        self.self_time[stack[0]] += 1
        self.inclusive.update(set(stack))
        self.inclusive.update({(file, "") for file, _ in stack})

    def rows(self, counts: Counter[Names], most: int, functions: bool) -> Iterator[str]:
        """The largest shares, of functions or of whole files."""
        shares: Counter[str] = Counter()
        for (file, function), count in counts.items():
            if functions and function:
                shares[f"{file} {function}"] += count
            elif not functions and (counts is self.self_time or not function):
                shares[file] += count
        for name, count in shares.most_common(most):
            yield f"{100 * count / self.total:6.1f} %  {name}"


def _stack(frame: FrameType | None) -> Iterator[Names]:
    while frame is not None:
        path = frame.f_code.co_filename
        yield path[len(PACKAGE) :] if path.startswith(PACKAGE) else path, frame.f_code.co_qualname
        frame = frame.f_back


class Expressions:
    """How many expressions were evaluated, by class of code, and how many distinct ones in each file."""

    def __init__(self) -> None:
        self.counts, self.distinct = Counter[str](), Counter[str]()
        self._nodes: defaultdict[str, set[int]] = defaultdict(set)
        self._evaluate, self._check = Frame.eval, Engine.check

    def evaluate(self, frame: Frame, node: Node) -> Value:
        """Count and evaluate."""
        kind = "traced" if frame.context.traced else "constructors"
        if isinstance(frame.interp, RepeatedCalls):
            kind = "repeated"
        checked = frame.module is frame.interp.project.checked
        name = f"{kind}, {'checked file' if checked else 'imported'}"
        self.counts[name] += 1
        self._nodes[name].add(id(node))
        return self._evaluate(frame, node)  # type: ignore[arg-type]

    def check(self, engine: Engine, path: str, text: str) -> FileResult:
        """Check one file; nodes of two files may have equal ids."""
        result = self._check(engine, path, text)
        for name, nodes in self._nodes.items():
            self.distinct[name] += len(nodes)
        self._nodes.clear()
        return result


def main() -> None:
    """Run both, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--functions", type=int, default=0, help="show so many functions instead of modules")
    options = parser.parse_args()
    samples, expressions = Samples(), Expressions()
    signal.signal(signal.SIGPROF, samples.take)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    run(options.paths, Settings(), Mode(edits=False), jobs=1)
    signal.setitimer(signal.ITIMER_PROF, 0)
    evaluate = mock.patch.object(Frame, "eval", lambda frame, node: expressions.evaluate(frame, node))
    check = mock.patch.object(Engine, "check", lambda engine, path, text: expressions.check(engine, path, text))
    with evaluate, check:
        run(options.paths, Settings(), Mode(edits=False), jobs=1)
    for title, counts in (("self", samples.self_time), ("inclusive", samples.inclusive)):
        print(f"{title}, of {samples.total} samples")
        print("\n".join(samples.rows(counts, options.functions or 30, bool(options.functions))))
    for name, count in sorted(expressions.counts.items()):
        print(f"{count:10,} evaluated, {expressions.distinct[name]:10,} distinct: {name}")


if __name__ == "__main__":
    main()
