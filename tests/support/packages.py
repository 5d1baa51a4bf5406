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


def plant(package_folder: Path, module: str, code: str) -> Path:
    """Add code to the end of a module of a copy, where it can replace what stands above, and return the module's path."""
    path = package_folder / "holdfast" / module
    path.write_text(f"{path.read_text()}\n\n{code}\n")
    return path


def plant_fault(package_folder: Path, module: str, *functions: str, message: str = "planted fault") -> Path:
    """Let these functions of a module of a copy fail."""
    replaced = " = ".join(functions)
    return plant(package_folder, module, f"def _fail(*_given, **_named):\n    raise RuntimeError({message!r})\n\n{replaced} = _fail")


def plant_in_policy(package_folder: Path, module: str, part: str, body: str) -> Path:
    """Give a policy of a copy another `decide` or `needs`, with this body."""
    function = f"def _planted(event, facts=None, config=None):\n    {body}\n\nPOLICY = POLICY.replace({part}=_planted)"
    return plant(package_folder, f"policies/{module}.py", function)


def build_bundle(package_folder: Path) -> Path:
    """Build the bundle of a copy, as an installation does, and return its path."""
    code = "import sys; sys.path.append(sys.argv[1]); from holdfast.boot import build; print(build())"
    done = subprocess.run([PYTHON, "-I", "-S", "-c", code, str(package_folder)], capture_output=True, check=True, text=True)
    return Path(done.stdout.strip())
