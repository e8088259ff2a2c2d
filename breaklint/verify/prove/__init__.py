"""Rule cards proven on the installed torch: every example is compiled, and has to do what its card says.

`runner` reads the cards and starts processes; `on_dynamo` and `examples` run in them and need torch and the standard
library only.
"""
