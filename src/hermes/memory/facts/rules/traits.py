"""What the user is made of: age, languages, nationality, diet, allergies, health, pronouns."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import Found, Rule, Said, phrase, rule, short, words
from hermes.memory.facts.rules.lexicon import DIETS, NATIONALITIES, SPOKEN_LANGUAGES
from hermes.memory.facts.rules.person import NOW, identity_fact
from hermes.types import FactKind


def _age(found: Found, said: Said) -> Iterator[Candidate]:
    yield identity_fact("age", found["value"], f"User is {found['value']} years old")


def _languages(found: Found, said: Said) -> Iterator[Candidate]:
    for word in re.findall(r"[A-Za-z]+", phrase(found["value"])):
        if word.lower() in SPOKEN_LANGUAGES:
            yield identity_fact(
                "language", word.title(), f"User speaks {word.title()}", single=False
            )


def _native(found: Found, said: Said) -> Iterator[Candidate]:
    if found["value"].lower() in SPOKEN_LANGUAGES:
        value = found["value"].title()
        yield identity_fact("native_language", value, f"User's native language is {value}")


def _nationality(found: Found, said: Said) -> Iterator[Candidate]:
    value = found["value"]
    if value.lower() in NATIONALITIES:
        yield identity_fact("nationality", value.title(), f"User is {value.title()}")


def _diet(found: Found, said: Said) -> Iterator[Candidate]:
    value = found["value"].lower().replace(" ", "-")
    if value in DIETS:
        yield identity_fact("diet", value, f"User is {value}")


def _allergy(found: Found, said: Said) -> Iterator[Candidate]:
    for value in re.split(r",\s*(?:and |or )?|\s+(?:and|or)\s+", phrase(found["value"])):
        thing = short(value)
        if thing.endswith("ly"):
            continue
        if (
            thing
            and words(thing) <= 3
            and not re.match(r"(?:you|your|mondays|meetings|work|it|this)\b", thing, re.I)
        ):
            yield identity_fact("allergy", thing, f"User is allergic to {thing}", single=False)


_PRONOUNS = re.compile(r"\b(?:he|she|they|ze|xe)/\w+(?:/\w+)?", re.I)


def _pronouns(found: Found, said: Said) -> Iterator[Candidate]:
    if pronouns := _PRONOUNS.search(said.text):
        yield identity_fact(
            "pronouns", pronouns.group().lower(), f"User's pronouns are {pronouns.group().lower()}"
        )


_CONDITIONS = (
    r"(?:type\s+[12]\s+)?diabetes|adhd|add|asthma|dyslexia|epilepsy|a\s+pacemaker|"
    r"c(?:o)?eliac(?:\s+disease)?|arthritis|migraines|insomnia|anxiety|autism|tinnitus|hay\s+fever|"
    r"high\s+blood\s+pressure|a\s+bad\s+(?:back|knee|shoulder|hip)|crohn's(?:\s+disease)?|ibs|"
    r"sleep\s+apn(?:o)?ea|a\s+heart\s+condition|multiple\s+sclerosis|ms|eczema|scoliosis|"
    r"a\s+hearing\s+aid|raynaud's|pcos|endometriosis|glaucoma|a\s+prosthetic\s+\w+"
)
_TRAITS = (
    r"left[- ]handed|right[- ]handed|ambidextrous|colou?r[- ]?blind|deaf(?:\s+in\s+one\s+ear)?|"
    r"hard\s+of\s+hearing|dyslexic|diabetic|asthmatic|autistic|near[- ]?sighted|short[- ]?sighted|"
    r"far[- ]?sighted|blind|pregnant|an?\s+(?:night\s+owl|early\s+bird|early\s+riser|introvert|"
    r"extrovert|perfectionist|visual\s+learner|minimalist|wheelchair\s+user|only\s+child|twin|"
    r"insomniac|morning\s+person|vegetable\s+gardener)|epileptic|neurodivergent|bilingual"
)


def _trait(found: Found, said: Said) -> Iterator[Candidate]:
    value = re.sub(r"\s+", " ", found["value"])
    verb = "has" if re.match(r"i\s+(?:also\s+)?(?:have|suffer|was)", said.text, re.I) else "is"
    yield Candidate(f"User {verb} {value}", FactKind.OTHER, USER, "trait", value)


def _cannot_have(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I can't have gluten", "no dairy for me"."""
    value = short(found["value"])
    if (
        value
        and words(value) <= 3
        and not re.match(r"(?:it|this|that|you|your|the|a|my|another|any|more)\b", value, re.I)
    ):
        text = f"User cannot have {value}"
        yield Candidate(text, FactKind.OTHER, USER, "avoids", value)


