"""Names of the files beside the store, apart so that looking for them imports nothing else."""

SPILL = "pending.jsonl"
"""Records that the store could not take, one JSON object a line."""
TAKEN = "pending.taken.jsonl"
"""The same, while a hook puts them in."""
