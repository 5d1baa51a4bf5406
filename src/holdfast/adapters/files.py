"""Looking at files without the `os` module, which costs a tenth of a bare interpreter to import.

The C module behind it does the work. What is rare (links, relative parts) is left to `os` itself, so that there is
one truth about paths and none of it is written here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as system
else:
    try:
        import posix as system
    except ImportError:  # another platform: the slow way is right everywhere
        import os as system

_KIND, _FOLDER, _LINK, _FILE = 0o170000, 0o040000, 0o120000, 0o100000
"""Bits of a file's mode, as POSIX has them."""

stat = system.stat

__all__ = [
    "environment", "exists", "is_file", "is_folder", "joined", "parent", "resolved", "stat", "system", "working_folder",
]  # fmt: skip


def environment() -> dict[str, str]:
    """Return the environment as texts."""
    return {_text(name): _text(value) for name, value in system.environ.items()}


def _text(value: str | bytes) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def working_folder() -> str:
    """Return where the process stands; the empty text if that folder is gone."""
    try:
        return system.getcwd()
    except OSError:
        return ""


def exists(path: str) -> bool:
    """Tell whether there is something at a path."""
    return _mode(path) != 0


def is_folder(path: str) -> bool:
    """Tell whether a path leads to a folder."""
    return _mode(path) & _KIND == _FOLDER


def is_file(path: str) -> bool:
    """Tell whether a path leads to a regular file."""
    return _mode(path) & _KIND == _FILE


def _mode(path: str) -> int:
    try:
        return system.stat(path).st_mode
    except (OSError, ValueError):
        return 0


def parent(path: str) -> str:
    """Return the folder of an absolute path; the root is its own."""
    return path.rstrip("/").rpartition("/")[0] or "/"


def resolved(path: str) -> str:
    """Return the path with all links followed; it need not exist."""
    if path.startswith("/") and "//" not in path and _is_plain(path):
        return path.rstrip("/") or "/"
    import os.path

    try:
        return os.path.realpath(path)
    except ValueError:  # text that no file can be named by
        return path


def _is_plain(path: str) -> bool:
    """Tell whether no part of an absolute path is a link or relative."""
    so_far = ""
    for part in path.split("/")[1:]:
        if part in (".", ".."):
            return False
        so_far = f"{so_far}/{part}"
        try:
            if system.lstat(so_far).st_mode & _KIND == _LINK:
                return False
        except FileNotFoundError:
            # what does not exist has no links below it, but it may still have relative parts
            rest = path[len(so_far) :].split("/")
            return "." not in rest and ".." not in rest
        except (OSError, ValueError):
            return False
    return True


def joined(folder: str, path: str) -> str:
    """Return a path as seen from a folder, without relative parts."""
    import os.path

    return os.path.normpath(os.path.join(folder, path))
