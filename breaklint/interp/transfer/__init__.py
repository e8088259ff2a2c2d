"""A transfer function per kind of syntax node: how it changes the environment, and the value it gives."""
