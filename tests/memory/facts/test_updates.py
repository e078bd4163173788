"""What holds by words that tell a change, and what was said before that it closes."""

from itertools import count

import pytest

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.pair import Said
from hermes.memory.facts.clauses.reader import RuleExtractor, propose
from hermes.memory.facts.clauses.updates import UPDATE
from hermes.memory.facts.decide import Verdict, decide
from hermes.memory.facts.ledger import Birth, born
from hermes.memory.facts.replacement import find_replaced
from hermes.types import Fact, FactSource, Message, Role

AT = 1_772_442_000_000  # a Monday in March 2026
WEEKS_MS = 20 * 86_400_000


def updates(text: str) -> list[str]:
    return [each.text for each in propose(text, AT) if UPDATE in each.signs]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("midwife also moved the due date to 2 July", "The due date is 2 July (due 2026-07-02)"),
        ("they've put the lisinopril up to 20 mg", "User is on lisinopril 20 mg"),
        ("doc lowered my sertraline to 50 mg", "User is on sertraline 50 mg"),
        ("raised my rate to 110 SGD/h for everybody starting now", "User's rate is 110 SGD/h"),
        ("our landlord put the rent up to 1525", "The rent is 1525"),
        ("also switched supervisor, she left, it's Prof. Teo Lind now", "Prof. Teo Lind"),
        ("we got a new landlord, it's Ms. Adeyemi now", "landlord is Ms. Adeyemi"),
        ("funder extended the call!!! June 29 now", "The call moved to June 29 (2026-06-29)"),
        ("got an extension!! now i hand in on 26 April", "The submission is due 26 April"),
        (
            "prof gave me an extension on the essay, it's due 12 June now",
            "The essay is due 12 June",
        ),
        ("New co-PI is Oona Castellan", "The co-PI is Oona Castellan"),
        (
            "actually I told you wrong, branches are <who>/<ticket>",
            "The branches are <who>/<ticket",
        ),
        ("you keep calling me Thomas. it's Tobias", "User's name is Tobias"),
        ("i signed with Kestrel, start 1 june as mobile lead", "User is a mobile lead from 1 june"),
    ],
)
def test_a_told_change_is_the_plain_sentence_that_holds(said: str, told: str) -> None:
    found = updates(said)
    assert len(found) == 1, found
    assert told in found[0]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ada just told me the readout moved to 10 April", "The readout moved to 10 April"),
        ("QA found a crash so 4.0 slips to 2 April", "4.0 slips to 2 April (due 2026-04-02)"),
        ("good news, im on pandas 2.2 now", "User is on pandas 2.2"),
        ("change of plan, the churn model is catboost now", "The churn model is catboost"),
        ("make the report monday 7am instead", "User wants the report monday 7am"),
        ("put the summaries in slack instead", "User wants the summaries in slack"),
        ("we moved to Porto two weeks ago, so our address needs changing", "User lives in Porto"),
    ],
)
def test_what_a_reader_has_read_is_not_read_twice(said: str, told: str) -> None:
    found = [each.text for each in propose(said, AT)]
    assert len([each for each in found if told in each]) == 1, found
    assert updates(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "should I raise my rate to 110?",
        "thinking of raising my rate to 110",
        "if they moved the exam to 5 May I'd be happy",
        "I heard the readout moved to 10 April",
        "apparently they put the rent up to 1525",
        "the meeting is moved to 4pm today",
        "moved the car to the 2nd floor",
        "I moved house to York",
        "my sister got a new landlord, it's Ms. Adeyemi now",
        "my wife switched supervisor, it's Prof. Lind now",
        "my husband raised the bid to 500",
        "make it shorter instead",
        "make the title bold instead",
        "the build is green now",
        "it's fine now",
        "we changed our minds and are going with NATS instead of Kafka",
        "you keep calling my son Thomas. it's Tobias",
        "we moved to Slack two weeks ago, so our channel is new",
        "in the novel they moved the wedding to 5 May",
    ],
)
def test_what_is_asked_supposed_of_others_or_of_the_day_is_none(said: str) -> None:
    assert updates(said) == []


def test_what_tells_the_news_is_not_told_beside_it() -> None:
    texts = [each.text for each in propose("got an extension, i hand in on 26 April now", AT)]
    assert texts == ["The submission is due 26 April (due 2026-04-26)"]


