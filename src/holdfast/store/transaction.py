"""One short transaction that takes the write lock at once, and leaves nothing behind when it fails."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.store.sqlite import Connection


class Transaction:
    """`with Transaction(connection):` commits at the end, or takes everything back.

    IMMEDIATE, because a transaction that first reads and then writes fails at once when another has written between,
    and no waiting helps.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def __enter__(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, failure: type[BaseException] | None, *_more: object) -> None:
        if failure is None:
            self.connection.execute("COMMIT")
        elif self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
