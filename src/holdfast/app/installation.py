"""Putting the hook into a project's settings, and taking it out again without a trace."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

from holdfast.adapters.audit_log import FILE as AUDIT_LOG
from holdfast.adapters.config import parsed_settings, read_configuration
from holdfast.adapters.place import Place, locate
from holdfast.adapters.settings import PROJECT_FILE, files_of
from holdfast.app.install_record import (
    RECORD,
    Change,
    InstallRecord,
    json_text,
    read_file,
    read_settings,
    take_out,
)
from holdfast.app.trouble import Trouble
from holdfast.core.ledger.tally import FOLDED
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
from holdfast.store.queries import open_for_reading, roots
from holdfast.store.snapshot import last_good_settings
from holdfast.store.sqlite import DatabaseError

LOCAL, SHARED = ".claude/settings.local.json", ".claude/settings.json"
_EXCLUDED = (f"/{AUDIT_LOG}", f"/{AUDIT_LOG}.1", f"/{LOCAL}")


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
        what = "the present folder does not exist any more"
        raise Trouble(what, "Change into a project first.", exit_code=2) from error
    place = locate(folder, folder)
    if not place.root:
        raise Trouble(f"{folder} is no folder", "Change into a project first.", exit_code=2)
    return place


def current_settings(place: Place, environment: dict[str, str]) -> Settings:
    """Return the settings as the hook has them now: the last good ones while a file is broken."""
    last_good = None
    try:
        connection = open_for_reading(place.store)
        if connection is not None:
            last_good = last_good_settings(connection, place.root)
    except DatabaseError:
        pass  # the next event deals with it
    return parsed_settings(files_of(place, environment), last_good)[0]


def is_shared(place: Place) -> bool:
    """Tell whether the hooks are in the settings that the team shares, and not in the local ones."""
    shared = our_handlers(read_settings(f"{place.root}/{SHARED}"))
    return bool(shared) and not our_handlers(read_settings(f"{place.root}/{LOCAL}"))


def planned(place: Place, command: Command, wanted: list[Registration], *, shared: bool, profile: str) -> list[Change]:
    """Return the files that installing would write."""
    path = f"{place.root}/{SHARED if shared else LOCAL}"
    before = read_file(path)
    merged = with_ours(read_settings(path), hooks_json(wanted, command))
    changes = [Change(path, before, before if before and _same(before, merged) else json_text(merged, before))]
    other = f"{place.root}/{LOCAL if shared else SHARED}"
    if our_handlers(read_settings(other)):
        # One home only: the same hook in two files would be started twice where the commands differ.
        present = read_file(other)
        changes.append(Change(other, present, json_text(without_ours(read_settings(other)), present)))
    if place.git_dir:
        changes.append(_exclude_change(place))
    if profile:
        changes.append(_profile_change(place, profile))
    return changes


def _same(before: bytes, merged: dict[str, Any]) -> bool:
    try:
        return bool(json.loads(before.decode("utf-8-sig")) == merged)
    except ValueError:
        return False


def _exclude_change(place: Place) -> Change:
    path = f"{place.git_dir}/info/exclude"
    before = read_file(path)
    text = (before or b"").decode("utf-8", "surrogateescape")
    missing = [line for line in _EXCLUDED if line not in text.splitlines()]
    if missing:
        text += ("" if not text or text.endswith("\n") else "\n") + "\n".join(missing) + "\n"
    return Change(path, before, text.encode("utf-8", "surrogateescape"))


def _profile_change(place: Place, profile: str) -> Change:
    path = f"{place.root}/{PROJECT_FILE}"
    before = read_file(path)
    wanted = f'profile = "{profile}"\n'.encode()
    project_files = files_of(place, {})[:2]
    chosen = read_configuration(project_files).values.get("profile")
    if chosen is not None and chosen.value == profile:
        return Change(path, before, before or b"")
    if InstallRecord(place).written_by_us(path, before):
        return Change(path, before, wanted)  # only the profile that an earlier init wrote
    if chosen is not None or before is not None or os.path.lexists(path):
        found = f" ({chosen.value!r} in {chosen.origin})" if chosen else ""
        what = f"the project has a configuration of its own{found}"
        raise Trouble(what, f'Set profile = "{profile}" there, then run `holdfast init`.')
    return Change(path, None, wanted)


def install(place: Place, changes: list[Change]) -> list[str]:
    """Write the changes, remembering what was there; return the paths that were written."""
    record = InstallRecord(place)
    written = []
    for change in changes:
        if change.needed:
            record.apply(change)
            written.append(change.path)
    record.save()
    return written


def uninstall(place: Place, *, keep_history: bool = False) -> list[str]:
    """Put back what was there before; return what was done, one line each."""
    try:
        return _uninstall(place, keep_history)
    except OSError as error:
        raise Trouble(f"{error.filename} cannot be changed ({error.strerror})", "Check its permissions.") from error


def _uninstall(place: Place, keep_history: bool) -> list[str]:
    done = []
    for root in dict.fromkeys((place.root, *_roots(place))):
        for name in (AUDIT_LOG, f"{AUDIT_LOG}.1"):
            if os.path.lexists(f"{root}/{name}"):
                os.unlink(f"{root}/{name}")
                done.append(f"removed {root}/{name}")
    done.extend(InstallRecord(place).restore_all())
    for name in (LOCAL, SHARED):
        path = f"{place.root}/{name}"
        if our_handlers(read_settings(path)):
            done.append(take_out(path, may_remove=False))
    if keep_history:
        shutil.rmtree(f"{place.store}/backups", ignore_errors=True)
        if os.path.exists(f"{place.store}/{RECORD}"):
            os.unlink(f"{place.store}/{RECORD}")
    elif os.path.isdir(place.store):
        shutil.rmtree(place.store)
        done.append(f"removed the store {place.store}")
    return done


def _roots(place: Place) -> list[str]:
    """Return the other worktrees of this repository in which sessions ran."""
    try:
        connection = open_for_reading(place.store)
        found = roots(connection) if connection is not None else []
    except DatabaseError:
        return []
    return [root for root in found if os.path.isdir(root) and locate(root, root).git_dir == place.git_dir != ""]
