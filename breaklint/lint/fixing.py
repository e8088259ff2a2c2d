"""Fixes of many files: written, looked at again where they may have changed something, until nothing is left to fix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace

from breaklint.errors import BreaklintError, SourceError
from breaklint.lint.altered import altered_names, may_concern
from breaklint.lint.results import Change
from breaklint.lint.shared_fixes import shared_fixes
from breaklint.lint.workers import Mode, Outcome
from breaklint.source.decoding import decode, read_bytes

ROUNDS = 10  # of fixes in functions that other files call
Made = tuple[Change, tuple[tuple[str, int], ...]]  # a change with its fixes, counted by rule code
Links = dict[tuple[int, int], tuple[list[str], int]]  # by the old file: what replaced its links, how many are left
Look = Callable[[Set[str]], Iterable[Outcome]]


class Fixing:
    """The fixes of a run, in `mode`: `outcomes` are what is known of each file by now, `made` the changes.

    `look` checks some files again. `errors` and `notices` are lines for the user. The files `beside` those of the run
    are looked at and not changed.
    """

    def __init__(
        self, outcomes: Iterable[Outcome], look: Look, paths: Sequence[str], mode: Mode, beside: Iterable[str] = ()
    ) -> None:
        self.outcomes = {outcome.result.filename: outcome for outcome in outcomes}
        self.look, self.paths, self.mode = look, paths, mode
        self.errors: list[str] = []
        self._links: Links = {}
        self.made: list[Made] = []
        self._closed = {*beside}  # files that get no more fixes
        self._altered: dict[str, Set[str] | None] = {}  # by file: `altered_names` of its last change

    @property
    def notices(self) -> list[str]:
        """The hard links of one file that are no longer links of it, or keep the old text."""
        lines = []
        for paths, left in self._links.values():
            if left:
                lines.append(f"{paths[-1]}: its other hard links ({left}) keep the old text")
            elif len(paths) > 1:
                lines.append(f"{', '.join(sorted(paths))}: were hard links of one file, and are files of their own now")
        return lines

    def run(self) -> None:
        """Write what was fixed in each file alone, then what all callers of a function agree on, round by round."""
        failed = {path for path, outcome in self.outcomes.items() if outcome.result.errors}
        self.errors += [error for path in sorted(failed) for error in self.outcomes[path].result.errors]
        self._closed |= failed
        own = [(each.change, each.result.fixed) for each in self.outcomes.values() if each.change]
        if not self.mode.write:
            self._closed |= {change.source.path for change, _ in own}
            self.made = own + self._shared()
            return
        changed = {change.source.path for change, _ in own}
        shared = self._shared(changed)  # in files that are as they were: no need to look at them first
        lost = self._write(own)
        alone = len(self.made)
        first: dict[str, str] = {}  # the text of files before the first round
        for _ in range(ROUNDS):
            for change, _ in shared:
                first.setdefault(change.source.path, change.source.text)
            lost |= self._write(shared)
            self._look_again(lost | failed, changed | {change.source.path for change, _ in shared})
            lost, failed, changed = set(), set(), set()
            if not (shared := self._shared()):
                return
        unsettled = {change.source.path for change, _ in shared}
        self._take_back({path: text for path, text in first.items() if path in unsettled}, alone)

    def _shared(self, busy: Set[str] = frozenset()) -> list[Made]:
        """Fixes in functions that other files call, but in `busy` files."""
        results = [outcome.result for outcome in self.outcomes.values()]
        closed = self._closed | busy
        shared = shared_fixes(results, [*self.outcomes], self.mode.unsafe, closed, self.errors.append)
        return [(Change(fix.source, fix.text), fix.fixed) for fix in shared]

    def _write(self, tried: list[Made]) -> set[str]:
        """Write changes; gives the files where that was not possible, which get no more."""
        kept = write_changes(tried, self.paths, self.errors, self._links)
        self._altered |= {change.source.path: altered_names(change.source.text, change.text) for change, _ in tried}
        lost = {change.source.path for change, _ in tried} - {change.source.path for change, _ in kept}
        self._closed |= lost
        self.made += kept
        return lost

    def _look_again(self, paths: Set[str], changed: Set[str]) -> None:
        """Check `paths` again, and what a change may concern: files that follow one of the `changed`."""
        names = ((path, self._altered.get(path)) for path in changed)
        moved = {place: found for path, found in names for place in (os.path.abspath(path), os.path.realpath(path))}
        stale = {path for path, each in self.outcomes.items() if may_concern(moved, each)}
        # What a round of shared fixes has changed was not looked at since.
        stale |= {path for path in changed if self.outcomes[path].change is None}
        for outcome in self.look(paths | stale) if paths | stale else ():
            self.outcomes[outcome.result.filename] = outcome
        for path in changed:
            self.outcomes[path] = replace(self.outcomes[path], change=None)

    def _take_back(self, texts: dict[str, str], alone: int) -> None:
        """Give files back the text from before the first round of fixes that do not converge.

        The first `alone` changes were made before, in each file for itself.
        """
        for path, text in texts.items():
            source = decode(path, read_bytes(path))
            write_changes([(Change(source, text), ())], self.paths, self.errors, self._links)
            self._altered[path] = None
            self.errors.append(f"{path}: the fixes do not converge within {ROUNDS} rounds; please report it")
        later = (each for each in self.made[alone:] if each[0].source.path not in texts)
        self.made = [*self.made[:alone], *later]
        self._look_again(texts.keys(), texts.keys())


def write_changes(tried: Sequence[Made], paths: Sequence[str], errors: list[str], links: Links) -> list[Made]:
    """The changes that are written; `errors` gets a line for each other, `links` each file with other hard links."""
    roots, made = [os.path.realpath(path) for path in paths], []
    done: dict[str, bytes] = {}  # by real path: what a file held; another name of it, a link, needs no second write
    for change, fixed in tried:
        from breaklint.source.writing import write_source  # a run that writes nothing does without

        try:
            _refuse_to_leave(change.source.path, roots)
            if done.get(real := os.path.realpath(change.source.path)) == change.source.data:
                continue
            old = write_source(change.source, change.text)
        except BreaklintError as error:
            errors.append(str(error))
        else:
            made.append((change, fixed))
            done[real] = change.source.data
            key = (old.device, old.inode)  # a later write by another link leaves one less
            if old.links or key in links:
                paths, _ = links.get(key, ([], 0))
                links[key] = ([*paths, change.source.path], old.links)
    return made


def _refuse_to_leave(path: str, roots: Sequence[str]) -> None:
    """SourceError when a file found in a folder is a link to one that was not given: the folder may not be trusted."""
    real = os.path.realpath(path)
    if not any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in roots):
        raise SourceError(path, f"not written: it is a link to {real}, outside of what was given; name that file")
