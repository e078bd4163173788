import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import parse_time
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.clauses.verbs import base
from hermes.types import FactKind

AT = parse_time("2026-01-05T09:00:00Z")


@pytest.mark.parametrize(
    ("text", "kind", "parts", "entity"),
    [
        (
            "User's timezone is Europe/London (UTC+1 in summer)",
            FactKind.IDENTITY,
            ("user", "timezone", "Europe/London"),
            "Europe/London",
        ),
        (
            "Primary project is 'Atlas' — B2B SaaS, Python/PostgreSQL stack",
            FactKind.ENVIRONMENT,
            ("user", "project", "Atlas"),
            "Atlas",
        ),
        (
            "Preferred report format: executive summary first, bullet points, tables",
            FactKind.PREFERENCE,
            (
                "user",
                "preferred report format",
                "executive summary first, bullet points, tables",
            ),
            "",
        ),
        (
            "User prefers reports in bullet point format",
            FactKind.PREFERENCE,
            ("user", "prefers", "reports in bullet point format"),
            "",
        ),
        (
            'Project "Atlas" uses Python 3.12 and PostgreSQL',
            FactKind.ENVIRONMENT,
            ("Atlas", "uses", "Python 3.12, PostgreSQL"),
            "PostgreSQL",
        ),
        (
            "User's GitHub username is: your-handle",
            FactKind.IDENTITY,
            ("user", "github handle", "your-handle"),
            "",
        ),
        (
            "Deadline for Q2 report: 2026-06-30",
            FactKind.DEADLINE,
            ("user", "deadline:q2 report", "2026-06-30"),
            "",
        ),
        (
            "Tom's phone extension is 4411",
            FactKind.OTHER,
            ("Tom", "phone extension", "4411"),
            "Tom",
        ),
    ],
)
def test_a_statement_is_taken_apart(
    text: str, kind: FactKind, parts: tuple[str, str, str], entity: str
) -> None:
    found = parse_statement(text, AT)
    assert (found.kind, (found.subject, found.attribute, found.value)) == (kind, parts)
    assert found.text == text
    assert not entity or entity in found.entities


@given(st.text(min_size=1).filter(str.strip))
def test_every_statement_gives_a_candidate_with_its_text(text: str) -> None:
    found = parse_statement(text, AT)
    assert found.text == " ".join(text.split()) or found.text.split() == text.split()
    assert found.quote == found.text


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("User works in Porto", "workplace", "Porto"),
        ("User works in London on Tuesdays", "workplace", "London"),
        ("User lives in Lisbon", "location", "Lisbon"),
        ("User was born in Lisbon", "hometown", "Lisbon"),
        ("User teaches Python", "role", "teach Python"),
        ("User goes to the gym on Mondays", "habit:go", "go to the gym on Mondays"),
        ("User studies law", "studies", "study law"),
    ],
)
def test_a_verb_is_known_by_any_of_its_forms(text: str, attribute: str, value: str) -> None:
    read = parse_statement(text, AT)
    assert (read.subject, read.attribute, read.value) == ("user", attribute, value)


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("Deploy key is on the server", ()),
        ("Card is in the drawer", ()),
        ("Atlas is on the server", ("Atlas",)),
        ("Niklas Berg is on the team", ("Niklas Berg",)),
    ],
)
def test_only_what_has_a_name_is_an_entity(text: str, entities: tuple[str, ...]) -> None:
    assert parse_statement(text, AT).entities == entities


@pytest.mark.parametrize(
    ("form", "verb"),
    [
        *(("teaches", "teach"), ("misses", "miss"), ("watches", "watch"), ("passes", "pass")),
        *(("relaxes", "relax"), ("tidies", "tidy"), ("juggles", "juggle"), ("goes", "go")),
        *(("was", "was"), ("has", "have"), ("discuss", "discuss"), ("his", "his")),
    ],
)
def test_the_verb_of_a_form_is_no_made_up_stem(form: str, verb: str) -> None:
    assert base(form) == verb


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("I'm moving to Ulm in May", "2026-05-01T00:00:00Z"),
        ("I'm moving to Ulm on 4 May", "2026-05-04T00:00:00Z"),
        ("I start at Bosch next month", "2026-02-01T00:00:00Z"),
        ("I moved to Ulm in May", "2026-01-05T09:00:00Z"),
    ],
)
def test_a_plan_holds_from_its_day_on(text: str, begins: str) -> None:
    assert parse_statement(text, AT).valid_from == parse_time(begins)


@pytest.mark.parametrize(
    ("text", "parts", "entities"),
    [
        ("Robert's birthday is 4 May", ("Robert", "birthday", "4 May"), ("Robert",)),
        ("Robert's birthday is on the 4 May", ("Robert", "birthday", "4 May"), ("Robert",)),
        ("Mum's birthday is 4 May", ("user's mum", "birthday", "4 May"), ()),
        ("User's birthday is 4 May", ("user", "birthday", "4 May"), ()),
        ("Dr. Osei's office is in Leeds", ("Dr. Osei", "office", "in Leeds"), ("Osei", "Leeds")),
    ],
)
def test_what_is_of_somebody_is_told_of_them(
    text: str, parts: tuple[str, str, str], entities: tuple[str, ...]
) -> None:
    found = parse_statement(text, AT)
    assert (found.subject, found.attribute, found.value) == parts
    assert found.entities == entities
