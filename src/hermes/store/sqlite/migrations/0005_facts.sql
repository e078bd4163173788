-- Facts: statements with two times, what they rest on, and every change ever made to them.
-- `number` is what people call a fact by: counted on, never used twice.

INSERT INTO counters (name, value) VALUES
  ('fact', 0), ('fact_number', 0), ('fact_vector', 0), ('entity', 0), ('entity_version', 0);

CREATE TABLE facts (
  id            INTEGER PRIMARY KEY,
  number        INTEGER NOT NULL UNIQUE,
  bank          INTEGER NOT NULL REFERENCES banks (id),
  text          TEXT    NOT NULL,
  kind          TEXT    NOT NULL,
  subject       TEXT    NOT NULL,
  subject_key   TEXT    NOT NULL, -- the subject as it is compared
  attribute     TEXT    NOT NULL,
  value         TEXT    NOT NULL,
  confidence    TEXT    NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
  single        INTEGER NOT NULL,
  ended         INTEGER NOT NULL,
  valid_from    INTEGER,
  valid_to      INTEGER,
  recorded_at   INTEGER NOT NULL,
  retracted_at  INTEGER,
  superseded_by INTEGER REFERENCES facts (id) ON DELETE SET NULL,
  origin        INTEGER NOT NULL,
  trust         INTEGER NOT NULL,
  held          INTEGER NOT NULL, -- 1 while it may not stand before every task
  extractor     TEXT    NOT NULL,
  vector        INTEGER NOT NULL UNIQUE -- the item its vector is kept under: new with every wording
);
CREATE INDEX facts_by_subject ON facts (bank, subject_key);
CREATE INDEX facts_by_time ON facts (bank, recorded_at);
CREATE INDEX facts_by_successor ON facts (superseded_by) WHERE superseded_by IS NOT NULL;

-- What a fact rests on. The quote outlives its message; where it stood is then no longer known.
CREATE TABLE fact_sources (
  id      INTEGER PRIMARY KEY,
  fact    INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  message INTEGER REFERENCES messages (id) ON DELETE SET NULL,
  episode INTEGER,
  session TEXT    NOT NULL,
  quote   TEXT    NOT NULL,
  start   INTEGER,
  stop    INTEGER,
  at      INTEGER,
  trust   INTEGER NOT NULL
);
CREATE INDEX fact_sources_by_fact ON fact_sources (fact);
CREATE INDEX fact_sources_by_message ON fact_sources (message) WHERE message IS NOT NULL;

-- Every change: what was there before and after, by whom and why. Lines are only ever added.
CREATE TABLE fact_history (
  id     INTEGER PRIMARY KEY,
  fact   INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  at     INTEGER NOT NULL,
  action TEXT    NOT NULL,
  by     TEXT    NOT NULL,
  reason TEXT    NOT NULL,
  before TEXT    NOT NULL,
  after  TEXT    NOT NULL
);
CREATE INDEX fact_history_by_fact ON fact_history (fact);
CREATE INDEX fact_history_by_time ON fact_history (at);

-- Two facts that cannot both hold, with nothing to say which is newer; the lower number first.
CREATE TABLE contradictions (
  fact  INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  other INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  at    INTEGER NOT NULL,
  PRIMARY KEY (fact, other),
  CHECK (fact < other)
) WITHOUT ROWID;
CREATE INDEX contradictions_by_other ON contradictions (other);

-- The words of facts, as message_text has those of messages; `scope` holds the bank.
CREATE VIRTUAL TABLE fact_text USING fts5 (
  body, scope,
  content = '', columnsize = 0,
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER vectors_of_facts AFTER DELETE ON facts BEGIN
  DELETE FROM vectors WHERE kind = 1 AND item = old.vector;
END;
CREATE TRIGGER vectors_of_old_wording AFTER UPDATE OF vector ON facts BEGIN
  DELETE FROM vectors WHERE kind = 1 AND item = old.vector;
END;

-- Entities: the people, projects, places… that memories mention. One merged into another stays,
-- pointing to it, and comes back if its names are split off again.
CREATE TABLE entities (
  id          INTEGER PRIMARY KEY,
  bank        INTEGER NOT NULL REFERENCES banks (id),
  kind        TEXT    NOT NULL,
  merged_into INTEGER REFERENCES entities (id) ON DELETE SET NULL,
  created_at  INTEGER NOT NULL
);
CREATE INDEX entities_by_bank ON entities (bank);
CREATE INDEX entities_merged ON entities (merged_into) WHERE merged_into IS NOT NULL;

-- Every name of an entity, as written and as compared; place 0 is the one it is shown by.
CREATE TABLE entity_names (
  entity INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  place  INTEGER NOT NULL,
  key    TEXT    NOT NULL,
  name   TEXT    NOT NULL,
  PRIMARY KEY (entity, place)
) WITHOUT ROWID;
CREATE INDEX entity_names_by_key ON entity_names (key);

-- Which facts and messages mention an entity, and under which of its names.
CREATE TABLE fact_mentions (
  fact   INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  entity INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  key    TEXT    NOT NULL,
  place  INTEGER NOT NULL,
  PRIMARY KEY (fact, entity, key)
) WITHOUT ROWID;
CREATE INDEX fact_mentions_by_entity ON fact_mentions (entity);

CREATE TABLE message_mentions (
  message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  entity  INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  key     TEXT    NOT NULL,
  PRIMARY KEY (message, entity, key)
) WITHOUT ROWID;
CREATE INDEX message_mentions_by_entity ON message_mentions (entity);

-- Writes that wait for the person's word; what was decided stays to be seen.
CREATE TABLE held_writes (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  bank       INTEGER NOT NULL REFERENCES banks (id),
  target     TEXT    NOT NULL,
  text       TEXT    NOT NULL,
  reason     TEXT    NOT NULL,
  payload    TEXT    NOT NULL, -- what is to be done once it is approved
  origin     INTEGER NOT NULL,
  trust      INTEGER NOT NULL,
  fact       INTEGER REFERENCES facts (id) ON DELETE CASCADE,
  held_at    INTEGER NOT NULL,
  decided_at INTEGER,
  verdict    TEXT    NOT NULL DEFAULT '' CHECK (verdict IN ('', 'approved', 'rejected', 'withdrawn'))
);
CREATE INDEX held_writes_open ON held_writes (id) WHERE verdict = '';
CREATE INDEX held_writes_by_fact ON held_writes (fact) WHERE fact IS NOT NULL;
