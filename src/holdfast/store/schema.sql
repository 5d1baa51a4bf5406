-- Holdfast's store: what happened, and what was said about it.
--
-- One SQLite file per repository, in <common git folder>/holdfast/ (shared by worktrees, never committed), or in
-- .holdfast/ where there is no git. WAL mode; every hook call makes one short BEGIN IMMEDIATE transaction.
-- Nothing is written here before secrets have been taken out of it (core/redaction.py).
--
-- History of versions (PRAGMA user_version):
--   1  events, payloads, deliveries, rulings, sessions, told, snapshots, readings

-- One row per event that a host delivered. Append-only: rows are never changed, and only retention removes them.
CREATE TABLE event (
    id          INTEGER PRIMARY KEY AUTOINCREMENT, -- order of recording; never used again
    at          REAL NOT NULL,     -- seconds since 1970, when the hook began
    host        TEXT NOT NULL,     -- id of the agent program: claude-code, cursor, ...
    name        TEXT NOT NULL,     -- the host's name of the event: PreToolUse, ...
    kind        TEXT NOT NULL,     -- our type of the event: EditProposed, ...
    session     TEXT NOT NULL,     -- the host's session id
    agent       TEXT NOT NULL,     -- id of the subagent that acted; empty for the main thread
    tool        TEXT NOT NULL,     -- the tool, for tool events
    tool_use    TEXT NOT NULL,     -- the host's id of the tool call
    prompt      TEXT NOT NULL,     -- the host's id of the prompt that the turn answers
    cwd         TEXT NOT NULL,     -- where the host stood
    subject     TEXT NOT NULL,     -- in one line what it is about: files, command, ...
    decision    TEXT NOT NULL,     -- what was decided: nothing, note, allow, rewrite, ask, deny, block
    seconds     REAL NOT NULL,     -- how long Holdfast took until it wrote this row
    identity    TEXT NOT NULL      -- same for the same event delivered twice (settings and plugin at once)
);
CREATE INDEX event_by_session ON event (session, id);
CREATE INDEX event_by_identity ON event (identity);

-- The redacted, shortened input of an event. Apart from the event, because it is large and is dropped earlier.
CREATE TABLE payload (
    event       INTEGER PRIMARY KEY REFERENCES event (id), -- whose input it is
    body        TEXT NOT NULL      -- JSON
);

-- Which registration (settings, plugin) delivered an event; two rows when both did.
CREATE TABLE delivery (
    event       INTEGER NOT NULL REFERENCES event (id), -- what was delivered
    origin      TEXT NOT NULL,     -- settings or plugin
    PRIMARY KEY (event, origin)
) WITHOUT ROWID;

-- One row per policy that an event woke: the trace that `holdfast explain` prints. Append-only.
CREATE TABLE ruling (
    id          INTEGER PRIMARY KEY, -- order in which the policies were heard
    event       INTEGER NOT NULL REFERENCES event (id), -- on what it ruled
    policy      TEXT NOT NULL,     -- the policy's id
    mode        TEXT NOT NULL,     -- enforce or warn
    concerned   INTEGER NOT NULL,  -- 0: the event was of no interest to the policy
    decision    TEXT NOT NULL,     -- what the policy said
    effective   TEXT NOT NULL,     -- what became of it after mode and posture
    slug        TEXT NOT NULL,     -- stable name of the message
    reason      TEXT NOT NULL,     -- what it said was wrong or worth knowing
    remedy      TEXT NOT NULL,     -- the next step that it named
    error       TEXT NOT NULL,     -- why the policy failed; empty when it did not
    facts       TEXT NOT NULL,     -- JSON list of [fact, value] that it saw, shortened
    seconds     REAL NOT NULL      -- how long it took, fetching its facts included
);
CREATE INDEX ruling_by_event ON ruling (event);

-- One row per session: the state that the reducers folded from its events.
CREATE TABLE session (
    id          TEXT PRIMARY KEY,  -- the host's session id
    host        TEXT NOT NULL,     -- id of the agent program
    root        TEXT NOT NULL,     -- the working tree that it began in
    began       REAL NOT NULL,     -- time of its first event
    latest      REAL NOT NULL,     -- time of its latest event
    ended       REAL,              -- null while it goes on
    tally       TEXT NOT NULL      -- JSON; core/ledger/tally.py
);

-- Notices that are given once per session.
CREATE TABLE told (
    session     TEXT NOT NULL,     -- who is told
    slug        TEXT NOT NULL,     -- stable name of the notice
    at          REAL,              -- when it was told; null while it is owed, until an event that can carry it
    text        TEXT NOT NULL,     -- what is told
    PRIMARY KEY (session, slug)
) WITHOUT ROWID;

-- The parsed configuration of each working tree, so that the hook need not parse TOML.
CREATE TABLE snapshot (
    root        TEXT PRIMARY KEY,  -- the working tree's folder
    signature   TEXT NOT NULL,     -- version, and path, size and times of every file that took part
    settings    TEXT NOT NULL,     -- JSON; core/settings.py
    last_good   TEXT NOT NULL      -- the settings of the last configuration without errors
);

-- What commands do that were read before, without those that may hold secrets.
CREATE TABLE reading (
    command     BLOB PRIMARY KEY,  -- hash of the reader's version and the command's text
    reading     TEXT NOT NULL      -- JSON; core/shell/effects.py
) WITHOUT ROWID;

-- Small values: created, pruned_at, retain_after.
CREATE TABLE meta (
    key         TEXT PRIMARY KEY,  -- the value's name
    value       TEXT NOT NULL      -- the value as text
) WITHOUT ROWID;

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER ruling_is_never_changed BEFORE UPDATE ON ruling
BEGIN SELECT RAISE(ABORT, 'rulings are append-only'); END;
CREATE TRIGGER event_is_never_replaced BEFORE INSERT ON event
WHEN EXISTS (SELECT 1 FROM event WHERE id = new.id)
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER ruling_is_never_replaced BEFORE INSERT ON ruling
WHEN EXISTS (SELECT 1 FROM ruling WHERE id = new.id)
BEGIN SELECT RAISE(ABORT, 'rulings are append-only'); END;
CREATE TRIGGER event_is_kept BEFORE DELETE ON event
WHEN old.id >= CAST(coalesce((SELECT value FROM meta WHERE key = 'retain_after'), '0') AS INTEGER)
BEGIN SELECT RAISE(ABORT, 'events are removed by retention only'); END;
CREATE TRIGGER ruling_is_kept BEFORE DELETE ON ruling
WHEN old.event >= CAST(coalesce((SELECT value FROM meta WHERE key = 'retain_after'), '0') AS INTEGER)
BEGIN SELECT RAISE(ABORT, 'rulings are removed by retention only'); END;
