"""Methods of torch's classes, on instances of the project's classes and on objects of torch."""

from __future__ import annotations

import ast

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, join
from breaklint.interp.models import compilers, modules, stdlib_functions, torch_functions, torch_layers
from breaklint.interp.models.instances import is_module
from breaklint.interp.models.submodules import accessed_objects
from breaklint.interp.models.torch_names import RETURNING_MODULE
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import object_access
from breaklint.interp.transfer.stores import is_strong
from breaklint.interp.values import NONE, Const, ExternalInstance, Static, Tensor, without_none
from breaklint.torchops.names import made_by


def call_base_method(frame: Frame, node: ast.expr, owner: Instance, name: str, arguments: Arguments) -> Value:
    """The result of a method that an instance inherits from outside the project."""
    if name == "register_buffer":
        _register(frame, owner, arguments, "buffer")
    elif name == "register_parameter":
        _register(frame, owner, arguments, "parameter")
    elif (name in ("add_module", "register_module") and len(arguments.args) > 1) or (
        name == "__setattr__" and len(arguments.args) > 1
    ):
        _store(frame, owner, arguments.args[0], arguments.args[1])
    elif name in ("append", "extend") and arguments.args:
        value = arguments.args[0] if name == "append" else element_of(arguments.args[0]) or UNKNOWN
        _store(frame, owner, UNKNOWN, value)
    elif name == "__init__":
        _init_base(frame, owner, arguments)
    elif name == "forward":
        bases = [base for base in frame.interp.project.external_bases(owner.cls) if base.startswith("torch.nn.")]
        return modules.call_external(frame, node, bases[0], arguments) if bases else UNKNOWN
    elif name == "compile" and is_module(frame.interp, owner.cls):
        compilers.note(frame, node, owner, compilers.COMPILE, arguments)
    elif name == "_replace":
        return stdlib_functions.replaced(frame, node, owner, arguments)
    elif name == "__call__":
        return modules.call_instance(frame, node, owner, arguments, by=("forward",))
    else:
        for option in accessed_objects(frame, owner, name) if frame.context.traced else ():
            object_access.emit_access(frame, node, option)
            if isinstance(option, ExternalInstance):
                frame.emit(Call(node, frame, "", [], {}, name, option))
        if name in RETURNING_MODULE and is_module(frame.interp, owner.cls):
            return owner
        return module_method(name) or UNKNOWN
    return NONE


def _init_base(frame: Frame, owner: Instance, arguments: Arguments) -> None:
    """`super().__init__(*layers)` of a Sequential, `super().__init__(layers)` of a ModuleList."""
    bases = frame.interp.project.external_bases(owner.cls)
    if "torch.nn.Sequential" in bases:
        layers = torch_layers.container("torch.nn.Sequential", arguments)
        frame.change(owner, "*", layers)
    elif "torch.nn.ModuleList" in bases and arguments.args:
        frame.change(owner, "*", element_of(arguments.args[0]) or UNKNOWN)


def _register(frame: Frame, owner: Instance, arguments: Arguments, role: str) -> None:
    name, value = arguments.get(0, "name"), arguments.get(1, "tensor" if role == "buffer" else "param")
    if isinstance(value, Tensor):
        tensor_role = "sparse" if value.role == "sparse" else role
        value = Tensor(value.dtype, value.ndim, role=tensor_role, sizes=value.sizes)
    elif value is not None and value != NONE:
        tensor = Tensor(role=role)
        value = tensor if without_none(value) is value else join(tensor, NONE)
    _store(frame, owner, name or UNKNOWN, value or NONE)


def _store(frame: Frame, owner: Instance, name: Value, value: Value) -> None:
    if isinstance(name, Const) and isinstance(name.value, str):
        frame.change(owner, name.value, value, strong=is_strong(frame, owner))
    else:
        frame.change(owner, "*", value)


def module_method(name: str) -> Value | None:
    """The result of a method of nn.Module, None if it is not modelled."""
    parameter = Tensor("float", role="parameter")
    if name in ("parameters", "buffers"):
        return Sequence(parameter, kind="generator")
    if name in ("named_parameters", "named_buffers"):
        return Sequence(Tuple((Static("str"), parameter)), kind="generator")
    if name in ("state_dict",):
        return Dict(rest=parameter)
    return None


def call_object_method(frame: Frame, node: ast.expr, owner: ExternalInstance, name: str, arguments: Arguments) -> Value:
    """The result of a method of an object of a class outside the project."""
    if owner.cls.startswith("torch.nn.") and name in ("forward", "__call__"):
        return modules.call_external(frame, node, owner.cls, arguments)
    if owner.cls.startswith("torch.nn.") and name in RETURNING_MODULE:
        return owner
    if owner.cls.startswith("torch.nn."):
        return module_method(name) or torch_functions.call(frame, node, f"{owner.cls}.{name}", arguments)
    if owner.cls == "random.Random":
        return stdlib_functions.random_value(name)
    if cls := made_by(f"{owner.cls}.{name}"):
        return ExternalInstance(cls)
    return torch_layers.object_method(owner.cls, name, arguments)
