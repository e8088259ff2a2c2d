from .callbacks import Callback, EarlyStopping, ModelCheckpoint, RichLogger
from .module import LitModule

__all__ = ["Callback", "EarlyStopping", "LitModule", "ModelCheckpoint", "RichLogger"]
