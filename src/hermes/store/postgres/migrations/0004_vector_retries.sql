-- Whatever needs a vector although its number was passed over, of any kind: what was written anew or
-- came back, and what its model refused, which waits until somebody has it tried again.
CREATE TABLE vector_retries (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  kind    smallint NOT NULL,
  item    bigint   NOT NULL,
  space   bigint   NOT NULL,
  refused smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (profile, bank, kind, item, space)
);
CREATE INDEX vector_retries_by_space ON vector_retries (profile, space, refused, kind, item);
-- The rows of every profile are taken over, by who sees only those of one.
ALTER TABLE vector_redo NO FORCE ROW LEVEL SECURITY;
ALTER TABLE vector_cursors NO FORCE ROW LEVEL SECURITY;
ALTER TABLE vectors NO FORCE ROW LEVEL SECURITY;
ALTER TABLE reflections NO FORCE ROW LEVEL SECURITY;
INSERT INTO vector_retries (profile, bank, kind, item, space)
  SELECT profile, bank, 0, message, space FROM vector_redo;
-- Reflections that were restored before they were put on a list.
INSERT INTO vector_retries (profile, bank, kind, item, space)
  SELECT r.profile, r.bank, 2, r.id, c.space FROM reflections r
  JOIN vector_cursors c ON c.profile = r.profile AND c.kind = 2 AND c.item >= r.id
  WHERE r.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM vectors v
    WHERE v.profile = r.profile AND v.kind = 2 AND v.item = r.id AND v.space = c.space);
ALTER TABLE vector_cursors FORCE ROW LEVEL SECURITY;
ALTER TABLE vectors FORCE ROW LEVEL SECURITY;
ALTER TABLE reflections FORCE ROW LEVEL SECURITY;
DROP TABLE vector_redo;