def test_more_beside_it_is_not_lost() -> None:
    texts = [each.text for each in propose("Rehearsals moved to Wednesdays, at the library", AT)]
    assert any("library" in each for each in texts)


def keep_all(candidate: Candidate, _: Said) -> Candidate:
    return candidate


def closed(before: str, after: str) -> list[str]:
    """What of the first message is closed by the second, weeks later."""
    messages = [
        Message(n, "s", 1, AT + (n - 1) * WEEKS_MS, Role.USER, text)
        for n, text in enumerate((before, after), start=1)
    ]
    found = RuleExtractor(judge=keep_all, lean=True).extract(messages)
    numbers = count(1)
    known = [_fact(each, next(numbers)) for each in found if each.message_id == 1]
    gone: set[int] = set()
    for each in found:
        if each.message_id == 2:
            verdict = decide(each, known, replaced=find_replaced(each, known))
            gone |= set(verdict.targets) if verdict.verdict is Verdict.SUPERSEDE else set()
    return [fact.text for fact in known if fact.id in gone]


def _fact(candidate: Candidate, number: int) -> Fact:
    source = FactSource(candidate.quote, message_id=candidate.message_id, at=candidate.at)
    return born(candidate, Birth(number, number, "", candidate.at or 0), source)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("my due date is 9 July", "midwife also moved the due date to 2 July"),
        ("the readout is on 27 March", "Ada just told me the readout moved to 10 April"),
        ("we want to ship 4.0 next Friday", "QA found a crash so 4.0 slips to 2 April"),
        ("we're going with Redis for the queue", "change of plan, the queue is NATS now"),
        ("our branches are named feat/<t>", "i told you wrong, branches are <w>/<t>, feat/ was X"),
        ("my rate is 95 SGD/h", "raised my rate to 110 SGD/h for everybody"),
        ("i'm on lisinopril 10 mg", "saw the doctor, they've put the lisinopril up to 20 mg"),
        ("I use pandas 1.5", "good news, im on pandas 2.2 now"),
        ("the co-PI is Marek Adebayo", "Marek is out. New co-PI is Oona Castellan"),
        ("my supervisor is Dr. Brosund", "also switched supervisor, it's Prof. Teo Lind now"),
        ("the essay is due 3 May", "prof gave me an extension on the essay, it's due 12 June now"),
        ("My name is Thomas", "you keep calling me Thomas. it's Tobias"),
        ("I'm a freelance dev", "i signed with Kestrel, start 1 june as mobile lead"),
        ("send me a lab report every sunday 9am", "make the report monday 7am instead"),
    ],
)  # fmt: skip
def test_it_closes_what_was_said_of_the_same_thing(before: str, after: str) -> None:
    assert len(closed(before, after)) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I'm on lisinopril 10 mg", "they've put my mum's lisinopril up to 20 mg"),
        ("I take 50 mcg levothyroxine", "the vet raised the insulin to 4 units"),
        ("the readout is on 27 March", "the kickoff moved to 10 April"),
        ("my exam is on 3 May", "my brother's exam got moved to 17 May"),
        ("I use pandas 1.5", "im on polars 0.20 now for the big stuff"),
        ("we use Postgres 14 in prod", "we're on postgres 16 now in staging"),
        ("we're going with lightgbm for the churn model", "the fraud model is CatBoost now"),
        ("the co-PI is Marek Adebayo", "new postdoc is Oona Castellan"),
        ("our landlord is Mr. Petrov", "my sister got a new landlord, it's Ms. Adeyemi now"),
        ("my doctor is Dr. Ruiz", "I switched dentist, it's Dr. Amari now"),
        ("my tax is due 3 May", "prof gave me an extension on the essay, it's due 12 June now"),
        ("the paper is due 3 May and the talk 9 May", "got an extension, i submit on 20 May now"),
        ("I'm a nurse", "I start as a football coach on 3 June, just for fun"),
        ("my flight is on 3 May", "they moved my return flight to 12 May"),
        ("make me a shopping list every friday", "make the report monday 7am instead"),
        ("never send me summaries on whatsapp", "put the summaries in slack instead"),
        ("we moved off Jenkins last month", "we're switching from GitLab CI to Buildkite"),
    ],
)  # fmt: skip
def test_what_may_hold_beside_it_stays(before: str, after: str) -> None:
    assert closed(before, after) == []
