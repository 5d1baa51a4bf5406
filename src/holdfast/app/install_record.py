"""What installing changed, so that uninstalling can put it back: kept beside the store, with the original bytes.

Paths are kept as seen from the store's folder. A project that was moved or copied with its git folder is then uninstalled
where it is now, and never where it came from.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

from holdfast.adapters.git import find_checkout
from holdfast.adapters.place import Place
from holdfast.adapters.process import output_of
from holdfast.app.trouble import Trouble
from holdfast.core.record import Record
from holdfast.hosts.claude_code_wiring import without_ours

RECORD = "install.json"


class Change(Record):
    """One file that installing writes."""

    path: str
    before: bytes | None
    after: bytes

    @property
    def needed(self) -> bool:
        """Whether the file is not yet as it should be."""
        return self.before != self.after and (self.before is not None or bool(self.after))


class InstallRecord:
    """The record of one repository."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.files: dict[str, dict[str, Any]] = _read(place)

    def key(self, path: str) -> str:
        """Return how a path is written in the record."""
        return os.path.relpath(path, self.place.store)

    def path(self, key: str) -> str:
        """Return the path of a key, where the project is now."""
        return os.path.normpath(os.path.join(self.place.store, key))

    def written_by_us(self, path: str, content: bytes | None) -> bool:
        """Tell whether a file is exactly as Holdfast last wrote it."""
        known = self.files.get(self.key(path))
        return known is not None and content == _as_bytes(known["after"])

    def apply(self, change: Change) -> None:
        """Write a change, after writing down what was there."""
        key = self.key(change.path)
        known = self.files.get(key)
        if known is None:
            backup = ""
            if change.before is not None:
                backup = f"{len(self.files)}-{os.path.basename(change.path)}"
                write_file(f"{self.place.store}/backups/{backup}", change.before)
            folder = os.path.dirname(change.path)
            made = "" if os.path.isdir(folder) else self.key(folder)
            known = {"backup": backup, "made_folder": made, "after": "", "edited": False}
            self.files[key] = known
        elif change.before != _as_bytes(known["after"]):
            known["edited"] = True  # somebody else wrote it since: it is not ours to put back any more
        known["after"] = change.after.decode("utf-8", "surrogateescape")
        self.save()
        write_file(change.path, change.after)

    def save(self) -> None:
        """Write the record down."""
        write_file(f"{self.place.store}/{RECORD}", json.dumps({"files": self.files}, indent=2).encode())

    def restore_all(self) -> list[str]:
        """Put everything back; return what was done, one line each."""
        done = []
        for key, known in self.files.items():
            path = self.path(key)
            if self._is_of_this_repository(path):
                done.extend(self._restore(path, known))
        for known in self.files.values():
            folder = self.path(known["made_folder"]) if known.get("made_folder") else ""
            if folder and os.path.isdir(folder) and not os.listdir(folder):
                os.rmdir(folder)
        return done

    def _is_of_this_repository(self, path: str) -> bool:
        if not self.place.git_dir:
            return path.startswith(self.place.root + "/")
        checkout = find_checkout(os.path.realpath(os.path.dirname(path)))
        return checkout is not None and checkout.common_dir == self.place.git_dir

    def _restore(self, path: str, known: dict[str, Any]) -> list[str]:
        present = read_file(path)
        if present is None:
            return []
        original = read_file(f"{self.place.store}/backups/{known['backup']}") if known["backup"] else None
        if not known["edited"] and present == _as_bytes(known["after"]):
            if original is not None:
                write_file(path, original)
                return [f"restored {path} as it was"]
            if not _is_tracked(path):
                os.unlink(path)
                return [f"removed {path}"]
        if path.endswith(".json"):
            return [take_out(path, may_remove=original is None and not _is_tracked(path))]
        if path.endswith("info/exclude"):
            write_file(path, _without_lines(present, known["after"], original))
            return [f"took Holdfast's lines out of {path}"]
        why = "git tracks it" if _is_tracked(path) else "it was changed since"
        return [f"kept {path}: {why}; remove it yourself if you want"]


def _read(place: Place) -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(read_file(f"{place.store}/{RECORD}") or b"{}")
    except ValueError:
        return {}
    files = found.get("files") if isinstance(found, dict) else None
    if not isinstance(files, dict):
        return {}
    wanted = {"backup": "", "made_folder": "", "after": "", "edited": True}
    return {key: {**wanted, **known} for key, known in files.items() if isinstance(known, dict)}


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _without_lines(present: bytes, after: str, original: bytes | None) -> bytes:
    had = (original or b"").decode("utf-8", "surrogateescape").splitlines()
    ours = [line for line in after.splitlines() if line not in had]
    lines = present.decode("utf-8", "surrogateescape").splitlines(keepends=True)
    return _as_bytes("".join(line for line in lines if line.rstrip("\n") not in ours))


def _is_tracked(path: str) -> bool:
    folder, name = os.path.split(path)
    return output_of(["git", "ls-files", "--error-unmatch", "--", name], folder, 10.0) is not None


def take_out(path: str, *, may_remove: bool) -> str:
    """Take Holdfast's hooks out of a settings file, and leave the rest."""
    rest = without_ours(read_settings(path))
    if rest or not may_remove:
        write_file(path, json_text(rest, read_file(path)))
    else:
        os.unlink(path)
    return f"took Holdfast's hooks out of {path}"


def read_settings(path: str) -> dict[str, Any]:
    """Return a settings file's content; an absent file is empty."""
    text = read_file(path)
    if text is None or not text.strip():
        return {}
    try:
        found = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Trouble(f"{path} is not valid JSON ({error})", "Repair it; Holdfast does not overwrite it.") from error
    if not isinstance(found, dict):
        raise Trouble(f"{path} is not a JSON object", "Repair it; Holdfast does not overwrite it.")
    return found


def json_text(value: dict[str, Any], before: bytes | None) -> bytes:
    """Write JSON in the manner of what was there: its indentation."""
    indent: int | str = 2
    for line in (before or b"").decode("utf-8", "replace").splitlines()[1:]:
        lead = line[: len(line) - len(line.lstrip())]
        if lead:
            indent = "\t" if lead.startswith("\t") else len(lead)
            break
    return (json.dumps(value, indent=indent, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


def read_file(path: str) -> bytes | None:
    """Return a file's content; None if there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Trouble(f"{path} cannot be read ({error.strerror})", "Check its permissions.") from error


def write_file(path: str, content: bytes) -> None:
    """Write a file in one step, so that nobody ever reads half of it; keep its permissions."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        target = os.path.realpath(path)
        unfinished = f"{target}.holdfast-{os.getpid()}"
        with open(unfinished, "wb") as file:
            file.write(content)
        if os.path.exists(target):
            shutil.copymode(target, unfinished)
        os.replace(unfinished, target)
    except OSError as error:
        raise Trouble(f"{path} cannot be written ({error.strerror})", "Check its permissions and the disk.") from error
