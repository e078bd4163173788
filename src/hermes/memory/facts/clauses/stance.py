"""Whether a clause is meant as true and lasting: not asked, supposed, wished, reported or joked."""

import re

from hermes.memory.facts.clauses.chatter import without_mood
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import ORG_NOUNS, ROLE_NOUNS
from hermes.memory.facts.clauses.split import Clause, Sentence
from hermes.memory.facts.clauses.subjects import Subject

_JEST = re.compile(
    r"(?:^|\s)/s\b|🙃|🙄|\b(?:yeah,? right|said no one|just kidding|j/?k|kidding|joking|as if|"
    r"april "
    r"fools|check the date|living the dream|sure,? because|oh (?:great|joy|fun)|how (?:lovely|"
    r"wonderful)|(?:love|adore|enjoy)s? (?:it )?when|what a (?:fantastic|great|lovely)|"
    r"oh sure|just (?-i:LOVE|ADORE)|(?:absolutely|simply|just) (?:love|adore) (?:being|those|how)|"
    r"best job ever|great, another|queen of sheba|i was (?:a|an|the) [^.!?]{0,40} in the dream|"
    r"what'?s my name|in (?:the|my) dream)\b",
    re.I,
)
_RETRACTED = re.compile(
    r"(?:\(?\s*)(?:lol |haha |ha |nah |no )?(?:jk|j/k|just kidding|kidding|only joking|joking|/s|"
    r"not really|not[.!]?$|obviously not|i wish|april fools|\(?check the date|happy april)",
    re.I,
)
_REFUTED = re.compile(
    r"(?i)\b(?:but|and) (?:that|it|this)(?:'s| is| was) (?:just |simply |plain )?(?:wrong|not true|"
    r"not right|incorrect|outdated|nonsense|a lie|bs|false|old)\b"
)
_LAUGHTER = re.compile(r"\b(?:ha(?:ha)+|lol|lmao|rofl)\b|😂|🤣|😜|😏|💀", re.I)
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|i (?:guess|suppose|think|believe|assume|doubt|wonder|"
    r"wish|"
    r"hope)|we (?:think|hope|guess)|not (?:really |quite |100% )?sure|unsure|no idea|hopefully|"
    r"supposedly|allegedly|rumou?r has|in theory|theoretically|hypothetically|what if|how about|"
    r"what about|thinking (?:about|of)|thought about|considering|considered|leaning|toying|tempted|"
    r"debating|undecided|torn between|not decided|used to|almost|nearly|was going to|were going to|"
    r"would|could|might|(?-i:may)(?= (?:be|not|have|switch|move|go|need|\w+ to))|should|'d(?! "
    r"(?:rather|prefer|like (?:you|answers|all|every|it if)))|"
    r"one day|someday|kind of|sort of|kinda|as if|feels? like|feel like|imagine|suppose|let's say|"
    r"pretend|assuming|assume|for example|e\.g|wish|dream(?:ing)? of|when i grow up|practically|"
    r"basically a|gonna|wondering|want to|wanna|hoping|trying to)\b",
    re.I,
)
_FIRM = re.compile(
    r"\b(?:would (?:rather|prefer|like (?:you|answers|replies|all|every))|'d (?:rather|prefer)|"
    r"should (?:be (?:sent|written|paid|ready)|go to)|could you|would you|can you|(?:always|never) "
    r"want to)\b",
    re.I,
)
_CONDITION = re.compile(
    r"(?:(?:and|but|so|ok|okay|well|hmm?|also)[, ]+)?(?:if|unless|suppose|supposing|assum(?:e|"
    r"ing)|imagine|"
    r"in case|let'?s (?:say|assume|pretend)|what if|had (?:i|we)|say (?:i|we)|even if|as long as|"
    r"once|"
    r"until|whenever)\b",
    re.I,
)
_WHEN_I = re.compile(
    r"(?:and |but |so )?when(?:ever)? (?:i|we)\b.* (?:i|we|my|our)\b(?! (?:was|were)\b)", re.I
)
_POLITE_IF = re.compile(
    r"\bif (?:that|it) (?:matters|helps|makes)|if you (?:can|could|don't mind|please|want|need)|"
    r"if possible|if anyone asks|if needed",
    re.I,
)
_ASKING = re.compile(
    r"(?:(?:and|but|so|ok|well|also|btw|hey|hi|hm+|bro|dude|man|guys|folks|yo|quick q(?:uestion)?)"
    r"[,: ]+)*(?:what(?!ever)|"
    r"whats|how|hows|hw|why|"
    r"where|who|whom|whose|which|when (?:is|are|do|does|did|was|will|should|can)|is|are|am|was|"
    r"were|"
    r"do(?!n't| not)|does|did|has|have (?:you|we|i|they)|can|could|would|should|will|shall|may|"
    r"any|anyone|anybody|any1|"
    r"wondering|thoughts|ideas|remember when)\b(?!'t)",
    re.I,
)
_TAG = re.compile(
    r"(?i), (?:(?:is|was) (?:it|that|this) (?:right|correct|true|so|ok)|right|correct|true|yes|no|"
    r"isn't it|am i right|aren't we|don't we)$"
)
_LIKENED = re.compile(
    r"(?i)\b(?:(?<!i )(?<!we )(?<!would )(?<!'d )like|as if|as though|pretending|imagining) "
    r"(?:that )?(?:i'?m|we'?re|you'?re|he'?s|she'?s|they'?re|"
    r"(?:i|we|you|he|she|they|it) (?:am|are|is|was|were|had|have|has|own|know))\b"
)
_REPORTERS = frozenset("person other it".split())
_BRIEF = re.compile(
    r"(?<!as of )\b(?:today|tonight|tomorrow|right now|just now|at \d+\s?%|this (?:morning|"
    r"afternoon|evening|"
    r"weekend|minute|second|time|once)|for (?:now|today|lunch|dinner)|in a (?:minute|sec|bit|"
    r"meeting)|"
    r"on a call|brb|so far today|the other day|yesterday|last night|atm)\b",
    re.I,
)
_FACTIVE = re.compile(
    r"(?:is it (?:weird|normal|ok|okay|bad|wrong|strange|odd)|does it matter|would it help) that\b",
    re.I,
)


