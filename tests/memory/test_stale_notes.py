"""What a note on the user says and what a fact says stand and fall together."""

from pathlib import Path

import pytest

from hermes.app import App, open_app
from hermes.app.agent_desk import AppDesk
from hermes.app.facts import NewFact
from hermes.app.forgetting import forget, restore
from hermes.clock import HOUR_MS
from hermes.config.paths import Home
from hermes.errors import Corrupt
from hermes.memory.facts import keeping, revising
from hermes.memory.facts.audit import Act
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.given import Given, Revision
from hermes.memory.notekeeping import Outcome
from hermes.memory.notes import Action, MemoryRequest, Operation
from hermes.memory.notes.page import note_id
from hermes.memory.notes.request import Target
from hermes.types import FactSource, NewSession, Role, Trust, Turn, Utterance

GREEN = "User prefers green tea"
MORE = "Prefers green tea, brewed at 70 degrees, from the shop in the Rua Augusta"
MARK = "A note here says what is no longer believed"


def agent_notes(app: App, *operations: Operation, said: str = "") -> Outcome:
    return AppDesk(app).change_notes(MemoryRequest(Target.USER, operations), Trust.MEDIUM, said)


def agent_adds(app: App, text: str = "Prefers green tea") -> None:
    assert agent_notes(app, Operation(Action.ADD, text)).change is not None


def write_by_hand(app: App, line: str = "Prefers green tea") -> None:
    page = app.paths.user_note
    page.parent.mkdir(parents=True, exist_ok=True)
    before = page.read_text() if page.exists() else ""
    page.write_text(f"- {line}\n{before}")


def say(app: App, text: str) -> None:
    session = NewSession(id=f"s{len(app.conversations.list_sessions())}")
    app.conversations.record([Turn(session, (Utterance(Role.USER, text),))])
    list(app.facts.extract(session.id or ""))


def notes(app: App) -> list[str]:
    return [note.text for note in app.notes.list(Target.USER)]


def believed(app: App) -> list[str]:
    return [fact.text for fact in app.facts.list()]


def test_what_is_kept_twice_is_told_once(app: App) -> None:
    agent_adds(app)
    say(app, "I prefer green tea.")
    assert believed(app) == [GREEN]
    assert app.notes.snapshot().count("green tea") == 1
    say(app, "I prefer window seats.")
    assert app.notes.snapshot().count("green tea") == 1


def test_a_note_comes_to_stand_for_the_line_that_was_drawn(app: App) -> None:
    say(app, "I prefer green tea.")
    agent_adds(app)
    assert app.notes.snapshot().count("green tea") == 1


def test_an_agents_note_goes_with_the_fact_it_revises(app: App) -> None:
    agent_adds(app)
    say(app, "I prefer green tea.")
    fact = AppDesk(app).revise_fact(
        "fact:1", "User prefers black tea", bank="default", trust=Trust.MEDIUM
    )
    assert notes(app) == []
    assert app.user.list_gone_notes(fact) == ["Prefers green tea"]
    assert "green tea" not in app.notes.snapshot()


@pytest.mark.parametrize("by_words", [True, False])
def test_forgetting_a_fact_takes_its_note_along_and_both_come_back(
    app: App, *, by_words: bool
) -> None:
    agent_adds(app)
    say(app, "I prefer green tea.")
    gone = forget(app, "green tea" if by_words else "fact:1")
    assert "the note 'Prefers green tea'" in gone.text
    assert (notes(app), believed(app)) == ([], [])
    restore(app, "fact:1")
    assert (notes(app), believed(app)) == (["Prefers green tea"], [GREEN])
    assert app.user.list_gone_notes(app.facts.get("fact:1")) == []


def test_a_note_that_is_restored_brings_its_fact_along(app: App) -> None:
    agent_adds(app)
    say(app, "I prefer green tea.")
    forget(app, "fact:1")
    assert app.notes.restore(note_id("Prefers green tea")).text == "Prefers green tea"
    assert believed(app) == [GREEN]
    AppDesk(app).revise_fact("fact:1", "User prefers black tea", bank="default", trust=Trust.MEDIUM)
    assert app.notes.restore(note_id("Prefers green tea")).text == "Prefers green tea"
    assert believed(app) == [GREEN], "the words it had before"


