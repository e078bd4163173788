"""What was erased does not come back: not by a copy, not by reading anew, not on any page."""

import json
from pathlib import Path

from conftest import Hermes
from hermes.app import App, open_app
from hermes.app.facts import NewFact
from hermes.clock import DAY_MS, FixedClock
from hermes.config.paths import Home
from hermes.config.profiles import create_profile
from hermes.memory.erase.reader import REFUSED
from hermes.memory.facts.audit import Act, support
from hermes.store.base import Tx
from hermes.store.base.erase import TextKind
from hermes.store.base.events import EventFilter
from hermes.store.base.jobs import JobFilter
from hermes.types import (
    Fact,
    FactSource,
    NewSession,
    Origin,
    Reflection,
    Role,
    Turn,
    Utterance,
)
from talk import turn

HERRING = "User likes pickled herring"


def _app(home: Home, name: str = "default") -> App:
    return open_app(home.profile(name), {})


def _texts(home: Home, kind: TextKind) -> list[str]:
    with _app(home) as app:
        rows = app.store.read(lambda tx: tx.erasures.list_texts(kind, after=0, limit=10_000))
    return [text for row in rows for text in row.texts]


def _run(hermes: Hermes, *argv: str) -> str:
    done = hermes(*argv)
    assert done.code == 0, done.err + done.out
    return done.out


def _learn(home: Home, *texts: str) -> list[Fact]:
    with _app(home) as app:
        kept = [app.facts.add(NewFact(text)).fact for text in texts]
    return [fact for fact in kept if fact is not None]


def test_the_page_of_the_user_loses_the_line_in_the_erase(hermes: Hermes, home: Home) -> None:
    _, herring = _learn(home, "User lives in Lisbon", HERRING)
    page = home.root / "memories" / "USER.md"
    assert "herring" in page.read_text()
    _run(hermes, "backup", "now")
    done = json.loads(
        _run(hermes, "memory", "erase", f"fact:{herring.number}", "--yes", "--prove", "--json")
    )
    assert done["files"] == ["memories/USER.md"]
    assert done["proof"]["log_bytes"] == 0
    assert "herring" not in page.read_text()
    assert "Lisbon" in page.read_text()
    assert "1 fact" in _run(hermes, "backup", "restore", "--yes")
    assert "herring" not in page.read_text()
    assert "Lisbon" in page.read_text()


def test_the_page_of_reflections_loses_the_line_in_the_erase(hermes: Hermes, home: Home) -> None:
    with _app(home) as app:
        lesson = Reflection(0, "default", "coding", "Never deploy the herring", successes=3)
        app.store.write(lambda tx: tx.reflections.add(lesson, lesson_key="herring"))
        app.reflections.project()
    page = home.root / "workspace" / "REFLECTIONS.md"
    assert "herring" in page.read_text()
    _run(hermes, "backup", "now")
    _run(hermes, "memory", "erase", "reflection:1", "--yes")
    assert "herring" not in page.read_text()
    _run(hermes, "backup", "restore", "--yes")
    assert "herring" not in page.read_text()


def _tell_of_ostrich(home: Home) -> None:
    """A session whose fact is held back, with an entity, events and a note about it."""
    with _app(home) as app:
        said = "My name is Ottoline Ostrichova and I never eat pickled herring."
        heard = Utterance(Role.USER, said, origin=Origin.IMPORT)
        app.conversations.record([Turn(NewSession(id="secret"), (heard,))])
        app.conversations.record([turn("Hello there", "Hi", session="open")])
        list(app.facts.extract())
    assert "Ottoline" in "".join(_texts(home, TextKind.HELD))
    assert "Ottoline" in "".join(_texts(home, TextKind.ENTITY))
    notes = home.root / "memories" / "MEMORY.md"
    notes.write_text("- likes tea\n- My name is Ottoline Ostrichova and I never eat x\n")


KINDS = (TextKind.MESSAGE, TextKind.FACT, TextKind.HELD, TextKind.ENTITY, TextKind.EVENT)


def _everything(home: Home) -> str:
    said = "\n".join(text for kind in KINDS for text in _texts(home, kind))
    return said + (home.root / "memories" / "MEMORY.md").read_text()


