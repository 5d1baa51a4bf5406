"""The parsed configuration, kept in the store so that the hook need not parse TOML."""

from __future__ import annotations

from holdfast.core.jsontext import encode, parse
from holdfast.core.settings import Settings, from_json, to_json
from holdfast.store.recording import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.store.sqlite import Connection


def kept_settings(connection: Connection, root: str, signature: str) -> Settings | None:
    """Return the settings that were parsed from exactly these files."""
    query = "SELECT settings FROM snapshot WHERE root = ? AND signature = ?"
    found = connection.execute(query, (storable(root), storable(signature))).fetchone()
    return from_json(parse(found[0])) if found else None


def last_good_settings(connection: Connection, root: str) -> Settings | None:
    """Return the settings of the last configuration without errors."""
    found = connection.execute("SELECT last_good FROM snapshot WHERE root = ?", (storable(root),)).fetchone()
    return from_json(parse(found[0])) if found and found[0] else None


def keep_settings(connection: Connection, root: str, signature: str, settings: Settings, *, good: bool) -> None:
    """Keep settings for these files; if they are without errors, as the last good ones too."""
    text = encode(to_json(settings))
    connection.execute(
        "INSERT INTO snapshot VALUES (?, ?, ?, ?) ON CONFLICT (root) DO UPDATE SET signature = excluded.signature,"
        " settings = excluded.settings, last_good = CASE WHEN ? THEN excluded.last_good ELSE last_good END",
        (storable(root), storable(signature), text, text if good else "", int(good)),
    )
