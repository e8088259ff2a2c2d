"""Run the original model uncompiled, and leave its records for the other arms."""

from __future__ import annotations

import pickle
import time
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from breaklint.verify.arm.branches import Branch
from breaklint.verify.arm.calls import Case, clone, seed_all
from breaklint.verify.arm.compare import compare, incomparable
from breaklint.verify.arm.further_calls import call_sequence, plan
from breaklint.verify.arm.importing import Location, region_modules
from breaklint.verify.arm.loading import choice
from breaklint.verify.arm.process import user_line
from breaklint.verify.arm.record import attribute_of, random_state
from breaklint.verify.arm.session import GRADIENTS, RECORD, ArmSession, Call, Shared
from breaklint.verify.arm.variants import attribute_names

Reply = dict[str, Any]


def run_original(session: ArmSession) -> tuple[Reply, Case | None]:
    """Run the original with all further calls: the reply, and the model for timing, unless it raises."""
    case, second = session.fresh(), session.fresh()
    shared = session.shared = Shared(keys=state_keys(case.model), attributes=attribute_names(case.model))
    if not _holds_own_classes((case.args, case.kwargs), session.location):
        shared.inputs = clone((case.args, case.kwargs))
    if not _same_state(case.model, second.model):  # state that the seed reproduces need not be passed
        shared.state = clone(dict(case.model.state_dict()))
    began = time.process_time()
    session.observe(case)
    shared.call_s = time.process_time() - began
    shared.records = session.source_records()
    seed_all(session.setup.seed + 1)
    shared.uses_rng = shared.records[RECORD]["random"] != {"the state of the random generators": random_state()}
    notes = [*filter(None, [choice(session.location, case.model), _disabled(case.model)])]
    if error := shared.records[RECORD].get("raised"):
        failed = f"{error}{_raised_at(session)}"
        return {"exception": failed, "branches": [], "notes": notes, "unstable": [], "incomparable": ""}, None
    unstable, varying = _unstable(session, second)
    notes += varying
    shared.exact = {RECORD: session.in_float64(), GRADIENTS: session.in_float64(gradients=True)}
    branches: list[Branch] = []
    if shared.inputs is None:
        notes.append("its inputs are objects of its own classes: only the given call is compared")
    else:
        shared.call_sequence = call_sequence(session) if session.setup.rewritten else []
        shared.probes, branches, left_out = plan(session, shared.inputs)
        notes += left_out
    _save(session)
    outcomes = [{"place": branch.place, "outcomes": list(branch.outcomes.items())} for branch in branches]
    reply = {"exception": None, "branches": outcomes, "notes": notes, "unstable": unstable}
    return reply | {"incomparable": incomparable(_outputs(shared))}, case


def _save(session: ArmSession) -> None:
    try:
        torch.save(session.shared, session.setup.reference)
    except (pickle.PicklingError, TypeError, AttributeError):  # inputs that cannot be pickled:
        session.shared.inputs, session.shared.probes = None, []  # the other arms create them again with the same seed
        torch.save(session.shared, session.setup.reference)


def state_keys(model: Any) -> list[str]:
    """The keys of a module's state dict."""
    return list(model.state_dict()) if isinstance(model, torch.nn.Module) else []


def _same_state(one: Any, other: Any) -> bool:
    one_state, right = (model.state_dict() if isinstance(model, torch.nn.Module) else {} for model in (one, other))
    return one_state.keys() == right.keys() and all(_equal(one_state[name], right[name]) for name in one_state)


def _equal(one: Any, other: Any) -> bool:
    return not isinstance(one, torch.Tensor) or torch.equal(one, other)


def _holds_own_classes(arguments: Call, location: Location) -> bool:
    """Whether the inputs contain an instance of a class from the region, which each load defines again."""
    modules = region_modules(location)
    return any(type(leaf).__module__ in modules for leaf in tree_leaves(arguments))


def _unstable(session: ArmSession, second: Case) -> tuple[list[str], list[str]]:
    """How the results of two equal calls differ, and a note on state that does, such as a timer: it is not compared."""
    shared = session.shared
    own, again = shared.records[RECORD], session.observe(second, again=True)
    places = {*own["state"], *again["state"]}
    differ = [at for at in places if _moves(own["state"].get(at), again["state"].get(at)) or at not in own["state"]]
    shared.varying = {attribute_of(place) for place in differ}
    shared.again = session.observe(session.fresh(), gradients=True)["gradients"]
    names = ", ".join(sorted(name.removeprefix("state.") for name in shared.varying))
    note = [f"not compared, since it differs from run to run of the original: {names}"] if names else []
    return session.compare(own, again), note


def _moves(one: Any, other: Any) -> bool:
    """Whether two values of an attribute differ. Floats are compared exactly: a clock may advance by little."""
    if isinstance(one, float) and isinstance(other, float):
        return one == one and one != other
    return bool(compare({"state": {"": one}}, {"state": {"": other}}))


def _outputs(shared: Shared) -> list[dict[str, Any]]:
    """All outputs of the original with which a result can be compared."""
    records = [shared.records[RECORD], *(probe.record for probe in shared.probes)]
    outputs = [record["output"] for record in records if "output" in record]
    again = records[0].get("again", {"raised": ""})
    return outputs if "raised" in again else [*outputs, again]


def _disabled(model: Any) -> str:
    forward = getattr(model, "forward", model)
    return "its forward is disabled for the compiler" if getattr(forward, "_torchdynamo_disable", False) else ""


def _raised_at(session: ArmSession) -> str:
    """The user's line at which a model that fails does so, in parentheses."""
    case = session.fresh()
    try:
        case.model(*case.args, **case.kwargs)
    except Exception as error:  # noqa: BLE001 - a model may raise anything
        place = user_line(error)
        return f" ({place})" if place else ""
    return ""
