"""The user by name, by post and by what they have, however shortly it is put; and nobody else."""

import pytest

from hermes.bench.fit_gate import read_line


def told(text: str) -> list[str]:
    return [each.text for each in read_line(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("you keep calling me Thomas. it's Tobias. Toby is fine too", ["Tobias", "Toby"]),
        ('you keep signing mails as "Alexander". It\'s Alex. Just Alex', ["Alex"]),
        ("you keep calling me Thomas. its tobias btw", ["Tobias"]),
        ("it's not Catherine, it's Cathrin. With an i and no e", ["Cathrin"]),
        ("hi this is Dagny, new here", ["Dagny"]),
        ("hello, this is Marta", ["Marta"]),
        ("Please call me Sam. Samuel is ok too", ["Sam", "Samuel"]),
        ("my name on the paper is spelled Ana Berg, not Anna", ["Ana Berg"]),
        ("it's Tobias", []),
        ("you keep calling me Thomas. it's annoying", []),
        ("they call me Bo. it's Friday", ["Bo"]),
        ("she got my name from Jo. it's Anna", []),
        ("His name is wrong. It's not Marc, it's Mark", []),
        ("It's not Jira, it's Jina", []),
        ("hi, this is Python code", []),
        ("hi it's Monday", []),
        ("someone called me twice. it's Bea", []),
    ],
)
def test_a_name_is_the_users_where_something_says_so(text: str, names: list[str]) -> None:
    called = [e.value for e in read_line(text) if e.attribute in {"name", "nickname"}]
    assert called == names


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("PI is me (Dr. Sefa Lindqvist), co-PI Marek Adebayo", "User's name is Sefa Lindqvist"),
        ("PI is me (Dr. Sefa Lindqvist), co-PI Marek Adebayo", "User's co-PI is Marek Adebayo"),
        ("the treasurer is me", "User is the treasurer"),
        ("it's for the Elm society, im their treasurer", "treasurer of the Elm society"),
        ("we sing with the Bergen choir. i'm now their librarian", "librarian of the Bergen choir"),
        ("pronoun is they", "User's pronouns are they/them"),
        ("I'm the CEO, Anselm is my cofounder", "User is the CEO"),
        ("I'm the CEO, Anselm is my cofounder", "User's cofounder is Anselm"),
        ("adhd brain is doing the static thing", "User has ADHD"),
        ("my asthma is worse in winter", "User has asthma"),
        ("i'm left handed btw so flip it", "User is left handed"),
        ("i'm an alto", "User is an alto"),
        ("i'm on lisinopril 10 mg", "User is on lisinopril 10 mg"),
        ("I sell ceramics on a wordpress shop and since this morning the cart is empty",
         "User sells ceramics on a wordpress shop"),
        ("I teach at Gymnasium Falkenried", "User teaches at Gymnasium Falkenried"),
        ("I do IT for a school in Tromsø", "User does IT for a school in Tromsø"),
        ("Rewrite my bio, 60 words:\nI'm Noor Halloran, I live in Cork.", "User lives in Cork"),
        ("I'm at UTC-3", "User's timezone is UTC-3"),
        ("I'm Inês, freelance translator", "User's role is freelance translator"),
        ("we moved to Porto two weeks ago", "User lives in Porto"),
        ("I start on 4 May as data analyst at Fennick", "as data analyst at Fennick"),
    ],
)  # fmt: skip
def test_what_one_is_and_has_is_read(text: str, kept: str) -> None:
    assert any(kept in each for each in told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("the problem is me", "User is the problem"),
        ("Rewrite this bio:\nI'm Noor Halloran. I live in Cork.", "location"),
        ("Rewrite my email:\nI'm moving to Leeds", "User is moving to Leeds"),
        ("her adhd brain is loud", "User has ADHD"),
        ("my asthma nurse called", "User has asthma"),
        ("I sell my car today", "business"),
        ("what do you do? transcripts live in Dovetree", "User is a transcripts"),
        ("i need a card for a colleague, turning 50", "User is turning"),
        ("im on the train 10 min", "medication"),
    ],
)
def test_what_is_not_meant_so_is_not(text: str, never: str) -> None:
    found = read_line(text)
    assert not [e for e in found if never in e.text or never == e.attribute]


def test_where_one_works_belongs_to_what_one_is() -> None:
    roles = {e.attribute: e.value for e in read_line("i'm a lab technician at Veldra Biotech")}
    assert roles == {"role": "lab technician at Veldra Biotech"}
