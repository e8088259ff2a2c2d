"""A transfer function per kind of syntax node: its value, and its change of the environment."""
