"""Graph breaks, guards and recompilations of a program: heard while Dynamo runs it, or read from torch's logs."""