def test_an_older_export_brings_nothing_of_it_back(
    hermes: Hermes, home: Home, tmp_path: Path
) -> None:
    _tell_of_ostrich(home)
    file = tmp_path / "older.json"
    _run(hermes, "memory", "export", "--output", str(file))
    (home.root / "memories" / "MEMORY.md").write_text("")
    _run(hermes, "memory", "erase", "session:secret", "--yes")
    assert "Ostrichova" not in _everything(home)
    _run(hermes, "memory", "import", str(file))
    assert "Ostrichova" not in _everything(home)
    assert "likes tea" in _everything(home)
    with _app(home) as app:
        assert app.events.verify().is_sound


def test_an_older_backup_brings_nothing_of_it_back(hermes: Hermes, home: Home) -> None:
    _tell_of_ostrich(home)
    _run(hermes, "backup", "now")
    _run(hermes, "memory", "erase", "session:secret", "--yes")
    told = _run(hermes, "backup", "restore", "--yes")
    assert "held writes" in told
    assert "Ostrichova" not in _everything(home)
    assert "Hello there" in _everything(home)
    with _app(home) as app:
        assert app.events.verify().is_sound


def test_what_is_said_anew_after_the_erase_stays(hermes: Hermes, home: Home) -> None:
    (herring,) = _learn(home, HERRING)
    _run(hermes, "memory", "erase", f"fact:{herring.number}", "--matching", "herring", "--yes")
    _learn(home, HERRING)
    _run(hermes, "backup", "now")
    _run(hermes, "backup", "restore", "--yes")
    assert HERRING in _texts(home, TextKind.FACT)


def test_an_erased_fact_is_not_read_again_from_what_stays(hermes: Hermes, home: Home) -> None:
    with _app(home) as app:
        app.conversations.record([turn("I live in Lisbon.", "Nice.")])
        app.conversations.record([turn("So, I live in Lisbon.", "Nice.", session="s2")])
        list(app.facts.extract("s1"))
        (fact,) = app.facts.list()
    _run(hermes, "memory", "erase", f"fact:{fact.number}", "--yes")
    with _app(home) as app:
        (read,) = app.facts.extract("s2")
        assert (read.messages, read.learnt, read.refused) == (2, 0, (REFUSED,))
        assert app.facts.list() == []
        app.conversations.record([turn("I live in Lisbon.", "Again.", session="s3")])
        list(app.facts.extract())
        assert [each.text for each in app.facts.list()] == [fact.text]


def test_a_fact_the_erased_one_had_closed_says_why_it_stays_closed(
    hermes: Hermes, home: Home
) -> None:
    old, new = _learn(home, "User lives in Lisbon", "User lives in Gdansk")
    _run(hermes, "memory", "erase", f"fact:{new.number}", "--yes")
    with _app(home) as app:
        left = app.store.read(lambda tx: tx.facts.find(old.number))
        assert left is not None
        assert left.superseded_by is None
        assert left.retracted_at is not None
        change = app.store.read(lambda tx: tx.facts.list_changes(old.id))[-1]
        assert (change.by, change.reason) == ("erase", "what took its place was erased")
        told = app.events.list(EventFilter(), 5)
        assert any(event.ref == f"fact:{old.number}" for event in told)
        assert app.facts.restore(f"fact:{old.number}").retracted_at is None


def test_a_quote_goes_from_the_history_of_a_fact_that_stays(hermes: Hermes, home: Home) -> None:
    with _app(home) as app:
        ids = app.conversations.record([turn("I live in Lisbon", "ok", "that is how it was")])[0]
        list(app.facts.extract())
        (fact,) = app.facts.list()
        source = FactSource("that is how it was", ids.message_ids[2], session_id="s1", at=5)
        app.store.write(lambda tx: support(tx, fact, source, Act("test", 5)))
    done = hermes("memory", "erase", f"message:{ids.message_ids[2]}", "--yes", "--prove", "--json")
    assert json.loads(done.out)["proof"]["found"] == []
    with _app(home) as app:
        assert [each.number for each in app.facts.list()] == [fact.number]


def test_the_raw_rows_behind_a_summary_go_with_it(hermes: Hermes, home: Home) -> None:
    clock = FixedClock()
    with open_app(home.profile("default"), {}, clock=clock) as app:
        said = [
            f"Well, it is really so that the herring barrel {n} stands in Gdansk." for n in range(8)
        ]
        app.conversations.record([turn(*said)])
        list(app.facts.extract())
        clock.advance(60 * DAY_MS)
        app.conversations.record([turn("ping", session="s2")])
        app.compressing.run(trust_clock=True)
        part = app.store.read(lambda tx: tx.conversations.list_messages("s1", limit=1))[0]
        assert app.store.read(lambda tx: tx.summaries.find_of_message(part.id)) is not None
    done = hermes("memory", "erase", f"message:{part.id}", "--yes", "--json")
    assert json.loads(done.out)["erased"]["messages"] == 8
    assert "herring" not in "".join(_texts(home, TextKind.ARCHIVE))


