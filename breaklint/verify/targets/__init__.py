"""What to run: targets by name, their sources before and after, inputs in words."""
