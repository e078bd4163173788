"""An answer that only says the missing word: "What's your stack?" – "django + htmx".

The question tells what kind of statement the answer completes; the reader then reads it.
The question itself is never believed, whoever asked it.
"""

import re
from collections.abc import Iterator, Sequence

from hermes.memory.facts.clauses.tokens import tokenize

LONGEST_ANSWER = 14  # words

_QUESTION = re.compile(r"([^.!?\n]{3,200})\?")
_STATEMENTS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.I), statements)
    for pattern, statements in (
        (r"\b(?:your name|call you|am i (?:speaking|talking) (?:to|with))\b", ("My name is {}",)),
        (r"\btime ?zone\b", ("My timezone is {}", "I live in {}")),
        (
            r"\bwhere (?:are|do) you (?:live|living|based|located|from)\b|\bwhich (?:city|"
            r"country|town)\b|"
            r"\bwhere is home\b|\bwhere are you\b",
            ("I live in {}",),
        ),
        (r"\baddress\b", ("My address is {}",)),
        (r"\be-?mail\b", ("My email is {}",)),
        (r"\bwhere do you work\b|\bwho do you work for\b|\bwhich company\b", ("I work at {}",)),
        (r"\bcompany (?:called|named|name)\b", ("My company is {}",)),
        (
            r"\bwhat do you do\b|\byour (?:job|role|occupation|profession|title)\b|\bfor a "
            r"living\b",
            ("I am a {}", "I {}"),
        ),
        (r"\bhow old\b|\byour age\b", ("I am {} years old",)),
        (r"\binjur\w+|\bconditions?\b|\bmedical\b", ("I have a {}",)),
        (r"\blanguages? do you speak\b", ("I speak {}",)),
        (
            r"\b(?:diet\w*|allerg\w+|intoleran\w+|restrictions|(?:do not|don't|can't|cannot) "
            r"eat)\b",
            ("I am {}", "I eat {}", "I am allergic to {}"),
        ),
        (
            r"\b(?:did|have) you (?:decide|choose|pick|settle|go|chosen|decided|picked)\b",
            ("We decided on {}",),
        ),
        (
            r"\bwhat do you (?:enjoy|like (?:doing|to do))\b|\bhobb(?:y|ies)\b|\bfor fun\b|"
            r"\byour (?:spare|free) time\b|\bwhat are you into\b",
            ("I like {}",),
        ),
        (
            r"\b(?:which|what)\b.{0,40}\b(?:do you|would you) (?:prefer|like(?! to))\b|\byour "
            r"favou?rite\b|\bmetric or\b",
            ("I prefer {}",),
        ),
        (
            r"\b(?:which|what) [\w ]{0,30}\bversion\b|\bstack\b|\bset-?up\b|\b(?:which|"
            r"what)\b.{0,40}\b(?:do|are) you "
            r"(?:us|on\b|runn|work)\w*|\bwhat (?:is it|are they) (?:written|built|running)\b|"
            r"\bwhich (?:editor|database|"
            r"framework|os|distro|shell|browser|system|operating system)\b|\bwhat do you use\b",
            ("I use {}",),
        ),
    )
)
_OF_A_THING = re.compile(  # "what car is it?", "which camera do you have?"
    r"(?i)\b(?:what|which)(?: (?:kind|sort|type|make|model|brand) of)? "
    r"(?P<what>(?:[a-z]+ )?[a-z]+) (?:is (?:it|this|that)|(?:do|have) you "
    r"(?:have|got|own|drive|ride)|do you use|are you (?:using|running))\b"
)
_NO_THING = frozenset(
    "time day date kind one ones thing issue problem error part that this".split()
)
_BLUFF = re.compile(
    r"(?:no|nope|nah|none|nothing|not|yes|yep|yeah|sure|ok|dunno|idk|either|neither|both|whatever|hm+|"
    r"depends|maybe|i|we|he|she|it|that|this|they|what|why|how|tomorrow|today|the|a)\b",
    re.I,
)


_ADDRESSED = re.compile(
    r"(?i)(?:thanks?|thx|hi|hey|hello|oh|aww*|wow|yay|cool|great|awesome|congrat\w*|(?:so )?sorry|"
    r"agreed|absolutely|totally|definitely|of course|welcome|same|glad|woohoo|yup)\b|"
    r".*\b(?:you|your|you're|is|are|was|were|thanks)\b"
)


def is_addressed(answer: str) -> bool:
    """Said to who asked, or a sentence of its own: no missing word."""
    return bool(_ADDRESSED.match(answer))


def statements_for(question: str, answer: str) -> list[tuple[str, str]]:
    """(statement, the words of the answer in it), in the order they are to be tried."""
    asked = [found[1] for found in _QUESTION.finditer(question)][-2:]
    parts = [part.strip() for part in re.split(r",\s+(?=\w)|\.\s+", answer) if part.strip()]
    if not asked or not parts or len(answer.split()) > LONGEST_ANSWER:
        return []
    found = list(_of_thing(asked, parts[0]))
    if re.search(r"(?i)\beat\b|\bdiet|allerg", " ".join(asked)):
        found += [("I don't eat {}", part[3:]) for part in parts if part.lower().startswith("no ")]
    for pattern, statements in _STATEMENTS:
        if statements[0].startswith("My email") and "@" not in answer:
            continue
        if statements[0].startswith("My name") and re.search(r"(?i)\band\b|,|&", answer):
            continue  # of several, none is the speaker's
        if any(pattern.search(each) for each in asked):
            found += [
                (each, body)
                for body in (answer, *parts)
                for each in statements
                if not _BLUFF.match(body) and not (each.endswith(" a {}") and _is_clause(body))
            ]
    return found


def _is_clause(body: str) -> bool:
    """ "transcripts live in Dovetree": a sentence of its own, and nothing that one is."""
    later = tokenize(body)[1:]
    return any(t.tag in {"BE", "HAVE", "AUX"} or t.form in {"VB", "VZ", "VD"} for t in later)


def _of_thing(asked: Sequence[str], answer: str) -> Iterator[tuple[str, str]]:
    """ "skoda fabia 2014", where it was asked what car it is."""
    for each in asked:
        found = _OF_A_THING.search(each)
        what = found["what"].lower() if found else ""
        if what and not _NO_THING & set(what.split()) and not _BLUFF.match(answer):
            plain = re.sub(r"(?i)^an? ", "", answer)
            article = "" if plain[:1].isupper() else "an " if plain[:1] in "aeiou" else "a "
            yield f"My {what} is {article}{{}}", plain


def read_question(text: str) -> str:
    """The text, if it ends with a question or asks one; what follows may answer it."""
    return text if "?" in text[-400:] else ""
