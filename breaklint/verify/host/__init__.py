"""The parent's side: processes, places, scheduling, clusters. Never imports torch."""
