"""Numbers that are read from tensors."""
