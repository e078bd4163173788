"""What becomes an entity and of which kind, by the words it stands in."""

import pytest

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
    ],
)
def test_what_a_value_is_of_says_what_it_is(attribute: str, value: str, kind: EntityKind) -> None:
    told = {"subject": "user", "attribute": attribute, "value": value}
    assert guess_kind(value, **told, kind=FactKind.ENVIRONMENT) is kind


def test_who_wants_something_is_someone() -> None:
    told = {"subject": "Nima", "attribute": "said:want", "value": "wants it in Grafana"}
    assert guess_kind("Nima", **told, kind=FactKind.OTHER) is EntityKind.PERSON
