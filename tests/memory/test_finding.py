"""One search over everything: what it finds, what filters leave, what typing on does."""

from collections.abc import Sequence

from hermes.clock import DAY_MS
from hermes.memory.facts import keeping, revising
from hermes.memory.facts.audit import Act
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.given import Given
from hermes.memory.finding import Findings, Sought, Type, find_everything, find_notes
from hermes.memory.notes import Note, parse_notes
from hermes.store.base import Store
from hermes.store.base.overview import Window
from hermes.types import Fact, FactKind, FactSource, Reflection
from talk import NOW, at, keep, turn

NOTES = {"memory": parse_notes("- Deploy on Monday\n- Tea is in the kitchen\n")}


def believe(store: Store, text: str, said_at: int = NOW) -> Fact:
    candidate = parse_statement(text, NOW)
    given = Given("default", FactSource(candidate.quote, at=said_at))
    kept = store.write(lambda tx: keeping.believe(tx, candidate, given, Act("person", NOW)))
    assert kept.fact is not None
    return kept.fact


def find(store: Store, query: str = "", notes: bool = True, **fields: object) -> Findings:
    sought = Sought(query, **fields)  # type: ignore[arg-type]
    pages: dict[str, Sequence[Note]] = dict(NOTES) if notes else {}
    return store.read(lambda tx: find_everything(tx, sought, pages))


def test_every_kind_is_found_by_its_words(store: Store) -> None:
    keep(store, turn("Shall we deploy PostgreSQL today?", "Yes, deploy it."))
    believe(store, "User's team decided to deploy PostgreSQL")
    lesson = Reflection(0, "default", "deploy", "Deploy PostgreSQL slowly", created_at=NOW)
    store.write(lambda tx: tx.reflections.add(lesson, lesson_key="slow"))
    found = find(store, "deploy")
    assert len(found.messages) == 1
    assert found.messages[0].hits == 2
    assert found.facts[0].snippet.highlights
    assert [each.reflection.lesson for each in found.reflections] == ["Deploy PostgreSQL slowly"]
    assert [each.note.text for each in found.notes] == ["Deploy on Monday"]
    assert [entity.name for entity in find(store, "postgr").entities] == ["PostgreSQL"]


def test_a_word_half_typed_finds_what_it_begins(store: Store) -> None:
    keep(store, turn("The deployment went well"))
    for typed in ("dep", "deploy", "deploym", "deployment"):
        assert len(find(store, typed).messages) == 1, typed
    assert len(find(store, "deployment w").messages) == 1
    assert find(store, "zebra").is_empty


def test_a_question_marks_and_finds_what_it_is_about(store: Store) -> None:
    keep(store, turn("The tea is in the kitchen"), turn("Who was the last at the door?"))
    found = find(store, "where is the tea")
    assert [each.message.text for each in found.messages] == ["The tea is in the kitchen"]
    snippet = found.messages[0].snippet
    assert [snippet.text[start:end] for start, end in snippet.highlights] == ["tea"]
    assert [each.note.text for each in found.notes] == ["Tea is in the kitchen"]
    assert find(store, "who was the").messages


def test_types_and_kinds_narrow(store: Store) -> None:
    keep(store, turn("I prefer tea"))
    believe(store, "User prefers tea")
    only = find(store, "tea", types=(Type.FACTS,))
    assert (only.messages, only.notes, len(only.facts)) == ((), (), 1)
    kinds = find(store, "tea", kinds=(FactKind.DECISION,))
    assert kinds.is_empty


def test_days_narrow_messages_and_facts(store: Store) -> None:
    keep(store, at(NOW - 9 * DAY_MS, turn("old tea")), at(NOW, turn("new tea", session="s2")))
    believe(store, "User prefers tea", NOW - 9 * DAY_MS)
    late = Window(since_at=NOW - DAY_MS)
    found = find(store, "tea", window=late)
    assert [each.message.text for each in found.messages] == ["new tea"]
    assert (found.facts, found.notes) == ((), ())
    early = find(store, "tea", window=Window(before_at=NOW - DAY_MS))
    assert [each.message.text for each in early.messages] == ["old tea"]
    assert len(early.facts) == 1


def test_an_entity_narrows_and_lists_without_words(store: Store) -> None:
    believe(store, "Wei works with PostgreSQL")
    believe(store, "User prefers tea")
    wei = next(e for e in store.read(lambda tx: tx.entities.list()) if e.name == "Wei")
    found = find(store, window=Window(entity_id=wei.id))
    assert [each.fact.text for each in found.facts] == ["Wei works with PostgreSQL"]
    assert find(store, "tea", window=Window(entity_id=wei.id)).facts == ()


def test_hidden_deleted_and_replaced_things_are_not_found(store: Store) -> None:
    keep(store, turn("secret tea"))
    fact = believe(store, "User prefers tea")
    store.write(lambda tx: tx.conversations.hide_session("s1", NOW))
    store.write(lambda tx: revising.forget(tx, fact.number, Act("person", NOW)))
    assert find(store, "tea", notes=False).is_empty


def test_any_string_is_a_question(store: Store) -> None:
    keep(store, turn("数据库迁移在周四", "c++ it is"))
    for query in (
        "",
        "*",
        '"',
        "c++",
        "数据",
        "a OR b",
        "NEAR(",
        "\x00",
        "'; DROP",
        "🙂",
        "w" * 999,
    ):
        find(store, query)
    assert len(find(store, "数据库").messages) == 1
    assert len(find(store, "c++").messages) == 1


def test_a_note_holds_all_of_the_words() -> None:
    assert [each.note.text for each in find_notes(["tea", "kitch*"], NOTES)] == [
        "Tea is in the kitchen"
    ]
    assert find_notes(["tea", "monday"], NOTES) == ()
    assert find_notes([], NOTES) == ()
