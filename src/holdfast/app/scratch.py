"""Scratch repositories for `doctor` and `demo`."""

from __future__ import annotations

import os
import subprocess

from holdfast.app.trouble import Trouble

_TEST = """from greeting import greet


def test_greets_by_name():
    assert greet("Ada") == "Hello, Ada!"
"""
FILES = {
    "src/greeting.py": 'def greet(name: str) -> str:\n    return f"Hello, {name}"\n',
    "tests/test_greeting.py": _TEST,
    "README.md": "# Greeting\n",
}


def make_repository(folder: str, branch: str = "main") -> None:
    """Make a little project with one commit."""
    for path, text in FILES.items():
        write(folder, path, text)
    git(folder, "init", "-q", "-b", branch)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "A greeting")


def write(folder: str, path: str, text: str) -> None:
    """Write a file below the folder."""
    target = f"{folder}/{path}"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


def git(folder: str, *arguments: str) -> None:
    """Run git there, apart from the user's own configuration and hooks."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull, GIT_TERMINAL_PROMPT="0")
    identity = ("-c", "user.name=Holdfast", "-c", "user.email=holdfast@localhost", "-c", "commit.gpgsign=false")
    command = ["git", *identity, *arguments]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=60, check=False)
    except FileNotFoundError as error:
        raise Trouble("git was not found", "Install git; Holdfast reads the state of the repository from it.") from error
    if done.returncode:
        raise Trouble(
            f"git {arguments[0]} failed: {done.stderr.decode('utf-8', 'replace').strip()}", "Run it by hand to see why."
        )
