"""The examples of rule cards on the installed torch: `runner` starts a process for each, `on_dynamo` runs in it."""
