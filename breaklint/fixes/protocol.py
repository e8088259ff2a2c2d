"""How a codemod is written: a pattern, the queries that make the change right, and what is written.

    @fix("new-ones", match="{x}.new().resize_({size}).fill_(1)")
    def new_ones(m: Match) -> Steps:
        yield known(m.request.tensor(m["x"]) is not None, "what it is made of is not known to be a tensor")
        return m.replaced("{x}.new_ones({size})", "Use `new_ones`")

Without a doubt the fix is safe, and the proofs are its reason. With doubts it is unsafe, and all of them are said. A
`No` declines, and the next alternative of the card is tried.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple

from breaklint.analysis import patterns
from breaklint.analysis.model import Captured
from breaklint.analysis.queries import Doubt, No, Query
from breaklint.fixes.base import CODEMODS, DISPLAY, SAFE, UNSAFE, Fixer, FixRequest, NotFixable, Outcome
from breaklint.fixes.rewrite import Change, Deleted, Put, Rewrite


class Draft(NamedTuple):
    """What a fix would change, in words and as changes; `shown`: it is never written; the others are a
    Rewrite's."""

    message: str
    changes: tuple[Change, ...]
    shown: bool = False
    test: str = ""
    of: tuple[ast.AST, ...] = ()
    by_kind: bool = True


Steps = Generator[Query, None, Draft]


class Match:
    """A finding of the form that a codemod is for, with what its pattern captures."""

    def __init__(self, request: FixRequest, captured: Captured) -> None:
        self.request, self.captured = request, captured

    def __getitem__(self, name: str) -> ast.expr:
        return self.captured[name]

    def replaced(self, template: str, message: str, *extra: Change) -> Draft:
        """A template, in which names in braces stand for what is captured, in place of the flagged expression."""
        assert isinstance(self.request.node, ast.expr)
        code = patterns.filled(
            template, {name: self.request.operand(self[name]) for name in patterns.names_in(template)}
        )
        return self.exchanged(self.request.node, code, message, *extra)

    def exchanged(self, node: ast.expr, code: str, message: str, *extra: Change) -> Draft:
        """Code in place of an expression."""
        return Draft(message, (*extra, self.request.exchange(node, code)))

    def advised(self, node: ast.expr, code: str, *extra: Change) -> Draft:
        """Code in place of an expression that is shown and never written."""
        return self.exchanged(node, code, f"Write `{self.request.shown(code)}`", *extra)._replace(shown=True)

    def put(self, first: ast.stmt, code: str, message: str, *extra: Change) -> Draft:
        """Code in place of a statement; comments in it move above."""
        return Draft(message, (*extra, Put(first, first, code)))

    def deleted(self, statement: ast.stmt) -> Draft:
        """Nothing in place of a statement."""
        return Draft("Delete it", (Deleted(statement),))


def fix(name: str, match: str | tuple[str, ...] = (), other: str = "") -> Callable[[Callable[[Match], Steps]], Fixer]:
    """Make a function the codemod of a kind.

    `match` are the patterns of which the flagged expression has to match one; where it does not, the fix declines for
    the reason `other`, if that is given.
    """
    texts = (match,) if isinstance(match, str) else match

    def register(steps: Callable[[Match], Steps]) -> Fixer:
        def made(request: FixRequest) -> Outcome | None:
            captured = request.matched(request.node, *texts) if texts else {}
            if captured is None and other:
                raise NotFixable(other)
            return None if captured is None else settled(steps(Match(request, captured)))

        CODEMODS[name] = made
        return made

    return register


def hold(answers: Iterable[Query]) -> None:
    """Raise NotFixable for the first `No` among answers."""
    for answer in answers:
        if isinstance(answer, No):
            raise NotFixable(answer.reason)


def settled(steps: Steps) -> Rewrite:
    """The rewrite of a draft, trusted as far as the answers allow."""
    proofs: dict[str, None] = {}
    doubts: dict[str, None] = {}
    while True:
        try:
            answer = next(steps)
        except StopIteration as end:
            draft: Draft = end.value
            break
        if isinstance(answer, No):
            raise NotFixable(answer.reason)
        (doubts if isinstance(answer, Doubt) else proofs)[answer[0]] = None
    applicability = DISPLAY if draft.shown else UNSAFE if doubts else SAFE
    why = "; ".join(filter(None, doubts or proofs))
    return Rewrite(
        applicability, draft.message, why, draft.changes, test=draft.test, of=draft.of, by_kind=draft.by_kind
    )