def test_a_proof_reads_other_profiles_and_names_what_it_cannot(hermes: Hermes, home: Home) -> None:
    _learn(home, "User lives in Lisbon")
    for name in ("work", "lost"):
        create_profile(home, name)
        with _app(home, name) as app:
            app.conversations.record([turn(HERRING, "ok")])
    for key in home.profile("lost").keys.iterdir():
        key.unlink()
    done = hermes("memory", "erase", "--matching", "pickled herring", "--prove", "--json", "--yes")
    proof = json.loads(done.out)["proof"]
    assert done.code == 1
    assert proof["databases"] == ["memory.db", "profiles/work/memory.db"]
    assert any(place.startswith("profile work: table messages") for place in proof["found"])
    assert not any("lost" in place for place in proof["found"])
    assert "profiles/lost/memory.db" in proof["not_searched"]
    told = hermes("memory", "erase", "--matching", "pickled herring", "--prove", "--yes").out
    assert "not searched: profiles/lost/memory.db: " in told
    assert "write-ahead log: empty" in told


def test_a_proof_reads_the_states_a_restore_moved_aside(hermes: Hermes, home: Home) -> None:
    (herring,) = _learn(home, HERRING)
    _run(hermes, "backup", "now")
    _run(hermes, "backup", "restore", "--yes")
    done = hermes("memory", "erase", f"fact:{herring.number}", "--prove", "--json", "--yes")
    proof = json.loads(done.out)["proof"]
    assert done.code == 1
    assert any(place.startswith("the earlier state replaced/") for place in proof["found"])
    assert any(name.startswith("backups/") for name in proof["not_searched"])
    again = hermes("memory", "erase", "--matching", "pickled herring", "--prove", "--yes")
    assert again.code == 1
    assert "the memory in use is clear of it; still found in" in again.out
    assert again.out.count("  the earlier state replaced/") == 1
    assert "`hermes backup prune`" in again.out
    assert hermes("backup", "prune", "--yes").code == 0
    assert hermes("memory", "erase", "--matching", "pickled herring", "--prove", "--yes").code == 0


def test_a_proof_takes_no_file_of_the_profile_for_one_of_another(
    hermes: Hermes, home: Home
) -> None:
    _learn(home, "User lives in Lisbon")
    create_profile(home, "work")
    with _app(home, "work") as app:
        app.conversations.record([turn(HERRING, "ok")])
    seed = home.profile("work").root / "workspace" / "MEMORY.md"
    seed.parent.mkdir(exist_ok=True)
    seed.write_text(HERRING)
    words = ("memory", "erase", "--matching", "pickled herring", "--prove", "--yes")
    told = hermes("--profile", "work", *words).out
    assert "still found in\n  file profiles/work/workspace/MEMORY.md\n" in told
    assert "is clear of it" not in told
    other = hermes(*words).out
    assert "the memory in use is clear of it; still found in\n  profile work: " in other


def test_what_an_import_had_staged_is_dropped(hermes: Hermes, home: Home) -> None:
    _learn(home, HERRING)
    with _app(home) as app:
        stage = app.store.open_stage(app.paths.run / "import-0123.db")
        stage.add([("facts", {"text": HERRING})])
        stage.close()
    _run(hermes, "memory", "erase", "--matching", "herring", "--yes", "--prove")
    assert list((home.root / "run").glob("import-*.db*")) == []


def test_a_reset_takes_the_jobs_of_the_conversations_with_it(hermes: Hermes, home: Home) -> None:
    with _app(home) as app:
        app.conversations.record([turn("Hello", "Hi")])

        def ask(tx: Tx) -> None:
            tx.jobs.add("extract", "s1", now=1)
            tx.jobs.add("reflect", "s1", now=1)
            tx.jobs.add("index", now=1)

        app.store.write(ask)
    _run(hermes, "memory", "reset", "--target", "episodes", "--yes")
    with _app(home) as app:
        left = app.jobs.list(JobFilter())
    assert [job.kind for job in left] == ["index"]


def test_a_reset_of_facts_empties_the_page_that_showed_them(hermes: Hermes, home: Home) -> None:
    _learn(home, HERRING)
    _run(hermes, "memory", "reset", "--target", "facts", "--yes")
    assert "herring" not in (home.root / "memories" / "USER.md").read_text()
