-- Pages of notes that several homes share, and the version each home shows in its files. While one
-- home alone has the memory, the files are the pages and nothing is kept here.
CREATE TABLE note_pages (
  name    TEXT    NOT NULL PRIMARY KEY,
  text    TEXT    NOT NULL,
  version INTEGER NOT NULL,
  erased  INTEGER NOT NULL, -- the version with which something was last erased
  at      INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE note_copies (
  home    TEXT    NOT NULL,
  page    TEXT    NOT NULL,
  version INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (home, page)
) WITHOUT ROWID;
