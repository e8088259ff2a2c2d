from .model import Recognizer, RecognizerConfig

__all__ = ["Recognizer", "RecognizerConfig"]
