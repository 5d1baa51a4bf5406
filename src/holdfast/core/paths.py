"""What kind of file a path names, by its components and never by bare substrings.

`src/builder.py` is source although it contains "build"; `.github/x.py` is not a git folder.
"""

from __future__ import annotations

SOURCE, TEST, CONFIG, DOC, GENERATED, DATA = "source", "test", "config", "doc", "generated", "data"

SOURCE_SUFFIXES = frozenset(
    "py pyi ts tsx mts cts js jsx mjs cjs svelte vue rs go java kt kts scala swift c cc cpp cxx h hh hpp hxx"
    " m mm cs fs vb rb php ex exs erl hrl hs ml mli clj cljs dart lua pl pm r jl nim zig sol sql"
    " sh bash zsh fish ps1 groovy ipynb".split()
)
DOC_SUFFIXES = frozenset("md mdx rst txt adoc asciidoc org tex".split())
CONFIG_SUFFIXES = frozenset("toml yaml yml ini cfg conf json json5 jsonc env properties lock xml plist".split())

GENERATED_FOLDERS = frozenset(
    "node_modules vendor third_party dist build out target coverage __pycache__ .next .nuxt .svelte-kit .git .hg .svn"
    " .venv venv .tox .nox .mypy_cache .pytest_cache .ruff_cache .cache .gradle .idea .vscode site-packages"
    " bower_components Pods DerivedData .terraform".split()
)
TEST_FOLDERS = frozenset("tests test __tests__ spec specs testing e2e __mocks__ testdata fixtures".split())
CONFIG_FOLDERS = frozenset((".claude", ".github", ".gitlab", ".circleci", ".husky", ".holdfast"))

_CONFIG_NAMES = frozenset(
    "conftest.py setup.py noxfile.py fabfile.py manage.py gulpfile.js gruntfile.js makefile dockerfile rakefile gemfile"
    " podfile jenkinsfile cmakelists.txt package.swift build.gradle.kts settings.gradle.kts".split()
)


def components(path: str) -> list[str]:
    """Return the parts of a path, without empty ones and single dots."""
    return [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]


def inside(path: str, folder: str) -> bool:
    """Tell whether the path is the folder or lies below it. Both must be normalised already."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def relative(path: str, folder: str) -> str:
    """Return the path as seen from the folder, if it lies below it; else the path itself."""
    return path[len(folder.rstrip("/")) + 1 :] if path != folder and inside(path, folder) else path


def classify(path: str) -> str:
    """Return what kind of file a path inside the project names; give the path relative to the project."""
    parts = components(path)
    if not parts:
        return DATA
    folders, name = parts[:-1], parts[-1].lower()
    if any(folder in GENERATED_FOLDERS for folder in folders) or _named_as_generated(name):
        return GENERATED
    if any(folder in CONFIG_FOLDERS for folder in folders) or _named_as_config(name):
        return CONFIG
    suffix = name.rpartition(".")[2] if "." in name else ""
    if suffix in DOC_SUFFIXES:
        return DOC
    if suffix not in SOURCE_SUFFIXES:
        return CONFIG if suffix in CONFIG_SUFFIXES or name.startswith(".") else DATA
    if any(folder.lower() in TEST_FOLDERS for folder in folders) or _named_as_test(parts[-1]):
        return TEST
    return SOURCE


def _named_as_generated(name: str) -> bool:
    marks = name.split(".")[1:-1]
    by_tool = name.endswith(("_pb2.py", "_pb2_grpc.py", "_pb2.pyi", ".pb.go", ".pb.cc", ".pb.h"))
    return by_tool or "min" in marks or "generated" in marks or "g" in marks[-1:]


def _named_as_config(name: str) -> bool:
    marks = name.split(".")[1:-1]
    if name.startswith("requirements") and name.endswith((".txt", ".in")):
        return True
    return name in _CONFIG_NAMES or "config" in marks or "conf" in marks or (name.startswith(".") and "rc." in name)


def _named_as_test(name: str) -> bool:
    stem = name.partition(".")[0]
    marks = [mark.lower() for mark in name.split(".")[1:-1]]
    if "test" in marks or "spec" in marks or "cy" in marks:
        return True
    lowered = stem.lower()
    if lowered.startswith("test_") or lowered.endswith(("_test", "-test", "_spec", "-spec")) or lowered == "tests":
        return True
    # Java, Kotlin, C#, Swift and PHP name test classes; the capitals keep "latest", "contest" and "Testament" out
    by_end = stem.endswith(("Test", "Tests", "Spec", "Specs")) and stem[:1].isupper()
    return by_end or (stem.startswith("Test") and stem[4:5].isupper())
