"""A checker over the syntax tree: who may import whom, and who may touch the outside.

It reads source text and imports nothing of it, so it can be run on a planted tree as well as on the package.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = "holdfast"

PURE = ("core", "policies", "hosts")
"""Layers without input, output, clock, environment or chance."""
FRONT = ("cli", "web")
"""Layers that nobody imports but the program's entry."""

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "core": ("core",),
    "policies": ("core", "policies"),
    "hosts": ("core", "hosts"),
    "store": ("core", "store", "adapters", "policies", ""),
    "adapters": ("core", "store", "adapters", "policies", ""),
}
"""Layer → the layers that it knows; "" is the package itself, where the version stands."""

ITSELF = ("__version__", "boot")
"""Names that the package itself holds, beside its layers."""

PURE_STANDARD_LIBRARY = ("__future__", "typing", "collections.abc", "_json", "json")
LATE_IN: dict[str, tuple[str, ...]] = {"re": ("core/redaction.py",)}
"""Slow modules of the standard library → the pure modules that may import them, inside functions only."""

IMPURE_CALLS = ("open", "print", "input", "breakpoint")
HIDDEN_IMPORTS = ("__import__", "exec", "eval")
MAY_HIDE_IMPORTS = ("policies/catalog.py", "core/shell/tools/__init__.py")

SQL = re.compile(r"\b(CREATE TABLE|INSERT (OR \w+ )?INTO|DELETE FROM|UPDATE \w+ SET|SELECT\b.+\bFROM)\b", re.DOTALL)
STARTS_PROCESSES = ("subprocess", "multiprocessing", "pty")
MAY_START_PROCESSES = ("adapters/process.py", "app/", "cli/")

REASONS = {
    "layer": "a layer knows only those below it; what it needs from above comes in as a value",
    "policies-apart": "policies never import each other: each can be read, tested and switched off alone",
    "catalog-only": "outside the policies only the catalog is known; it imports a policy when an event wakes it",
    "front": "nobody imports the command line or the web pages but the program's entry: they are slow to import",
    "pure-library": "core, policies and hosts know no input, output, clock, environment or chance",
    "late-library": "regular expressions are slow to import: only redaction uses them, inside a function",
    "pure-call": "core, policies and hosts neither read nor print",
    "hidden-import": "an import that cannot be seen cannot be checked; only the lists of policies and of tools import by name",
    "third-party": "only the command line has dependencies",
    "sql": "SQL stands below store/ and nowhere else",
    "process": "other programs are started in one place, with a time limit and without a shell",
}


class Fault(NamedTuple):
    """One break of a rule."""

    rule: str
    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what} ({self.rule}: {REASONS[self.rule]})"


class Report(NamedTuple):
    """What was found, and in how many modules it was looked for."""

    faults: list[Fault]
    modules: list[str]


def examined(root: Path) -> Report:
    """Check every module of a package that lies in this folder."""
    faults: list[Fault] = []
    modules = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))
    for module in modules:
        tree = ast.parse((root / module).read_text(encoding="utf-8"), module)
        checker = _Checker(module)
        checker.visit(tree)
        faults.extend(checker.faults)
    return Report(faults, modules)


class _Checker(ast.NodeVisitor):
    """Checks one module."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.layer = path.partition("/")[0] if "/" in path else ""
        self.depth = 0
        self.faults: list[Fault] = []

    def fault(self, rule: str, node: ast.AST, what: str) -> None:
        fault = Fault(rule, self.path, getattr(node, "lineno", 0), what)
        if fault not in self.faults:
            self.faults.append(fault)

    # --- where a node stands ---

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._inside(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._inside(node)

    def _inside(self, node: ast.AST) -> None:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    # --- imports ---

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._imported(node, alias.name, "")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            folder = [PACKAGE, *self.path.split("/")[:-1]]
            above = folder[: len(folder) - node.level + 1]
            module = ".".join([*above, *([module] if module else [])])
        for alias in node.names:
            self._imported(node, module, alias.name)

    def _imported(self, node: ast.AST, module: str, name: str) -> None:
        if module.partition(".")[0] == PACKAGE:
            self._own(node, f"{module}.{name}".split(".")[1:] if name else module.split(".")[1:])
        else:
            self._foreign(node, module)

    def _own(self, node: ast.AST, parts: list[str]) -> None:
        """Judge an import of the package itself; `parts` is its dotted name without the package's."""
        layer = parts[0] if parts and parts[0] not in ITSELF else ""
        what = f"imports {'.'.join([PACKAGE, *parts])}"
        if layer in FRONT and self.layer != layer and self.path != "__main__.py":
            self.fault("front", node, what)
        elif self.layer in MAY_IMPORT and layer not in MAY_IMPORT[self.layer]:
            self.fault("layer", node, what)
        elif layer == "policies" and len(parts) > 1 and parts[1] != "catalog":
            if self.layer == "policies" and parts[1] != self.path.rpartition("/")[2].removesuffix(".py"):
                self.fault("policies-apart", node, what)
            elif self.layer in ("store", "adapters"):
                self.fault("catalog-only", node, what)

    def _foreign(self, node: ast.AST, module: str) -> None:
        top = module.partition(".")[0]
        if top not in sys.stdlib_module_names and self.layer not in FRONT:
            self.fault("third-party", node, f"imports {module}")
        elif self.layer in PURE and module in LATE_IN:
            if self.path not in LATE_IN[module] or not self.depth:
                self.fault("late-library", node, f"imports {module}")
        elif self.layer in PURE and module not in PURE_STANDARD_LIBRARY:
            self.fault("pure-library", node, f"imports {module}")
        elif top in STARTS_PROCESSES and not self.path.startswith(MAY_START_PROCESSES):
            self.fault("process", node, f"imports {module}")

    # --- calls and texts ---

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func)
        if self.layer in PURE and called in IMPURE_CALLS:
            self.fault("pure-call", node, f"calls {called}()")
        if self.layer in PURE and called in HIDDEN_IMPORTS and self.path not in MAY_HIDE_IMPORTS:
            self.fault("hidden-import", node, f"calls {called}()")
        if called in ("os.system", "os.popen") and not self.path.startswith(MAY_START_PROCESSES):
            self.fault("process", node, f"calls {called}()")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and self.layer != "store" and SQL.search(node.value):
            self.fault("sql", node, f"holds SQL: {node.value[:40]!r}")


def names_in(report: Report) -> Iterator[str]:
    """Return the rules that were broken."""
    return (fault.rule for fault in report.faults)
