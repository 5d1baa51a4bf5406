"""Configuration files: what is right is taken, what is wrong is named with file, line and a way to put it right."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.config import parsed_settings, read_configuration, settings_of
from holdfast.adapters.place import Place
from holdfast.adapters.settings import files_of, settings_for, signature_of
from holdfast.core.settings import ENFORCE, OFF, WARN, PolicySettings, Settings
from holdfast.policies.catalog import CATALOG, profile_mode
from holdfast.store.opening import open_store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "holdfast.toml"


def problems(file: Path, text: str) -> list[str]:
    """Return what is wrong with a file of this text, without its folder."""
    file.write_text(text)
    return [str(problem).replace(f"{file.parent}/", "") for problem in read_configuration((str(file),)).problems]


MISTAKES = {
    "a near miss": ('profil = "strict"\n', "holdfast.toml:1: unknown setting 'profil'; did you mean 'profile'?"),
    "nothing near": ("zzz = 1\n", "holdfast.toml:1: unknown setting 'zzz'; known are: "),
    "a profile": ('profile = "strickt"\n', "holdfast.toml:1: unknown profile 'strickt'; did you mean 'strict'?"),
    "a profile of another type": ("profile = 3\n", "holdfast.toml:1: unknown profile '3'; known are: "),
    "a number as text": ('\nretention_days = "30"\n', "holdfast.toml:2: 'retention_days' must be a whole number, 0 or more"),
    "a negative number": ("max_events = -1\n", "holdfast.toml:1: 'max_events' must be a whole number, 0 or more"),
    "a fraction": ("max_events = 1.5\n", "holdfast.toml:1: 'max_events' must be a whole number"),
    "a truth value as number": ("retention_days = true\n", "holdfast.toml:1: 'retention_days' must be a whole number"),
    "a number as truth value": ("audit_log = 1\n", "holdfast.toml:1: 'audit_log' must be true or false"),
    "a policy": ('[policy.edit-on-mian]\nmode = "off"\n', "holdfast.toml:1: unknown policy 'edit-on-mian'; did you mean 'edit-on-main'?"),
    "a policy that is no table": ('[policy]\nedit-on-main = "off"\n', "holdfast.toml:2: [policy.edit-on-main] must be a table"),
    "a mode": ('[policy.edit-on-main]\nmode = "of"\n', "holdfast.toml:2: unknown mode 'of'; did you mean 'off'?"),
    "a setting of a policy": (
        '# first\n[policy.edit-on-main]\nbranchs = ["a"]\n',
        "holdfast.toml:3: unknown setting of edit-on-main 'branchs'; did you mean 'branches'?",
    ),
    "a text for a list": ('[policy.edit-on-main]\nbranches = "a"\n', "holdfast.toml:2: 'branches' must be a list of texts"),
    "a list of other things": ("[policy.edit-on-main]\npaths = [1]\n", "holdfast.toml:2: 'paths' must be a list of texts"),
    "policy itself is no table": ("policy = 1\n", "holdfast.toml:1: "),
    "not TOML": ("profile = \n", "holdfast.toml: cannot be read: "),
    "a key twice": ("audit_log = true\naudit_log = true\n", "holdfast.toml: cannot be read: "),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_named_with_file_line_and_remedy(file: Path, text: str, expected: str) -> None:
    (found,) = problems(file, text)
    assert found.startswith(expected)


LINES = {
    "the same key in two sections": ('[policy.session-summary]\nmode = "warn"\n\n[policy.edit-on-main]\nmode = "x"\n', 5),
    "an inline table": ('[policy]\nedit-on-main = { mode = "x" }\n', 2),
    "a dotted key": ('policy.edit-on-main.mode = "x"\n', 1),
    "a quoted section": ('\n[policy."edit-on-main"]\n\nmode = "x"\n', 4),
    "spaces in the section": ('[ policy . edit-on-main ]\nmode = "x"\n', 2),
    "a key of that name before": ('mode_of_work = 1\n[policy.edit-on-main]\nmode = "x"\n', 3),
}


@pytest.mark.parametrize(("text", "line"), LINES.values(), ids=LINES.keys())
def test_the_line_is_right_or_not_said(file: Path, text: str, line: int) -> None:
    mistake = [found for found in problems(file, text) if "unknown mode" in found]
    assert len(mistake) == 1
    assert mistake[0].startswith((f"holdfast.toml:{line}: ", "holdfast.toml: "))


def test_every_mistake_is_named_and_the_rest_is_taken(file: Path) -> None:
    file.write_text('profile = "strict"\nmax_events = "x"\nfoo = 1\n[policy.edit-on-main]\nmode = "warn"\nbaz = 2\n')
    configuration = read_configuration((str(file),))
    assert [problem.key for problem in configuration.problems] == ["max_events", "foo", "policy.edit-on-main.baz"]
    assert not configuration.broken
    settings = settings_of(configuration)
    assert settings.profile == "strict"
    assert settings.max_events == Settings.max_events
    assert settings.of("edit-on-main").mode == WARN
    assert len(settings.problems) == 3


def test_values_know_the_file_that_they_came_from_and_the_strongest_wins(tmp_path: Path) -> None:
    strong, middle, weak = tmp_path / "holdfast.toml", tmp_path / "pyproject.toml", tmp_path / "config.toml"
    strong.write_text('profile = "strict"\n')
    middle.write_text('[tool.holdfast]\nprofile = "full"\nretention_days = 5\n[tool.holdfast.policy.edit-on-main]\nmode = "warn"\n')
    weak.write_text('profile = "observe"\nretention_days = 6\nmax_events = 7\n')
    values = read_configuration((str(strong), str(middle), str(weak))).values
    assert {key: (value.value, Path(value.origin).name) for key, value in values.items()} == {
        "profile": ("strict", "holdfast.toml"),
        "retention_days": (5, "pyproject.toml"),
        "policy.edit-on-main.mode": ("warn", "pyproject.toml"),
        "max_events": (7, "config.toml"),
    }


def test_a_wrong_value_in_a_strong_file_leaves_the_right_one_of_a_weak_file(tmp_path: Path) -> None:
    strong, weak = tmp_path / "holdfast.toml", tmp_path / "config.toml"
    strong.write_text('profile = "strickt"\n')
    weak.write_text('profile = "strict"\n')
    assert settings_of(read_configuration((str(strong), str(weak)))).profile == "strict"


@pytest.mark.parametrize("text", ["", "[project]\nname = 'x'\n", "[tool.other]\nprofile = 1\n", "tool = 3\n", "[tool]\nholdfast = 3\n"])
def test_a_pyproject_without_our_table_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    configuration = read_configuration((str(tmp_path / "pyproject.toml"),))
    assert (configuration.values, configuration.problems) == ({}, ())


def test_mistakes_in_pyproject_have_the_line_in_that_file(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[project]\nname = "x"\n\n[tool.holdfast]\nprofil = "x"\n\n[tool.holdfast.policy.edit-on-main]\nmode = "x"\n')
    lines = [problem.line for problem in read_configuration((str(file),)).problems]
    assert lines == [5, 8]


@pytest.mark.parametrize(("text", "broken"), [("[tool.holdfast\n", True), ("[tool.other\n", False)])
def test_a_broken_pyproject_is_our_business_only_if_it_mentions_us(tmp_path: Path, text: str, broken: bool) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert read_configuration((str(tmp_path / "pyproject.toml"),)).broken == broken


def test_files_that_are_missing_or_no_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    configuration = read_configuration(("", str(tmp_path / "missing.toml"), str(tmp_path / "folder.toml")))
    assert configuration.problems == ()


def test_a_file_that_is_not_utf_8_is_broken(file: Path) -> None:
    file.write_bytes(b'profile = "\xff"\n')
    assert read_configuration((str(file),)).broken


def test_while_a_file_is_broken_the_last_good_settings_hold_with_the_problem_named(file: Path) -> None:
    file.write_text("profile = [")
    last_good = Settings(profile="strict", policies={"edit-on-main": PolicySettings(ENFORCE)})
    settings, whole = parsed_settings((str(file),), last_good)
    assert not whole
    assert settings.profile == "strict"
    assert settings.of("edit-on-main").mode == ENFORCE
    assert "cannot be read" in settings.problems[0]
    assert parsed_settings((str(file),), None)[0].profile == "standard"


PROFILE_MODES = [
    ("standard", "edit-on-main", OFF),
    ("strict", "edit-on-main", ENFORCE),
    ("full", "edit-on-main", ENFORCE),
    ("observe", "edit-on-main", WARN),
    ("standard", "session-summary", ENFORCE),
    ("observe", "session-summary", WARN),
]


@pytest.mark.parametrize(("profile", "policy", "mode"), PROFILE_MODES)
def test_a_profile_gives_every_policy_its_mode(file: Path, profile: str, policy: str, mode: str) -> None:
    file.write_text(f'profile = "{profile}"\n')
    settings, whole = parsed_settings((str(file),), None)
    assert whole
    assert settings.of(policy).mode == mode
    assert {entry.id: settings.of(entry.id).mode for entry in CATALOG} == {entry.id: profile_mode(entry, profile) for entry in CATALOG}


def test_settings_survive_the_way_through_the_store(tmp_path: Path) -> None:
    (tmp_path / "holdfast.toml").write_text(
        'profile = "full"\nretention_days = 3\naudit_log = false\nfoo = 1\n'
        '[policy.edit-on-main]\nmode = "warn"\npaths = ["src/**", "!*.ts"]\nbranches = ["trunk", "größe"]\n'
        "[policy.session-summary]\nfiles_named = 9\n"
    )
    store = open_store(str(tmp_path / "store"))
    parsed = settings_for(Place(str(tmp_path)), {}, store)
    kept = settings_for(Place(str(tmp_path)), {}, store)
    store.connection.close()
    assert kept == parsed
    assert kept.of("edit-on-main").own["branches"] == ("trunk", "größe")


def test_the_users_file_lies_in_the_home_or_where_xdg_says() -> None:
    assert files_of(Place("/p"), {"HOME": "/h"}) == ("/p/holdfast.toml", "/p/pyproject.toml", "/h/.config/holdfast/config.toml")
    assert files_of(Place("/p"), {"HOME": "/h", "XDG_CONFIG_HOME": "/x"})[2] == "/x/holdfast/config.toml"
    assert files_of(Place("/p"), {})[2] == ""


def test_without_a_project_no_file_at_the_root_of_the_disk_is_taken_for_its_own() -> None:
    assert not any(path.startswith(("/holdfast.toml", "/pyproject.toml")) for path in files_of(Place(""), {"HOME": "/h"}))


def test_the_signature_changes_with_every_change_of_a_file(file: Path) -> None:
    seen = {signature_of((str(file),))}
    file.write_text("a = 1\n")
    seen.add(signature_of((str(file),)))
    file.write_text("a = 10\n")
    seen.add(signature_of((str(file),)))
    replacement = file.with_suffix(".new")
    replacement.write_text("a = 20\n")
    replacement.replace(file)
    seen.add(signature_of((str(file),)))
    assert len(seen) == 4
    assert signature_of((str(file),)) in seen
