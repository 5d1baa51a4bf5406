"""Putting the hook into a project's settings, and taking it out again without a trace."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

from holdfast.adapters.audit_log import FILE as AUDIT_LOG
from holdfast.adapters.place import Place, locate
from holdfast.app.trouble import Trouble
from holdfast.core.ledger.tally import FOLDED
from holdfast.core.record import Record
from holdfast.core.settings import ENFORCE, Settings
from holdfast.hosts.claude_code_wiring import (
    Command,
    Registration,
    hooks_json,
    our_handlers,
    registrations,
    with_ours,
    without_ours,
)
from holdfast.policies.catalog import CATALOG

LOCAL, SHARED = ".claude/settings.local.json", ".claude/settings.json"
RECORD = "install.json"
_EXCLUDED = (f"/{AUDIT_LOG}", f"/{AUDIT_LOG}.1", f"/{LOCAL}")


class Change(Record):
    """One file that installing writes."""

    path: str
    before: bytes | None
    after: bytes

    @property
    def needed(self) -> bool:
        """Whether the file is not yet as it should be."""
        return self.before != self.after


def wanted_registrations(settings: Settings, *, every_event: bool = False) -> list[Registration]:
    """Return the wiring for all policies there are: a mode can change without wiring anew."""
    kinds = {kind for entry in CATALOG for kind in entry.events} | set(FOLDED)
    closing = {kind for entry in CATALOG if entry.gate and settings.of(entry.id).mode == ENFORCE for kind in entry.events}
    return registrations(kinds, closing, every_event=every_event)


def here() -> Place:
    """Return the place of the present folder."""
    try:
        folder = os.getcwd()
    except OSError as error:
        raise Trouble("the present folder does not exist any more", "Change into a project first.", exit_code=2) from error
    place = locate(folder, folder)
    if not place.root:
        raise Trouble(f"{folder} is no folder", "Change into a project first.", exit_code=2)
    return place


def read_settings(path: str) -> dict[str, Any]:
    """Return a settings file's content; an absent file is empty."""
    text = _bytes(path)
    if text is None or not text.strip():
        return {}
    try:
        found = json.loads(text.decode("utf-8-sig"))
    except ValueError as error:
        raise Trouble(f"{path} is not valid JSON ({error})", "Repair it; Holdfast does not overwrite it.") from error
    if not isinstance(found, dict):
        raise Trouble(f"{path} is not a JSON object", "Repair it; Holdfast does not overwrite it.")
    return found


def planned(place: Place, command: Command, wanted: list[Registration], *, shared: bool, profile: str) -> list[Change]:
    """Return the files that installing would write."""
    path = f"{place.root}/{SHARED if shared else LOCAL}"
    before = _bytes(path)
    merged = with_ours(read_settings(path), hooks_json(wanted, command))
    changes = [Change(path, before, before if _same(before, merged) and before else _as_text(merged, before))]
    other = f"{place.root}/{LOCAL if shared else SHARED}"
    if our_handlers(read_settings(other)):
        # One home only: the same hook in two files would be started twice where the commands differ.
        changes.append(Change(other, _bytes(other), _as_text(without_ours(read_settings(other)), _bytes(other))))
    if place.git_dir:
        changes.append(_exclude_change(place))
    if profile:
        changes.append(_profile_change(place, profile))
    return changes


def _same(before: bytes | None, merged: dict[str, Any]) -> bool:
    if before is None:
        return False
    try:
        return bool(json.loads(before.decode("utf-8-sig")) == merged)
    except ValueError:
        return False


def _as_text(value: dict[str, Any], before: bytes | None) -> bytes:
    """Write JSON in the manner of what was there: its indentation and final newline."""
    indent: int | str = 2
    for line in (before or b"").decode("utf-8", "replace").splitlines()[1:]:
        lead = line[: len(line) - len(line.lstrip())]
        if lead:
            indent = "\t" if lead.startswith("\t") else len(lead)
            break
    return (json.dumps(value, indent=indent, ensure_ascii=False) + "\n").encode("utf-8")


def _exclude_change(place: Place) -> Change:
    path = f"{place.git_dir}/info/exclude"
    before = _bytes(path)
    lines = (before or b"").decode("utf-8", "replace").splitlines()
    missing = [line for line in _EXCLUDED if line not in lines]
    text = (before or b"").decode("utf-8", "surrogateescape")
    if missing:
        text += ("" if not text or text.endswith("\n") else "\n") + "\n".join(missing) + "\n"
    return Change(path, before, text.encode("utf-8", "surrogateescape"))


