"""What a sentence says otherwise is not read out of its clause; what sounds like it still is."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.clauses.gate import is_held_back
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.types import Message, Role

AT = parse_time("2026-03-02T09:00:00Z")


def read(text: str) -> list[str]:
    """All that readers read, however unsure: the gate is not asked, nor what is proposed to it."""
    message = Message(1, "s", 1, AT, Role.USER, text)
    found = RuleExtractor(judge=lambda each, _: None if is_held_back(each) else each)
    return [each.text for each in found.extract([message]) if each.text]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("As of April I'm the head nurse", "User is the head nurse, as of April"),
        (
            "From 1 May I'm working from home on Fridays",
            "User is working from home on Fridays, from 1 May",
        ),
        ("from september im teaching part time", "User is teaching part time, from september"),
        ("From June to August I'm a lifeguard", "User is a lifeguard, from June to August"),
        (
            "Got the job, starting 4 May. Junior architect at Norlys",
            "User works at Norlys, from 4 May",
        ),
        ("I'm the head nurse", "User is the head nurse"),
        ("From marketing I get no numbers; I'm a planner", "User is a planner"),
    ],
)
def test_what_is_not_so_yet_is_told_with_its_start(text: str, told: str) -> None:
    found = read(text)
    assert told in found
    assert not told.count(", ") or told.partition(", ")[0] not in found


@pytest.mark.parametrize("text", ["After that I'm retired", "afterwards I'm a student"])
def test_what_begins_nobody_knows_when_is_left(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My landlady just calls me each evening", ""),
        ("someone calls me every Friday", ""),
        ("Nobody calls me Elizabeth but my gran", ""),
        ("Only my dentist calls me Mr. Okafor", ""),
        ("Pescatarian here", ""),
        ("i am 15 and i am SCREAMING", ""),
        ("Everybody calls me Liz", "Liz"),
        ("please call me Sam", "Sam"),
    ],
)
def test_a_name_is_what_one_is_called(text: str, name: str) -> None:
    names = [
        each for each in read(text) if "is called" in each or "name is" in each or "Okafor" in each
    ]
    assert names == ([f"User is called {name}"] if name else [])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My account manager Eva left a note", ["User's account manager is Eva"]),
        ("My line manager is Eva", ["User's manager is Eva"]),
        ("I have two colleagues named Anna", []),
        ("My two cats are called Milo and Otis", ["User's cat is Milo", "User's cat is Otis"]),
        ("Aunt Petra, my mother's sister, lives in Kiel", []),
        ("Petra, my sister, lives in Kiel", ["User's sister is Petra"]),
        ("My law partner Ines handles tax", ["User's business partner is Ines"]),
        ("I run a small bakery with my partner Jonas", []),
        ("My wife Ruth died last spring", []),
        ("My uncle Karl was ninety when he passed", []),
        ("My sister Ana cried when he died", ["User's sister is Ana"]),
    ],
)
def test_who_is_who_is_told_in_full(text: str, told: list[str]) -> None:
    named = [each for each in read(text) if " is " in each and " and " not in each]
    assert [each for each in named if each.rsplit(" ", 2)[1] == "is"] == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My gym buddy Tariq is from Lahore", "User's gym buddy Tariq is from Lahore"),
        ("My partner Jonas is a nurse", "User's partner Jonas is a nurse"),
        ("My son Max passed his exam", "User's son Max passed his exam"),
    ],
)
def test_who_is_who_is_told_once(text: str, told: str) -> None:
    assert read(text) == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We separated in 2021", "User separated in 2021"),
        ("We got engaged in Kyoto in 2019", "User got engaged in Kyoto in 2019"),
        ("We are closing the bakery in Ulm", "User (with others) is closing the bakery in Ulm"),
        (
            "Our staff is nine, two managers, one product: fish. We don't serve children under 12.",
            "User's team doesn't serve children under 12",
        ),
        (
            "We take our kids to Crete every May",
            "User's family takes their kids to Crete every May",
        ),
        (
            "My company makes soap. We were founded 1999 by my brother and me.",
            "User's company was founded 1999 by their brother and them",
        ),
    ],
)
def test_we_are_who_does_such_things(text: str, told: str) -> None:
    assert told in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "We're in Lisbon. Sun is out.",
        "I'm in Corfu until Sunday",
        "New bank: we moved to Nordea",
        "We moved to Sparbank",
        "I moved to Lyon when I was nine",
        "lives in Vienna with her two cats",
    ],
)
def test_a_stay_a_bank_and_a_childhood_are_no_home(text: str) -> None:
    assert not [each for each in read(text) if each.startswith("User lives")]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("We moved to Trondheim in May, and need a bank", "Trondheim"),
        ("I moved to Lyon last year", "Lyon"),
        ("We're in Leeds, have been for years", "Leeds"),
    ],
)
def test_a_home_is_one(text: str, place: str) -> None:
    assert f"User lives in {place}" in read(text)


@pytest.mark.parametrize(
    ("text", "told", "never"),
    [
        ("I am Petra from Graz, 41", "User is from Graz", "User works at Graz, 41"),
        (
            "I'm Ola, librarian at the School of Oriental Studies",
            "User works at School of Oriental Studies",
            "User works at School",
        ),
        ("I work at Halden for Anna", "User works at Halden", "User works at Halden for Anna"),
        ("i'm a bus driver so knees and back are shot", "User is a bus driver", ""),
        (
            "We standardise on Figma, Sketch out",
            "User's team standardises on Figma",
            "User's team standardises on Sketch out",
        ),
        ("We use Figma and Sketch", "User's team uses Sketch", ""),
        ("I switched to Helix", "User switched to Helix", ""),
        ("I speak Finnish", "User speaks Finnish", ""),
        ("I never eat meat", "User never eats meat", ""),
        (
            "always give me a summary first",
            "User wants Hermes to always give them a summary first",
            "",
        ),
        (
            'never write "Mr" before my name',
            'User wants Hermes to never write "Mr" before their name',
            "",
        ),
    ],
)
def test_a_reading_is_whole_and_no_longer_than_that(text: str, told: str, never: str) -> None:
    found = read(text)
    assert told in found
    assert never not in found


@pytest.mark.parametrize(
    "text",
    [
        'conn = Database("prod", 5)',
        "alert: DiskFull host=elm:9100 value=91%",
        "Crew: Karim drives, also our cook",
        "Built 1911 by monks",
        "never say die",
        "I'm never running a marathon again",
        "yeah sure, count me in",
        "my profile says I speak Finnish",
        "I switched to Helix... actually no, back to Emacs",
        "Shorten this:\n\nDear all,\nI'm moving to Oslo in June.\nBest,\nTuva",
    ],
)
def test_what_nobody_says_of_himself_is_left(text: str) -> None:
    assert not [each for each in read(text) if each.startswith(("User", "Conn", "Alert"))]


@pytest.mark.parametrize("text", ["Don't book me a table", "Please make me a list of my plants"])
def test_one_task_is_no_wish(text: str) -> None:
    assert not [each for each in read(text) if each.startswith("User wants")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm a trainer there on Fridays", ""),
        ("We order ours from farmer Voss", ""),
        ("I'm the one who always forgets the keys", ""),
        ("is self hosted, because of the auditors", ""),
        ("I'm a trainer at Voss Gym on Fridays", "User is a trainer at Voss Gym on Fridays"),
    ],
)
def test_what_only_the_chat_understands_is_left(text: str, told: str) -> None:
    assert read(text)[:1] == ([told] if told else [])


def test_a_day_in_words_is_the_day() -> None:
    [told] = read("Remember that the demo for Voss is on the twenty fourth of March")
    assert told.endswith("(due 2026-03-24)")


def test_a_medicine_is_nobody() -> None:
    found = read("My mother is frail: she takes Marcumar, she is deaf on the left ear.")
    assert not [each for each in found if each.startswith("Marcumar")]


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("We are a two-person patent office in Jena", ""),
        ("I'm at the airport in Doha", ""),
        ("I'm in Nantes on fieldwork all November", ""),
        ("I'm near Lyon", "User lives near Lyon"),
        ("I live near Lyon", "User lives near Lyon"),
        ("I'm in Leeds now", "User lives in Leeds"),
    ],
)
def test_where_one_is_something_or_only_stays_is_no_home(text: str, home: str) -> None:
    assert [each for each in read(text) if "lives" in each] == ([home] if home else [])


@pytest.mark.parametrize(
    ("text", "misread"),
    [
        ("no the french one", "wants no"),
        ("no idea, ask Sipho", "wants no"),
        ("no may next year, 21st to the 25th", "wants no"),
        ("i get paid on the 15th. rent 9k", "asks to rent"),
        ("compare these for me: plan A 12 euros, plan B 15 euros", "asks to plan"),
        ("Correct.", "asks to correct"),
        ("We sold the car. Our office is in Ghent.", "team sold the car"),
    ],
)
def test_a_reply_or_a_noun_is_neither_a_wish_nor_an_order(text: str, misread: str) -> None:
    assert not any(misread in each for each in read(text))


def test_what_is_not_wanted_is_still_read() -> None:
    assert any("wants no emojis" in each for each in read("no emojis"))


def test_where_work_and_kin_weigh_the_same_we_are_not_a_team() -> None:
    said = "We're not moving to Calgary. So I need a budget for a suite so Dad can live with us"
    assert "User's team is not moving to Calgary" not in read(said)


@pytest.mark.parametrize(
    ("text", "told", "never"),
    [
        ("We use Jira, not Trello", "User's team uses Jira", "User's team uses not Trello"),
        ("120 pcs, all with an SSD", "", "User's rule: 120 pcs, all with an SSD"),
        ("British spelling always", "User always wants British spelling", ""),
        ("i prefer tabs, and no var in c#", "User wants no var in c#", "User has no var in c#"),
        ("I'm blind, so no tables", "User wants no tables", "User has no tables"),
        ("we run Postgres, no k8s", "User's team has no k8s", ""),
    ],
)
def test_what_goes_on_without_a_verb_goes_on_as_it_was_meant(
    text: str, told: str, never: str
) -> None:
    found = read(text)
    assert not told or told in found
    assert never not in found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Quick note before we start: I'm blind", "User is blind"),
        ("since you asked last time: i prefer tabs", "User prefers tabs"),
        ("Small change: my dentist is Dr Lund", "User's dentist is Dr Lund"),
        ("Not a question, just: I hate mondays", "User hates mondays"),
        ("I'll ramble a bit: my mother lives in Kyiv", "User's mother lives in Kyiv"),
        ("Two things: no nuts at all in this house", "User wants no nuts at all in this house"),
    ],
)
def test_what_is_said_of_the_talk_is_no_part_of_it(text: str, told: str) -> None:
    assert read(text) == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm 71 and new to this", "User is 71 years old"),
        ("I'm 34 and allergic to nuts", "User is 34 and allergic to nuts"),
        ("I'm 52", "User is 52 years old"),
    ],
)
def test_what_stands_beside_an_age_is_no_part_of_it(text: str, told: str) -> None:
    assert read(text) == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'always write our name in lower case: "nordlicht optik"',
            'User wants Hermes to always write their name in lower case: "nordlicht optik"',
        ),
        (
            "always start with the answer: I get lost",
            "User wants Hermes to always start with the answer",
        ),
        ("Final call: Redis streams.", "User's team decided on Redis streams"),
    ],
)
def test_what_a_colon_promises_is_told_with_it(text: str, told: str) -> None:
    assert told in read(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("52, lorry driver, i eat out of petrol stations", "User is 52, lorry driver"),
        ("67, ex-telecom engineer, widower.", "User is 67, ex-telecom engineer, widower"),
        ("41, desk job, bad knee", "User is 41, desk job, bad knee"),
    ],
)
def test_an_age_with_what_one_is_introduces_who_says_it(text: str, told: str) -> None:
    assert told in read(text)


@pytest.mark.parametrize("text", ["60, sourdough, 30, rye", "64, 72, driver update", "7, driver"])
def test_a_number_alone_introduces_nobody(text: str) -> None:
    assert not [each for each in read(text) if each.startswith("User is")]


def test_what_is_asked_for_good_is_an_order_wherever_that_is_said() -> None:
    found = read("From now on can you answer in bullet points, I scan rather than read")
    assert "User wants Hermes to answer in bullet points" in found
