"""The settings of a project, from the snapshot in the store when no file has changed since."""

from __future__ import annotations

from holdfast import __version__
from holdfast.adapters.files import exists, stat
from holdfast.core.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.adapters.place import Place
    from holdfast.store.opening import Store

PROJECT_FILE, PYPROJECT = "holdfast.toml", "pyproject.toml"


def user_file(environment: dict[str, str]) -> str:
    """Return the path of the user's own file."""
    base = environment.get("XDG_CONFIG_HOME") or (f"{environment['HOME']}/.config" if environment.get("HOME") else "")
    return f"{base}/holdfast/config.toml" if base else ""


def files_of(place: Place, environment: dict[str, str]) -> tuple[str, ...]:
    """Return the files that settings come from, strongest first.

    A worktree without a file of its own has that of the main worktree: where it is not committed, it would else be missing.
    """
    root = place.root
    if not root:
        return ("", "", user_file(environment))
    own = f"{root}/{PROJECT_FILE}"
    if place.main_root != root and not exists(own):
        own = f"{place.main_root}/{PROJECT_FILE}"
    return (own, f"{root}/{PYPROJECT}", user_file(environment))


def signature_of(files: tuple[str, ...]) -> str:
    """Return a text that changes whenever one of the files does."""
    parts = [__version__]
    for path in files:
        try:
            seen = stat(path)
        except (OSError, ValueError):
            parts.append("-")
            continue
        parts.append(f"{path}:{seen.st_ino}:{seen.st_size}:{seen.st_mtime_ns}:{seen.st_ctime_ns}")
    return "\n".join(parts)


def settings_for(place: Place, environment: dict[str, str], store: Store | None) -> Settings:
    """Return the settings of a project."""
    root = place.root
    files = files_of(place, environment)
    signature = signature_of(files)
    if store is None:
        from holdfast.adapters.config import parsed_settings

        return parsed_settings(files, None)[0]
    from holdfast.store.snapshot import kept_settings

    kept = kept_settings(store.connection, root, signature)
    if kept is not None:
        return kept
    from holdfast.adapters.config import parsed_settings
    from holdfast.store.snapshot import keep_settings, last_good_settings
    from holdfast.store.sqlite import OperationalError

    settings, whole = parsed_settings(files, last_good_settings(store.connection, root))
    if store.writable:
        try:
            keep_settings(store.connection, root, signature, settings, good=whole)
        except OperationalError:
            pass  # locked or read-only: it is parsed again next time
    return settings