def _profile_change(place: Place, profile: str) -> Change:
    from holdfast.adapters.config import read_configuration
    from holdfast.adapters.settings import PROJECT_FILE, PYPROJECT

    path = f"{place.root}/{PROJECT_FILE}"
    before = _bytes(path)
    project_files = (path, f"{place.root}/{PYPROJECT}")
    chosen = read_configuration(project_files).values.get("profile")
    if chosen is not None and chosen.value == profile:
        return Change(path, before, before or b"")
    if chosen is not None or before is not None:
        found = f" ({chosen.value!r} in {chosen.origin})" if chosen else ""
        raise Trouble(
            f"the project has a configuration of its own{found}",
            f'Set profile = "{profile}" there, then run `holdfast init`.',
        )
    return Change(path, None, f'profile = "{profile}"\n'.encode())


def install(place: Place, changes: list[Change]) -> list[str]:
    """Write the changes, remembering what was there; return the paths that were written."""
    os.makedirs(place.store, mode=0o700, exist_ok=True)
    record = _read_record(place)
    written = []
    for change in changes:
        if not change.needed or (change.before is None and not change.after):
            continue
        _remember(place, record, change)
        _write(change.path, change.after)
        written.append(change.path)
    _write(f"{place.store}/{RECORD}", json.dumps(record, indent=2).encode())
    return written


def _remember(place: Place, record: dict[str, Any], change: Change) -> None:
    """Keep what a file was before Holdfast first wrote it; later writes do not count."""
    known = record["files"].get(change.path)
    if known is None:
        backup = ""
        if change.before is not None:
            backup = f"{len(record['files'])}-{os.path.basename(change.path)}"
            _write(f"{place.store}/backups/{backup}", change.before)
        folder = os.path.dirname(change.path)
        known = {"backup": backup, "made_folder": "" if os.path.isdir(folder) else folder}
        record["files"][change.path] = known
    known["after"] = change.after.decode("utf-8", "surrogateescape")


def _read_record(place: Place) -> dict[str, Any]:
    try:
        found = json.loads(_bytes(f"{place.store}/{RECORD}") or b"{}")
    except ValueError:
        found = {}
    return found if isinstance(found.get("files"), dict) else {"files": {}}


def uninstall(place: Place, *, keep_history: bool = False) -> list[str]:
    """Put back what was there before; return what was done, one line each."""
    record = _read_record(place)
    done = []
    for path, known in record["files"].items():
        done.extend(_restored(place, path, known))
    for name in (LOCAL, SHARED):
        path = f"{place.root}/{name}"
        if our_handlers(read_settings(path)):
            done.append(_taken_out(path))
    for name in (AUDIT_LOG, f"{AUDIT_LOG}.1"):
        if os.path.lexists(f"{place.root}/{name}"):
            os.unlink(f"{place.root}/{name}")
            done.append(f"removed {name}")
    for known in record["files"].values():
        if known.get("made_folder") and os.path.isdir(known["made_folder"]) and not os.listdir(known["made_folder"]):
            os.rmdir(known["made_folder"])
    if keep_history:
        shutil.rmtree(f"{place.store}/backups", ignore_errors=True)
        if os.path.exists(f"{place.store}/{RECORD}"):
            os.unlink(f"{place.store}/{RECORD}")
    elif os.path.isdir(place.store):
        shutil.rmtree(place.store)
        done.append(f"removed the store {place.store}")
    return done


def _restored(place: Place, path: str, known: dict[str, Any]) -> list[str]:
    present = _bytes(path)
    if present is None:
        return []
    original = _bytes(f"{place.store}/backups/{known['backup']}") if known.get("backup") else None
    if present == known.get("after", "").encode("utf-8", "surrogateescape"):
        if original is None:
            os.unlink(path)
            return [f"removed {path}"]
        _write(path, original)
        return [f"restored {path} as it was"]
    if path.endswith(".json"):
        # Somebody edited it since: take out only what is ours.
        return [_taken_out(path)]
    if path.endswith("info/exclude"):
        lines = present.decode("utf-8", "surrogateescape").splitlines(keepends=True)
        had = (original or b"").decode("utf-8", "surrogateescape").splitlines()
        kept = [line for line in lines if line.strip() not in _EXCLUDED or line.strip() in had]
        _write(path, "".join(kept).encode("utf-8", "surrogateescape"))
        return [f"took Holdfast's lines out of {path}"]
    return [f"kept {path}: it was changed since; remove it yourself if you want"]


def _taken_out(path: str) -> str:
    rest = without_ours(read_settings(path))
    if rest:
        _write(path, _as_text(rest, _bytes(path)))
    else:
        os.unlink(path)
    return f"took Holdfast's hooks out of {path}"


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Trouble(f"{path} cannot be read ({error.strerror})", "Check its permissions.") from error


def _write(path: str, content: bytes) -> None:
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
