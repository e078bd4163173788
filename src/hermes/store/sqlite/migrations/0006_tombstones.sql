-- Tombstones: that something was erased, so that it stays away after a restore or an import. The
-- digest is keyed with the profile's secret: nobody can find out by guessing what it stands for.
CREATE TABLE tombstones (
  digest BLOB PRIMARY KEY,
  kind   TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  words  INTEGER NOT NULL DEFAULT 0 -- how many words the digest is over, where it is of a phrase
) WITHOUT ROWID;
