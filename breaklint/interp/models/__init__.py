"""What calls of library code do to values: torch, tensors, NumPy, builtins, containers, modules."""
