"""session-summary: what the person is told at a stop."""

from __future__ import annotations

import pytest

from holdfast.core.facts import TALLY, Unknown
from holdfast.core.verdict import NOTE, PERSON

from .tables import ROOT, Row, both_ways, check, did, nowhere, on, rows, ruled, stop

ID = "session-summary"
HERE = on("feature", ROOT)
APP, LIB, TEST = "/project/src/app.py", "/project/src/lib.py", "/project/tests/test_app.py"

TABLE = [
    # says
    Row("one file", stop(), {**HERE, **did(files=(APP,), edits=1)}, NOTE, ("1 file edited (src/app.py); branch feature.",)),
    Row(
        "two files",
        stop(),
        {**HERE, **did(files=(APP, TEST), edits=4)},
        NOTE,
        ("2 files edited (src/app.py, tests/test_app.py);",),
    ),
    Row(
        "more files than are named",
        stop(),
        {**HERE, **did(files=(APP, LIB, TEST, "/project/d.py"), edits=4)},
        NOTE,
        ("4 files edited (src/app.py, src/lib.py, tests/test_app.py, …)",),
        ("d.py",),
    ),
    Row(
        "more files than are kept",
        stop(),
        {**HERE, **did(files=(APP,), more_files=9, edits=10)},
        NOTE,
        ("10 files edited (src/app.py, …)",),
    ),
    Row(
        "no file is named, by the settings",
        stop(),
        {**HERE, **did(files=(APP,), edits=1)},
        NOTE,
        ("1 file edited (…)",),
        ("app.py",),
        {"files_named": 0},
    ),
    Row("a file elsewhere", stop(), {**HERE, **did(files=("/tmp/x.py",), edits=1)}, NOTE, ("edited (/tmp/x.py)",)),
    Row(
        "a command",
        stop(),
        {**HERE, **did(commands=1)},
        NOTE,
        ("1 command; branch feature.",),
        ("failed", "edited", "refusal"),
    ),
    Row("failed commands", stop(), {**HERE, **did(commands=5, failed_commands=1)}, NOTE, ("5 commands (1 failed);",)),
    Row("a refusal", stop(), {**HERE, **did(refusals=1)}, NOTE, ("1 refusal;",), ("command",)),
    Row(
        "all of it",
        stop(),
        {**HERE, **did(files=(APP, TEST), edits=3, commands=5, failed_commands=1, refusals=2)},
        NOTE,
        ("2 files edited (src/app.py, tests/test_app.py), 5 commands (1 failed), 2 refusals; branch feature.",),
    ),
    Row("a detached HEAD", stop(), {**on("", ROOT), **did(commands=1)}, NOTE, ("1 command.",), ("branch",)),
    Row(
        "no repository",
        stop(),
        {**nowhere(ROOT), **did(files=(APP,), edits=1)},
        NOTE,
        ("edited (src/app.py).",),
        ("branch",),
    ),
    Row("since the last stop", stop(), {**HERE, **did(commands=3, at_stop=3, at_stop_before=2)}, NOTE, ("3 commands",)),
    Row(
        "only a refusal since the last stop",
        stop(),
        {**HERE, **did(commands=3, refusals=1, at_stop_before=3)},
        NOTE,
        ("1 refusal",),
    ),
    # stays silent
    Row("nothing at all", stop(), {**HERE, **did()}),
    Row("only prompts", stop(), {**HERE, **did(prompts=3, stops=1)}),
    Row(
        "nothing since the last stop",
        stop(),
        {**HERE, **did(files=(APP,), edits=2, commands=1, stops=2, at_stop=3, at_stop_before=3)},
    ),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_session_summary(row: Row) -> None:
    ruling = check(ID, row)
    assert ruling.verdict.decision != NOTE or ruling.verdict.audience == PERSON, "at a stop, what the agent is told goes on"


def test_the_table_has_rows_that_fire_and_rows_that_stay_silent() -> None:
    assert both_ways(TABLE)


def test_it_opens_when_the_tally_is_not_known() -> None:
    ruling = ruled(ID, Row("", stop(), {**HERE, TALLY: Unknown("the store is broken")}))
    assert (ruling.effective, bool(ruling.error)) == (NOTE, True)
