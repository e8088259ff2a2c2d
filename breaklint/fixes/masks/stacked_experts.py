"""Iterations over experts whose weights are stacked, as one call of torch.vmap: each matmul with them is one `bmm`."""

from __future__ import annotations

import ast
from textwrap import indent
from typing import NamedTuple

from breaklint.analysis.alias import is_fresh_result
from breaklint.analysis.literals import same_code
from breaklint.fixes.base import FixRequest
from breaklint.fixes.masks.all_rows import free_name, on_all_rows
from breaklint.fixes.masks.expert_hits import Hits, asks_form
from breaklint.model import Edit
from breaklint.project.walking import dotted_name, variables_in, walk

INDENT = "    "
# What cannot stand in a function of its own, and what may change in place what is the same for all experts.
NOT_INSIDE = (ast.AugAssign, ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
OF_THE_METHOD = frozenset({"super", "__class__", "locals", "vars"})


class Stack(NamedTuple):
    """A stack of weights, one for each expert, the name of one in the function, and where the body takes it."""

    whole: ast.expr
    name: str
    reads: tuple[ast.expr, ...]


def as_one_call(request: FixRequest, hits: Hits, body: list[ast.stmt]) -> tuple[tuple[Edit, ...], str] | None:
    """`for k in hit: i, rows = torch.where(mask[k]); y.index_add_(0, rows, f(x[rows], self.w[k]) * p[rows, i, None])`
    -> `y[:n] += torch.vmap(expert)(mask, self.w).sum(0)`.

    Gives the imports and the lines; None unless the number of an expert is only the index of its row of the mask and
    of tensors, and an expert computes without changing anything in place, or reading what others have added.
    """
    place, mask = hits.loop.target, getattr(hits.row, "value", None)
    if not isinstance(place, ast.Name) or not isinstance(mask, ast.Name) or not _stands_alone(body):
        return None
    row = free_name(request, "expert_mask", "mask_of_expert")
    function = free_name(request, "expert", "one_expert")
    stacks = _stacks(request, body, place.id, mask)
    if row is None or function is None or not stacks:
        return None
    expressions = [part for each in body for part in walk(each) if isinstance(part, ast.expr)]
    names = {part: row for part in expressions if same_code(part, hits.row)}
    names |= {part: stack.name for stack in stacks for part in stack.reads}
    written = on_all_rows(request, body, hits.row, names)
    if isinstance(written.store, ast.Assign) or not _only_collects(request, written.stored):
        return None
    torch, _ = request.name_of("torch")
    lines = "\n".join([*written.before, f"return {written.value}"])
    heads = ", ".join([row, *(stack.name for stack in stacks)])
    given = [request.operand(stack.whole) for stack in stacks]
    stored = request.operand(written.stored)
    parts = "".join(f"\n{INDENT}{part}," for part in [f"{mask.id}[:{given[0]}.shape[0]]", *given])
    call = f'{torch}.vmap({function}, randomness="different")({parts}\n)'
    text = f"def {function}({heads}):\n{indent(lines, INDENT)}\n"
    return written.imports, f"{text}{stored}[:{mask.id}.shape[{written.axis + 1}]] += {call}.sum(0)"


def _stands_alone(body: list[ast.stmt]) -> bool:
    """Whether statements can be those of a function that computes; the last, which stores, is left out."""
    for part in (part for each in body[:-1] for part in walk(each)):
        if isinstance(part, NOT_INSIDE) or (isinstance(part, ast.Name) and part.id in OF_THE_METHOD):
            return False
        if isinstance(part, ast.keyword) and part.arg in ("inplace", "out"):
            return False
    return True


def _only_collects(request: FixRequest, stored: ast.expr) -> bool:
    """Whether a tensor is a new one, of which nothing is read until the experts have added to it."""
    made = request.definition(stored.id, stored).value if isinstance(stored, ast.Name) else None
    if not isinstance(stored, ast.Name) or made is None or not is_fresh_result(request, made):
        return False
    loads = (each for each in request.scope.loads(stored.id) if each is not stored and not asks_form(request, each))
    return not any(request.scope.is_inner(each) or request.flow.may_precede(each, stored) for each in loads)


def _stacks(request: FixRequest, body: list[ast.stmt], place: str, mask: ast.expr) -> list[Stack] | None:
    """The tensors of which an iteration takes the part of its expert; None where it does more with the number."""
    reads = [part for each in body for part in walk(each) if isinstance(part, ast.Name) and part.id == place]
    bound = {part.id for each in body for part in walk(each) if isinstance(part, ast.Name) and not _is_read(part)}
    found: list[Stack] = []
    for read in reads:
        around = request.scope.parent(read)
        if not isinstance(around, ast.Subscript) or around.slice is not read or not isinstance(around.ctx, ast.Load):
            return None  # the number itself is used, or an entry is stored
        if same_code(around.value, mask):
            continue
        if request.tensor(around.value) is None or variables_in(around.value) & bound:
            return None
        same = next((at for at, stack in enumerate(found) if same_code(stack.whole, around.value)), None)
        if same is not None:
            found[same] = found[same]._replace(reads=(*found[same].reads, around))
            continue
        last = (dotted_name(around.value) or "weight").rpartition(".")[2]
        taken = {stack.name for stack in found}
        names = (last, f"{last}_of_expert", f"{last}_{len(found) + 1}")
        name = free_name(request, *(each for each in names if each not in taken))
        if name is None:
            return None
        found.append(Stack(around.value, name, (around,)))
    return found


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)