def _tall(found: Found, said: Said) -> Iterator[Candidate]:
    yield identity_fact("height", found["value"], f"User is {found['value']} tall")


def _gave_up(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if words(value) <= 6:
        yield Candidate(f"User quit {value}", FactKind.EVENT, USER, "event:quit", f"quit {value}")


RULES: tuple[Rule, ...] = (
    rule(r"i\s+can\s+not\s+(?:have|eat|tolerate|drink|digest)\s+(?P<value>.+)", _cannot_have),
    rule(
        r"i\s+can\s+not\s+do\s+(?P<value>(?:peanuts|nuts|dairy|gluten|shellfish|spicy|"
        r"mornings|mondays|eggs|soy)\b.*)",
        _cannot_have,
    ),
    rule(
        r"(?:so\s+)?no\s+(?P<value>(?:dairy|gluten|nuts|peanuts|meat|pork|alcohol|"
        r"sugar|coffee|shellfish|eggs|soy|wheat|"
        r"fish|seafood|caffeine|lactose|milk|cheese|beef|garlic|onions))\s+for\s+me\b",
        _cannot_have,
    ),
    rule(r"i\s+am\s+(?P<value>\d[\d.,]*\s?(?:cm|m|ft|feet|foot|inches)(?:\s?\d+)?)\s+tall", _tall),
    rule(
        r"i\s+(?:just\s+|finally\s+)?(?:quit|stopped|"
        r"gave\s+up)\s+(?P<value>(?:smoking|drinking|vaping|sugar|"
        r"coffee|caffeine|alcohol|meat|gluten|social\s+media|running|caffeine)\b.*)",
        _gave_up,
    ),
    rule(
        r"(?:my\s+pronouns\s+are|i\s+use|pronouns:?)\s+(?P<value>(?:he|she|they|ze|xe)/.+)",
        _pronouns,
    ),
    rule(rf"i\s+am{NOW}\s+(?P<value>\d{{2}})\s*(?:years?\s+old|yo\b|y/o)", _age),
    rule(r"i\s+(?:just\s+)?turned\s+(?P<value>\d{2})\b(?!\s*(?:%|percent|off))", _age),
    rule(r"i\s+am\s+(?P<value>[1-9]\d)(?=$|[,.!]|\s+(?:and|now|but|today|this|next)\b)", _age),
    rule(
        rf"i\s+(?:am|have\s+been){NOW}\s+(?:an?\s+)?(?:strict\s+|mostly\s+|"
        rf"lifelong\s+)?(?P<value>lactose\s+intolerant|[a-z-]+)(?=$|[\s,.!])",
        _diet,
    ),
    rule(rf"i\s+am{NOW}\s+(?P<value>[a-z]+)(?=$|[,.!]|\s+(?:but|and|by|originally))", _nationality),
    rule(
        r"i\s+(?:am\s+|have\s+an?\s+)(?:\w+ly\s+|bad\s+|severe\s+)?(?:allergic\s+to|"
        r"(?:allergy|intolerance)\s+to)\s+(?P<value>.+)",
        _allergy,
    ),
    rule(r"i\s+have\s+an?\s+(?:severe\s+|bad\s+|mild\s+)?(?P<value>[\w-]+)\s+allergy\b", _allergy),
    rule(r"i\s+(?:also\s+|can\s+|fluently\s+)*speak\s+(?P<value>.+)", _languages),
    rule(r"i\s+am\s+(?:fluent|bilingual|native)\s+in\s+(?P<value>.+)", _languages),
    rule(
        r"(?:my\s+(?:native\s+language|mother\s+tongue|first\s+language)\s+is|"
        r"i\s+am\s+a\s+native)\s+(?P<value>[A-Za-z]+)",
        _native,
    ),
    rule(
        rf"i\s+(?:also\s+)?(?:have|suffer\s+from|have\s+got|was\s+diagnosed\s+with)\s+"
        rf"(?P<value>{_CONDITIONS})(?=$|[\s,.!])",
        _trait,
    ),
    rule(
        rf"i\s+am{NOW}\s+(?:totally\s+|very\s+|quite\s+|partially\s+|red-green\s+)*"
        rf"(?P<value>{_TRAITS})(?=$|[\s,.!])",
        _trait,
    ),
)
