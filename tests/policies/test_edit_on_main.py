"""edit-on-main: which edits it refuses, which pass."""

from __future__ import annotations

import pytest

from holdfast.core.facts import Unknown, repository_of
from holdfast.core.verdict import DENY, NOTHING

from .tables import Row, both_ways, check, edit, nowhere, on, rows, ruled

ID = "edit-on-main"
APP, LIB, TEST = "/project/src/app.py", "/project/src/lib.ts", "/project/tests/test_app.py"
LINK = "/project/link.py"
WHAT = ("is source", "git switch -c")

TABLE = [
    # refused
    Row("source on main", edit(APP), on("main", APP), DENY, ("src/app.py is source", "branch main", "git switch -c NAME")),
    Row("source on master", edit(LIB), on("master", LIB), DENY, ("src/lib.ts", "branch master", *WHAT)),
    Row("a script", edit("/project/run.sh"), on("main", "/project/run.sh"), DENY, ("run.sh", *WHAT)),
    Row(
        "a file whose name only contains build",
        edit("/project/src/builder.py"),
        on("main", "/project/src/builder.py"),
        DENY,
        WHAT,
    ),
    Row("a relative path", edit("src/app.py"), on("main", "src/app.py"), DENY, ("src/app.py", *WHAT)),
    Row(
        "one source file among others",
        edit(TEST, APP, "/project/README.md"),
        on("main", TEST, APP, "/project/README.md"),
        DENY,
        ("src/app.py is source",),
        ("test_app", "README"),
    ),
    Row("two source files", edit(APP, LIB), on("main", APP, LIB), DENY, ("src/app.py, src/lib.ts are source",)),
    Row(
        "five source files",
        edit(*(f"/project/m{number}.py" for number in range(5))),
        on("main", *(f"/project/m{number}.py" for number in range(5))),
        DENY,
        ("m0.py, m1.py, m2.py and 2 more are source",),
        ("m3.py",),
    ),
    Row("the same file in two pieces", edit(APP, APP), on("main", APP), DENY, ("src/app.py is source",), ("app.py, ",)),
    Row(
        "in one of two repositories",
        edit(APP, "/other/b.py"),
        {**on("feature", APP), **on("main", "/other/b.py", root="/other")},
        DENY,
        ("b.py is source", "branch main"),
        ("app.py",),
    ),
    Row(
        "through a link, where the file really lies",
        edit(LINK),
        on("main", LINK, relative="src/real.py"),
        DENY,
        ("src/real.py is source",),
        ("link.py",),
    ),
    Row(
        "on a branch that the settings protect",
        edit(APP),
        on("release", APP),
        DENY,
        ("branch release",),
        (),
        {"branches": ("release",)},
    ),
    # passes
    Row("source on another branch", edit(APP), on("feature/login", APP)),
    Row("source on a branch with main in its name", edit(APP), on("maintenance", APP)),
    Row("source on a branch below main", edit(APP), on("main/next", APP)),
    Row("source with a detached HEAD", edit(APP), on("", APP)),
    Row("a test on main", edit(TEST), on("main", TEST)),
    Row("a test beside its source on main", edit("/project/src/app.test.ts"), on("main", "/project/src/app.test.ts")),
    Row("documentation on main", edit("/project/README.md"), on("main", "/project/README.md")),
    Row("configuration on main", edit("/project/pyproject.toml"), on("main", "/project/pyproject.toml")),
    Row("configuration in a language on main", edit("/project/vite.config.ts"), on("main", "/project/vite.config.ts")),
    Row("a hook of the agent on main", edit("/project/.claude/hooks/x.py"), on("main", "/project/.claude/hooks/x.py")),
    Row("a generated file on main", edit("/project/dist/app.js"), on("main", "/project/dist/app.js")),
    Row("data on main", edit("/project/rows.csv"), on("main", "/project/rows.csv")),
    Row("source during a merge", edit(APP), on("main", APP, merging=True)),
    Row("source before the first commit", edit(APP), on("main", APP, has_commits=False)),
    Row("source in no repository", edit("/tmp/x.py"), nowhere("/tmp/x.py")),
    Row("a file of git itself", edit("/project/.git/hooks/x.py"), on("main", "/project/.git/hooks/x.py", in_git_dir=True)),
    Row("main where the settings protect another", edit(APP), on("main", APP), own={"branches": ("release",)}),
    Row("main where the settings protect none", edit(APP), on("main", APP), own={"branches": ()}),
    Row("an edit without files", edit()),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_edit_on_main(row: Row) -> None:
    check(ID, row)


def test_the_table_has_rows_that_fire_and_rows_that_stay_silent() -> None:
    assert both_ways(TABLE)


def test_an_edit_without_files_does_not_concern_it() -> None:
    assert not ruled(ID, Row("", edit())).concerned


def test_it_closes_when_the_repository_is_not_known() -> None:
    ruling = ruled(ID, Row("", edit(APP), {repository_of(APP): Unknown("the disk is gone")}))
    assert (ruling.effective, ruling.verdict.decision) == (DENY, NOTHING)
    assert "the disk is gone" in ruling.error
