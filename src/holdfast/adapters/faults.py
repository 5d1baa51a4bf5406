"""The last resort: where Holdfast writes that it failed, when the store cannot be used.

A folder of the user's, outside the project, because the project's own may be read-only, full or gone.
"""

from __future__ import annotations

import os
import time

from holdfast.core.redaction import redacted

MOST_BYTES = 1_000_000


def state_folder(environment: dict[str, str]) -> str:
    """Return the user's folder for Holdfast's own troubles."""
    base = environment.get("XDG_STATE_HOME") or (f"{environment['HOME']}/.local/state" if environment.get("HOME") else "")
    if not base:
        base = environment.get("TMPDIR") or "/tmp"
        return f"{base}/holdfast-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    return f"{base}/holdfast"


def log_fault(environment: dict[str, str], text: str) -> None:
    """Write one line down, without secrets; never fail."""
    folder = state_folder(environment)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = f"{folder}/faults.log"
        if os.path.exists(path) and os.stat(path).st_size > MOST_BYTES:
            os.replace(path, f"{path}.1")
        handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        try:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            os.write(handle, f"{stamp} {redacted(' '.join(text.split())[:4000])[:2000]}\n".encode("utf-8", "replace"))
        finally:
            os.close(handle)
    except OSError:
        pass


def first_time(environment: dict[str, str], session: str, slug: str) -> bool:
    """Tell whether this session has not been told this yet, and remember that it now has.

    An empty file is the mark: it can be made even where nothing can be written any more.
    """
    safe = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in f"{session}.{slug}")[:180]
    folder = f"{state_folder(environment)}/told"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.close(os.open(f"{folder}/{safe}", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    except OSError:
        pass
    return True
