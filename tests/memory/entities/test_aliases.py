"""Other names that the user tells of somebody are learnt, and found by."""

import pytest

from hermes.app import App
from hermes.app.facts import NewFact
from hermes.memory.entities.aliases import SaidAlias, find_aliases
from hermes.types import NewSession, Role, Turn, Utterance

AT = 1_760_000_000_000


@pytest.mark.parametrize(
    ("said", "full", "short"),
    [
        ("My sister Katarina, also known as Kat, lives in Graz.", "Katarina", "Kat"),
        ("Kat is short for Katarina.", "Katarina", "Kat"),
        ("Kat, short for Katarina, called.", "Katarina", "Kat"),
        ("I met Katarina Novak (aka Kat) today", "Katarina Novak", "Kat"),
        ("Maximilian, or Max for short, is my boss", "Maximilian", "Max"),
        ("Elizabeth goes by Liz", "Elizabeth", "Liz"),
        ("everybody calls Robert Bob", "Robert", "Bob"),
        ("Robert's nickname is “Bob”", "Robert", "Bob"),
        ("My friend Keziah moved to Leeds. Everyone calls her Kez.", "Keziah", "Kez"),
        ("Keziah moved to Leeds. Everyone calls her Kez.", "Keziah", "Kez"),
        ("My sister is Margaret. We call her “Maggie”!", "Margaret", "Maggie"),
        ("my boss Robert Smith, he goes by Bob", "Robert Smith", "Bob"),
        ("Dr. Amara Osei is my physio. People call her Mara", "Amara Osei", "Mara"),
        ("oh and everyone calls her Kez", "", "Kez"),
        ("And Samir goes by Sam.", "Samir", "Sam"),
        ("FYI Samir goes by Sam", "Samir", "Sam"),
        ("Remember that Sam is short for Samir.", "Samir", "Sam"),
        ("It rained, but Samir goes by Sam now.", "Samir", "Sam"),
        ("At work Samir goes by Sam.", "Samir", "Sam"),
        ("Do you know him? Samir goes by Sam.", "Samir", "Sam"),
        ("I have a friend, Samuel, aka Sam.", "Samuel", "Sam"),
    ],
)
def test_another_name_is_read(said: str, full: str, short: str) -> None:
    assert find_aliases(said) == [SaidAlias(full, short)]


@pytest.mark.parametrize(
    "said",
    [
        "Is Kat short for Katarina?",
        "Kat is short for Katarina, isn't it?",
        "ETA is short for estimated time",
        "everyone calls Anna Monday",
        "Kat is not short for Katarina",
        "Kat is short for Kat",
        "It is wrong that Samir is short for Samuel.",
        "It's not true that Samir is short for Samuel.",
        "Nobody thinks Samir is short for Samuel.",
        "It is a lie that Samir is short for Samuel.",
        "I doubt that Samir is short for Samuel.",
        "I don't think Samir is short for Samuel.",
        "Never say Samir is short for Samuel.",
        "In my novel Samir goes by Samuel.",
        "Samir goes by Samuel in my story.",
        "If Samir goes by Samuel, tell me.",
        "Suppose Samir goes by Samuel.",
        "Tell me whether Samir goes by Samuel.",
        "Tom says Samir goes by Samuel.",
        "Tom claims that Samir goes by Samuel.",
        "Maybe Samir goes by Samuel.",
        "Samir goes by Samuel, just kidding",
        'He wrote: "Samir goes by Samuel".',
        "```\nSamir goes by Samuel\n```",
        "> Samir goes by Samuel",
        "the list is short for now",
        "Keziah and Tom came. Everyone calls him Tommy.",
        "I met Anna in Leeds with Keziah. Everyone calls her Kez.",
        "My dog is at the vet. We call him Rex.",
        "We call her every day",
        "My friend Keziah is here. Does everyone call her Kez?",
        "",
    ],
)
def test_what_names_nobody_anew_is_left(said: str) -> None:
    assert find_aliases(said) == []


def record(app: App, *said: tuple[Role, str]) -> None:
    for number, (role, text) in enumerate(said):
        session = NewSession(id=f"s{number}", started_at=AT)
        app.conversations.record([Turn(session, (Utterance(role, text, AT + number),))])


def test_what_was_said_of_katarina_is_found_for_kat(app: App) -> None:
    filler = [(Role.USER, f"Lunch number {n} was fine, nothing else to tell.") for n in range(8)]
    told = "Katarina plays the violin in an orchestra."
    record(app, (Role.USER, told), (Role.USER, "Kat is short for Katarina."), *filler)
    assert told not in found(app, "Kat")
    list(app.facts.extract())
    assert told in found(app, "Kat")
    names = {entity.name: entity.aliases for entity in app.entities.list()}
    assert names["Katarina"] == ("Kat",)


def test_told_twice_it_is_learnt_once(app: App) -> None:
    record(app, (Role.USER, "Kat is short for Katarina."), (Role.USER, "Katarina goes by Kat."))
    list(app.facts.extract())
    assert [e.aliases for e in app.entities.list() if e.name == "Katarina"] == [("Kat",)]


def test_what_an_assistant_says_teaches_no_name(app: App) -> None:
    record(app, (Role.USER, "Who is that?"), (Role.ASSISTANT, "Kat is short for Katarina."))
    list(app.facts.extract())
    assert all("Kat" not in entity.aliases for entity in app.entities.list())


def talk(app: App, *said: str, first: int = 0) -> None:
    for number, text in enumerate(said, first):
        turn = Turn(NewSession(id="talk"), (Utterance(Role.USER, text, AT + number),))
        app.conversations.record([turn])
    list(app.facts.extract())


def other_names(app: App, name: str) -> list[tuple[str, ...]]:
    return [entity.aliases for entity in app.entities.list() if entity.name == name]


def test_who_she_is_stands_in_the_message_before(app: App) -> None:
    talk(app, "My friend Keziah moved to Leeds.", "Everyone calls her Kez.")
    assert other_names(app, "Keziah") == [("Kez",)]


def test_who_she_is_was_read_before(app: App) -> None:
    talk(app, "My friend Keziah moved to Leeds.")
    talk(app, "Everyone calls her Kez.", first=1)
    assert other_names(app, "Keziah") == [("Kez",)]


@pytest.mark.parametrize(
    "before", ["My friend Keziah met my boss Anna.", "The weather is nice.", "I moved to Leeds."]
)
def test_where_it_is_not_sure_who_she_is_nobody_gets_a_name(app: App, before: str) -> None:
    talk(app, before, "Everyone calls her Kez.")
    assert all("Kez" not in entity.aliases for entity in app.entities.list())


def test_a_tool_gets_no_name_of_a_person(app: App) -> None:
    talk(app, "We use Postgres.", "Postgres goes by Elephant, they say.")
    assert other_names(app, "Postgres") == [()]


def test_after_a_merge_either_name_recalls_what_was_told_of_the_other(app: App) -> None:
    for text in ("Robert plays chess", "Bob lives in Leeds", "User likes tea"):
        app.facts.add(NewFact(text))
    assert "Bob lives in Leeds" not in found(app, "what about Robert?")
    app.entities.merge("Robert", "Bob")
    assert "Bob lives in Leeds" in found(app, "what about Robert?")
    assert "Robert plays chess" in found(app, "what about Bob?")


def found(app: App, query: str) -> list[str]:
    return [item.text for item in app.memory.search(query, bank="default")[0]]
