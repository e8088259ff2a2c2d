"""Flags, buffers and parameters of modules and tensors."""
