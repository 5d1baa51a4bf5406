"""Copies of the package, in which tests plant faults or take bundles away."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.support.hook_process import PACKAGE_FOLDER, PYTHON


def copy_package(folder: Path) -> Path:
    """Copy the package's sources into a folder and return it, to be given to the hook."""
    shutil.copytree(PACKAGE_FOLDER / "holdfast", folder / "holdfast", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def plant(package_folder: Path, module: str, old: str, new: str) -> Path:
    """Replace a text that occurs once in a module of a copy, and return the module's path."""
    path = package_folder / "holdfast" / module
    text = path.read_text()
    assert text.count(old) == 1, f"{old!r} is not found once in {module}"
    path.write_text(text.replace(old, new))
    return path


def build_bundle(package_folder: Path) -> Path:
    """Build the bundle of a copy, as an installation does, and return its path."""
    code = "import sys; sys.path.append(sys.argv[1]); from holdfast.boot import build; print(build())"
    done = subprocess.run([PYTHON, "-I", "-S", "-c", code, str(package_folder)], capture_output=True, check=True, text=True)
    return Path(done.stdout.strip())
