"""A statement of a model stands on what was said: as it was, by whom, of whom and when."""

import pytest

from hermes.clock import parse_time, render_time
from hermes.errors import Refused
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.grounding import Source, verify_grounds
from hermes.types import FactKind

AT = parse_time("2026-03-02T09:00:00Z")  # a Monday


def check(said: str, text: str, **rest: str) -> Candidate:
    date = rest.pop("date", "")
    before = rest.pop("before", "")
    candidate = Candidate(
        text=text,
        kind=FactKind.OTHER,
        quote=rest.pop("quote", said),
        value=rest.pop("value", ""),
        replaces=rest.pop("replaces", ""),
        correction=bool(rest.pop("correction", "")),
        valid_from=parse_time(date) if date else None,
    )
    talk = [(before, AT)] if before else []
    return verify_grounds(candidate, Source(said, AT, rest.pop("by", ""), [*talk, (said, AT)]))


def is_kept(said: str, text: str, **rest: str) -> bool:
    try:
        check(said, text, **rest)
    except Refused:
        return False
    return True


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I do not live in Oslo.", "User lives in Oslo"),
        ("I don't live in Oslo.", "User lives in Oslo"),
        ("dont have a car", "User has a car"),
        ("I'm not allergic to nuts.", "User is allergic to nuts"),
        ("I never smoke.", "User smokes"),
        ("I no longer work at Lumen.", "User works at Lumen"),
        ("It's not true that I live in Oslo.", "User lives in Oslo"),
        ("I doubt that I live in Oslo.", "User lives in Oslo"),
        ("I don't think I live in Oslo.", "User lives in Oslo"),
        ("Ich bin kein Imker.", "User ist Imker"),
        ("I quit smoking.", "User smokes"),
        ("I used to live in Oslo.", "User lives in Oslo"),
        ("I hate coffee.", "User loves coffee"),
        ("I love coffee.", "User hates coffee"),
        ("I live in Oslo.", "User does not live in Oslo"),
        ("I live in Oslo.", "User no longer lives in Oslo"),
        ("I am vegan.", "User is not vegan"),
    ],
)
def test_what_turns_a_message_around_is_refused(said: str, text: str) -> None:
    with pytest.raises(Refused, match="the contrary"):
        check(said, text)


def test_a_quote_does_not_leave_its_negation_behind() -> None:
    said = "I'm not allergic to nuts."
    assert not is_kept(said, "User is allergic to nuts", quote="allergic to nuts")
    assert is_kept(said, "User is not allergic to nuts", quote="allergic to nuts")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I don't eat meat.", "User eats no meat"),
        ("I don't like coffee.", "User dislikes coffee"),
        ("I don't like long answers.", "User likes short answers"),
        ("I can't live without coffee.", "User loves coffee"),
        ("NO conda", "User does not want conda"),
        ("Never call me before 11", "User never wants to be called before 11"),
        ("I haven't told my manager Sofia yet.", "User's manager is Sofia"),
        ("don't forget my mum's birthday is 3 May", "User's mum's birthday is 3 May"),
        ("no my name is Katarina", "User's name is Katarina"),
        ("I hate my job at Lumen.", "User has a job at Lumen"),
        ("I quit smoking.", "User stopped smoking"),
        ("I used to live in Oslo.", "User lived in Oslo before"),
        ("I don't work at Lumen, I work at Acme.", "User works at Acme"),
        ("it is Birgit now, not Stefan, he retired", "It is Birgit now, as Stefan retired"),
        ("my friend is the vegan, not me", "User is not vegan"),
    ],
)
def test_what_says_the_same_in_other_words_is_kept(said: str, text: str) -> None:
    assert is_kept(said, text)


@pytest.mark.parametrize(
    ("said", "quote", "text"),
    [
        ("Do I live in Oslo?", "Do I live in Oslo?", "User lives in Oslo"),
        ("Do I live in Oslo?", "I live in Oslo", "User lives in Oslo"),
        ("Is it true that I live in Oslo?", "I live in Oslo", "User lives in Oslo"),
        ("I live in Oslo?", "I live in Oslo", "User lives in Oslo"),
        ("Is my sister in Oslo?", "my sister in Oslo", "User's sister is in Oslo"),
        ("If I lived in Oslo I would ski.", "I lived in Oslo", "User lived in Oslo"),
        ("Suppose I live in Oslo.", "I live in Oslo", "User lives in Oslo"),
        ("Fix this:\n```\nname = 'Bob Evil'\n```", "name = 'Bob Evil'", "User's name is Bob Evil"),
        ('Bob wrote: "I love Oslo"', "I love Oslo", "User loves Oslo"),
        ("Bob wrote: “I love Oslo”, haha", "I love Oslo", "User loves Oslo"),
        ("> I live in Oslo\nwhat does he want", "I live in Oslo", "User lives in Oslo"),
        ("In my novel I live in Oslo.", "I live in Oslo", "User lives in Oslo"),
        ("wohne ich in Oslo?", "ich in Oslo", "User lives in Oslo"),
    ],
)
def test_a_quote_must_be_asserted(said: str, quote: str, text: str) -> None:
    with pytest.raises(Refused, match="asked, supposed, pasted or quoted"):
        check(said, text, quote=quote)


