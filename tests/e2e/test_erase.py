"""Erasing and resetting by the real command line, and what a restore brings back."""

import json

import pytest

from conftest import Hermes, Outcome
from hermes.app import App, open_app
from hermes.config.paths import Home
from hermes.store.base import Tx
from hermes.store.base.erase import TextKind
from hermes.types import (
    EventKind,
    Fact,
    FactKind,
    FactSource,
    Payload,
    Reflection,
    Role,
    Turn,
    Utterance,
)
from talk import turn

SECRET = "The vault combination is xylophone-quagmire 4711."


def _remember(home: Home, *texts: str, session: str = "s1") -> tuple[int, ...]:
    with open_app(home.profile("default"), {}) as app:
        return app.conversations.record([turn(*texts, session=session)])[0].message_ids


def _add_fact(app: App, text: str, *messages: int) -> int:
    sources = tuple(FactSource(text, message, session_id="s1", at=1) for message in messages)

    def keep(tx: Tx) -> int:
        fact, number = tx.facts.reserve()
        given = Fact(fact, number, "default", text, FactKind.OTHER, 1, sources=sources)
        tx.facts.add(given, subject_key="vault")
        return number

    return app.store.write(keep)


def _texts(home: Home, kind: TextKind) -> list[str]:
    with open_app(home.profile("default"), {}) as app:
        rows = app.store.read(lambda tx: tx.erasures.list_texts(kind, after=0, limit=10_000))
    return [text for row in rows for text in row.texts]


def _erase(hermes: Hermes, *argv: str) -> Outcome:
    done = hermes("memory", "erase", *argv, "--yes", "--json")
    assert done.code == 0, done.err + done.out
    return done


def test_a_message_takes_its_facts_notes_and_events_with_it(hermes: Hermes, home: Home) -> None:
    first, second = _remember(home, SECRET, "Noted, I will keep that in mind for later.")
    with open_app(home.profile("default"), {}) as app:
        alone = _add_fact(app, SECRET, first)
        shared = _add_fact(app, "Something is kept in mind", first, second)
        app.events.record(EventKind.MEMORY, f"Learnt: {SECRET}")
    notes = home.root / "memories" / "MEMORY.md"
    notes.write_text(f"# Mine\n- likes tea\n- {SECRET}\n- ends early\n")
    done = json.loads(_erase(hermes, f"message:{first}", "--prove").out)
    assert done["erased"]["facts"] == 1
    assert done["proof"]["found"] == []
    assert notes.read_text() == "# Mine\n- likes tea\n- ends early\n"
    with open_app(home.profile("default"), {}) as app:
        assert app.store.read(lambda tx: tx.facts.find(alone)) is None
        left = app.store.read(lambda tx: tx.facts.find(shared))
        assert left is not None
        assert [source.message_id for source in left.sources] == [second]
        assert app.events.verify().is_sound
        assert all(f.level == "ok" for f in app.store.check())
        assert not app.conversations.search("xylophone").hits


def test_words_are_erased_wherever_they_are(hermes: Hermes, home: Home) -> None:
    _remember(home, SECRET, "Thanks")
    _remember(home, "Nothing of note", "again XYLOPHONE,  quagmire!", session="s2")
    done = json.loads(_erase(hermes, "--matching", "xylophone quagmire", "--prove").out)
    assert done["erased"]["messages"] == 2
    assert done["proof"]["found"] == []
    assert done["proof"]["pages"] > 0
    assert "Nothing of note" in _texts(home, TextKind.MESSAGE)


def test_a_proof_finds_what_is_left(hermes: Hermes, home: Home) -> None:
    _remember(home, "Hello", "Hi")
    (home.root / "workspace" / "MEMORY.md").write_text(SECRET)
    (home.root / "logs" / "old.txt").write_text(f"debug: {SECRET}")
    done = hermes(
        "memory", "erase", "--matching", "xylophone quagmire", "--prove", "--json", "--yes"
    )
    assert done.code == 1
    found = json.loads(done.out)["proof"]["found"]
    assert found == ["file logs/old.txt", "file workspace/MEMORY.md"]


def test_a_dry_run_changes_nothing(hermes: Hermes, home: Home) -> None:
    _remember(home, SECRET, "Thanks")
    done = hermes("memory", "erase", "--matching", "xylophone", "--dry-run", "--json")
    told = json.loads(done.out)
    assert told["planned"] == {"message": 1}
    assert [row["text"] for row in told["rows"]["message"]] == [SECRET]
    assert told["summaries_put_back"] == []
    assert SECRET in _texts(home, TextKind.MESSAGE)


def test_what_was_erased_stays_out_after_a_restore(hermes: Hermes, home: Home) -> None:
    kept = _remember(home, "Bluebird is the code name", SECRET, "and more", "yes")
    _remember(home, "whole session about the quagmire", "indeed", session="s2")
    with open_app(home.profile("default"), {}) as app:
        _add_fact(app, SECRET, kept[1])
    hermes("backup", "now")
    _erase(hermes, f"message:{kept[1]}")
    _erase(hermes, "session:s2")
    done = hermes("backup", "restore", "--yes")
    assert done.code == 0, done.err
    assert "restored: 3 messages, as" in done.out  # of six
    assert "erased since: 1 fact, 3 messages" in done.out
    assert "1 fact" in done.out
    texts = _texts(home, TextKind.MESSAGE)
    assert SECRET not in texts
    assert "indeed" not in texts
    assert "Bluebird is the code name" in texts
    assert _texts(home, TextKind.FACT) == []


