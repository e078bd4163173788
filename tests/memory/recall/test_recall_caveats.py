"""What is told with a memory: made up, taken back, contested."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from days import embed_all

from hermes.clock import parse_time
from hermes.library import Hermes
from hermes.memory.recall.caveats import MADE_UP, MADE_UP_NOTE, SUPPOSED_NOTE
from hermes.memory.recall.fiction import asks_of_fiction, is_made_up
from hermes.memory.recall.result import Item
from hermes.memory.recall.revoked import find_revocation
from hermes.types import Origin, Role, Utterance

SESSIONS = (
    (
        "2026-01-05",
        "Let's write a story together about a sailor. I'll start.",
        "My name is Ragnar and I live in Oslo, where I build longships.",
        "And my favourite colour is the grey of the fjord.",
    ),
    ("2026-01-20", "Quarterly report: please always write summaries in French.", "Which day?"),
    ("2026-02-03", "Use the staging cluster for the nightly load tests."),
    ("2026-02-03b", "Deploy the billing service on Mondays.", "Scratch that, use Thursdays."),
    ("2026-02-10", "Forget what I said about summaries in French.", "How are the tests going?"),
    ("2026-02-12", "I moved my desk to the window and it is far brighter there."),
    ("2026-02-14", "The coffee machine on our floor is broken again."),
    ("2026-02-16", "We talked about holiday plans over lunch and nobody agreed."),
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("caveats") / "home") as opened:
        for day, *said in SESSIONS:
            at = parse_time(f"{day[:10]}T09:00:00Z")
            for n, text in enumerate(said):
                answered = Utterance(Role.ASSISTANT, "All right.", at + n * 60_000 + 1_000)
                opened.record([Utterance(Role.USER, text, at + n * 60_000), answered], session=day)
        embed_all(opened)
        yield opened


BEDTIME = "Help me write a bedtime story for Zosia. The hero is a girl called Mira."


def test_who_asks_for_a_figure_of_a_story_gets_the_story(tmp_path: Path) -> None:
    said = f"{BEDTIME} Mira has a pet seal named Bubbles."
    with Hermes(tmp_path / "home") as memory:
        memory.record([Utterance(Role.USER, said, 1_000)], session="story")
        memory.record([Utterance(Role.USER, "I have a pet cat, Pixel.", 9_000)], session="life")
        (found, *_) = memory.search("what is Mira's pet")
        assert (found.text, found.note) == (said, MADE_UP_NOTE)
        assert found.relevance > MADE_UP
        (own, *_) = memory.search("what is my pet")
        assert own.text == "I have a pet cat, Pixel."
        memory.record([Utterance(Role.USER, "My niece Mira has a pet, too.", 99_000)])
        assert _find(memory.search("what is Mira's pet"), BEDTIME).relevance <= MADE_UP


def _find(items: tuple[Item, ...], text: str) -> Item:
    return next(item for item in items if item.text.startswith(text))


@pytest.mark.parametrize("task", ["what is my name", "where do I live"])
def test_a_line_of_a_story_is_not_the_users(memory: Hermes, task: str) -> None:
    found = _find(memory.search(task), "My name is Ragnar")
    assert found.note == MADE_UP_NOTE
    assert found.relevance <= MADE_UP
    assert not any(i.text.startswith("My name is Ragnar") for i in memory.recall(task).items)


def test_who_asks_for_the_story_gets_it_marked(memory: Hermes) -> None:
    recalled = memory.recall("who is Ragnar, who builds longships, in our story")
    found = _find(recalled.items, "My name is Ragnar")
    assert found.note == MADE_UP_NOTE
    assert (
        f"{found.ref} {MADE_UP_NOTE}" in recalled.context()
    )  # named: its neighbours are given too


def test_what_takes_an_order_back_stands_before_it(memory: Hermes) -> None:
    recalled = memory.recall("write the summaries in French?")
    texts = [item.text for item in recalled.items]
    order = _find(recalled.items, "Quarterly report")
    taker = _find(recalled.items, "Forget what I said")
    assert texts.index(taker.text) < texts.index(order.text)
    taken_back = f"taken back on 2026-02-10 by {taker.ref}"
    assert order.note == f'{taken_back}: "summaries in French"'
    assert taker.note == f"takes back {order.ref}"
    assert taken_back in recalled.context()


def test_a_message_of_which_a_part_was_taken_back_stands_for_the_rest(tmp_path: Path) -> None:
    product = "Our main product is called Tideline. It runs on Django. CI is GitLab."
    taker = "Scratch what I said about GitLab CI: we moved to GitHub Actions."
    with Hermes(tmp_path / "home") as memory:
        for n, text in enumerate((product, taker, "The office has a new lamp.")):
            memory.record([Utterance(Role.USER, text, 1_000 * n)], session="s")
        items = memory.search("what is our main product called")
        assert items[0].text == product
        assert items[0].note.endswith(': "GitLab CI"')
        asked = [item.text for item in memory.search("which CI runs, GitLab?")]
        assert asked.index(taker) < asked.index(product)


def test_what_is_no_order_is_not_taken_back_by_one(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as memory:
        said = (
            "My kids are called Mia and Tom.",
            "Drop the kids at school, then call Anna.",
            "I live in Oslo with my dog Rex.",
            "Forget the dog for a moment, how do I bake bread?",
        )
        for n, text in enumerate(said):
            memory.record([Utterance(Role.USER, text, 1_000 * n)], session="s")
        found = (*memory.search("what are my kids called"), *memory.search("dog in Oslo"))
        assert {item.note for item in found} == {""}


MENU = "My mother can't eat nuts, always keep nuts out of her menu."
MILK = "I'm allergic to milk, always use oat milk in recipes."
REPORT = "Please always send the weekly report to Ines."
FRENCH = "Always write the summaries in French."


@pytest.mark.parametrize(
    ("order", "later"),
    [
        (MENU, "Ignore my mother, she loved the present after all"),
        (MENU, "Use my mother instead of my father as the second contact"),
        (MENU, "Forget my mother's rules of bridge, who deals?"),
        (MILK, "Forget the milk, we have enough. Can you find the pancake recipe?"),
        (MILK, "Drop the milk from the shopping list"),
        (MILK, "Use cream instead of oat milk for this one"),
        (REPORT, "Never mind the report, the dog ate my laptop charger"),
        (REPORT, "Forget about the weekly report for a moment, where is the stapler?"),
        (REPORT, "Don't send the weekly invoice to the accountant any more"),
        (REPORT, "Cancel the report, Jo is ill"),
        (REPORT, "Use my card instead of Ines's"),
        (REPORT, "From now on call Bob instead of Ines"),
        (FRENCH, "Ignore the French, they always complain"),
        (FRENCH, "Forget my rule about French for this one summary"),
    ],
)
def test_what_only_shares_a_thing_with_an_order_takes_nothing_back(
    tmp_path: Path, order: str, later: str
) -> None:
    assert not _taken_back(tmp_path, order, later)


@pytest.mark.parametrize(
    ("order", "later"),
    [
        (MENU, "Forget what I told you about my mother's nuts"),
        (MILK, "Please don't use oat milk in recipes any more"),
        (REPORT, "Ignore my earlier instruction about the weekly report"),
        (REPORT, "Never mind the rule about the weekly report."),
        (FRENCH, "Drop the French summaries rule"),
        (FRENCH, "Forget the instruction I gave you about summaries, please"),
        (FRENCH, "Write the summaries in Dutch instead of French"),
        (REPORT, "From now on send the report to Bob instead of Ines"),
        ("Use imperial units.", "From now on use metric units instead of imperial units"),
        (FRENCH, "You can ignore my request for French summaries"),
        (FRENCH, "I take back what I said about summaries in French"),
        (FRENCH, "Stop writing summaries in French from now on"),
        ("Summaries should always be short.", "Forget our guideline on short summaries"),
    ],
)
def test_what_names_an_order_as_one_takes_it_back(tmp_path: Path, order: str, later: str) -> None:
    assert _taken_back(tmp_path, order, later)


@pytest.mark.parametrize(
    ("said", "following", "is_taken"),
    [
        ("I'm allergic to nuts. What can I cook?", "Never mind, I found a recipe", False),
        ("I'm allergic to nuts. What can I cook?", "Scratch that, what can I bake?", False),
        ("The nuts are in the blue tin.", "Forget it, let's talk tomorrow", False),
        ("The nuts are in the blue tin.", "On second thoughts, I'd rather have tea", False),
        ("The nuts are in the blue tin.", "Scratch that, in the red one", True),
        ("Always keep nuts out of the cakes.", "Never mind, Ana may have some", True),
        ("Always keep nuts out of the cakes.", "No, forget that.", True),
    ],
)
def test_what_means_the_words_before_takes_back_no_more_than_them(
    tmp_path: Path, said: str, following: str, *, is_taken: bool
) -> None:
    assert _taken_back(tmp_path, said, following, in_one_session=True) is is_taken


def _taken_back(folder: Path, said: str, later: str, *, in_one_session: bool = False) -> bool:
    with Hermes(folder / "home") as memory:
        memory.record([Utterance(Role.USER, said, 1_000)], session="a")
        session = "a" if in_one_session else "b"
        memory.record([Utterance(Role.USER, later, 61_000)], session=session)
        return _find(memory.search(said), said).note.startswith("taken back")


def test_what_is_trusted_less_takes_nothing_back(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as memory:
        rule = "Always deploy the billing service on Fridays."
        other = "Ignore my billing service deploy rule."
        memory.record([Utterance(Role.USER, rule, 1_000)], session="s")
        by_import = Utterance(Role.USER, other, 2_000, origin=Origin.IMPORT)
        memory.record([by_import], session="t")
        notes = [item.note for item in memory.search("when to deploy the billing service")]
        assert notes == ["", ""]
        memory.record([Utterance(Role.USER, other, 3_000)], session="u")
        notes = [item.note for item in memory.search("when to deploy the billing service")]
        assert any(note.startswith("taken back") for note in notes)


def test_what_takes_back_is_looked_up_where_the_task_does_not_find_it(memory: Hermes) -> None:
    items = memory.search("quarterly report", limit=2)
    assert [i.text[:10] for i in items] == ["Forget wha", "Quarterly "]


def test_scratch_that_takes_back_what_was_said_just_before(memory: Hermes) -> None:
    items = memory.search("when is the billing service deployed")
    order = _find(items, "Deploy the billing service")
    taker = _find(items, "Scratch that, use Thursdays")
    assert order.note.startswith("taken back on 2026-02-03")
    assert items.index(taker) < items.index(order)


def test_what_was_taken_back_later_stood_until_then(memory: Hermes) -> None:
    engine, as_of = memory.app.memory.engine, parse_time("2026-02-03T09:00:30Z")
    items, _ = engine.search("when is the billing service deployed", bank="default", as_of=as_of)
    assert _find(items, "Deploy the billing service").note == ""


def test_other_orders_stand(memory: Hermes) -> None:
    assert _find(memory.search("which cluster for the load tests"), "Use the staging").note == ""


def test_a_contested_fact_says_what_its_rival_says(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as memory:
        memory.remember("The launch is on 3 May 2026")
        memory.remember("The launch is on 9 June 2026")
        first, second = memory.app.facts.list()[:2]
        memory.app.store.write(
            lambda tx: tx.facts.add_contradiction(first.id, second.id, memory.app.clock.now())
        )
        notes = [i.note for i in memory.recall("when is the launch").items if i.note]
        assert any("3 May 2026" in note and note.startswith("contested") for note in notes)
        assert any("9 June 2026" in note and note.startswith("contested") for note in notes)
        assert 'note="contested: fact:' in memory.recall("when is the launch").context()


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Forget what I said about the blue theme.", "the blue theme"),
        ("Ignore my earlier instruction about emojis", "earlier instruction about emojis"),
        ("Forget my rule about French summaries", "rule about French summaries"),
        ("Please don't sign my mails with Cheers any more.", "sign my mails with Cheers"),
        ("From now on use metric units instead of imperial units", "imperial units"),
        ("ignore that, use Postgres instead", ""),
        ("Never mind, I found it", ""),
        ("No, forget it, let's keep the old one", ""),
    ],
)
def test_words_that_take_back(text: str, of: str) -> None:
    found = find_revocation(text)
    assert found is not None
    assert found.of == of


@pytest.mark.parametrize(
    "text",
    [
        "I forgot what I said about it",
        "I used oil instead of butter",
        "Don't forget my keys",
        "I can't forget the day we met",
        "They ignored my question",
    ],
)
def test_words_that_do_not(text: str) -> None:
    assert find_revocation(text) is None


@pytest.mark.parametrize(
    ("text", "before", "by_user", "made_up"),
    [
        ("My name is Ragnar", ["Let's write a story together"], True, True),
        ("I draw my sword", ["You are a dragon. Let's role-play."], True, True),
        ("By the way, my son starts school", ["Let's write a story together"], True, False),
        ("My son starts school", ["Write a poem for my wife"], True, False),
        ("Once upon a time I lived in Oslo", ["Tell me a story about a sailor"], False, True),
        ("Write a limerick for my grandfather, who is eighty", [], True, False),
        ("I moved. Let's write a story about it.", [], True, False),
        ("I live in Oslo", ["My character is called Ragnar"], True, True),
        ("I live in Oslo", ["Game over, back to work", "Let's role-play"], True, False),
        ("Work question: we upgraded to Python 3.13", [BEDTIME], True, False),
        ("We use psycopg2", ["Work question: will it break?", BEDTIME], True, False),
        ("On another note, I live in Oslo", [BEDTIME], True, False),
        ("ok. Also scratch what I said about GitLab CI", [BEDTIME], True, False),
        ("Zosia loved it!! She likes octopuses.", [BEDTIME], True, False),
        ("I live in Oslo", ["Zosia loved it!!", BEDTIME], True, False),
        ("Mira loved it. I live in a lighthouse", [BEDTIME], True, True),
    ],
)
def test_what_belongs_to_a_story(
    text: str, before: list[str], *, by_user: bool, made_up: bool
) -> None:
    assert is_made_up(text, before, by_user=by_user) is made_up


@pytest.mark.parametrize(
    "opening",
    [
        "Let's do a mock interview. You are the interviewer of Siemens. I live in Linz",
        "Practise a job interview with me, you're the hiring manager",
        "Can we rehearse my salary negotiation? You are my boss.",
        "Let's role-play a job interview: you're the interviewer, I'm the candidate",
        "Mock viva please: you are the examiner and I defend my thesis on bats",
        "I want to practice my sales pitch. You're the investor. I run a bakery in Ghent",
    ],
)
def test_who_practises_plays_themself_and_the_assistant_another(opening: str) -> None:
    assert not is_made_up(opening, (), by_user=True)
    assert not is_made_up("I did my apprenticeship at Voith", [opening], by_user=True)
    assert is_made_up("I have been at Siemens for ten years", [opening], by_user=False)


@pytest.mark.parametrize(
    "opening",
    [
        "Let's roleplay a job interview: I'm the interviewer and you are the candidate",
        "Mock interview: pretend I'm a pirate, you are the interviewer",
        "Let's simulate an interview. I'll be the celebrity, you're the interviewer",
        "Practise a scene with me, I play the king",
        "You are the therapist and I'm a vampire, go",
        "Act out a conversation between two spies, you are a spy, we role-play it",
    ],
)
def test_who_takes_a_part_says_nothing_of_themself(opening: str) -> None:
    assert is_made_up("I did my apprenticeship at Voith", [opening], by_user=True)


LAMP = "My lamp burns whale oil and I polish the brass of the lighthouse."


def test_a_line_that_is_asked_for_in_its_own_words_is_given_with_its_note(tmp_path: Path) -> None:
    opening = "Let's write a story together about a keeper."
    task = "where do I polish the brass and burn whale oil"
    with Hermes(tmp_path / "home") as memory:
        for n, text in enumerate((opening, LAMP)):
            memory.record([Utterance(Role.USER, text, 1_000 * n)], session="story")
        for n in range(8):
            other = f"Question {n}: how do I sort a list of {n} numbers?"
            memory.record([Utterance(Role.USER, other, 90_000 + n)], session=f"s{n}")
        embed_all(memory)
        found = _find(memory.search(task), LAMP)
        assert (found.note, found.relevance > MADE_UP) == (MADE_UP_NOTE, True)
        assert _find(memory.search("where is my lamp"), LAMP).relevance <= MADE_UP
        own = "I burn whale oil at home and polish the brass there."
        memory.record([Utterance(Role.USER, own, 99_000)], session="life")
        assert _find(memory.search(task), LAMP).relevance <= MADE_UP


def test_a_task_may_ask_for_what_is_made_up() -> None:
    assert asks_of_fiction("what was the hero of my novel called")
    assert not asks_of_fiction("where do I live")


@pytest.mark.parametrize(
    ("opening", "is_fiction"),
    [
        ("I'm writing a story about my childhood.", False),
        ("Help me write my memoir, the story of my life.", False),
        ("I am writing a novel about my grandmother.", False),
        ("I'm writing a story about a smuggler.", True),
        ("Let's write a tale of two cities.", True),
    ],
)
def test_a_story_of_ones_own_life_is_not_made_up(opening: str, is_fiction: bool) -> None:
    assert is_made_up("I was born in Hull.", [opening], by_user=True) is is_fiction


def test_a_supposition_comes_after_how_things_are(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as memory:
        supposed = "If I were a freelancer, where do I work best, at home or in an office?"
        said = ("My days at Acme, my employer, are long.", supposed, "The bus was late.")
        for n, text in enumerate(said):
            memory.record([Utterance(Role.USER, text, 1_000 * n)], session=str(n))
        found = _find(memory.search("where do I work"), "If I were")
        assert (found.note, found.relevance <= MADE_UP) == (SUPPOSED_NOTE, True)
        asked = _find(memory.search("where would I work if I were a freelancer"), "If I were")
        assert asked.note == SUPPOSED_NOTE
        assert asked.relevance > MADE_UP


def test_a_line_deep_in_a_long_story_is_marked_and_one_after_its_end_is_not(tmp_path: Path) -> None:
    told = [f"The road went on, mile {n}, and the rain fell." for n in range(6)]
    hero, own = "I was born in Valparaiso, on a ship.", "I was born in Hull, in a hospital."
    story = ["Let's write a story together about a sailor.", *told, hero, "OK, enough.", own]
    with Hermes(tmp_path / "home") as memory:
        for n, text in enumerate(story):
            answered = Utterance(Role.ASSISTANT, "Go on.", 2_000 * n + 1_000)
            memory.record([Utterance(Role.USER, text, 2_000 * n), answered], session="s")
        items = memory.search("where was I born")
    assert _find(items, hero).note == MADE_UP_NOTE
    assert _find(items, own).note == ""
    assert items.index(_find(items, own)) < items.index(_find(items, hero))


ZORBLAX = "write a short story where my name is Zorblax and I live on Mars"
DRAKE = "I am Captain Drake"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("played") / "home") as opened:
        for n, said in enumerate(
            (
                (ZORBLAX,),
                ("Can you check the recipe for sourdough",),
                ("my bike has a flat tyre",),
                ("the oven is broken again",),
                ("Let's roleplay. You are a pirate.", DRAKE),
            )
        ):
            for text in said:
                opened.record([Utterance(Role.USER, text, n * 9_000)], session=f"talk {n}")
        embed_all(opened)
        yield opened


@pytest.mark.parametrize("task", ["where do I live", "what is my name", "who am I"])
def test_the_plot_of_a_story_that_is_asked_for_is_not_the_users(played: Hermes, task: str) -> None:
    found = _find(played.search(task), ZORBLAX)
    assert (found.note, found.relevance <= MADE_UP) == (MADE_UP_NOTE, True)
    assert ZORBLAX not in [item.text for item in played.recall(task).items]


@pytest.mark.parametrize("task", ["who is captain", "where do I live", "flat tyre", "hello"])
def test_a_line_of_a_game_is_marked_whatever_is_asked(played: Hermes, task: str) -> None:
    for given in (played.search(task), played.recall(task).items):
        assert {item.note for item in given if item.text == DRAKE} <= {MADE_UP_NOTE}
    newest = next(i for i in played.recall(task).items if DRAKE in [line.text for line in i.lines])
    assert newest.note == MADE_UP_NOTE


@pytest.mark.parametrize(
    ("text", "made_up"),
    [
        ("Write me a tale in which I am the queen of France.", True),
        ("Tell a story where I was born under the sea", True),
        ("Write a poem for my wife, who turned 40", False),
        ("Write a story about my childhood in Oslo, where I lived for years", False),
        ("I live in Leeds. Write a story where I am a pirate.", False),
        ("Draft an e-mail that tells them where I live: Oslo", False),
        ("write a short story: I'm a pirate called Redbeard and I live in Tortuga", True),
        ("Tell me a tale - my name is Zed and I was born on Mars", True),
        ("make up a fairy tale about a frog: I live in a well", True),
        ("Write a poem for my wife: she turned 40 and lives in Leeds", False),
        ("Write a song about our dog Rex: he is nine", False),
        ("Tell the story of my life: I was born in Hull", False),
        ("I live in Leeds. Write a story: a pirate sails to Tortuga.", False),
        ("Draft a letter: I live in Leeds and want my deposit back", False),
    ],
)
def test_what_a_story_is_to_say_is_made_up(text: str, made_up: bool) -> None:
    assert is_made_up(text, (), by_user=True) is made_up
