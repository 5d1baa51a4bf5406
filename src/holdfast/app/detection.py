"""What a project is made of: languages and test frameworks, for `init` and `status`."""

from __future__ import annotations

import os

from holdfast.adapters.process import output_of
from holdfast.core.paths import GENERATED_FOLDERS, SOURCE, TEST, classify
from holdfast.core.record import Record

LANGUAGES = {
    "py": "Python", "ts": "TypeScript", "tsx": "TypeScript", "js": "JavaScript", "jsx": "JavaScript", "mjs": "JavaScript",
    "svelte": "Svelte", "vue": "Vue", "go": "Go", "rs": "Rust", "java": "Java", "kt": "Kotlin", "swift": "Swift",
    "dart": "Dart", "rb": "Ruby", "php": "PHP", "ex": "Elixir", "exs": "Elixir", "c": "C", "h": "C", "cpp": "C++",
    "cc": "C++", "hpp": "C++", "cs": "C#", "sh": "shell", "bash": "shell", "scala": "Scala", "lua": "Lua", "zig": "Zig",
}  # fmt: skip
MARKERS = (
    ("pytest.ini", "", "pytest"), ("pyproject.toml", "pytest", "pytest"), ("setup.cfg", "[tool:pytest]", "pytest"),
    ("tox.ini", "pytest", "pytest"), ("conftest.py", "", "pytest"), ("tests/conftest.py", "", "pytest"),
    ("package.json", '"vitest"', "vitest"), ("package.json", '"jest"', "jest"), ("package.json", '"mocha"', "mocha"),
    ("package.json", "node --test", "node:test"), ("go.mod", "", "go test"), ("Cargo.toml", "", "cargo test"),
    ("pom.xml", "", "Maven"), ("build.gradle", "", "Gradle"), ("build.gradle.kts", "", "Gradle"),
    ("Package.swift", "", "swift test"), ("pubspec.yaml", "", "dart test"), ("Gemfile", "rspec", "rspec"),
    ("Gemfile", "minitest", "minitest"), ("composer.json", "phpunit", "phpunit"), ("composer.json", "pest", "pest"),
    ("mix.exs", "", "mix test"), ("CMakeLists.txt", "enable_testing", "ctest"), ("meson.build", "test(", "meson test"),
    ("Makefile", "\ntest:", "make test"),
)  # fmt: skip
"""A file at the project's root, a text in it, and the framework that they mean together."""
MOST_FILES = 20_000


class Project(Record):
    """What was found."""

    languages: tuple[tuple[str, int], ...] = ()
    """Name and number of files, most first."""
    frameworks: tuple[str, ...] = ()
    tests: int = 0
    """Number of test files."""


def detect(root: str) -> Project:
    """Look at a project's files and markers."""
    counts: dict[str, int] = {}
    tests = 0
    for path in _files(root):
        kind = classify(path)
        tests += kind == TEST
        language = LANGUAGES.get(path.rpartition(".")[2].lower()) if kind in (SOURCE, TEST) else None
        if language:
            counts[language] = counts.get(language, 0) + 1
    ranked = tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return Project(ranked, _frameworks(root), tests)


def _files(root: str) -> list[str]:
    listed = output_of(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], root, 10.0)
    if listed is not None:
        return [path for path in listed.split("\0") if path][:MOST_FILES]
    found: list[str] = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in GENERATED_FOLDERS]
        found.extend(os.path.relpath(f"{folder}/{name}", root) for name in names)
        if len(found) >= MOST_FILES:
            break
    return found[:MOST_FILES]


def _frameworks(root: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name, text, framework in MARKERS:
        try:
            with open(f"{root}/{name}", encoding="utf-8", errors="replace") as file:
                if text in "\n" + file.read(200_000):
                    found[framework] = None
        except OSError:
            continue
    return tuple(found)
