"""Reading the configuration files: find, parse, validate, merge; every value knows where it came from."""

from __future__ import annotations

import difflib
import os
import tomllib

from holdfast.adapters.settings import PYPROJECT
from holdfast.core.record import Record
from holdfast.core.redaction import redacted
from holdfast.core.settings import DEFAULT_PROFILE, MODES, PROFILES, PolicySettings, Settings
from holdfast.policies.catalog import CATALOG, entry_of, load, profile_mode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GENERAL = {"profile": "str", "retention_days": "int", "max_events": "int", "audit_log": "bool"}
"""Keys outside [policy.…], with their types."""
COMMON = {"mode": "str", "paths": "tuple[str, ...]"}
"""Keys that every policy has."""


class Problem(Record):
    """Something wrong in a configuration file."""

    file: str
    key: str
    text: str
    line: int = 0

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.text}"


class Value(Record):
    """A setting and the file that it came from."""

    value: object
    origin: str

    def __hash__(self) -> int:
        return hash(self.origin)


class Configuration(Record):
    """All that the files say."""

    values: dict[str, Value] = {}
    """Dotted key → value, strongest file first."""
    problems: tuple[Problem, ...] = ()
    broken: bool = False
    """A file could not be parsed at all."""

    def __hash__(self) -> int:
        return hash(self.problems)


def read_configuration(files: tuple[str, ...]) -> Configuration:
    """Read these files, strongest first."""
    values: dict[str, Value] = {}
    problems: list[Problem] = []
    broken = False
    for path in files:
        if not path or not os.path.isfile(path):
            continue
        try:
            with open(path, "rb") as file:
                text = file.read().decode("utf-8")
            table = tomllib.loads(text)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            if os.path.basename(path) == PYPROJECT and not _mentions_us(path):
                continue  # somebody else's broken file is not our business
            problems.append(Problem(path, "", redacted(f"cannot be read: {error}")))
            broken = True
            continue
        if os.path.basename(path) == PYPROJECT:
            table = _table(_table(table.get("tool")).get("holdfast"))
        for key, value, problem in _checked(table):
            if problem:
                problems.append(Problem(path, key, redacted(problem), _line_of(text, key)))
            elif key not in values:
                values[key] = Value(value, path)
    return Configuration(values, tuple(problems), broken)


def _mentions_us(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return b"tool.holdfast" in file.read()
    except OSError:
        return False


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _line_of(text: str, key: str) -> int:
    """Return the line on which the last part of a key stands, within its section where that can be found."""
    *section, name = key.split(".")
    wanted = f"[{'.'.join(section)}]" if section else ""
    inside = not wanted
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            inside = not wanted or stripped.replace("tool.holdfast.", "").replace('"', "").startswith(wanted)
            if stripped.rstrip("]").endswith(key):
                return number
        elif inside and stripped.partition("=")[0].strip().strip('"') == name:
            return number
    return 0


def _checked(table: dict[str, Any]) -> list[tuple[str, object, str]]:
    """Return (key, value, problem) for every setting in a file."""
    found: list[tuple[str, object, str]] = []
    for key, value in table.items():
        if key == "policy" and isinstance(value, dict):
            for id, own in value.items():
                found.extend(_checked_policy(id, own))
        elif key == "policy":
            found.append((key, value, "'policy' must be a table: [policy.ID]"))
        elif key in GENERAL:
            found.append((key, value, _type_problem(key, value, GENERAL[key])))
        else:
            found.append((key, value, _unknown(key, [*GENERAL, "policy"], "setting")))
    return found


def _checked_policy(id: str, own: object) -> list[tuple[str, object, str]]:
    entry = entry_of(id)
    if entry is None:
        return [(f"policy.{id}", own, _unknown(id, [one.id for one in CATALOG], "policy"))]
    if not isinstance(own, dict):
        return [(f"policy.{id}", own, f"[policy.{id}] must be a table")]
    found: list[tuple[str, object, str]] = []
    try:
        known = {**COMMON, **type(load(entry).config).fields()}
    except Exception as error:  # it still rules, by its posture; only its own settings cannot be checked
        known = COMMON
        found.append((f"policy.{id}", own, f"the policy {id} cannot be loaded ({type(error).__name__}: {error})"))
        own = {key: value for key, value in own.items() if key in COMMON}
    for key, value in own.items():
        full = f"policy.{id}.{key}"
        problem = _type_problem(key, value, known[key]) if key in known else _unknown(key, list(known), f"setting of {id}")
        found.append((full, value, problem))
    return found


def _unknown(key: str, known: list[str], what: str) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(sorted(known))}"
    return f"unknown {what} {key!r}; {hint}"


def _type_problem(key: str, value: object, annotation: str) -> str:
    if key == "profile" and value not in PROFILES:
        return _unknown(str(value), list(PROFILES), "profile")
    if key == "mode" and value not in MODES:
        return _unknown(str(value), list(MODES), "mode")
    fits = {
        "bool": isinstance(value, bool),
        "int": isinstance(value, int) and not isinstance(value, bool) and value >= 0,
        "float": isinstance(value, (int, float)) and not isinstance(value, bool),
        "str": isinstance(value, str),
        "tuple[str, ...]": isinstance(value, list) and all(isinstance(item, str) for item in value),
    }
    said = {
        "bool": "true or false",
        "int": "a whole number, 0 or more",
        "float": "a number",
        "str": "a text",
        "tuple[str, ...]": "a list of texts",
    }
    # the value itself is not repeated: it may be a secret that ended up in the wrong place
    return "" if fits[annotation] else f"{key!r} must be {said[annotation]}"


def settings_of(configuration: Configuration) -> Settings:
    """Return the settings that a configuration makes; what is wrong in it is left out and named."""
    values = configuration.values

    def get(key: str, default: Any) -> Any:
        return values[key].value if key in values else default

    profile = get("profile", DEFAULT_PROFILE)
    policies = {}
    for entry in CATALOG:
        prefix = f"policy.{entry.id}."
        own = {
            key[len(prefix) :]: value.value
            for key, value in values.items()
            if key.startswith(prefix) and key[len(prefix) :] not in COMMON
        }
        if profile in ("strict", "full"):
            own = {**dict(entry.strict), **own}
        mode = get(prefix + "mode", profile_mode(entry, profile))
        policies[entry.id] = PolicySettings(mode, tuple(get(prefix + "paths", ())), _frozen(own))
    return Settings(
        profile=profile,
        policies=policies,
        retention_days=get("retention_days", Settings.retention_days),
        max_events=get("max_events", Settings.max_events),
        audit_log=get("audit_log", Settings.audit_log),
        problems=tuple(str(problem) for problem in configuration.problems),
    )


def _frozen(own: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in own.items()}


def parsed_settings(files: tuple[str, ...], last_good: Settings | None) -> tuple[Settings, bool]:
    """Return the settings of these files, and whether all could be parsed; the last good ones while one cannot."""
    configuration = read_configuration(files)
    settings = settings_of(configuration)
    if configuration.broken and last_good is not None:
        return last_good.replace(problems=settings.problems), False
    return settings, not configuration.broken