@pytest.mark.parametrize("action", [Action.REMOVE, Action.REPLACE])
def test_a_fact_goes_with_the_note_that_says_it_and_comes_back(app: App, action: Action) -> None:
    agent_adds(app)
    say(app, "I prefer green tea.")
    content = "Prefers black tea" if action is Action.REPLACE else ""
    said = "Forget that I prefer green tea." if action is Action.REMOVE else "Black tea, please."
    done = agent_notes(app, Operation(action, content, "green tea"), said=said)
    assert [fact.text for fact in done.closed] == [GREEN]
    assert GREEN not in believed(app)
    assert "green tea" not in app.notes.snapshot()
    _, changes = app.facts.history("fact:1")
    assert changes[-1].reason == "the note that said it left USER.md"
    restore(app, note_id("Prefers green tea"))
    assert notes(app) == ["Prefers green tea"]
    assert believed(app) == [GREEN]


@pytest.mark.parametrize("instead", ["", "Works at Kestrel", "Prefers short meetings", "Tea"])
def test_what_an_agent_takes_off_to_make_room_is_believed_on(app: App, instead: str) -> None:
    agent_adds(app)
    say(app, "I prefer green tea.")
    action = Action.REPLACE if instead else Action.REMOVE
    done = agent_notes(app, Operation(action, instead, "green tea"), said="I work at Kestrel.")
    assert [fact.text for fact in done.believed] == [GREEN]
    assert (done.closed, believed(app)) == ((), [GREEN])
    assert "green tea" in app.notes.snapshot(), "drawn from the fact, as far as there is room"


def test_what_the_person_takes_off_is_no_longer_believed(app: App) -> None:
    agent_adds(app)
    say(app, "I prefer green tea.")
    done = app.notes.remove(Target.USER, "green tea")
    assert [fact.text for fact in done.closed] == [GREEN]
    assert believed(app) == []


def test_a_note_put_into_other_words_closes_nothing(app: App) -> None:
    agent_adds(app)
    say(app, "I prefer green tea.")
    done = agent_notes(app, Operation(Action.REPLACE, MORE, "green tea"))
    assert done.closed == ()
    assert believed(app) == [GREEN]


def test_a_line_written_by_hand_goes_where_the_person_said_the_change(app: App) -> None:
    say(app, "I prefer green tea.")
    write_by_hand(app)
    say(app, "Actually I prefer black tea now, not green tea.")
    assert notes(app) == []
    old = app.facts.get("fact:1")
    assert app.user.list_gone_notes(old) == ["Prefers green tea"], "and that is told"


def test_a_line_written_by_hand_goes_where_the_person_edits_the_fact(app: App) -> None:
    say(app, "I prefer green tea.")
    write_by_hand(app)
    app.facts.revise("fact:1", Revision(), text="User prefers black tea")
    assert notes(app) == []


def test_a_line_written_by_hand_stays_where_only_an_agent_said_the_change(app: App) -> None:
    say(app, "I prefer green tea.")
    write_by_hand(app)
    AppDesk(app).revise_fact("fact:1", "User prefers black tea", bank="default", trust=Trust.MEDIUM)
    assert notes(app) == ["Prefers green tea"]
    assert f"{MARK}: {GREEN}" in app.notes.snapshot()


def test_a_line_of_which_no_fact_is_known_goes_with_what_the_person_says(app: App) -> None:
    write_by_hand(app, "Lives in Lisbon")
    say(app, "I live in Porto now.")
    assert notes(app) == []
    assert app.user.list_gone_notes(app.facts.get("fact:1")) == ["Lives in Lisbon"]


def test_and_stays_where_an_agent_says_it(app: App) -> None:
    write_by_hand(app, "Lives in Lisbon")
    AppDesk(app).add_facts([("User lives in Porto", Trust.MEDIUM)], bank="default")
    assert notes(app) == ["Lives in Lisbon"]
    assert MARK in app.notes.snapshot()


def test_a_note_that_tells_more_stays_and_is_marked_until_it_is_true_again(app: App) -> None:
    agent_adds(app, MORE)
    say(app, "I prefer green tea.")
    say(app, "Actually I prefer black tea now, not green tea.")
    assert notes(app) == [MORE]
    assert f"{MARK}: {GREEN}" in app.notes.snapshot()
    app.facts.forget("fact:2")
    app.facts.restore("fact:1")
    assert MARK not in app.notes.snapshot()


def test_the_mark_goes_with_the_wording(app: App) -> None:
    agent_adds(app, MORE)
    say(app, "I prefer green tea.")
    say(app, "Actually I prefer black tea now, not green tea.")
    agent_notes(app, Operation(Action.REPLACE, "Prefers black tea, brewed hot", "70 degrees"))
    assert MARK not in app.notes.snapshot()


