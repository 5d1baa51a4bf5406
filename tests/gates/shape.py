"""A checker of shape: how long modules and functions are, what they are called, what a policy has beside it."""

from __future__ import annotations

import ast
from pathlib import Path

MOST_LINES = 400
MOST_POLICY_LINES = 200
MOST_FUNCTION_LINES = 40
"""Lines of a function's body, its docstring among them."""

NAMELESS = ("utils.py", "util.py", "helpers.py", "helper.py", "common.py", "misc.py")
"""Names that say nothing about what is inside."""

OPENINGS = {True: [("Refused", "Passes"), ("Asked", "Passes")], False: [("Says", "Stays silent"), ("Approved", "Stays silent")]}
"""The first two headings of a policy's page: of a gate, and of any other."""
ENDING = ("Why", "How to satisfy it", "Known limits")


def modules_of(root: Path) -> list[Path]:
    """Return the modules of a package."""
    return sorted(root.rglob("*.py"))


def long_modules(root: Path) -> list[str]:
    """Return the modules with too many lines."""
    found = []
    for path in modules_of(root):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        most = MOST_POLICY_LINES if path.parent.name == "policies" and path.name != "catalog.py" else MOST_LINES
        if lines > most:
            found.append(f"{path.relative_to(root)} has {lines} lines, {most} are allowed: it does more than one thing")
    return found


def long_functions(root: Path) -> list[str]:
    """Return the functions with too long a body."""
    found = []
    for path in modules_of(root):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or 0) - node.body[0].lineno + 1
                if lines > MOST_FUNCTION_LINES:
                    found.append(f"{path.relative_to(root)}:{node.lineno}: {node.name} has {lines} lines, {MOST_FUNCTION_LINES} are allowed")
    return found


def nameless_modules(root: Path) -> list[str]:
    """Return the modules whose name says nothing."""
    return [f"{path.relative_to(root)}: name it for what it does" for path in modules_of(root) if path.name in NAMELESS]


def policy_modules(root: Path) -> list[str]:
    """Return the names of the modules that hold a policy."""
    return sorted(path.stem for path in (root / "policies").glob("*.py") if path.stem not in ("__init__", "catalog"))


def headings(source: str) -> tuple[str, ...]:
    """Return the headings of a module's docstring."""
    text = ast.get_docstring(ast.parse(source)) or ""
    return tuple(line[3:].strip() for line in text.splitlines() if line.startswith("## "))


def page_faults(source: str, *, gate: bool) -> list[str]:
    """Return what is wrong with a policy's page, which is its docstring."""
    text = ast.get_docstring(ast.parse(source)) or ""
    found = headings(source)
    faults = []
    if not text.partition("\n")[0].rstrip().endswith("."):
        faults.append("the first line of the docstring is not a sentence")
    if found[2:] != ENDING:
        faults.append(f"the headings end with {found[2:]}, and not with {ENDING}")
    if found[:2] not in OPENINGS[gate]:
        faults.append(f"the headings begin with {found[:2]}, and not with {OPENINGS[gate]}")
    return faults
