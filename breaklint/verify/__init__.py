"""Run models before and after their fixes: check that the break is gone, results are equal, and speed improves.

Read `host.target_run` first: the steps of one target.

- `targets`: the target by its name, its sources before and after the fixes, and the code that its forward reaches.
- `host`: devices, processes, the steps of a target, timing, a Dask cluster. It never imports torch.
- `arm`: the code in the process of one version of a target (an arm): load, run, trace, compile, compare. It imports
  torch, the standard library, and modules of breaklint that need nothing else.
- `judge`: from measurements to verdicts and the report, as pure functions on frozen data.
- `report`: the report as text, JSON and Markdown.
- `prove`: the examples of rule cards on the installed torch.
"""
