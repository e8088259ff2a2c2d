"""What is called while training goes on."""
import os
import sys
import time
from collections import defaultdict
from typing import List

import torch


class Callback:
    def on_step(self, module, loss, step):
        pass

    def on_metrics(self, module, metrics):
        pass


class CallbackList:
    def __init__(self, callbacks: List[Callback]):
        self.callbacks = list(callbacks)

    def __getattr__(self, name):
        def call(*args, **kwargs):
            for callback in self.callbacks:
                getattr(callback, name)(*args, **kwargs)

        return call

    def append(self, callback):
        self.callbacks.append(callback)


class RichLogger(Callback):
    def __init__(self, every=1, stream=None):
        self.every = every
        self.stream = stream or sys.stderr
        self.started = time.perf_counter()

    def on_step(self, module, loss, step):
        if step % self.every:
            return
        rate = step / (time.perf_counter() - self.started + 1e-9)
        self.stream.write(f"step {step} loss {loss.item():.4f} {rate:.1f} it/s\n")
        self.stream.flush()


class EarlyStopping(Callback):
    def __init__(self, monitor="loss", patience=3, delta=0.0):
        self.monitor, self.patience, self.delta = monitor, patience, delta
        self.best = float("inf")
        self.wait = 0
        self.stopped = False

    def on_metrics(self, module, metrics):
        current = metrics[self.monitor]
        if current < self.best - self.delta:
            self.best = current
            self.wait = 0
        else:
            self.wait += 1
            self.stopped = self.wait >= self.patience


class ModelCheckpoint(Callback):
    def __init__(self, folder, every=1):
        self.folder, self.every = folder, every

    def on_step(self, module, loss, step):
        if step and step % self.every == 0:
            path = os.path.join(self.folder, f"step{step}.pt")
            torch.save({"model": module.state_dict(), "loss": float(loss)}, path)


class NanGuard(Callback):
    def on_step(self, module, loss, step):
        if not torch.isfinite(loss):
            raise FloatingPointError(f"loss is {loss} at step {step}")


class GradNorms(Callback):
    def __init__(self):
        self.norms = defaultdict(list)

    def on_step(self, module, loss, step):
        for name, p in module.named_parameters():
            if p.grad is not None:
                self.norms[name].append(p.grad.norm().item())


class Throughput(Callback):
    """Counts samples; no clock is read while a step is measured."""

    def __init__(self):
        self.samples = 0

    def on_step(self, module, loss, step):
        self.samples += module.last_batch_size