def is_jest(sentence: str, following: str) -> bool:
    return bool(_JEST.search(sentence) or _RETRACTED.match(following.strip()))


def refuted_upto(sentence: str) -> int:
    """Where the denial begins of what was said before it: "the doc says 5, but that's wrong"."""
    found = _REFUTED.search(sentence)
    return found.start() if found else 0


def has_laughter(sentence: str) -> bool:
    return bool(_LAUGHTER.search(sentence))


def is_supposition(sentence: str) -> bool:
    """A sentence that opens with a condition asserts nothing, in any of its clauses."""
    return bool(_CONDITION.match(sentence)) and not _POLITE_IF.search(sentence)


def is_doubtful(text: str) -> bool:
    """Said with a word that leaves it open."""
    return bool(_DOUBT.search(_FIRM.sub(" ", without_mood(text))))


def is_likened(text: str) -> bool:
    """Said for comparison: "explain it like I'm a CTO", "as if we had a choice"."""
    return bool(_LIKENED.search(text))


def is_brief(text: str) -> bool:
    """Bound to this hour or day."""
    return bool(_BRIEF.search(text))


def is_asked(clause_text: str, sentence: Sentence, *, is_last: bool, is_only: bool) -> bool:
    """A question, by its mark or by how it opens."""
    if _FACTIVE.match(clause_text):
        return False
    if _ASKING.match(clause_text) or (sentence.is_question and _TAG.search(sentence.text)):
        return True
    return sentence.is_question and (is_last or is_only)


def factive_part(text: str) -> int:
    """Where the clause begins that "is it weird that" takes for granted, or 0."""
    found = _FACTIVE.match(text)
    return found.end() if found else 0


def is_reported(frame: Frame) -> bool:
    """What someone says of whom nothing else is known is theirs, not the user's."""
    return "say" in frame.classes and frame.subject.kind in _REPORTERS and not frame.subject.owner


def can_speak(subject: Subject) -> bool:
    """Whether it is people who say it: no program, paper or page knows better than the user."""
    return subject.kind == "person" or subject.noun in ROLE_NOUNS | ORG_NOUNS | {"team"}


def conditions(clauses: list[Clause], texts: list[str]) -> set[int]:
    """The clauses that stand in a condition or lean on one."""
    found: set[int] = set()
    for index, (clause, text) in enumerate(zip(clauses, texts, strict=True)):
        if _WHEN_I.match(text):
            found.add(index)  # "when I travel I use a Chromebook": neither holds by itself
        if (clause.joint in {"if", "when"} or _CONDITION.match(text)) and not _POLITE_IF.search(
            f"{clause.joint} {text}"
        ):
            found.add(index)
            if clause.joint == "if" and index:
                found.add(index - 1)
            elif index + 1 < len(clauses) and clause.joint not in {"if", "when"}:
                found.add(index + 1)
    return found
