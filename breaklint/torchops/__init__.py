"""What torch's operators take and give, for each torch version."""
