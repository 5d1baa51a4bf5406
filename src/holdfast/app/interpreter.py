"""Which interpreter the hook is started with: a real one, never a version manager's shim."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from holdfast.app.trouble import Trouble
from holdfast.hosts.claude_code_wiring import BOOTSTRAP

_BUILD = "import sys; sys.path.append(sys.argv[1]); from holdfast.boot import build; build()"


def package_folder() -> str:
    """Return the folder that holds the package."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def real_interpreter() -> str:
    """Return the interpreter behind this one: links and virtual environments followed."""
    for candidate in (os.path.realpath(sys.executable), sys.executable):
        if works(candidate):
            return candidate
    raise Trouble(
        f"the interpreter {sys.executable} cannot run the hook", "Name another one: `holdfast init --python PATH`."
    )


def works(python: str) -> bool:
    """Tell whether an interpreter can run the hook: new enough, and with SQLite."""
    check = "import sys, _sqlite3; sys.exit(sys.version_info < (3, 11))"
    try:
        done = subprocess.run([python, "-I", "-S", "-c", check], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def note_parser() -> None:
    """Write down where the shell parser of this installation is: the hook is started without the environment's PATH."""
    beside = os.path.join(os.path.dirname(sys.executable), "shfmt")
    found = beside if os.path.exists(beside) else shutil.which("shfmt")
    if found:
        folder = os.path.join(package_folder(), "holdfast", "__pycache__")
        try:
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "shfmt.path"), "w", encoding="utf-8") as file:
                file.write(os.path.abspath(found))
        except OSError:
            pass  # it is looked for at every start then


def search_path() -> str:
    """Return where programs of this installation are looked for."""
    return f"{os.path.dirname(os.path.abspath(sys.executable))}:{os.environ.get('PATH', '')}"


def prepare(python: str) -> bool:
    """Compile the hook's code for this interpreter; tell whether that could be written."""
    note_parser()
    try:
        done = subprocess.run(
            [python, "-I", "-S", "-c", _BUILD, package_folder()], capture_output=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


__all__ = ["BOOTSTRAP", "package_folder", "prepare", "real_interpreter", "works"]
