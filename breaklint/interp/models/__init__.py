"""Models of library calls: torch, tensors, NumPy, builtins, containers, modules."""
