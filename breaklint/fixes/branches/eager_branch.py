"""Branches on tensors for messages or one-time setup: executed only when not compiling."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.logging.log_calls import DOING, SAME, is_telling, only_computes, only_in_eager, warns
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.project.syntax import first_name, own_attribute
from breaklint.project.walking import walk

UNSAFE = "The compiled model does not run the branch. If it sets up the module, call that once before you compile it."
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, *DOING)


@fix("eager-branch", safe=SAME, unsafe=UNSAFE)
def eager_branch(m: Match) -> Draft:
    """`if x.isnan().any(): print("NaN")` → `if not torch.compiler.is_compiling() and …`.

    `if not self.initialized: self.initialize(x)` becomes the same if the condition reads nothing but the module.
    """
    request = m.request
    branch = request.scope.statement(request.node)
    if not isinstance(branch, ast.If) or branch.test not in (request.node, *request.scope.parents(request.node)):
        raise NotFixable
    if is_telling(request, branch):
        m.safe_if(not warns(request, branch) and only_computes(request, branch))
        return only_in_eager(request, branch, "the compiled model is silent")
    if not _sets_up(request, branch):
        raise NotFixable
    m.safe_if(False)
    return only_in_eager(request, branch)


def _sets_up(request: FixRequest, branch: ast.If) -> bool:
    """Whether a branch sets up the module once: its condition is one tensor of the module, which it changes. It does
    not change anything else, and later code does not read its names."""
    root, scope = request.scope.root, request.scope
    plain = request.is_single(branch)
    if not plain or request.cls is None or not isinstance(root, ast.FunctionDef) or not root.args.args:
        return False
    own, body = root.args.args[0].arg, [part for statement in branch.body for part in walk(statement)]
    others = (part for part in walk(branch.test) if isinstance(part, ast.Name) and part.id != own)
    if not all(request.qualified(part).startswith("builtins.") for part in others):
        return False
    attributes = {
        name for part in walk(branch.test) if (name := own_attribute(part, own)) and request.tensor(part) is not None
    }
    if len(attributes) != 1 or not any(own_attribute(part, own) in attributes for part in body):
        return False
    if any(isinstance(part, LEAVING) for part in body):
        return False
    bound = {part.id for part in body if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    inside = all(branch in scope.parents(load) for name in bound for load in scope.loads(name))
    return inside and all(first_name(part) in {own, *bound} for part in body if _is_changed(part, scope.parent(part)))


def _is_changed(node: ast.AST, enclosing: ast.AST | None) -> bool:
    """Whether a node is stored to, or a method of it may change it in place."""
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return True
    return isinstance(enclosing, ast.Attribute) and enclosing.attr.endswith("_") and not enclosing.attr.endswith("__")
