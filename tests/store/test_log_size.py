"""The write-ahead log is folded into the store now and then, though no hook lives long enough to see it grow."""

from __future__ import annotations

from tests.support.hook_process import Project
from tests.support.ledger import ledger_of
from tests.support.payloads import write_proposed

CALLS = 300
MOST_BYTES = 1_000_000


def test_the_log_stays_small_over_three_hundred_calls(project: Project) -> None:
    ledger = ledger_of(project)
    log = ledger.folder / "holdfast.db-wal"
    sizes = []
    for number in range(CALLS):
        project.hook("PreToolUse", write_proposed(project, f"src/file{number}.py", content="x = 1\n" * 300))
        sizes.append(log.stat().st_size if log.exists() else 0)
    assert max(sizes) < MOST_BYTES
    assert min(sizes[CALLS // 2 :]) < max(sizes), "it was never folded in"
    assert ledger.count() == CALLS
    assert ledger.is_sound()
