"""Fetching facts: each kind once per event, by the one function that knows how."""

from __future__ import annotations

from holdfast.core.facts import Enforcement, Request, Unknown, reading_of
from holdfast.core.settings import ENFORCE, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.event import Event
    from holdfast.core.settings import Settings
    from holdfast.policies.catalog import Entry
    from holdfast.store.opening import Store


def concerned(entries: tuple[Entry, ...], command: str, fetch: Fetcher) -> tuple[Entry, ...]:
    """Return the policies that a command wakes by what it does, so that the others need not even be imported."""
    if not command.strip():
        return ()
    reading = fetch(reading_of(command))
    if isinstance(reading, Unknown):
        return entries
    kinds = {effect.kind for effect in reading.effects}  # type: ignore[attr-defined]
    return tuple(entry for entry in entries if not entry.effects or kinds & set(entry.effects))


class Fetcher:
    """Fetches facts for one event and remembers them."""

    def __init__(self, event: Event, settings: Settings, store: Store | None, store_why: str, search_path: str = "") -> None:
        self.event = event
        self.settings = settings
        self.store = store
        self.store_why = store_why
        self.search_path = search_path
        self.known: dict[Request, object] = {}

    def __call__(self, request: Request) -> object:
        """Return a fact, or Unknown if it cannot be had."""
        if request not in self.known:
            fetch: Callable[[str], object] = getattr(self, f"_{request.kind}")
            self.known[request] = fetch(request.about)
        return self.known[request]

    def _absolute(self, path: str) -> str:
        if path.startswith("/") or not self.event.head.cwd:
            return path
        from holdfast.adapters.files import joined

        return joined(self.event.head.cwd, path)

    def _repository(self, path: str) -> object:
        from holdfast.adapters.git import repository_of

        try:
            return repository_of(self._absolute(path))
        except (OSError, ValueError) as error:
            return Unknown(str(error))

    def _working_tree(self, path: str) -> object:
        from holdfast.adapters.git import working_tree_of

        try:
            return working_tree_of(self._absolute(path))
        except (OSError, ValueError) as error:
            return Unknown(str(error))

    def _reading(self, command: str) -> object:
        from holdfast.adapters.reading import reading_of as read

        return read(command, self.search_path, self.store)

    def _tally(self, _about: str) -> object:
        if self.store is None:
            return Unknown(self.store_why)
        from holdfast.core.ledger.tally import fold
        from holdfast.core.verdict import NOTHING
        from holdfast.store.recording import tally_of

        return fold(tally_of(self.store.connection, self.event.head.session), self.event, NOTHING)

    def _summary(self, entry: Entry) -> str:
        from holdfast.core.policy import configured
        from holdfast.policies.catalog import load

        try:
            policy = load(entry)
            return policy.summary(configured(policy, self.settings.of(entry.id).own)) if policy.summary else entry.summary
        except Exception:  # it rules by its posture; here it is only described
            return entry.summary

    def _enforcement(self, _about: str) -> object:
        from holdfast.policies.catalog import CATALOG

        modes = {entry.id: self.settings.of(entry.id).mode for entry in CATALOG}
        enforced = tuple((one.id, self._summary(one)) for one in CATALOG if one.gate and modes[one.id] == ENFORCE)
        warned = tuple(one.id for one in CATALOG if one.gate and modes[one.id] == WARN)
        return Enforcement(self.settings.profile, enforced, warned, self.settings.problems)
