"""SQLite without the `sqlite3` package, and without the modules that its C part asks for.

`sqlite3` imports `datetime` and more. Its C module imports `functools` (and with it `collections`) only to cache
prepared statements, and that is half of what opening a store costs; a hook prepares each statement once. So
`functools` is replaced by a stand-in while the C module loads, unless it is loaded already.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection, DatabaseError, IntegrityError, OperationalError, connect
else:

    def _load():
        if "functools" in sys.modules or "_sqlite3" in sys.modules:
            import _sqlite3 as found

            return found
        stand_in = type(sys)("functools")
        stand_in.lru_cache = lambda *_sizes, **_options: lambda function: function
        sys.modules["functools"] = stand_in
        try:
            import _sqlite3 as found
        finally:
            del sys.modules["functools"]
        return found

    try:
        _found = _load()
    except (ImportError, AttributeError):  # another build of Python: the slow way is right everywhere
        import sqlite3 as _found

    Connection, DatabaseError = _found.Connection, _found.DatabaseError
    IntegrityError, OperationalError = _found.IntegrityError, _found.OperationalError
    connect = _found.connect

__all__ = ["Connection", "DatabaseError", "IntegrityError", "OperationalError", "connect"]
