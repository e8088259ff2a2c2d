"""From files to findings: engine, fix loop, plan, workers, cache, baseline, merging."""
