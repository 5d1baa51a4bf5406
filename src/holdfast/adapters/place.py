"""Where an event happens: the project's folder, and the folder of its store."""

from __future__ import annotations

from holdfast.adapters.files import is_folder, resolved
from holdfast.adapters.git import find_checkout
from holdfast.core.paths import inside
from holdfast.core.record import Record


class Place(Record):
    """A project on this machine."""

    root: str = ""
    """The working tree's folder, or the project's where there is no git; empty when nothing could be found."""
    store: str = ""
    """The store's folder; empty when there is no place for one."""
    git_dir: str = ""
    """The git folder that all worktrees share; empty without git."""

    @property
    def main_root(self) -> str:
        """The folder of the main worktree; the root itself where there is none."""
        return self.git_dir[: -len("/.git")] if self.git_dir.endswith("/.git") else self.root


def locate(cwd: str, project: str) -> Place:
    """Find the place of an event from where the host stands and the folder that the session was started in.

    The session's folder decides, so that `cd` into another repository does not lead away from the project's own
    settings. A worktree of the same repository counts as where the work is done.
    """
    standing = _existing(cwd)
    started = _existing(project) or standing
    if not started:
        return Place()
    home = find_checkout(started)
    if home is None:
        if standing and not inside(standing, started):
            # a session outside git that went into a repository is still the session of its own folder
            standing = started
        return Place(started, f"{started}/.holdfast")
    here = find_checkout(standing) if standing else None
    root = here.root if here is not None and here.common_dir == home.common_dir else home.root
    return Place(root, f"{home.common_dir}/holdfast", home.common_dir)


def _existing(folder: str) -> str:
    if not folder or "\0" in folder:
        return ""
    real = resolved(folder)
    return real if is_folder(real) else ""
