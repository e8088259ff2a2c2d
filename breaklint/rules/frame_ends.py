"""The breaks that end a frame: Dynamo runs the rest of the call in eager mode, so that no later line of it breaks.

If a break, or a call that reaches one, is in a loop, a comprehension, the body of a `try` or a context manager of
Python code, Dynamo gives up the frame. It compiles the functions that the frame calls on their own. Nor can it resume
after some operations, or with an object that it does not take as an input, such as a recurrent module or a sparse
tensor. It runs the rest of a call in eager mode if the call holds no tensor and no module.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Hashable, Iterable
from operator import itemgetter
from typing import Final, NamedTuple

from breaklint.interp.containers import Sequence as Items
from breaklint.interp.containers import Tuple
from breaklint.interp.context import Condition, Context
from breaklint.interp.events import (
    Arithmetic,
    Call,
    Contains,
    Enter,
    Event,
    Format,
    GetAttribute,
)
from breaklint.interp.frame import Frame
from breaklint.interp.interpreter import CallSite
from breaklint.interp.lattice import options
from breaklint.interp.models.instances import is_module
from breaklint.interp.objects import Instance
from breaklint.interp.record import Record
from breaklint.interp.values import PythonValue
from breaklint.project.module import FunctionInfo
from breaklint.project.project import Project
from breaklint.project.scope import single_name
from breaklint.project.spans import end_of
from breaklint.project.syntax import begin_of
from breaklint.rules.base import NO_RESUME, OBJECT, Hit
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.value_kinds import has_kind

NO_TENSOR: Final = "no tensor"
COMPREHENSION: Final = "comprehension"  # a frame of its own before Python 3.12: the function's frame goes on
SKIPPING: Final = {
    "loop": "in a loop", COMPREHENSION: "in a comprehension", "generator": "in a generator or over an iterator",
    "try": "inside `try`", "manager": "in a context manager of Python code",
    NO_RESUME: "at an operation that Dynamo cannot resume at",
    OBJECT: "with an object that Dynamo does not take as an input",
}  # fmt: skip
# Dynamo resumes at calls, comparisons, conditions, stores and subscripts.
_NO_RESUME: Final = (Arithmetic, Contains, Format, GetAttribute)
WHOLE: Final = "whole"
REST: Final = "rest"
Node = ast.expr | ast.stmt
End = tuple[int, int]


class Break(NamedTuple):
    """A break in a traced call: where it is, the blocks around it, the conditions, and the cause that it belongs to."""

    record: Record
    function: FunctionInfo | None
    node: Node
    blocks: tuple[str, ...]
    conditions: tuple[Condition, ...]
    cause: Hashable


def blocks_of(event: Event, context: Context, hit: Hit) -> tuple[str, ...]:
    """The blocks around a break; a reason why it ends its frame is one too."""
    end = hit.end or _end_of(event)
    return (end, *context.blocks) if end else context.blocks


def _end_of(event: Event) -> str:
    """The reason why a break at an event ends its frame, "" if there is none."""
    if isinstance(event, Enter) or (isinstance(event, _NO_RESUME) and not isinstance(event.node, ast.Call)):
        return NO_RESUME
    if isinstance(event, Call) and (_is_of_sparse(event) or _skips_frame(event)):
        return OBJECT
    if not _holds_tensor(event.frame):
        return NO_TENSOR
    consumed = event.args if isinstance(event, Call) and event.target in ("builtins.any", "builtins.all") else []
    is_consumed = any(isinstance(value, Items) and value.kind == "generator" for value in consumed)
    return "generator" if is_consumed or _is_generator(event.frame.function) else ""


def _is_of_sparse(call: Call) -> bool:
    return call.owner is not None and has_kind(call.owner, "sparse-tensor")


def _skips_frame(call: Call) -> bool:
    """Whether a call computes the gradient of a tensor that the graph computes, which skips the frame in some torch
    versions."""
    is_gradient = call.target == "torch.autograd.grad" and call.frame.interp.facts.does("skips gradients")
    return is_gradient and len(call.args) > 1 and has_kind(call.args[1], "computed")


def blocks_around(site: CallSite) -> tuple[str, ...]:
    """The blocks around a call; Dynamo cannot resume in a generator, or at a call of a property or of an operator's
    method."""
    if _is_generator(site.callee) or _is_generator(site.frame.function):
        return ("generator", *site.context.blocks)
    is_read = isinstance(site.node, ast.Attribute) and isinstance(site.node.ctx, ast.Load)
    stops = is_read or isinstance(site.node, ast.BinOp)
    return (NO_RESUME, *site.context.blocks) if stops else site.context.blocks


def starts_module(project: Project, function: FunctionInfo | None) -> bool:
    """Whether a function is the constructor of a module. If it breaks, Dynamo starts it again by itself, and breaks at
    `super().__init__()`."""
    if function is None or function.cls is None or not function.name.endswith(".__init__"):
        return False
    return any(base.startswith("torch.nn.") for base in project.external_bases(function.cls))


def _is_generator(function: FunctionInfo | None) -> bool:
    return function is not None and function.is_generator


def _holds_tensor(frame: Frame) -> bool:
    """Whether a call may hold a tensor or a module, or reads a name of torch or NumPy."""
    function, interp = frame.function, frame.interp
    if function is None or frame.closure is not None:
        return True
    values = [*frame.env.values()]
    for value in values:  # grows meanwhile
        for option in options(value):
            is_object = isinstance(option, Instance) and not is_module(interp, option.cls)
            if isinstance(option, Tuple):
                values.extend(option.items)
            elif not is_object and not isinstance(option, PythonValue):
                return True
    names = (interp.project.resolve(function.module, node.id) for node in function.nodes.of(ast.Name))
    return any(isinstance(name, str) and name.startswith(("torch", "numpy")) for name in names)


def node_end(node: ast.AST | None) -> End:
    """The end of a node in its file."""
    assert isinstance(node, (ast.expr, ast.stmt))
    return end_of(node)


def _exit_of(site: CallSite) -> End | None:
    """The place of the `__exit__` of a `with`, after its body; None for other calls."""
    if not site.callee.name.endswith(".__exit__") or site.frame.function is None:
        return None
    for block in site.frame.function.nodes.of(ast.With):
        if any(item.context_expr is site.node for item in block.items):
            row, column = node_end(block)
            return row, column + 1
    return None


class FrameEnds:
    """The places in traced calls at which graphs end whatever the arguments of the callees are."""

    def __init__(self, project: Project, graph: CallGraph, breaks: Iterable[Break]) -> None:
        self._project, self._callers = project, graph.certain.callers
        # By call, conditions, and how much of the frame Dynamo runs in eager mode: the places.
        self._places: dict[Record, dict[tuple[tuple[Condition, ...], str], dict[End, Node]]] = defaultdict(dict)
        self._in_all_callers: dict[Record, tuple[FunctionInfo | None, Node] | None] = {}
        todo = []
        for item in breaks:
            ends = self._ends(item.function, item.blocks)
            self._add(item.record, node_end(item.node), item.node, item.conditions, ends)
            todo += [] if item.conditions else [item.record]
        broken = set(todo)
        for record in todo:  # grows meanwhile
            for site in self._callers.get(record, ()):
                assert site.node is not None
                ends = self._ends(site.frame.function, blocks_around(site))
                at = _exit_of(site) or node_end(site.node)
                self._add(site.frame.record, at, site.node, site.context.conditions, ends)
                if not site.context.conditions and site.frame.record not in broken:
                    broken.add(site.frame.record)
                    todo.append(site.frame.record)

    def before(self, item: Break) -> tuple[FunctionInfo | None, Node] | None:
        """The break, or the call that reaches one, that has ended the frame of a break, with its function. For a call
        without tensors it may have ended the frame of the caller: Dynamo does not compile the call then."""
        node = self._earlier(item.record, (item.node.lineno, 0), item.conditions, ends=True)
        if node is not None:
            return item.function, node
        return self._in_callers(item.record) if NO_TENSOR in item.blocks else None

    def _in_callers(self, record: Record) -> tuple[FunctionInfo | None, Node] | None:
        """A place that has ended the frame of a caller, if there is one for each call."""
        if record not in self._in_all_callers:
            self._in_all_callers[record] = None  # for functions that call each other
            self._in_all_callers[record] = self._of_callers(record)
        return self._in_all_callers[record]

    def _of_callers(self, record: Record) -> tuple[FunctionInfo | None, Node] | None:
        result = None
        for site in self._callers.get(record, ()):
            assert site.node is not None
            at = _exit_of(site) or (site.node.lineno, 0)
            node = self._earlier(site.frame.record, at, site.context.conditions, ends=True)
            if node is not None:
                result = site.frame.function, node
            elif _holds_tensor(site.frame) or (result := self._in_callers(site.frame.record)) is None:
                return None
        return result

    def is_rest(self, record: Record, node: Node, blocks: tuple[str, ...], conditions: tuple[Condition, ...]) -> bool:
        """Whether a break ends a frame of which an earlier part is compiled."""
        only_rest = SKIPPING.keys() & blocks == {NO_RESUME}
        return only_rest or self._earlier(record, (node.lineno, 0), conditions, ends=False) is not None

    def making_input(self, item: Break, names: Iterable[ast.Name]) -> Node | None:
        """A place after the assignments of some names, at which these become inputs of the graph of a break."""
        ids, function = {name.id for name in names}, item.function
        if not ids or function is None:
            return None
        stores = [node for node in function.nodes.of(ast.Name) if node.id in ids and isinstance(node.ctx, ast.Store)]
        assigned = [node for node in function.nodes.of(ast.Assign) if single_name(node) in ids]
        after = max(map(node_end, assigned), default=(0, 0))
        at = (item.node.lineno, 0)
        is_ordered = len(stores) == len(assigned)
        return self._earlier(item.record, at, item.conditions, ends=False, after=after) if is_ordered else None

    def runs_eagerly(self, record: Record, node: Node, conditions: tuple[Condition, ...]) -> bool:
        """Whether Dynamo runs code of a call in eager mode whenever it is reached: a break before or in it ends the
        frame, or one after it, without another break between them, ends the whole frame."""
        if self._earlier(record, node_end(node), conditions, ends=True) is not None:
            return True
        places = self._places[record].items()
        splits = [at for (_, how), nodes in places if not how for at in nodes if at > begin_of(node)]
        return any(
            how == WHOLE and {*conditions}.issuperset(needed) and not any(split < at for split in splits)
            for (needed, how), nodes in places
            for at in nodes
        )

    def _add(self, record: Record, at: End, node: Node, conditions: tuple[Condition, ...], ends: str) -> None:
        self._places[record].setdefault((conditions, ends), {}).setdefault(at, node)

    def _earlier(
        self, record: Record, at: End, conditions: tuple[Condition, ...], ends: bool, after: End = (0, 0)
    ) -> Node | None:
        """The first place in a call, before the place of a break, that is reached whenever the break is."""
        holding = set(conditions)
        places = [
            place
            for (place_conditions, is_end), places in self._places[record].items()
            if bool(is_end) is ends and holding.issuperset(place_conditions)
            for place in places.items()
            if after < place[0] < at
        ]
        return min(places, key=itemgetter(0), default=(at, None))[1]

    def _ends(self, function: FunctionInfo | None, blocks: tuple[str, ...]) -> str:
        """How much of the frame a break ends: the whole frame, the rest of it, or "" for nothing."""
        skipping = SKIPPING.keys() & blocks if COMPREHENSION not in blocks else set()
        if skipping - {NO_RESUME}:
            return WHOLE
        return REST if skipping or NO_TENSOR in blocks or starts_module(self._project, function) else ""
