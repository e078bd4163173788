-- Everything a profile remembers. Times are milliseconds since the epoch.
--
-- Profile and bank lead every primary key, so that each table can be cut by them (`hermes db plan`):
-- no constraint and no reference reaches from one bank to another. Rows that belong to a profile as
-- a whole lie in its bank 0. Numbers are dense, given by the writer from `counters`, and never used
-- twice; a profile has one writer at a time, held by a lock of the transaction, so that they rise in
-- the order in which changes become visible.
--
-- Texts compare by their bytes (COLLATE "C"). A NUL is kept as two characters (see connection.py).

CREATE TABLE profiles (
  id         int  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE counters (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  name  text COLLATE "C"   NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (profile, bank, name)
) WITH (fillfactor = 50);

CREATE TABLE meta (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  name  text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  PRIMARY KEY (profile, bank, name)
);

-- What changed, in order: other processes and derived indexes catch up from here.
CREATE TABLE changes (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  seq   bigint NOT NULL,
  kind  text COLLATE "C"   NOT NULL,
  first bigint NOT NULL,
  last  bigint NOT NULL,
  op    text COLLATE "C"   NOT NULL CHECK (op IN ('add', 'change', 'remove')),
  PRIMARY KEY (profile, bank, seq)
);

-- A write that names a key is kept once, however often it is sent.
CREATE TABLE keys (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  key   bytea  NOT NULL,
  first bigint NOT NULL,
  last  bigint NOT NULL,
  PRIMARY KEY (profile, bank, key)
);

CREATE TABLE banks (
  profile     int    NOT NULL DEFAULT current_setting('hermes.profile')::int,
  id          int    NOT NULL,
  name        text COLLATE "C"   NOT NULL,
  description text COLLATE "C"   NOT NULL DEFAULT '',
  created_at  bigint NOT NULL,
  messages    bigint NOT NULL DEFAULT 0,
  chars       bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (profile, id)
) WITH (fillfactor = 50);
CREATE INDEX banks_by_name ON banks (profile, name);

CREATE TABLE sessions (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id         bigint NOT NULL,
  uid        text COLLATE "C"   NOT NULL,
  platform   text COLLATE "C"   NOT NULL,
  identity   text COLLATE "C"   NOT NULL,
  title      text COLLATE "C"   NOT NULL,
  task       text COLLATE "C"   NOT NULL,
  parent     text COLLATE "C"   NOT NULL,
  started_at bigint NOT NULL,
  last_at    bigint NOT NULL,
  ended_at   bigint,
  hidden_at  bigint,
  messages   bigint NOT NULL DEFAULT 0,
  episodes   bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (profile, bank, id)
) WITH (fillfactor = 80);
CREATE INDEX sessions_by_id ON sessions (profile, id);
CREATE INDEX sessions_by_uid ON sessions (profile, uid);
CREATE INDEX sessions_by_time ON sessions (profile, last_at);
CREATE INDEX sessions_by_parent ON sessions (profile, parent) WHERE parent <> '';

CREATE TABLE episodes (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id      bigint   NOT NULL,
  session bigint   NOT NULL,
  at      bigint   NOT NULL,
  state   smallint NOT NULL DEFAULT 0,
  task    text COLLATE "C",
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX episodes_by_id ON episodes (profile, id);
CREATE INDEX episodes_by_session ON episodes (profile, session, id);
CREATE INDEX episodes_by_time ON episodes (profile, bank, at, id);

CREATE TABLE messages (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id      bigint   NOT NULL,
  session bigint   NOT NULL,
  episode bigint   NOT NULL,
  at      bigint   NOT NULL,
  role    smallint NOT NULL,
  origin  smallint NOT NULL,
  trust   smallint NOT NULL,
  packed  boolean  NOT NULL, -- compressed with one of the dictionaries, or UTF-8
  size    int      NOT NULL, -- characters, or bytes where it is packed
  speaker text COLLATE "C",
  call_id text COLLATE "C",
  calls   text COLLATE "C",
  text    bytea    NOT NULL,
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX messages_by_id ON messages (profile, id);
CREATE INDEX messages_by_episode ON messages (profile, episode, id);

-- What messages have in common, so that short texts compress (see store/codec.py).
CREATE TABLE dictionaries (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  id         bigint NOT NULL,
  content    bytea  NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (profile, bank, id)
);

-- Bytes that belong to a message but not to its text, each kept once.
CREATE TABLE blobs (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  sha256  bytea NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (profile, bank, sha256)
);
CREATE TABLE payloads (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  message    bigint NOT NULL,
  n          int    NOT NULL,
  media_type text COLLATE "C"   NOT NULL,
  sha256     bytea  NOT NULL,
  PRIMARY KEY (profile, bank, message, n)
);
CREATE INDEX payloads_by_message ON payloads (profile, message, n);
CREATE INDEX payloads_by_blob ON payloads (profile, sha256);

-- Where words stand: of messages (kind 0), facts (1) and reflections (2). A row holds a word's places
-- in the rows `first`..`last`, eight bytes each (see words.py); what is written at once shares rows.
CREATE TABLE words (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  kind  smallint NOT NULL,
  word  text COLLATE "C"     NOT NULL,
  last  bigint   NOT NULL,
  n     bigint   NOT NULL, -- tells rows with the same last number apart
  first bigint   NOT NULL,
  spots bytea    NOT NULL,
  PRIMARY KEY (profile, bank, kind, word, last, n)
);

-- Vectors: what a text means, as a row of numbers. A space holds the vectors of one model.
CREATE TABLE vector_spaces (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  id         bigint  NOT NULL,
  provider   text COLLATE "C"    NOT NULL,
  model      text COLLATE "C"    NOT NULL,
  dimensions int     NOT NULL,
  current    boolean NOT NULL DEFAULT false,
  retired    boolean NOT NULL DEFAULT false,
  seed       bigint  NOT NULL,
  coding     bigint  NOT NULL DEFAULT 0,
  next       bigint  NOT NULL DEFAULT 0,
  gone       bigint  NOT NULL DEFAULT 0,
  mean       bytea,
  created_at bigint  NOT NULL,
  PRIMARY KEY (profile, bank, id)
);

CREATE TABLE vector_cursors (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  space bigint   NOT NULL,
  kind  smallint NOT NULL,
  item  bigint   NOT NULL,
  PRIMARY KEY (profile, bank, space, kind)
);

CREATE TABLE vectors (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  space  bigint   NOT NULL,
  number bigint   NOT NULL,
  kind   smallint NOT NULL,
  part   int      NOT NULL DEFAULT 0,
  item   bigint   NOT NULL,
  row    bytea    NOT NULL,
  PRIMARY KEY (profile, bank, space, number)
);
CREATE INDEX vectors_by_number ON vectors (profile, space, number);
CREATE INDEX vectors_by_item ON vectors (profile, kind, item, space, part);

CREATE TABLE vector_blocks (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  space  bigint NOT NULL,
  coding bigint NOT NULL,
  number bigint NOT NULL,
  signs  bytea  NOT NULL,
  levels bytea  NOT NULL,
  scales bytea  NOT NULL,
  bases  bytea  NOT NULL,
  items  bytea  NOT NULL,
  tags   bytea  NOT NULL,
  PRIMARY KEY (profile, bank, space, coding, number)
);
ALTER TABLE vector_blocks ALTER signs SET STORAGE EXTERNAL, ALTER levels SET STORAGE EXTERNAL,
  ALTER scales SET STORAGE EXTERNAL, ALTER bases SET STORAGE EXTERNAL;

-- Messages that need a vector although their number was passed over: summaries, and what came back.
CREATE TABLE vector_redo (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  message bigint NOT NULL,
  space   bigint NOT NULL,
  PRIMARY KEY (profile, bank, message, space)
);

-- Jobs: background work, each held by one worker at a time. `token` grows with every claim.
CREATE TABLE jobs (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  id           bigint  NOT NULL,
  kind         text COLLATE "C"    NOT NULL,
  key          text COLLATE "C"    NOT NULL,
  payload      text COLLATE "C"    NOT NULL,
  state        text COLLATE "C"    NOT NULL DEFAULT 'waiting'
               CHECK (state IN ('waiting', 'running', 'done', 'dead', 'cancelled')),
  run_at       bigint  NOT NULL, -- while running: when the lease ends
  created_at   bigint  NOT NULL,
  attempts     int     NOT NULL DEFAULT 0,
  max_attempts int     NOT NULL,
  token        bigint  NOT NULL DEFAULT 0,
  owner        text COLLATE "C"    NOT NULL DEFAULT '',
  lease_ms     bigint  NOT NULL DEFAULT 0,
  again_at     bigint, -- asked for once more while it ran
  started_at   bigint,
  finished_at  bigint,
  done         bigint  NOT NULL DEFAULT 0,
  total        bigint  NOT NULL DEFAULT 0,
  text         text COLLATE "C"    NOT NULL DEFAULT '',
  saved        text COLLATE "C"    NOT NULL DEFAULT '{}',
  error        text COLLATE "C"    NOT NULL DEFAULT '',
  cancelling   boolean NOT NULL DEFAULT false,
  PRIMARY KEY (profile, bank, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX jobs_unfinished ON jobs (profile, bank, kind, key)
  WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_due ON jobs (profile, run_at) WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_by_key ON jobs (profile, kind, key, id);

CREATE TABLE schedules (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  name       text COLLATE "C"   NOT NULL,
  planned_at bigint NOT NULL,
  PRIMARY KEY (profile, bank, name)
);

-- Up to which message each session's facts have been extracted, and whether there is more.
CREATE TABLE extractions (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  session bigint  NOT NULL,
  upto    bigint  NOT NULL DEFAULT 0,
  pending boolean NOT NULL DEFAULT true,
  at      bigint,
  PRIMARY KEY (profile, bank, session)
);
CREATE INDEX extractions_by_session ON extractions (profile, session);
CREATE INDEX extractions_pending ON extractions (profile, session) WHERE pending;

-- Events: what was done, each line bound to the one before it (see store/chain.py).
CREATE TABLE events (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  id        bigint NOT NULL,
  at        bigint NOT NULL,
  kind      text COLLATE "C"   NOT NULL,
  summary   text COLLATE "C"   NOT NULL,
  details   text COLLATE "C"   NOT NULL,
  ref       text COLLATE "C"   NOT NULL,
  salt      bytea  NOT NULL,
  content   bytea  NOT NULL,
  hash      bytea  NOT NULL,
  erased_at bigint,
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX events_by_time ON events (profile, at);
CREATE INDEX events_by_ref ON events (profile, ref) WHERE ref <> '';

CREATE TABLE event_head (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  count bigint NOT NULL,
  hash  bytea  NOT NULL,
  PRIMARY KEY (profile, bank)
);

CREATE FUNCTION keep_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'events are never deleted';
  END IF;
  -- All that may ever change is that the content goes.
  IF old.erased_at IS NOT NULL OR new.erased_at IS NULL
    OR new.profile <> old.profile OR new.id <> old.id OR new.at <> old.at OR new.kind <> old.kind
    OR new.content <> old.content OR new.hash <> old.hash
    OR new.summary <> '' OR new.details <> '{}' OR new.ref <> '' OR length(new.salt) > 0 THEN
    RAISE EXCEPTION 'events are never changed';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION keep_events();

-- Facts: statements with two times, what they rest on, and every change ever made to them.
CREATE TABLE facts (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id            bigint   NOT NULL,
  number        bigint   NOT NULL,
  text          text COLLATE "C"     NOT NULL,
  kind          text COLLATE "C"     NOT NULL,
  subject       text COLLATE "C"     NOT NULL,
  subject_key   text COLLATE "C"     NOT NULL,
  attribute     text COLLATE "C"     NOT NULL,
  value         text COLLATE "C"     NOT NULL,
  confidence    text COLLATE "C"     NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
  single        boolean  NOT NULL,
  ended         boolean  NOT NULL,
  valid_from    bigint,
  valid_to      bigint,
  recorded_at   bigint   NOT NULL,
  retracted_at  bigint,
  superseded_by bigint,
  origin        smallint NOT NULL,
  trust         smallint NOT NULL,
  held          boolean  NOT NULL,
  extractor     text COLLATE "C"     NOT NULL,
  vector        bigint   NOT NULL, -- the item its vector is kept under: new with every wording
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX facts_by_id ON facts (profile, id);
CREATE INDEX facts_by_number ON facts (profile, number);
CREATE INDEX facts_by_vector ON facts (profile, vector);
CREATE INDEX facts_by_subject ON facts (profile, bank, subject_key);
CREATE INDEX facts_by_time ON facts (profile, bank, recorded_at);
CREATE INDEX facts_by_successor ON facts (profile, superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE fact_sources (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id      bigint   NOT NULL,
  fact    bigint   NOT NULL,
  message bigint,
  episode bigint,
  session text COLLATE "C"     NOT NULL,
  quote   text COLLATE "C"     NOT NULL,
  start   bigint,
  stop    bigint,
  at      bigint,
  trust   smallint NOT NULL,
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX fact_sources_by_id ON fact_sources (profile, id);
CREATE INDEX fact_sources_by_fact ON fact_sources (profile, fact);
CREATE INDEX fact_sources_by_message ON fact_sources (profile, message) WHERE message IS NOT NULL;

CREATE TABLE fact_history (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id     bigint NOT NULL,
  fact   bigint NOT NULL,
  at     bigint NOT NULL,
  action text COLLATE "C"   NOT NULL,
  by     text COLLATE "C"   NOT NULL,
  reason text COLLATE "C"   NOT NULL,
  before text COLLATE "C"   NOT NULL,
  after  text COLLATE "C"   NOT NULL,
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX fact_history_by_id ON fact_history (profile, id);
CREATE INDEX fact_history_by_fact ON fact_history (profile, fact);
CREATE INDEX fact_history_by_time ON fact_history (profile, at);

CREATE TABLE contradictions (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  fact  bigint NOT NULL,
  other bigint NOT NULL,
  at    bigint NOT NULL,
  PRIMARY KEY (profile, bank, fact, other),
  CHECK (fact < other)
);
CREATE INDEX contradictions_by_fact ON contradictions (profile, fact);
CREATE INDEX contradictions_by_other ON contradictions (profile, other);

-- Entities: the people, projects, places… that memories mention.
CREATE TABLE entities (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id          bigint NOT NULL,
  kind        text COLLATE "C"   NOT NULL,
  merged_into bigint,
  created_at  bigint NOT NULL,
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX entities_by_id ON entities (profile, id);
CREATE INDEX entities_merged ON entities (profile, merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE entity_names (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  entity bigint NOT NULL,
  place  int    NOT NULL,
  key    text COLLATE "C"   NOT NULL,
  name   text COLLATE "C"   NOT NULL,
  PRIMARY KEY (profile, bank, entity, place)
);
CREATE INDEX entity_names_by_entity ON entity_names (profile, entity, place);
CREATE INDEX entity_names_by_key ON entity_names (profile, key);

CREATE TABLE fact_mentions (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  fact   bigint NOT NULL,
  entity bigint NOT NULL,
  key    text COLLATE "C"   NOT NULL,
  place  int    NOT NULL,
  PRIMARY KEY (profile, bank, fact, entity, key)
);
CREATE INDEX fact_mentions_by_fact ON fact_mentions (profile, fact);
CREATE INDEX fact_mentions_by_entity ON fact_mentions (profile, entity);

CREATE TABLE message_mentions (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  message bigint NOT NULL,
  entity  bigint NOT NULL,
  key     text COLLATE "C"   NOT NULL,
  PRIMARY KEY (profile, bank, message, entity, key)
);
CREATE INDEX message_mentions_by_message ON message_mentions (profile, message);
CREATE INDEX message_mentions_by_entity ON message_mentions (profile, entity, message);

-- Writes that wait for the person's word; what was decided stays to be seen.
CREATE TABLE held_writes (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id         bigint   NOT NULL,
  target     text COLLATE "C"     NOT NULL,
  text       text COLLATE "C"     NOT NULL,
  reason     text COLLATE "C"     NOT NULL,
  payload    text COLLATE "C"     NOT NULL,
  origin     smallint NOT NULL,
  trust      smallint NOT NULL,
  fact       bigint,
  held_at    bigint   NOT NULL,
  decided_at bigint,
  verdict    text COLLATE "C"     NOT NULL DEFAULT '' CHECK (verdict IN ('', 'approved', 'rejected', 'withdrawn')),
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX held_writes_by_id ON held_writes (profile, id);
CREATE INDEX held_writes_by_fact ON held_writes (profile, fact) WHERE fact IS NOT NULL;

CREATE TABLE tombstones (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  digest bytea  NOT NULL,
  kind   text COLLATE "C"   NOT NULL,
  at     bigint NOT NULL,
  words  int    NOT NULL DEFAULT 0,
  PRIMARY KEY (profile, bank, digest)
);

-- Summaries: what took the place of old episodes, and the raw rows until they are purged.
CREATE TABLE summaries (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id        bigint NOT NULL,
  session   bigint NOT NULL,
  episode   bigint NOT NULL,
  first_at  bigint NOT NULL,
  last_at   bigint NOT NULL,
  made_at   bigint NOT NULL,
  purge_at  bigint NOT NULL,
  purged_at bigint,
  author    text COLLATE "C"   NOT NULL,
  episodes  bigint NOT NULL,
  messages  bigint NOT NULL,
  raw_chars bigint NOT NULL,
  chars     bigint NOT NULL,
  probes    bigint NOT NULL,
  found     bigint NOT NULL,
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX summaries_by_id ON summaries (profile, id);
CREATE INDEX summaries_by_session ON summaries (profile, session);

CREATE TABLE archives (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  summary bigint NOT NULL,
  content bytea  NOT NULL,
  PRIMARY KEY (profile, bank, summary)
);

CREATE TABLE summary_parts (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  message bigint NOT NULL,
  summary bigint NOT NULL,
  last    bigint NOT NULL,
  PRIMARY KEY (profile, bank, message)
);
CREATE INDEX summary_parts_by_message ON summary_parts (profile, message);
CREATE INDEX summary_parts_by_summary ON summary_parts (profile, summary);

-- Reflections: what was learnt of how a type of task works.
CREATE TABLE reflections (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  id         bigint   NOT NULL,
  task_type  text COLLATE "C"     NOT NULL,
  lesson     text COLLATE "C"     NOT NULL,
  lesson_key text COLLATE "C"     NOT NULL,
  worked     text COLLATE "C"     NOT NULL,
  failed     text COLLATE "C"     NOT NULL,
  next_time  text COLLATE "C"     NOT NULL,
  successes  bigint   NOT NULL,
  failures   bigint   NOT NULL,
  origin     smallint NOT NULL,
  trust      smallint NOT NULL,
  held       boolean  NOT NULL,
  author     text COLLATE "C"     NOT NULL,
  session    text COLLATE "C"     NOT NULL,
  created_at bigint   NOT NULL,
  updated_at bigint   NOT NULL,
  deleted_at bigint,
  PRIMARY KEY (profile, bank, id)
);
CREATE INDEX reflections_by_id ON reflections (profile, id);
CREATE INDEX reflections_by_type ON reflections (profile, bank, task_type);

CREATE TABLE reflected (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  session bigint NOT NULL,
  upto    bigint NOT NULL,
  PRIMARY KEY (profile, bank, session)
);

-- What calls to models cost: one line a day, role and model. `who` is the profile they were made for.
CREATE TABLE spending (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  day           text COLLATE "C"    NOT NULL,
  who           text COLLATE "C"    NOT NULL,
  role          text COLLATE "C"    NOT NULL,
  model         text COLLATE "C"    NOT NULL,
  calls         bigint  NOT NULL,
  input_tokens  bigint  NOT NULL,
  output_tokens bigint  NOT NULL,
  cached_tokens bigint  NOT NULL,
  usd           float8  NOT NULL,
  guessed       boolean NOT NULL,
  PRIMARY KEY (profile, bank, day, who, role, model)
);

-- Records on their way in (see `hermes import`), nowhere to be seen until they are all there.
CREATE TABLE stages (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  stage   text COLLATE "C"   NOT NULL,
  n       bigint NOT NULL,
  section text COLLATE "C"   NOT NULL,
  body    text COLLATE "C"   NOT NULL,
  PRIMARY KEY (profile, bank, stage, section, n)
);

-- Forced row-level security: a transaction sees the rows of the profile it has named, and nothing
-- works in one that has named none (current_setting fails).
CREATE FUNCTION protect() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  FOR found IN
    SELECT c.relname FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'profile'
    WHERE s.nspname = current_schema() AND c.relkind IN ('r', 'p')
      AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', found.relname);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', found.relname);
    -- What is written is checked against a value that is asked for once a statement, not once a row.
    EXECUTE format(
      'CREATE POLICY of_profile ON %I USING (profile = current_setting(''hermes.profile'')::int) '
      'WITH CHECK (profile = (SELECT current_setting(''hermes.profile'')::int))',
      found.relname);
  END LOOP;
END $$;

ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE profiles FORCE ROW LEVEL SECURITY;
CREATE POLICY of_name ON profiles USING (name = current_setting('hermes.profile_name'));
