"""Kinds of answers: which one a question wants, and which texts could hold it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.recall.answers import Cue, answer_cue, asks_about_assistant, matches

QUESTIONS = """
when | When did Caroline join the group?
when | What day is the dentist appointment?
when | Which year did we move?
when | How long ago was the wedding?
when | And when was it delivered?
when | Wann fahren wir nach Köln?
when | Quand est la réunion ?
when | 你什么时候出发?
how_long | How long has Melanie been painting?
how_long | How many weeks did the renovation take?
how_long | How many months passed between the two trips?
how_long | Wie lange dauert die Fahrt?
how_many | How many dogs does Tom have?
how_many | How much did I pay for the bike?
how_many | How often does she run?
how_many | What percentage of the budget is left?
how_many | Wie viele Gäste kommen?
how_many | Combien de chats as-tu ?
where | Where did John go on vacation?
where | Which city was Calvin in?
where | Wo habe ich geparkt?
where | ¿Dónde trabaja Ana?
where | 他住在哪里?
who | Who inspired Dave?
who | Whose car was stolen?
who | What is the name of my vet?
who | Wer hat angerufen?
why | Why did Gina start the store?
why | What made you change the plan?
why | Warum ist der Test rot?
why | なぜ遅れたの?
list | What kinds of books does she like?
list | What are Caroline's hobbies?
list | What instruments does he play?
list | Welche Sprachen spricht Lena?
yes_no | Did Anna finish the report?
yes_no | Is the server still down?
yes_no | Ist das schon fertig?
other | Tell me more about the concert
other | What did Jon say about the store?
other | Describe the painting
"""


def list_pairs(block: str) -> list[tuple[str, str]]:
    pairs = [line.split(" | ", 1) for line in block.splitlines() if line]
    return [(cue, text) for cue, text in pairs]


@pytest.mark.parametrize(("cue", "question"), list_pairs(QUESTIONS))
def test_question_names_its_cue(cue: str, question: str) -> None:
    assert answer_cue(question) == cue


@pytest.mark.parametrize(
    ("cue", "holds", "may", "none"),
    [
        ("when", "I went there yesterday!", "It was a long day", "I love blue paint"),
        ("when", "We signed on 7 May", "soon enough", "She may come"),
        ("when", "Let us say 10:30", "after lunch", "a ratio of 3 to 1"),
        ("how_many", "We have three cats", "several of them", "cats are great"),
        ("how_many", "It was 42 euros", "once", "nothing here"),
        ("how_long", "I painted for seven years", "for ages", "a red house"),
        ("how_long", "it took 3 whole weeks", "a long way", "blue"),
        ("where", "We flew to Lisbon", "we sat in the park", "it tastes nice"),
        ("where", "I grew up in the Netherlands", "at home", "I'm happy. Great!"),
        ("who", "I met Anna there", "my sister came", "it rained a lot"),
        ("why", "because I was tired", "I wanted to see it", "blue paint"),
        ("yes_no", "No, never", "maybe later", "the blue house"),
        ("list", "apples, pears, and plums", "salt and pepper", "just one"),
    ],
)
def test_text_holds_an_answer(cue: Cue, holds: str, may: str, none: str) -> None:
    assert [matches(cue, text) for text in (holds, may, none)] == [1.0, 0.4, 0.0]


def test_no_cue_matches_nothing() -> None:
    assert matches("other", "yesterday in Rome, because of 3 cats") == 0.0


@pytest.mark.parametrize(
    "question",
    [
        "What restaurant did you recommend for our anniversary?",
        "Remind me what you told me about the visa",
        "What was your advice about the mortgage?",
        "Can you repeat the list you provided last week?",
        "You previously suggested three books, which ones?",
        "What did the assistant say about the tax form?",
        "I was looking at our previous conversation, can you remind me of the shop's name?",
        "Which library have you already mentioned?",
        "Was hast du mir empfohlen?",
        "Qu'est-ce que tu m'as conseillé ?",
        "¿Qué libro me recomendaste?",
        "你上次推荐的餐厅叫什么?",
        "How long did you think the varnish should dry?",
        "There was a trick of yours for wax on linen",
    ],
)
def test_asks_what_the_assistant_said(question: str) -> None:
    assert asks_about_assistant(question)


@pytest.mark.parametrize(
    "question",
    [
        "What did I tell you about my sister?",
        "Can you recommend a good book?",
        "What would you suggest for dinner?",
        "Where did Anna recommend we eat?",
        "What did she say to you?",
        "Do you remember my dog's name?",
        "Do you know what Tom gave me?",
        "What is my brother's advice on cars?",
        "Was hat er mir empfohlen?",
    ],
)
def test_asks_of_something_else(question: str) -> None:
    assert not asks_about_assistant(question)


@given(st.text())
def test_any_text_can_be_asked_and_matched(text: str) -> None:
    assert 0.0 <= matches(answer_cue(text), text) <= 1.0
    assert isinstance(asks_about_assistant(text), bool)