def test_a_line_that_is_written_again_by_hand_stays(app: App) -> None:
    agent_adds(app)
    say(app, "I prefer green tea.")
    app.facts.forget("fact:1")
    write_by_hand(app)
    say(app, "I like long walks.")
    assert "Prefers green tea" in notes(app)


def test_a_line_written_by_hand_after_another_program_changed_the_fact_stays(
    app: App,
) -> None:
    flags = {"memory.embeddings.provider": "none"}
    app.facts.add(NewFact(GREEN))
    with open_app(app.paths, {}, flags=flags) as other:
        other.facts.forget("fact:1")
    write_by_hand(app)
    app.facts.add(NewFact("User likes long walks"))
    assert notes(app) == ["Prefers green tea"]
    with open_app(app.paths, {}, flags=flags) as other:
        other.facts.add(NewFact("User likes short walks"))
    assert notes(app) == ["Prefers green tea"]


def test_what_another_program_did_not_come_to_settle_is_settled(app: App) -> None:
    """It was killed between the two."""
    agent_adds(app)
    app.facts.add(NewFact(GREEN))
    app.store.write(lambda tx: revising.forget(tx, 1, Act("person", app.clock.now())))
    flags = {"memory.embeddings.provider": "none"}
    with open_app(app.paths, {}, flags=flags) as other:
        other.facts.add(NewFact("User likes long walks"))
    assert notes(app) == []


def test_a_fact_of_another_bank_takes_no_note_along(app: App) -> None:
    agent_adds(app)
    kept = app.facts.add(NewFact(GREEN, bank="customer"))
    assert kept.fact is not None
    app.facts.forget(f"fact:{kept.fact.number}")
    assert notes(app) == ["Prefers green tea"]


@pytest.mark.parametrize("line", ["Prefers green tea\u200b", "Prefers green\u00ad tea"])
def test_what_no_log_may_hold_to_the_letter_stays(app: App, line: str) -> None:
    say(app, "I prefer green tea.")
    write_by_hand(app, line)
    app.facts.forget("fact:1")
    assert line in app.paths.user_note.read_text()


def test_a_line_that_stands_there_twice_stays_and_fails_nothing(app: App) -> None:
    say(app, "I prefer green tea.")
    write_by_hand(app)
    write_by_hand(app)
    app.facts.forget("fact:1")
    assert believed(app) == []
    assert app.paths.user_note.read_text().count("- Prefers green tea") == 2


def test_a_merged_fact_is_still_said_and_so_is_its_note(app: App) -> None:
    app.facts.add(NewFact(GREEN))
    app.facts.add(NewFact("User drinks green tea every morning"))
    write_by_hand(app, "Drinks green tea every morning")
    app.facts.merge("fact:1", "fact:2")
    assert notes(app) == ["Drinks green tea every morning"]


def test_what_could_not_be_settled_is_settled_the_next_time(app: App) -> None:
    say(app, "I prefer green tea.")
    write_by_hand(app)
    page = app.paths.user_note
    good = page.read_bytes()
    page.write_bytes(b"\xff\xfe broken")
    with pytest.raises(Corrupt):
        app.facts.forget("fact:1")
    page.write_bytes(good)
    app.user.project()
    assert notes(app) == []
    assert app.notes.restore(note_id("Prefers green tea")).text == "Prefers green tea"


def test_what_was_slow_to_be_written_is_settled_whatever_its_time(app: App) -> None:
    write_by_hand(app)
    app.facts.add(NewFact(GREEN))
    long_ago = app.clock.now() - 5 * HOUR_MS  # or the clock was put right meanwhile
    app.store.write(lambda tx: revising.forget(tx, 1, Act("person", long_ago)))
    app.user.project()
    assert notes(app) == []


def test_what_the_first_program_of_all_did_not_come_to_settle_is_settled(tmp_path: Path) -> None:
    flags = {"memory.embeddings.provider": "none"}
    profile = Home(tmp_path).profile("default")
    with open_app(profile, {}, flags=flags) as app:
        agent_adds(app)
        source = FactSource(GREEN, at=1)
        told, act = parse_statement(GREEN, 1), Act("person", app.clock.now())
        app.store.write(lambda tx: keeping.believe(tx, told, Given("default", source), act))
        app.store.write(lambda tx: revising.forget(tx, 1, act))
    with open_app(profile, {}, flags=flags) as app:
        app.user.project()
        assert notes(app) == []
