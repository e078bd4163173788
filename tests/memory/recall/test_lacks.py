"""What a fact lacks of a question: a name, a relation, the rest of the asked words."""

import numpy as np
import pytest

from hermes.memory.recall.lacks import LACKS, measure_lacks, names_in

NAME, RELATION, REST = (LACKS.index(each) for each in ("name", "relation", "rest"))


def _lacks(
    question: str, fact: str, held: float = 0.0, known: dict[str, list[str]] | None = None
) -> list[float]:
    measured = measure_lacks(question, [fact], np.array([held], np.float32), known)
    found: list[float] = measured[0].tolist()
    return found


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("who is Jonas's girlfriend", "Jonas's sister is Wilma"),
        ("what is my brother called", "User's sister is Wilma"),
        ("when does my father see Dr Yilmaz", "User's mother sees Dr Yilmaz on 9 June"),
        ("who is his wife", "Jonas's girlfriend is Ada"),
    ],
)
def test_another_relation_is_lacking(question: str, fact: str) -> None:
    assert _lacks(question, fact)[RELATION] == 1


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("who is the sister of Jonas", "Jonas's sister is Wilma"),
        ("how many kids do I have", "User has two daughters, Mia and Ruth"),
        ("with whom is mum insured", "User's mother is with Barmenia"),
        ("has Jonas any siblings", "Jonas's sister is Wilma"),
        ("who is my boss", "User reports to Ines"),
        ("where does Jonas work", "Jonas works in Kiel"),
    ],
)
def test_the_same_relation_in_another_word_is_not(question: str, fact: str) -> None:
    assert _lacks(question, fact)[RELATION] == 0


def test_a_name_is_lacking_where_the_fact_is_of_another() -> None:
    asked = "what is Jonas allergic to"
    assert _lacks(asked, "Wilma is allergic to wasps")[NAME] == 1
    assert _lacks(asked, "Jonas is allergic to nuts")[NAME] == 0
    assert _lacks(asked.lower(), "Wilma is allergic to wasps")[NAME] == 0
    assert _lacks(asked.lower(), "Wilma is allergic to wasps", known={"jonas": []})[NAME] == 1
    spellings = {"kat": ["katarina", "kat"]}
    assert _lacks("where does Kat live", "Katarina lives in Brno", known=spellings)[NAME] == 0


def test_what_begins_a_sentence_names_nobody() -> None:
    assert names_in("Where is it? Which one did Ada take, Mum?") == {"ada"}


@pytest.mark.parametrize(("held", "lacking"), [(0.0, 0.0), (0.25, 0.75), (1.0, 0.0)])
def test_the_rest_counts_where_some_of_it_is_held(held: float, lacking: float) -> None:
    assert _lacks("which port does search use", "It is 9204", held)[REST] == lacking
