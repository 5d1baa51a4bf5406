"""Live payloads for each gate: one that it must refuse, one that it must let pass. `doctor` sends them."""

from __future__ import annotations

from typing import Any

from holdfast.app.scratch import git, write
from holdfast.core.record import Record


class Probe(Record):
    """A situation in a scratch repository (one commit, on main) and what must come of it."""

    policy: str
    what: str
    event: str
    tool: str
    tool_input: dict[str, Any]
    """Paths are relative to the scratch repository."""
    refused: bool
    branch: str = "main"

    def __hash__(self) -> int:
        return hash((self.policy, self.what))


PROBES = (
    Probe(
        "edit-on-main",
        "an edit of source on main",
        "PreToolUse",
        "Edit",
        {"file_path": "src/greeting.py", "old_string": "Hello", "new_string": "Good day"},
        refused=True,
    ),
    Probe(
        "edit-on-main",
        "the same edit on a branch",
        "PreToolUse",
        "Edit",
        {"file_path": "src/greeting.py", "old_string": "Hello", "new_string": "Good day"},
        refused=False,
        branch="feature/probe",
    ),
    Probe(
        "edit-on-main",
        "an edit of documentation on main",
        "PreToolUse",
        "Write",
        {"file_path": "README.md", "content": "# Greeting\n"},
        refused=False,
    ),
)


def prepare(probe: Probe, folder: str) -> None:
    """Bring the scratch repository into the probe's situation."""
    git(folder, "switch", "-q", "-C", probe.branch)


def enforce_only(policy: str, folder: str) -> None:
    """Set the scratch repository so that one policy is enforced and every other is off."""
    from holdfast.policies.catalog import CATALOG

    lines = [f'[policy.{entry.id}]\nmode = "{"enforce" if entry.id == policy else "off"}"\n' for entry in CATALOG]
    write(folder, "holdfast.toml", "".join(lines))


def payload_of(probe: Probe, folder: str, number: int) -> dict[str, Any]:
    """Return what the host would send."""
    tool_input = dict(probe.tool_input)
    if "file_path" in tool_input:
        tool_input["file_path"] = f"{folder}/{tool_input['file_path']}"
    return {
        "session_id": "holdfast-doctor",
        "transcript_path": f"{folder}/transcript.jsonl",
        "cwd": folder,
        "permission_mode": "default",
        "hook_event_name": probe.event,
        "tool_name": probe.tool,
        "tool_input": tool_input,
        "tool_use_id": f"toolu_probe_{number}",
    }
