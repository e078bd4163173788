"""Who is who: "my sister Ana", "two cats, Milo and Otis", "Jorge (my co-founder)".

That there is such a person is taken for granted even in a question, so every clause is read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import (
    KIN_MANY,
    KIN_ONE,
    KIN_PLURAL,
    PETS,
    RELATIONS,
    ROLE_NOUNS,
)
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.wording import render
from hermes.types import FactKind

_OWN = frozenset({"my", "our"})
_LIKED = frozenset("favourite favorite fave fav preferred go-to".split())
_FAMILY = frozenset("wife husband kids children daughter son daughters sons twins".split())
_SHORT = {"gf": "girlfriend", "bf": "boyfriend", "hubby": "husband"}
_MANAGERS = frozenset({"boss", "manager"})
_FORMER = frozenset("old former previous last ex".split())
_SEVERAL = frozenset("two three four five six both several".split())
_NARROWED = frozenset({"mate", "buddy", "partner"})
_FOR_CLIENTS = frozenset("account bank property case building stage tour claims wealth".split())
_TRADES = frozenset(
    "business law practice company firm office studio agency shop store bakery restaurant startup "
    "start-up clinic trade trading surgery brewery workshop consultancy".split()
)


def find_people(words: Sequence[Token], asides: Sequence[Sequence[Token]] = ()) -> list[Candidate]:
    """Everyone who is introduced in these words."""
    found = [*_beside_nouns(words), *_before_nouns(words), *_in_asides(words, asides)]
    return list({(each.attribute, each.value): each for each in found}.values())


def _beside_nouns(words: Sequence[Token]) -> Iterator[Candidate]:
    for index, token in enumerate(words):
        relation = KIN_PLURAL.get(token.low, token.low)
        role = relation in ROLE_NOUNS and any(
            t.low in _OWN for t in words[max(0, index - 3) : index]
        )
        if not (relation in RELATIONS or role) or (
            index + 1 < len(words) and words[index + 1].tag == "GEN"
        ):
            continue
        if any(t.low in _LIKED for t in words[max(0, index - 2) : index]):
            continue  # "my favourite composer is Arvo Pärt": liked, not known
        if [t.low for t in words[index + 1 : index + 3]] == ["in", "law"]:
            relation = f"{relation}-in-law"
        if not _is_introduced(words, index, relation):
            continue
        relation = _narrowed(words, index, relation)
        names = list(_names_after(words, index + 1, several=token.low in KIN_PLURAL))
        if token.low in KIN_PLURAL and len(names) == 1:
            names = [] if index and words[index - 1].low in _SEVERAL else names
        for name in names if relation else ():
            yield person(relation, name)


def _narrowed(words: Sequence[Token], index: int, relation: str) -> str:
    """ "my desk mate", "my practice partner"; nothing where business and love look the same."""
    before = words[index - 1] if index else None
    if before is not None and relation == "manager" and before.low in _FOR_CLIENTS:
        return f"{before.low} manager"
    if relation not in _NARROWED:
        return _formerly(words[:index], relation)
    if before is not None and before.tag in {"NOUN", "VERB"} and before.low not in _OWN:
        business = relation == "partner" and before.low in _TRADES
        return "business partner" if business else f"{before.low} {relation}"
    traded = relation == "partner" and {t.low for t in words[:index]} & _TRADES
    return "" if traded and {t.low for t in words[:index]} & {"with", "and"} else relation


def _formerly(before: Sequence[Token], relation: str) -> str:
    """ "my old manager" is the manager no more; an old dog or an old friend still is one."""
    said = next((t.low for t in before[-2:] if t.low in _FORMER), "")
    return f"{said} {relation}" if said and relation not in KIN_MANY | PETS else relation


def _before_nouns(words: Sequence[Token]) -> Iterator[Candidate]:
    """ "Salma, our designer, …", "Piotr, my brother in law"."""
    for index, token in enumerate(words[:-2]):
        if token.tag == "NAME" and words[index + 1].text == "," and words[index + 2].low in _OWN:
            phrase = values.role_words(words[index + 3 : index + 7])
            if any(t.tag == "GEN" for t in words[index + 3 : index + 7]):
                continue  # "Desmond, my father's brother"
            relation = next((t.low for t in phrase if t.low in RELATIONS | ROLE_NOUNS), "")
            if relation and values.is_person([token]):
                yield person(_formerly(phrase, relation), token.text)


def _is_introduced(words: Sequence[Token], index: int, relation: str) -> bool:
    """Owned by the speaker ("my older sister"), had ("I have a brother"), or a pet with a name."""
    after = words[index + 1] if index + 1 < len(words) else None
    listed = index == 0 or words[index - 1].text in {",", "and", ":"}
    if listed and after is not None and after.tag == "NAME" and words[index].low in _FAMILY:
        return values.is_person([after])
    for back in range(index - 1, max(-1, index - 5), -1):
        token = words[back]
        if token.low in _OWN:
            return True
        if token.tag in {"DET", "NUM"}:
            before = {t.low for t in words[:back]}
            had = bool(before & {"have", "'ve", "got", "adopted", "had", "has"}) and bool(
                before & {"i", "we"}
            )
            listed = bool(before & _OWN) or (
                relation in KIN_ONE and token.low == "the" and _is_naming(words, index + 1)
            )
            pet = relation in PETS and _is_named_after(words, index)
            return had or listed or (pet and not _is_had_by_another(words[:back]))
        if token.tag not in {"ADJ", "NOUN", "NAME", "VERB", "ADV"}:
            return False
    return index == 0 and after is not None and after.text == ":"


def _is_had_by_another(before: Sequence[Token]) -> bool:
    """ "the neighbour has a dog called Bruno"."""
    had = next((n for n, t in enumerate(before) if t.low in {"has", "had", "got"}), -1)
    return had > 0 and not {t.low for t in before[:had]} & {"i", "we", "who"}


def _is_named_after(words: Sequence[Token], index: int) -> bool:
    return any(t.low in {"named", "called"} for t in words[index + 1 : index + 4])


def _names_after(words: Sequence[Token], start: int, *, several: bool) -> Iterator[str]:  # noqa: C901 - one case after the other
    index = start
    called = next(
        (
            n
            for n in range(start, min(start + 6, len(words)))
            if words[n].low in {"called", "named"}
        ),
        -1,
    )
    if called >= 0 and start < len(words) and words[start].low in {"is", "'s"}:
        index = called
    if [t.low for t in words[index : index + 2]] == ["in", "law"]:
        index += 2
    while index < len(words) and (
        words[index].low in {"named", "called", ",", ":", "is", "are"} or words[index].tag == "ADV"
    ):
        if words[index].low in {"is", "are"} and not _is_naming(words, index):
            return
        index += 1
    while index < len(words):
        end = index
        while end < len(words) and end - index < 3 and words[end].tag == "NAME":
            end += 1
        if end == index or not values.is_person(words[index:end]):
            return
        yield spell(words[index:end])
        if end < len(words) and words[end].tag == "NUM":
            end += 1  # "Zuzia 11, Franek 8"
        if not several or end >= len(words):
            return
        if words[end].text not in {",", "and", "&"}:
            return
        index = end + 1
        while index < len(words) and words[index].low == "and":
            index += 1


def _is_naming(words: Sequence[Token], index: int) -> bool:
    """ "my boss is Ilse" names; "my sister is Dutch" does not."""
    following = [t for t in words[index + 1 : index + 6] if t.low.strip(".") not in _TITLES]
    while following and following[0].low in {"now", "actually", "currently"}:
        following.pop(0)
    return bool(following) and (
        following[0].low in {"called", "named"}
        or (
            following[0].tag == "NAME"
            and values.is_person(following[:1])
            and (
                len(following) == 1
                or following[1].tag in {"NAME", "ADV", "PUNCT", "CONJ", "INTJ"}
                or following[1].low == "and"
            )
        )
    )


_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "herr", "frau"})


def _in_asides(words: Sequence[Token], asides: Sequence[Sequence[Token]]) -> Iterator[Candidate]:
    """ "Jorge (my co-founder)", "my physio (Callum)", "a family of four (husband Jan, …)"."""
    for aside in asides:
        yield from _beside_nouns(aside)
        yield from _named_aside(words, aside)
        if len(aside) >= 2 and aside[0].low in _OWN and aside[-1].low in RELATIONS:
            names = [t for t in words if t.end <= aside[0].start and t.tag == "NAME"][-1:]
            if names and values.is_person(names):
                yield person(aside[-1].low, names[0].text)


def _named_aside(words: Sequence[Token], aside: Sequence[Token]) -> Iterator[Candidate]:
    """ "my physio (Callum)": the name of whom the words before it speak of."""
    named = bool(aside) and len(aside) <= 2 and all(t.tag == "NAME" for t in aside)
    before = [t for t in words if aside and t.end <= aside[0].start][-4:]
    if not named or not before or not any(t.low in _OWN for t in before[:-1]):
        return
    relation = before[-1].low
    if relation in RELATIONS | ROLE_NOUNS and values.is_person(list(aside)):
        yield person(relation, spell(aside))


_LETTERS = frozenset("cto ceo cfo coo pm vp gp".split())


def person(relation: str, name: str) -> Candidate:
    """The fact that someone is related to the user in some way."""
    relation = _SHORT.get(relation, relation)
    attribute = "manager" if relation in _MANAGERS else "pet" if relation in PETS else relation
    single = relation not in KIN_MANY | PETS
    shown = relation.upper() if relation in _LETTERS else relation
    return Candidate(
        f"User's {shown} is {name}", FactKind.RELATIONSHIP, USER, attribute, name, single=single
    )


def _at(someone: Candidate, frame: Frame) -> Candidate:
    """ "our contact at Corvid": whose they are."""
    slot = frame.slot("at")
    if slot is None or not values.names_in(slot.words):
        return someone
    text = someone.text.replace(" is ", f" at {spell(values.core(slot.words))} is ", 1)
    return replace(someone, text=text)


def find_named(frame: Frame) -> list[Candidate]:
    """ "Ingrid is my therapist", "the boss's name is Radka", "client is called Zephyr Textiles"."""
    words = list(frame.rest)
    subject = frame.subject
    if frame.verb == "be" and frame.tense == "present" and not frame.negated and words:
        if (
            subject.kind == "name"
            and words[0].low in _OWN
            and values.is_person(values.names_in(subject.words))
        ):
            role = re.sub(
                r"^(?:new|current|old) ",
                "",
                spell([t for t in values.role_words(words) if t.low not in _OWN]),
            )
            relation = next((t.low for t in words if t.low in RELATIONS), "")
            if (
                relation
                and len(values.role_words(words)) <= 3
                and (words[0].low == "my" or not values.is_role(words))
            ):
                return [_at(person(_formerly(words[:2], relation), subject.name), frame)]
            if role and values.is_role(words):
                return [
                    Candidate(
                        f"{subject.name} is the team's {role}",
                        FactKind.RELATIONSHIP,
                        subject.name,
                        "role",
                        role,
                    )
                ]
        owned = {t.low for t in subject.words}
        if (
            owned & {"name"}
            and (relation := next(iter(owned & RELATIONS), ""))
            and values.is_person(words[:2][:1])
        ):
            end = next((n for n, t in enumerate(words) if t.tag != "NAME"), len(words))
            relation += "-in-law" if {"in", "law"} <= owned else ""
            return [person(relation, spell(words[: end or 1]))]
    if frame.verb in {"call", "name"} and frame.passive and subject.noun in RELATIONS:
        name = spell(frame.object)
        if name and (name[:1].isupper()):
            return [person(subject.noun, name)]
    return []


def find_successor(frame: Frame) -> list[Candidate]:
    """ "prof Okonkwo took over as my supervisor": who is it from then on."""
    began = frame.verb in {"take", "come", "start"} and frame.tense in {"past", "perfect"}
    post, subject = frame.slot("as"), frame.subject
    if not began or frame.negated or post is None or subject.kind != "name":
        return []
    owned = bool(post.words) and post.words[0].low in _OWN
    relation = next((t.low for t in post.words[1:4] if t.low in RELATIONS), "")
    someone = values.is_person(values.names_in(subject.words))
    if not (owned and relation and someone):
        return []
    told = render(frame)
    return [replace(person(relation, subject.name), text=told[:1].upper() + told[1:])]


def says_more(frame: Frame, people: Sequence[Candidate]) -> bool:
    """Whether a clause that names people tells something else, too."""
    if frame.verb in {"be", "call", "name", ""}:
        return False
    named = " ".join(each.value for each in people)
    return any(t.tag in {"NAME", "NUM"} and t.text not in named for t in frame.words)
