"""Arguments and results of torch's operators, for each torch version."""
