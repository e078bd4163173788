"""What becomes an entity and of which kind, by the words it stands in."""

import pytest

from hermes.app import App
from hermes.app.facts import NewFact
from hermes.memory.entities import name_mentions
from hermes.memory.entities.kinds import guess_kind, kind_by_words
from hermes.types import EntityKind, FactKind


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("First day: Atlas 1,912 km, Jonas 1,884 km", ["Atlas", "Jonas"]),
        ("Overtime: Atlas 0 minutes, Jonas 35 minutes", ["Atlas", "Jonas"]),
        ("It took 3.1 GB of memory", []),
        ('Asked "What changed?", User answered: nothing', []),
        ("Decision: PostgreSQL 16 with PostGIS for Atlas", ["PostgreSQL 16", "PostGIS", "Atlas"]),
        ("User's team swapped Linear for Jira", ["Linear", "Jira"]),
        ("User gives to Doctors for Africa", ["Doctors for Africa"]),
        ("ADR 2 is superseded by ADR 5", ["ADR 2", "ADR 5"]),
        ("User's landlord is Pieter van den Berg", ["Pieter van den Berg"]),
        ("User's friend Maria de la Cruz is ill", ["Maria de la Cruz"]),
        ("User's dentist is Dr. Farah Haddad", ["Farah Haddad"]),
        ("User's supervisor is prof. van den Berg", ["van den Berg"]),
        ("Robert's wedding is on 4 May", ["Robert"]),
        ("Standup's at 10", []),
    ],
)
def test_names_are_what_bears_them(text: str, names: list[str]) -> None:
    assert name_mentions(text) == names


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("Tomás", "Tomás does the frontend, Wei the data pipeline", EntityKind.PERSON),
        ("Wei", "Tomás does the frontend, Wei the data pipeline", EntityKind.PERSON),
        ("Tomás", "User climbs every Saturday with Tomás", EntityKind.PERSON),
        ("Halle", "Beta with the Halle depot on Friday", EntityKind.PLACE),
        ("Hamburg-Altona", "Kestrel has an office in Hamburg-Altona", EntityKind.PLACE),
        ("Grafana", "The alerts are in Grafana", EntityKind.OTHER),
        ("Atlas", "Atlas does the routing", EntityKind.OTHER),
        ("Leila", "User's sister Leila lives in Shiraz", EntityKind.PERSON),
        ("Niklas Holm", "My colleague Niklas Holm runs the lab", EntityKind.PERSON),
        ("Shiraz", "User's sister Leila lives in Shiraz", EntityKind.OTHER),
        ("Rover", "User's dog Rover is old", EntityKind.OTHER),
        ("Europe/London", "User's timezone is Europe/London (UTC+1)", EntityKind.PLACE),
        ("src/main", "The code is in src/main", EntityKind.OTHER),
        ("Farah", "Billing team is Farah's", EntityKind.PERSON),
        ("Farah", "The owner of billing is Farah", EntityKind.PERSON),
        ("Farah", "Farah moved to the data team", EntityKind.PERSON),
        ("Priya", "Priya works at Google", EntityKind.PERSON),
        ("Google", "Priya works at Google", EntityKind.ORGANISATION),
        ("Robert", "Robert plays chess on Thursdays", EntityKind.PERSON),
        ("Atlas", "Atlas plays well with Postgres", EntityKind.OTHER),
        ("Sam", "Sam's wife is ill", EntityKind.PERSON),
        ("Ines", "Ines is on leave until June", EntityKind.PERSON),
        ("Atlas", "Atlas is on hold", EntityKind.OTHER),
        ("Kestrel", "Kestrel has 40 employees", EntityKind.ORGANISATION),
        ("Delft University", "User studies at Delft University", EntityKind.ORGANISATION),
        ("Tokyo", "User is flying to Tokyo on 3 May", EntityKind.PLACE),
    ],
)
def test_the_words_around_a_name_say_what_it_is(name: str, text: str, kind: EntityKind) -> None:
    assert kind_by_words(name, text) is kind


@pytest.mark.parametrize(
    ("attribute", "value", "kind"),
    [
        ("flat location", "Hamburg", EntityKind.PLACE),
        ("pet", "Miso", EntityKind.OTHER),
        ("tickets location", "YouTrack", EntityKind.PRODUCT),
        ("hotel", "Casa do Bairro", EntityKind.PLACE),
        ("dentist", "Dr. Farah Haddad", EntityKind.OTHER),
        ("machine", "Framework", EntityKind.OTHER),
    ],
)
def test_what_a_value_is_of_says_what_it_is(attribute: str, value: str, kind: EntityKind) -> None:
    told = {"subject": "user", "attribute": attribute, "value": value}
    assert guess_kind(value, **told, kind=FactKind.ENVIRONMENT) is kind


def test_who_wants_something_is_someone() -> None:
    told = {"subject": "Nima", "attribute": "said:want", "value": "wants it in Grafana"}
    assert guess_kind("Nima", **told, kind=FactKind.OTHER) is EntityKind.PERSON


def test_a_title_is_no_part_of_a_name() -> None:
    told = {"subject": "user", "attribute": "dentist", "value": "Dr. Farah Haddad"}
    assert guess_kind("Farah Haddad", **told, kind=FactKind.RELATIONSHIP) is EntityKind.PERSON


@pytest.mark.parametrize(
    ("told", "kinds"),
    [
        (["User's brother is Tom", "Tom's laptop is a Framework"], {"Tom": "person"}),
        (["Tom uses Vim", "User's brother is Tom"], {"Tom": "person", "Vim": "product"}),
        (["User works at Kestrel", "Kestrel uses Postgres"], {"Kestrel": "organisation"}),
        (["Atlas uses Postgres"], {"Atlas": "project", "Postgres": "product"}),
        (["The Phoenix project is due on 12 June"], {"Phoenix": "project"}),
        (["User's hometown is Porto", "User's server is in Porto"], {"Porto": "place"}),
    ],
)
def test_one_name_is_one_entity_of_its_kind(
    app: App, told: list[str], kinds: dict[str, str]
) -> None:
    for text in told:
        app.facts.add(NewFact(text))
    known = [(entity.name, str(entity.kind)) for entity in app.entities.list()]
    assert [each for each in known if each[0] in kinds] == list(kinds.items())


def test_what_has_tools_and_the_name_of_a_city_is_no_city(app: App) -> None:
    for text in ("User's hometown is Porto", "Porto uses Postgres"):
        app.facts.add(NewFact(text))
    known = [str(entity.kind) for entity in app.entities.list() if entity.name == "Porto"]
    assert sorted(known) == ["place", "project"]
