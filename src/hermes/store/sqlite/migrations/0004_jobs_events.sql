-- Jobs: background work, each held by one worker at a time. `token` grows with every claim.
CREATE TABLE jobs (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  kind         TEXT    NOT NULL,
  key          TEXT    NOT NULL,
  payload      TEXT    NOT NULL,
  state        TEXT    NOT NULL DEFAULT 'waiting'
               CHECK (state IN ('waiting', 'running', 'done', 'dead', 'cancelled')),
  run_at       INTEGER NOT NULL, -- while running: when the lease ends
  created_at   INTEGER NOT NULL,
  attempts     INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL,
  token        INTEGER NOT NULL DEFAULT 0,
  owner        TEXT    NOT NULL DEFAULT '',
  lease_ms     INTEGER NOT NULL DEFAULT 0,
  again_at     INTEGER, -- asked for once more while it ran
  started_at   INTEGER,
  finished_at  INTEGER,
  done         INTEGER NOT NULL DEFAULT 0,
  total        INTEGER NOT NULL DEFAULT 0,
  text         TEXT    NOT NULL DEFAULT '',
  saved        TEXT    NOT NULL DEFAULT '{}',
  error        TEXT    NOT NULL DEFAULT '',
  cancelling   INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX jobs_unfinished ON jobs (kind, key) WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_due ON jobs (run_at) WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_by_key ON jobs (kind, key, id);

INSERT INTO counters (name, value) VALUES ('job_token', 0);

-- When each periodic job was last asked for.
CREATE TABLE schedules (
  name       TEXT PRIMARY KEY,
  planned_at INTEGER NOT NULL
) WITHOUT ROWID;

-- Up to which message each session's facts have been extracted, and whether there is more.
CREATE TABLE extractions (
  session INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  upto    INTEGER NOT NULL DEFAULT 0,
  pending INTEGER NOT NULL DEFAULT 1,
  at      INTEGER
);
CREATE INDEX extractions_pending ON extractions (session) WHERE pending;
INSERT INTO extractions (session) SELECT id FROM sessions WHERE messages > 0;
CREATE TRIGGER sessions_grown AFTER UPDATE OF messages ON sessions
WHEN new.messages > old.messages BEGIN
  INSERT INTO extractions (session) VALUES (new.id) ON CONFLICT (session) DO UPDATE SET pending = 1;
END;

-- Events: what was done, each line bound to the one before it (see store/chain.py).
CREATE TABLE events (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  kind      TEXT    NOT NULL,
  summary   TEXT    NOT NULL,
  details   TEXT    NOT NULL,
  ref       TEXT    NOT NULL,
  salt      BLOB    NOT NULL,
  content   BLOB    NOT NULL, -- the hash of summary, details, ref and salt
  hash      BLOB    NOT NULL, -- the hash of number, time, kind, content and the hash before
  erased_at INTEGER
);
CREATE INDEX events_by_time ON events (at);
CREATE INDEX events_by_ref ON events (ref) WHERE ref <> '';

-- Where the chain ends: without it, lines cut off its end would not be missed.
CREATE TABLE event_head (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  count INTEGER NOT NULL,
  hash  BLOB    NOT NULL
);
INSERT INTO event_head (one, count, hash) VALUES (1, 0, zeroblob(32));

CREATE TRIGGER events_stay BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never deleted');
END;
-- All that may ever change is that the content goes.
CREATE TRIGGER events_unchanged BEFORE UPDATE ON events
WHEN old.erased_at IS NOT NULL OR new.erased_at IS NULL
  OR new.id <> old.id OR new.at <> old.at OR new.kind <> old.kind
  OR new.content <> old.content OR new.hash <> old.hash
  OR new.summary <> '' OR new.details <> '{}' OR new.ref <> '' OR length(new.salt) > 0 BEGIN
  SELECT RAISE(ABORT, 'events are never changed');
END;
