"""Whatever stands on its input, the hook answers legally; a gate that could not judge is closed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.configurations import NOTHING_ENFORCED
from tests.support.hook_process import DEADLINE, Project, require_deny
from tests.support.ledger import ledger_of
from tests.support.payloads import recorded, stop, write_made, write_proposed

MEGABYTE = 1_000_000
NOTHING_TO_READ = {
    "empty": b"",
    "only white space": b" \n\t ",
    "truncated": b'{"hook_event_name": "PreToolUse", "tool_name": "Wri',
    "not JSON": b"Traceback (most recent call last):",
    "two documents": b'{"a": 1} {"b": 2}',
    "a list": b'[{"hook_event_name": "PreToolUse"}]',
    "a text": b'"PreToolUse"',
    "a number": b"42",
    "null": b"null",
    "a list nested 100,000 deep": b"[" * 100_000 + b"]" * 100_000,
    "an object nested 100,000 deep": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "an unfinished nesting": b"[" * 100_000,
    "zero bytes": b"\0" * 1000,
    "every byte value": bytes(range(256)),
    "more than 64 MB": b'{"content": "' + b"x" * (65 * MEGABYTE) + b'"}',
}
unreadable = pytest.mark.parametrize("raw", NOTHING_TO_READ.values(), ids=NOTHING_TO_READ.keys())


@unreadable
def test_a_gate_denies_what_cannot_be_read_and_says_how_to_go_on(project: Project, raw: bytes) -> None:
    answer = project.hook("PreToolUse", raw)
    require_deny(answer, "the hook's input is ", "edit-on-main", "holdfast doctor", "holdfast uninstall")
    assert answer.seconds < DEADLINE


@unreadable
def test_the_person_is_told_once_per_session_what_could_not_be_read(project: Project, raw: bytes) -> None:
    first, second = project.hook("Stop", raw), project.hook("Stop", raw)
    assert first.message.startswith("Holdfast: failed (the hook's input is ")
    assert "holdfast doctor" in first.message
    assert second.silent
    assert project.with_session("session-2").hook("Stop", raw).message == first.message


def test_no_gate_closes_where_none_is_enforced(project: Project) -> None:
    (project.folder / "holdfast.toml").write_text(NOTHING_ENFORCED)
    answer = project.hook("PreToolUse", b"garbage")
    assert answer.decision == ""
    assert "not JSON" in answer.message


def test_a_gate_of_the_last_good_configuration_closes_though_the_present_one_is_broken_too(project: Project) -> None:
    project.hook("PreToolUse", write_proposed(project))
    (project.folder / "holdfast.toml").write_text("profile = [broken")
    require_deny(project.hook("PreToolUse", b"garbage"), "edit-on-main")


@pytest.mark.parametrize("event", ["SessionEnd", "Notification", "WorktreeCreate", "PermissionDenied"])
def test_events_that_cannot_tell_anything_stay_silent_on_garbage(project: Project, event: str) -> None:
    assert project.hook(event, b"garbage").silent


def test_what_was_recorded_before_survives_garbage(project: Project) -> None:
    project.hook("PreToolUse", write_proposed(project, tool_use_id="before"))
    for raw in (b"", b"garbage", b"[]"):
        project.hook("PreToolUse", raw)
    assert ledger_of(project).tool_uses() == ["before"]
    assert ledger_of(project).is_sound()


def test_fifty_megabytes_are_judged_rightly_within_the_deadline(project: Project) -> None:
    answer = project.hook("PreToolUse", write_proposed(project, content="x = 1\n" * (50 * MEGABYTE // 7), tool_use_id="huge"))
    require_deny(answer, "src/app.py", "branch main")
    assert answer.seconds < DEADLINE / 2
    assert ledger_of(project).tool_uses() == ["huge"]
    assert ledger_of(project).column("SELECT max(length(body)) FROM payload")[0] < 100_000


def test_fifty_megabytes_pass_on_a_branch(branch_project: Project) -> None:
    answer = branch_project.hook("PreToolUse", write_proposed(branch_project, content="€" * (8 * MEGABYTE)))
    assert answer.silent
    assert ledger_of(branch_project).count() == 1


LONG_WORDS = {
    "one letter": "x" * 20_000 + " token",
    "dashes": "-" * 20_000 + "token",
    "a name over and over": "token" * 4_000,
    "names and spaces": "token " * 4_000,
    "a line of minified code": "a.b(c,d);" * 2_000 + "token",
    "base64": "QUJD" * 5_000 + " secret",
    "spaces after a name": "token" + " " * 20_000,
    "dots": "." * 20_000 + "api_key",
}


def test_no_long_word_beside_the_name_of_a_secret_slows_the_hook_down(project: Project) -> None:
    calls = [("PostToolUse", write_made(project, content=word, tool_use_id=name), "") for name, word in LONG_WORDS.items()]
    answers = project.hooks_at_once(calls)
    assert max(answer.seconds for answer in answers) < DEADLINE / 2
    assert sorted(ledger_of(project).tool_uses()) == sorted(LONG_WORDS)


WRONG_VALUES: tuple[Any, ...] = (None, True, 7, -1.5, 1e400, [], ["x"], [[]], {}, {"x": {"y": []}})
HARMLESS_FIELDS = (
    "session_id", "transcript_path", "cwd", "prompt_id", "permission_mode", "effort", "hook_event_name", "tool_use_id",
    "agent_id", "agent_type", "tool_response", "unknown_field",
)  # fmt: skip


@pytest.mark.parametrize("field", HARMLESS_FIELDS)
def test_a_field_of_a_wrong_type_does_not_change_the_judgement(project: Project, field: str) -> None:
    for number, value in enumerate(WRONG_VALUES):
        # ids of their own, so that none is taken for a second delivery of another
        payload = write_proposed(project, f"src/file{number}.py") | {field: value}
        require_deny(project.hook("PreToolUse", payload), f"src/file{number}.py", "branch main")
    assert ledger_of(project).count() == len(WRONG_VALUES)


@pytest.mark.parametrize("field", ["tool_name", "tool_input"])
def test_a_call_without_a_readable_tool_is_recorded_and_passes(project: Project, field: str) -> None:
    for value in WRONG_VALUES:
        assert project.hook("PreToolUse", write_proposed(project) | {field: value}).silent
    assert ledger_of(project).count() == len(WRONG_VALUES)


@pytest.mark.parametrize("field", ["file_path", "content", "edits", "old_string", "new_string", "replace_all", "files"])
@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
def test_wrong_types_inside_the_tool_input_are_answered_legally(project: Project, tool: str, field: str) -> None:
    for value in WRONG_VALUES[::3]:
        payload = write_proposed(project)
        payload |= {"tool_name": tool, "tool_input": payload["tool_input"] | {field: value}}
        answer = project.hook("PreToolUse", payload)
        # without a path there is nothing to judge
        assert answer.silent if field == "file_path" else answer.decision == "deny"
    assert ledger_of(project).count() == len(WRONG_VALUES[::3])


@pytest.mark.parametrize("field", sorted(recorded("Stop", Project(None, None))))  # type: ignore[arg-type]
def test_wrong_types_at_a_stop_are_recorded_and_harmless(project: Project, field: str) -> None:
    for value in WRONG_VALUES:
        assert project.hook("Stop", stop(project) | {field: value}).silent
    assert ledger_of(project).column("SELECT kind FROM event") == ["StopRequested"] * len(WRONG_VALUES)


ODD_TEXTS = {
    "invalid UTF-8": b"\xff\xfe\x80 caf\xe9",
    "lone surrogates": b"\\ud800 \\udfff",
    "zero bytes": b"\\u0000",
    "raw control characters": b"\x01\x1b[31m\x7f",
    "a byte order mark inside": b"\xef\xbb\xbf",
}
odd_texts = pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())


def with_raw_text(payload: dict[str, Any], text: bytes) -> bytes:
    return json.dumps(payload).encode().replace(b"ODD", text)


@odd_texts
def test_odd_text_in_the_content_is_judged_rightly(project: Project, text: bytes) -> None:
    payload = with_raw_text(write_proposed(project, content="ODD", tool_use_id="odd"), text)
    require_deny(project.hook("PreToolUse", payload), "src/app.py")
    assert ledger_of(project).tool_uses() == ["odd"]


@odd_texts
def test_odd_text_in_the_path_never_opens_the_gate(project: Project, text: bytes) -> None:
    payload = with_raw_text(write_proposed(project, "src/ODD.py", tool_use_id="odd"), text)
    require_deny(project.hook("PreToolUse", payload), "edit-on-main")
    assert ledger_of(project).tool_uses() == ["odd"]


@odd_texts
@pytest.mark.parametrize("field", ["session_id", "cwd", "prompt_id", "agent_id", "tool_use_id", "permission_mode"])
def test_odd_text_in_any_field_is_judged_and_recorded(project: Project, field: str, text: bytes) -> None:
    payload = write_proposed(project)
    payload[field] = "/ODD" if field == "cwd" else "ODD"
    require_deny(project.hook("PreToolUse", with_raw_text(payload, text)), "src/app.py", "branch main")
    assert ledger_of(project).count() == 1


@odd_texts
def test_odd_text_at_a_stop_is_recorded_and_harmless(project: Project, text: bytes) -> None:
    payload = stop(project, cwd="/ODD", last_assistant_message="ODD", session_id="ODD")
    project.hook("Stop", with_raw_text(payload, text))
    assert ledger_of(project).column("SELECT kind FROM event") == ["StopRequested"]


def test_a_byte_order_mark_before_the_document_is_passed_over(project: Project) -> None:
    raw = b"\xef\xbb\xbf" + json.dumps(write_proposed(project)).encode()
    require_deny(project.hook("PreToolUse", raw), "src/app.py")


def test_a_number_of_five_thousand_digits_is_answered_legally(project: Project) -> None:
    raw = with_raw_text(write_proposed(project, extra="ODD"), b'", "n": ' + b"9" * 5000 + b', "o": "')
    require_deny(project.hook("PreToolUse", raw))


def test_an_unknown_event_is_recorded_and_silent(project: Project) -> None:
    payload = recorded("PreToolUse.Write", project, hook_event_name="AfterTheEnd")
    assert project.hook("AfterTheEnd", payload).silent
    assert ledger_of(project).rows("SELECT name, kind FROM event") == [("AfterTheEnd", "OtherEvent")]


@pytest.mark.parametrize("event", ["AfterTheEnd", ""])
def test_garbage_for_an_event_that_is_not_known_is_told_once_per_session(project: Project, event: str) -> None:
    assert "not JSON" in project.hook(event, b"garbage").message
    assert project.hook(event, b"garbage").silent


def test_without_an_event_argument_the_payload_says_what_it_is(project: Project) -> None:
    require_deny(project.hook("", write_proposed(project)), "src/app.py")


def test_without_an_event_name_in_the_payload_the_argument_says_what_it_is(project: Project) -> None:
    payload = write_proposed(project)
    del payload["hook_event_name"]
    require_deny(project.hook("PreToolUse", payload), "src/app.py")


def test_an_empty_object_is_recorded_and_silent(project: Project) -> None:
    assert project.hook("PreToolUse", {}).silent
    assert ledger_of(project).rows("SELECT name, kind FROM event") == [("PreToolUse", "OtherEvent")]
