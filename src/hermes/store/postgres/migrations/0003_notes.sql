-- Pages of notes, which the homes of a profile share, and the version each home shows in its files.
CREATE TABLE note_pages (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  name    text COLLATE "C" NOT NULL,
  text    text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  erased  bigint NOT NULL, -- the version with which something was last erased
  at      bigint NOT NULL,
  PRIMARY KEY (profile, bank, name)
);
CREATE TABLE note_copies (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL DEFAULT 0,
  home    text COLLATE "C" NOT NULL,
  page    text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  at      bigint NOT NULL,
  PRIMARY KEY (profile, bank, home, page)
);
