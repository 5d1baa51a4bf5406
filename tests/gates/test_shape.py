"""The shape of the package: short modules and functions, and policies that have all that a policy has."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfast
from holdfast.core import event as events
from holdfast.core.event import Event
from holdfast.core.policy import CLOSE, JUDGE, OPEN, REWRITER, Config, Policy
from holdfast.core.settings import ENFORCE, MODES, OFF, PROFILES, WARN
from holdfast.policies.catalog import CATALOG, Entry, entry_of, load, profile_mode

from .shape import (
    MOST_FUNCTION_LINES,
    MOST_LINES,
    MOST_POLICY_LINES,
    headings,
    long_functions,
    long_modules,
    modules_of,
    nameless_modules,
    page_faults,
    policy_modules,
)

ROOT = Path(holdfast.__file__).resolve().parent
TABLES = Path(__file__).resolve().parents[1] / "policies"

EACH = pytest.mark.parametrize("entry", CATALOG, ids=[entry.id for entry in CATALOG])


def source_of(entry: Entry) -> str:
    return (ROOT / "policies" / f"{entry.module.rpartition('.')[2]}.py").read_text(encoding="utf-8")


def test_there_is_something_to_look_at() -> None:
    assert len(modules_of(ROOT)) >= 40
    assert len(CATALOG) >= 3


def test_no_module_is_too_long() -> None:
    assert long_modules(ROOT) == []


def test_no_function_is_too_long() -> None:
    assert long_functions(ROOT) == []


def test_every_module_is_named_for_what_it_does() -> None:
    assert nameless_modules(ROOT) == []


# --- policies ---


def test_the_catalog_and_the_folder_hold_the_same_policies() -> None:
    assert policy_modules(ROOT) == sorted(entry.module.rpartition(".")[2] for entry in CATALOG)


def test_no_id_occurs_twice() -> None:
    assert len({entry.id for entry in CATALOG}) == len(CATALOG)
    assert all(entry_of(entry.id) is entry for entry in CATALOG)
    assert entry_of("no-such-policy") is None


@EACH
def test_a_policy_has_a_page_with_the_headings_of_its_siblings(entry: Entry) -> None:
    assert page_faults(source_of(entry), gate=entry.gate) == []


@EACH
def test_a_policy_has_a_table(entry: Entry) -> None:
    path = TABLES / f"test_{entry.module.rpartition('.')[2]}.py"
    assert path.is_file(), f"{path.name} is missing: every policy has a table of what it says and where it is silent"
    assert f'"{entry.id}"' in path.read_text(encoding="utf-8")


@EACH
def test_the_catalog_names_events_that_exist(entry: Entry) -> None:
    assert entry.events
    for name in entry.events:
        kind = getattr(events, name, None)
        assert isinstance(kind, type), f"{name} is no event"
        assert issubclass(kind, Event)
        assert kind is not Event


@EACH
def test_a_policy_is_what_the_catalog_says(entry: Entry) -> None:
    policy = load(entry)
    assert isinstance(policy, Policy)
    assert policy.id == entry.id
    assert policy.posture == (CLOSE if entry.gate else OPEN), "a gate fails closed, everything else open"
    assert policy.stage in (JUDGE, REWRITER)
    assert entry.since in PROFILES
    assert entry.since != "observe"
    assert entry.summary
    assert entry.summary[0].islower()
    assert not entry.summary.endswith("."), "the summary stands in the middle of sentences"


@EACH
def test_the_settings_of_a_policy_have_types_that_a_file_can_give(entry: Entry) -> None:
    config = load(entry).config
    assert isinstance(config, Config)
    assert type(config).__name__ == "Config"
    assert set(type(config).fields().values()) <= {"bool", "int", "float", "str", "tuple[str, ...]"}


@EACH
def test_a_stricter_profile_never_enforces_less(entry: Entry) -> None:
    modes = [profile_mode(entry, profile) for profile in ("standard", "strict", "full")]
    assert modes == sorted(modes, key=[OFF, ENFORCE].index)
    assert modes[-1] == ENFORCE
    assert profile_mode(entry, "observe") == WARN
    assert {profile_mode(entry, profile) for profile in PROFILES} <= set(MODES)


# --- the checkers can fail ---


def written(folder: Path, module: str, source: str) -> Path:
    path = folder / module
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return folder


LENGTHS: list[tuple[str, str, int, bool]] = [
    ("a module at the bound", "core/a.py", MOST_LINES, False),
    ("a module beyond it", "core/a.py", MOST_LINES + 1, True),
    ("a policy at the bound", "policies/a.py", MOST_POLICY_LINES, False),
    ("a policy beyond it", "policies/a.py", MOST_POLICY_LINES + 1, True),
    ("the catalog is no policy", "policies/catalog.py", MOST_POLICY_LINES + 1, False),
]


@pytest.mark.parametrize(("module", "lines", "found"), [pytest.param(*row[1:], id=row[0]) for row in LENGTHS])
def test_a_long_module_is_found(tmp_path: Path, module: str, lines: int, found: bool) -> None:
    assert bool(long_modules(written(tmp_path, module, "x = 1\n" * lines))) == found


BODIES: list[tuple[str, str, bool]] = [
    ("at the bound", "def f():\n" + "    x = 1\n" * MOST_FUNCTION_LINES, False),
    ("beyond it", "def f():\n" + "    x = 1\n" * (MOST_FUNCTION_LINES + 1), True),
    ("the docstring counts", 'def f():\n    """D.\n' + "\n" * MOST_FUNCTION_LINES + '    """\n', True),
    ("the parameters do not", "def f(\n" + "".join(f"    p{n},\n" for n in range(50)) + "):\n    pass\n", False),
    ("a method", "class C:\n    async def f(self):\n" + "        x = 1\n" * (MOST_FUNCTION_LINES + 1), True),
]


@pytest.mark.parametrize(("source", "found"), [pytest.param(*row[1:], id=row[0]) for row in BODIES])
def test_a_long_function_is_found(tmp_path: Path, source: str, found: bool) -> None:
    assert bool(long_functions(written(tmp_path, "core/a.py", source))) == found


@pytest.mark.parametrize("name", ["utils.py", "helpers.py"])
def test_a_name_that_says_nothing_is_found(tmp_path: Path, name: str) -> None:
    assert nameless_modules(written(tmp_path, f"core/{name}", ""))
    assert not nameless_modules(written(tmp_path / "other", "core/helpers_of_state.py", ""))


GATE_PAGE = '"""Refuses it.\n\n## Refused\nx\n\n## Passes\nx\n\n## Why\nx\n\n## How to satisfy it\nx\n\n## Known limits\nx\n"""\n'
PAGES: list[tuple[str, str, bool, bool]] = [
    ("a gate's page", GATE_PAGE, True, True),
    ("a gate's page on another policy", GATE_PAGE, False, False),
    ("no page", "x = 1\n", True, False),
    ("a heading is missing", GATE_PAGE.replace("## Why\n", ""), True, False),
    ("the headings stand in another order", GATE_PAGE.replace("Why", "?").replace("Known limits", "Why"), True, False),
    ("the first line is no sentence", GATE_PAGE.replace("Refuses it.", "refusing"), True, False),
]


@pytest.mark.parametrize(("source", "gate", "right"), [pytest.param(*row[1:], id=row[0]) for row in PAGES])
def test_a_wrong_page_is_found(source: str, gate: bool, right: bool) -> None:
    assert (page_faults(source, gate=gate) == []) == right


def test_headings_are_read_from_the_docstring_only() -> None:
    assert headings(GATE_PAGE + "## Comment\n") == ("Refused", "Passes", "Why", "How to satisfy it", "Known limits")