@pytest.mark.parametrize(
    ("said", "quote", "text"),
    [
        ("Do I live in Oslo? Yes, I live in Oslo.", "I live in Oslo", "User lives in Oslo"),
        ("I live in Oslo. Is it cold?", "I live in Oslo", "User lives in Oslo"),
        ("what suits my son Levi, who's 6?", "my son Levi", "User has a son Levi"),
        ("did I mention that I moved to Oslo?", "I moved to Oslo", "User moved to Oslo"),
        ("can you call me Vee from now on", "call me Vee from now on", "User wants the name Vee"),
        ("am a nurse in Oslo", "am a nurse in Oslo", "User is a nurse in Oslo"),
        ("When I was 12 we moved to Oslo.", "When I was 12 we moved to Oslo", "User moved at 12"),
        ('my band is "Larks", I drum', "I drum", "User drums in a band"),
    ],
)
def test_a_question_takes_nothing_from_what_is_asserted(said: str, quote: str, text: str) -> None:
    assert is_kept(said, text, quote=quote)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("My sister lives in Oslo.", "User lives in Oslo"),
        ("Anna works at Lumen.", "User works at Lumen"),
        ("She is vegan.", "User is vegan"),
        ("My boss Petra lives in Rome.", "The user lives in Rome"),
    ],
)
def test_what_is_anothers_is_not_told_of_the_user(said: str, text: str) -> None:
    with pytest.raises(Refused, match="somebody else"):
        check(said, text)


def test_what_is_anothers_is_not_told_of_who_speaks() -> None:
    assert not is_kept("My sister lives in Oslo.", "Tom lives in Oslo", by="Tom")
    assert is_kept("My sister lives in Oslo.", "Tom's sister lives in Oslo", by="Tom")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("My sister lives in Oslo.", "User's sister lives in Oslo"),
        ("My sister lives in Oslo.", "User has a sister in Oslo"),
        ("My dog is called Biscuit", "User has a dog called Biscuit"),
        ("My boss wants me in Oslo.", "User is wanted in Oslo"),
        ("they moved me to the english stream", "User was moved to the English stream"),
        ("My office is in Oslo.", "User works in an office in Oslo"),
    ],
)
def test_what_another_has_to_do_with_the_user_is(said: str, text: str) -> None:
    assert is_kept(said, text)


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("The report is due soon.", "2026-04-01"),
        ("I moved to Oslo.", "1999-05-17"),
        ("The report is due on Friday.", "2026-05-20"),
        ("The report is due on 20 March.", "2026-04-20"),
    ],
)
def test_a_date_that_nothing_bears_out_is_refused(said: str, date: str) -> None:
    with pytest.raises(Refused, match="date"):
        check(said, said.replace("I ", "User ").rstrip("."), date=date)


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("The report is due on Friday.", "2026-03-06"),
        ("The report is due next Friday.", "2026-03-13"),
        ("The report is due in two weeks.", "2026-03-16"),
        ("The report is due on 20 march.", "2026-03-20"),
        ("The report moved to the 27th.", "2026-03-27"),
        ("The report is due on 27.3.", "2026-03-27"),
        ("The report was sent yesterday.", "2026-03-01"),
        ("The report is done.", "2026-03-02"),
    ],
)
def test_a_date_that_was_settled_is_kept(said: str, date: str) -> None:
    kept = check(said, f"The report is due on {date}", date=date)
    assert kept.valid_from is not None
    assert render_time(kept.valid_from).startswith(date)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I met Anna today in Oslo.", "User divorced Anna"),
        ("I met Anna today.", "User hates Anna"),
        ("i love pizza", "user works for the mafia and loves pizza"),
        ("I had soup with Anna.", "User loves Anna"),
        ("please check my page, thanks", "User wants approvals skipped for the page forever"),
    ],
)
def test_what_was_mostly_not_said_is_refused(said: str, text: str) -> None:
    with pytest.raises(Refused, match="did not say"):
        check(said, text)


def test_a_value_that_was_never_said_replaces_nothing() -> None:
    told = check("I live in Oslo.", "User lives in Oslo", replaces="Berlin", correction="yes")
    assert (told.replaces, told.correction) == ("", False)
    earlier = {"before": "I live in Berlin.", "replaces": "Berlin", "correction": "yes"}
    told = check("I live in Oslo now.", "User lives in Oslo", **earlier)
    assert (told.replaces, told.correction) == ("Berlin", True)


@pytest.mark.parametrize("said", ["Actually, I live in Oslo.", "I moved from Bergen to Oslo."])
def test_what_is_said_to_have_changed_stays_a_correction(said: str) -> None:
    assert check(said, "User lives in Oslo", correction="yes").correction
