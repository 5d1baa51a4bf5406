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
    Probe(
        "catastrophic-command",
        "a deletion of the home folder",
        "PreToolUse",
        "Bash",
        {"command": "rm -rf ~"},
        refused=True,
        branch="main",
    ),
    Probe(
        "catastrophic-command",
        "a deletion of a build folder",
        "PreToolUse",
        "Bash",
        {"command": "rm -rf build"},
        refused=False,
        branch="main",
    ),
    Probe(
        "commit-on-main",
        "a commit on main",
        "PreToolUse",
        "Bash",
        {"command": "git commit -m x"},
        refused=True,
        branch="main",
    ),
    Probe(
        "commit-on-main",
        "the same commit on a branch",
        "PreToolUse",
        "Bash",
        {"command": "git commit -m x"},
        refused=False,
        branch="feature/probe",
    ),
    Probe(
        "destructive-git",
        "a hard reset",
        "PreToolUse",
        "Bash",
        {"command": "git reset --hard"},
        refused=True,
        branch="main",
    ),
    Probe(
        "destructive-git",
        "a soft reset",
        "PreToolUse",
        "Bash",
        {"command": "git reset --soft HEAD~1"},
        refused=False,
        branch="main",
    ),
    Probe(
        "force-push",
        "a forced push to main",
        "PreToolUse",
        "Bash",
        {"command": "git push --force origin main"},
        refused=True,
        branch="main",
    ),
    Probe(
        "force-push",
        "a plain push of a branch",
        "PreToolUse",
        "Bash",
        {"command": "git push origin feature"},
        refused=False,
        branch="main",
    ),
    Probe(
        "skipped-checks",
        "a commit that skips the hooks",
        "PreToolUse",
        "Bash",
        {"command": "git commit --no-verify -m x"},
        refused=True,
        branch="feature/probe",
    ),
    Probe(
        "skipped-checks",
        "a commit that runs them",
        "PreToolUse",
        "Bash",
        {"command": "git commit -m x"},
        refused=False,
        branch="feature/probe",
    ),
    Probe(
        "tampering",
        "a change of the configuration",
        "PreToolUse",
        "Bash",
        {"command": "echo x > holdfast.toml"},
        refused=True,
        branch="main",
    ),
    Probe(
        "tampering",
        "a reading of it",
        "PreToolUse",
        "Bash",
        {"command": "cat holdfast.toml"},
        refused=False,
        branch="main",
    ),
    Probe(
        "temp-write",
        "a hidden write to the temporary folder",
        "PreToolUse",
        "Bash",
        {"command": "bash -c 'echo x > /tmp/holdfast-probe'"},
        refused=True,
    ),
    Probe(
        "temp-write",
        "a file in the project",
        "PreToolUse",
        "Bash",
        {"command": "echo x > out.txt"},
        refused=False,
    ),
    Probe(
        "worktree-removal",
        "removing the worktree that it stands in",
        "PreToolUse",
        "Bash",
        {"command": "git worktree remove ."},
        refused=True,
    ),
    Probe(
        "worktree-removal", "removing another", "PreToolUse", "Bash", {"command": "git worktree remove other"}, refused=False
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
