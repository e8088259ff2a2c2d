"""Proof on real models: run a target before and after the fixes, each arm in a process of its own.

The modules that run inside an arm's process (`worker`, `arm`, `loading`, `observe`, `accuracy`, `stopwatch`, `trace`,
`environment`) need torch and the standard library only. No other imports torch.
"""
