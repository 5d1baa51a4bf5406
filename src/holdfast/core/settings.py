"""The settings of one project, as values: modes, path filters and each policy's own settings."""

from __future__ import annotations

from holdfast.core.jsontext import as_dict, as_list, as_text
from holdfast.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENFORCE, WARN, OFF = "enforce", "warn", "off"
MODES = (ENFORCE, WARN, OFF)

PROFILES = {
    "standard": "what almost every project wants",
    "strict": "standard, plus the gates on edits",
    "full": "every policy that there is",
    "observe": "every policy in warn mode: says what it would have done and stops nothing",
}
DEFAULT_PROFILE = "standard"


class PolicySettings(Record):
    """How one policy is set."""

    mode: str = OFF
    paths: tuple[str, ...] = ()
    """Globs of the files that it concerns; a leading "!" takes files out. Empty: all files."""
    own: dict[str, Any] = {}
    """The policy's own settings that differ from its defaults."""

    def __hash__(self) -> int:
        return hash((self.mode, self.paths))


class Settings(Record):
    """All settings of one project."""

    profile: str = DEFAULT_PROFILE
    policies: dict[str, PolicySettings] = {}
    retention_days: int = 30
    max_events: int = 100_000
    audit_log: bool = True
    problems: tuple[str, ...] = ()
    """What is wrong with the configuration, one line each."""

    def __hash__(self) -> int:
        return hash((self.profile, self.retention_days, self.max_events))

    def of(self, policy: str) -> PolicySettings:
        """Return how this policy is set."""
        return self.policies.get(policy, PolicySettings())


def to_json(settings: Settings) -> dict[str, Any]:
    """Return the settings as plain JSON values, for the snapshot in the store."""
    policies = {id: {"mode": one.mode, "paths": list(one.paths), "own": one.own} for id, one in settings.policies.items()}
    return {**settings.__dict__, "policies": policies, "problems": list(settings.problems)}


def from_json(value: object) -> Settings:
    """Return the settings that `to_json` wrote."""
    found = as_dict(value)
    policies = {
        id: PolicySettings(
            mode=as_text(one.get("mode")) or OFF,
            paths=tuple(as_text(path) for path in as_list(one.get("paths"))),
            own={name: _frozen(item) for name, item in as_dict(one.get("own")).items()},
        )
        for id, one in as_dict(found.get("policies")).items()
        if isinstance(one, dict)
    }
    return Settings(
        profile=as_text(found.get("profile")) or DEFAULT_PROFILE,
        policies=policies,
        retention_days=int(found.get("retention_days", Settings.retention_days)),
        max_events=int(found.get("max_events", Settings.max_events)),
        audit_log=bool(found.get("audit_log", Settings.audit_log)),
        problems=tuple(as_text(line) for line in as_list(found.get("problems"))),
    )


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
