"""How Dynamo traces the methods of a LightningModule in a compiled step."""

from __future__ import annotations

import importlib
import logging
import warnings
from typing import Any

import torch

from .dynamo import identify

# The names by which programs import the class, and those of the files that define it.
MODULES = ("", ".core", ".core.module")
PACKAGES = ("lightning.pytorch", "pytorch_lightning")
CLASSES = ["lightning.LightningModule", *(f"{name}{inner}.LightningModule" for name in PACKAGES for inner in MODULES)]
CALLS = {
    "log": "self.log('loss', loss)",
    "log_dict": "self.log_dict({'loss': loss})",
    "print": "self.print('step')",
    "manual_backward": "self.manual_backward(loss)",
    "toggle_optimizer": "self.toggle_optimizer(self.optimizers())",
}
OPTIMIZING = ("manual_backward", "toggle_optimizer")  # the others run in any step


def methods() -> dict[str, str]:
    """The methods that break the graph of a step, by their qualified names, with the id of the break or `error`."""
    lightning = importlib.import_module("lightning")
    logging.disable()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = {name: _row(lightning, name in OPTIMIZING, call) for name, call in CALLS.items()}
    return {f"{cls}.{name}()": row for cls in CLASSES for name, row in rows.items() if row}


def _row(lightning: Any, training: bool, call: str) -> str:
    torch._dynamo.reset()
    model = _model(lightning, training, call)
    trainer = lightning.Trainer(
        accelerator="cpu", max_epochs=1, limit_train_batches=1, limit_val_batches=1, logger=False,
        enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0,
    )  # fmt: skip
    batches = torch.utils.data.DataLoader(torch.ones(2, 2))
    compiled = torch.compile(model, backend="eager", fullgraph=True)
    try:
        if training:
            trainer.fit(compiled, batches)
        else:
            trainer.validate(compiled, batches, verbose=False)
    except torch._dynamo.exc.TorchDynamoException as error:
        return identify(error) or "error"
    return ""


def _model(lightning: Any, training: bool, call: str) -> Any:
    """A module whose step makes the call."""
    step = "training_step" if training else "validation_step"
    text = f"def {step}(self, batch, batch_idx):\n    loss = self.layer(batch).sum()\n    {call}\n    return loss\n"
    names: dict[str, Any] = {}
    exec(text, names)
    optimizers = {"configure_optimizers": lambda self: torch.optim.SGD(self.parameters(), 0.1)}
    model = type("Net", (lightning.LightningModule,), {step: names[step], **optimizers})()
    model.layer = torch.nn.Linear(2, 2)
    model.automatic_optimization = not training
    return model