def test_words_stay_out_after_a_restore_in_rows_unknown_before(hermes: Hermes, home: Home) -> None:
    ids = _remember(home, SECRET, "first")
    hermes("backup", "now")
    _erase(hermes, f"message:{ids[0]}", "--matching", "vault combination")
    (home.root / "memory.db.erased").write_bytes(
        b"\n".join(
            line
            for line in (home.root / "memory.db.erased").read_bytes().split(b"\n")
            if b'"message"' not in line
        )
    )
    done = hermes("backup", "restore", "--yes")
    assert "1 message" in done.out
    assert SECRET not in _texts(home, TextKind.MESSAGE)


def test_payloads_and_sessions_without_messages_go(hermes: Hermes, home: Home) -> None:
    said = Utterance(Role.USER, "look", payloads=(Payload("text/plain", b"payload-quagmire"),))
    with open_app(home.profile("default"), {}) as app:
        given = Turn(turn("x", session="s9").session, (said,))
        number = app.conversations.record([given])[0].message_ids[0]
    done = json.loads(_erase(hermes, f"message:{number}").out)["erased"]
    assert (done["payloads"], done["sessions"], done["episodes"]) == (1, 1, 1)


def test_a_dictionary_that_learnt_it_is_replaced(hermes: Hermes, home: Home) -> None:
    with open_app(home.profile("default"), {}) as app:
        for start in range(0, 2600, 200):
            talk = [
                turn(f"{SECRET} It was said for the {n}th time in this long talk", session=f"t{n}")
                for n in range(start, start + 200)
            ]
            app.conversations.record(talk)
        app.conversations.record(
            [turn("Quite another matter is being discussed here", "at length")]
        )
    done = json.loads(_erase(hermes, "--matching", "vault combination", "--prove").out)
    assert done["erased"]["messages"] == 2600
    assert done["proof"]["found"] == []
    assert any(text.startswith("Quite another") for text in _texts(home, TextKind.MESSAGE))


def test_a_reflection_goes_by_itself_or_with_its_session(hermes: Hermes, home: Home) -> None:
    _remember(home, "Deploy it", "Done")
    with open_app(home.profile("default"), {}) as app:
        once = Reflection(0, "default", "coding", "Deploy on Mondays", successes=1, session_id="s1")
        often = Reflection(0, "default", "coding", "Quagmire ahead", successes=5, session_id="s1")
        app.store.write(lambda tx: tx.reflections.add(once, lesson_key="mondays"))
        app.store.write(lambda tx: tx.reflections.add(often, lesson_key="quagmire"))
    hermes("backup", "now")
    assert json.loads(_erase(hermes, "session:s1").out)["erased"]["reflections"] == 1
    done = json.loads(_erase(hermes, "reflection:2", "--prove").out)
    assert done["erased"] == {"reflections": 1}
    assert done["proof"]["found"] == []
    assert _texts(home, TextKind.REFLECTION) == []
    restored = hermes("backup", "restore", "--yes")
    assert "2 reflections" in restored.out
    assert _texts(home, TextKind.REFLECTION) == []


@pytest.mark.parametrize(
    ("target", "left"),
    [("episodes", (0, 1, 1)), ("facts", (2, 0, 1)), ("notes", (2, 1, 0)), ("all", (0, 0, 0))],
)
def test_a_reset_empties_a_part_and_can_be_taken_back(
    hermes: Hermes, home: Home, target: str, left: tuple[int, int, int]
) -> None:
    ids = _remember(home, "Bluebird is the code name", "ok")
    with open_app(home.profile("default"), {}) as app:
        _add_fact(app, "The code name is Bluebird", ids[0])
    notes = home.root / "memories" / "MEMORY.md"
    notes.write_text("- likes tea\n")

    def count() -> tuple[int, int, int]:
        with open_app(home.profile("default"), {}) as app:
            messages = app.store.status().counts["messages"]
            facts = app.store.read(lambda tx: tx.facts.count())
        return messages, facts, len(notes.read_text().splitlines())

    done = hermes("memory", "reset", "--target", target, "--yes", "--json")
    assert done.code == 0, done.err
    assert count() == left
    assert hermes("backup", "restore", "--yes").code == 0
    assert count() == (2, 1, 1)


@pytest.mark.parametrize("target", ["fact:x", "thing:4", "fact:99", "message:99", "session:none"])
def test_what_is_not_there_is_named(hermes: Hermes, home: Home, target: str) -> None:
    _remember(home, "Hello", "Hi")
    done = hermes("memory", "erase", target, "--yes")
    assert done.code in (1, 2)
    assert target.partition(":")[2] in done.err


def test_a_page_that_cannot_be_cleared_stops_an_erasure_before_it_begins(
    hermes: Hermes, home: Home
) -> None:
    _remember(home, SECRET)
    page = home.profile("default").memory_note
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_bytes(b"- caf\xe9\n")
    refused = hermes("memory", "erase", "--matching", "xylophone", "--yes")
    assert refused.code != 0
    assert "not UTF-8" in refused.err
    assert SECRET in _texts(home, TextKind.MESSAGE)
