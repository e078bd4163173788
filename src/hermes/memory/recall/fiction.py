"""What is said inside a story or a game of roles: told in the first person, true of nobody.

"My name is Ragnar and I live in Oslo" is the user's only where nobody is being played. Pure. It
looks at a message and at those before it in its session. A request for a letter or an e-mail is no
fiction, nor is a story of one's own life: what stands in them is mostly so. In an interview that is
practised the assistant plays somebody, the user themself.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from hermes.memory.facts.clauses.prose import closes_play, opens_play
from hermes.memory.recall import directions
from hermes.memory.recall.revoked import find_revocation

LOOKED_AT_CHARS = 600
_WORKS = (
    r"(?:short stor(?:y|ies)|stor(?:y|ies)|tales?|novels?|novellas?|fan ?fic(?:tion)?s?|poems?"
    r"|scenes?|screenplays?|sketch(?:es)?|monologues?|dialogues?|songs?|lyrics|ballads?|limericks?"
    r"|haikus?|fairy tales?|chapters?)"
)
# One of these words stands in whatever a pattern here or of `prose` finds: looked for before what
# takes time. A test draws texts from the patterns to see that none is missing.
_WORK_WORDS = frozenset(
    """story stories tale tales novel novels novella novellas fan fanfic fanfics fanfiction
    fanfictions poem poems scene scenes screenplay screenplays sketch sketches monologue monologues
    dialogue dialogues song songs lyrics ballad ballads limerick limericks haiku haikus chapter
    chapters protagonist narrator character hero heroine campaign""".split()
)
_PLAY_WORDS = frozenset(
    """role roleplay roleplaying play roll dungeon character pretend ll ill adventure improv
    continue creator practise practice rehearse simulate act mock imagine now dragon wizard pirate
    knight detective king queen goblin vampire ghost robot alien elf dwarf orc interviewer customer
    villain innkeeper bartender captain narrator therapist hr hiring boss opponent date investor
    judge patient client""".split()
)
_OPENING_WORDS = _WORK_WORDS | _PLAY_WORDS
_NONE = frozenset[str]()
_PLAY_SIGNS = (
    *("you're", "you are", "play", "ll be the", "practi", "character", "act out", "mock"),
    *(
        "pretend",
        "creator",
        "i roll for",
        "dungeon",
        "adventure",
        "improv",
        "as me",
        "rehearse",
        "simulate",
    ),
)
_WORD = re.compile("[a-z]+")
_LETTERS = bytes(ord(chr(n).lower()) if chr(n).isalpha() else 32 for n in range(128)).ljust(256)
_ASKS = re.compile(
    rf"\b(?:write|tell|compose|make up|invent|continue|finish|draft)\b[^\n.!?]{{0,40}}\b{_WORKS}\b",
    re.I,
)
_TOGETHER = re.compile(
    rf"\b(?:let's|let us|shall we|we(?:'re| are)|i(?:'m| am)|help me) (?:co-?)?writ\w*"
    rf"[^\n.!?]{{0,40}}\b{_WORKS}\b"
    rf"|\b(?:here is|here's|this is) (?:the (?:start|beginning|opening) of )?my {_WORKS}\b"
    rf"|\b(?:my|our|the) (?:{_WORKS}|protagonist|narrator|main character|character|hero|heroine)"
    r"(?:'s)? (?:so far|goes|opens|begins|starts|says|speaks|is called|is named|line)\b"
    r"|\bin (?:my|our) (?:story|novel|tale|screenplay|fan ?fiction|d&d campaign)\b",
    re.I,
)
# "Write a story where my name is Zorblax", "a story: my name is Zorblax": what is asked for and,
# with it, what it is to say. Not "write a poem for my wife, who turned 40": that is so.
_PLOT = re.compile(
    rf"{_ASKS.pattern}[^\n.!?:]{{0,60}}?(?:\b(?:where|wherein|in which|as if"
    r"|from the (?:point of view|perspective)|(?:narrated|told) by|(?:with|starring) me as)\b"
    r"|(?P<told>\s*(?::|[-–—]{1,2}\s|\.\.\.|…)))",
    re.I,
)
_OF_LIFE = re.compile(
    r"\b(?:about|of|from|on) (?:my|our) (?:own |early |late |real )?(?:childhood|life|lives|youth"
    r"|teens|twenties|thirties|family|ancestors|(?:great[- ]?)?(?:grand)?(?:mother|father|parents?"
    r"|ma|pa|mum|mom|dad)|mum|mom|dad|parents|brother|sister|wife|husband|marriage|wedding"
    r"|hometown|home|village|school\w*|studies|career|years?|time|days|travels?|journey|trip|move"
    r"|illness|recovery|divorce|past|memories|experiences?)\b"
    r"|\b(?:autobiograph\w*|memoirs?|true stor(?:y|ies)|family (?:history|chronicle)|life story"
    r"|real[- ]life)\b",
    re.I,
)
_WOULD = re.compile(
    r"\b(?:if (?:i|we)\b|would (?:i|we)\b|(?:i|we) would\b|suppos|hypothetical)", re.I
)
_OWN = re.compile(r"\b(?:my|our)\b", re.I)
# What one practises is played by the other; who practises says what is so of themselves…
_PRACTICE = re.compile(
    r"\b(?:(?:practi[sc]e|rehears(?:e|ing)|simulate|mock|role-?play(?:ing)?|role play|play)"
    r" [^.!?\n]{0,40}\b(?:interview|talk|negotiation|conversation(?! between)|call|pitch|date|viva"
    r"|exam)\b|you(?:'re| are| play|'ll be| will be) (?:(?:a|an|the|my) (?:\w+ )?(?:interviewer"
    r"|therapist|hiring manager|recruiter|boss|investor|customer|client|judge|examiner|opponent"
    r"|date)|hr)\b)",
    re.I,
)
# …unless they take a part, or it is no practice at all.
_PART = re.compile(
    r"\b(?:(?:i(?:'m| am|'ll be| will be|'ll play| will play) |me as )(?:(?:the|your) (?:\w+ )?"
    r"(?:interviewer|customer|client|boss|investor|judge|examiner|recruiter|opponent|patient"
    r"|hiring manager|therapist|celebrity|character|captain|detective)|(?:(?:an?|the|your) )?"
    r"(?:\w+ )?(?:dragon|wizard|pirate|knight|king|queen|goblin|vampire|ghost|alien|elf|dwarf|orc"
    r"|villain|hero|heroine))"
    r"|pretend(?:ing)? (?:(?:that )?(?:i|we)\b|to be)|as if i were|my (?:character|part)\b"
    r"|in character|continue as me|i(?:'m| am) your creator|i roll for|dungeon master"
    r"|text adventure|improv)",
    re.I,
)
_STEPS_OUT = re.compile(
    r"\b(?:by the way|btw|in real life|irl|for real|my real|anyway|thanks|thank you|unrelated"
    r"|seriously|back to|(?:another|different|new|separate|other) (?:topic|question|subject)"
    r"|chang(?:e|ing) (?:of |the )?(?:topic|subject)|on another note|moving on"
    r"|switching (?:topics|gears))\b"
    # "Work question: …": what is said is named before it is said.
    r"|^\W*(?:(?:ok|okay|so|now|and|right|well)\W+)*(?:[\w-]+ ){0,3}"
    r"(?:question|topic|subject|request|note|reminder)\s*[:–—]",
    re.I,
)
_TOLD_TO = re.compile(r"\bfor (?:(?:my|our) \w+,? )?([A-Z]\w+)")
_ABOUT = re.compile(
    rf"\b(?:{_WORKS}|fiction\w*|role-?play\w*|characters?|protagonist|narrator|hero|heroine|game"
    r"|campaign|book|pretend\w*|played)\b",
    re.I,
)


def asks_of_fiction(task: str) -> bool:
    """Whether a task itself speaks of stories or roles, or supposes something, so that what is
    made up may answer it.
    """
    return _ABOUT.search(task) is not None or _WOULD.search(task) is not None


def opens(text: str) -> bool:
    """Whether a message begins a story or a game."""
    return _opens(text[:LOOKED_AT_CHARS])


def is_made_up(text: str, before: Sequence[str], *, by_user: bool) -> bool:
    """Whether a message belongs to a story or a game; `before` are the user's, the nearest first.

    The user speaks in a game until it is over or they step out of it. What an assistant says is
    made up where it was just asked for that.
    """
    own = text[:LOOKED_AT_CHARS]
    if not _speak_of_works((own, *before) if by_user else before):
        return False
    if not by_user:
        return (
            _asks(before[0])
            or _is_playing(before, _opens)
            or directions.follow(before, _wants_story)
        )
    if _casts(own):
        return not _says_before(own, _TOGETHER)
    if _gives_plot(own):
        return not _says_before(own, _PLOT)
    return _is_playing((own, *before), _casts) or directions.follow((own, *before), _wants_story)


def goes_on(text: str) -> bool:
    """Whether a message may say how a story goes on that was asked for before it."""
    return directions.may_direct(text)


def _wants_story(text: str) -> bool:
    """Whether a message asks for something made up, not for a poem for one's own wife."""
    return _asks(text) and (not _OWN.search(text) or _gives_plot(text[:LOOKED_AT_CHARS]))


def _asks(text: str) -> bool:
    looked = text[:LOOKED_AT_CHARS]
    return bool(_names_work(looked) and _ASKS.search(looked)) or _opens(looked)


def _speak_of_works(said: Sequence[str]) -> bool:
    """Whether any of them has a word of stories or games: without one nothing is made up."""
    for text in said:  # a plain loop: a generator takes twice as long
        if _find_words(text[:LOOKED_AT_CHARS]):
            return True
    return False


def _opens(text: str) -> bool:
    return bool(_find_words(text)) and _opens_closely(text)


def _casts(text: str) -> bool:
    """Whether a message begins a story or a game in which the user is somebody else."""
    if not _opens(text):
        return False
    plays_self = _PRACTICE.search(text) and not _PART.search(text)
    return not plays_self or _tells_together(text)


@lru_cache(maxsize=1_024)
def _opens_closely(text: str) -> bool:
    if not _PLAY_WORDS.isdisjoint(_find_words(text)) and opens_play(text):
        return True
    return _tells_together(text)


def _tells_together(text: str) -> bool:
    told = _names_work(text) and _TOGETHER.search(text) is not None
    return told and not _OF_LIFE.search(text)


def _may_play(folded: str) -> bool:
    for sign in _PLAY_SIGNS:  # a plain loop: a generator takes twice as long
        if sign in folded:
            return True
    return False


def _names_work(text: str) -> bool:
    return not _WORK_WORDS.isdisjoint(_find_words(text))


@lru_cache(maxsize=1_024)
def _find_words(text: str) -> frozenset[str]:
    """The words of stories and games in a text; mostly none, and asked for several times.

    Words of games alone, which are common ones, count only beside a sign of one.
    """
    words = _words(text)
    if _OPENING_WORDS.isdisjoint(words):
        return _NONE
    found = _OPENING_WORDS.intersection(words)
    return _NONE if _WORK_WORDS.isdisjoint(found) and not _may_play(text.casefold()) else found


def _words(text: str) -> list[str]:
    """Its words of plain letters, small; the quick way is for a text of plain characters."""
    if not text.isascii():
        return _WORD.findall(text.casefold())
    return text.encode().translate(_LETTERS).decode().split()


def _is_playing(before: Sequence[str], opens: Callable[[str], bool]) -> bool:
    """Whether a game that was opened goes on after the messages before."""
    looked = [text[:LOOKED_AT_CHARS] for text in before]
    opening = next((n for n, text in enumerate(looked) if opens(text)), None)
    if opening is None or closes_play(looked[opening]):
        return False
    return not any(_ends(text, looked[opening]) for text in looked[:opening])


def _ends(text: str, opening: str) -> bool:
    """Whether a message is no longer of the story that was opened so."""
    if closes_play(text) or _STEPS_OUT.search(text):
        return True
    taken = find_revocation(text)
    return (taken is not None and taken.of_words and bool(taken.of)) or _says_how_it_went(
        text, opening
    )


def _says_how_it_went(text: str, opening: str) -> bool:
    """ "Zosia loved it!", of a story for Zosia: it has been told."""
    heard = _TOLD_TO.search(opening)
    names = [*([heard[1]] if heard else ()), "the kids", "everyone"]
    went = re.compile(
        rf"\W*(?:(?:ha|haha|so|well|ok|okay)\W+)*(?:{'|'.join(map(re.escape, names))}|my \w+) "
        r"(?:really |absolutely )?(?:loved|liked|enjoyed|hated|fell asleep)\b",
        re.I,
    )
    return went.match(text) is not None


def _gives_plot(text: str) -> bool:
    """Whether a message asks for a story and says what is so in it."""
    plot = _PLOT.search(text) if _names_work(text) else None
    if plot is None or _OF_LIFE.search(text):
        return False
    return not (plot["told"] and _OWN.search(plot[0]))  # "a poem for my wife: she turned 40"


def _says_before(text: str, asked: re.Pattern[str]) -> bool:
    """Whether something of one's own is said before a story is asked for: whole sentences of it."""
    opening = asked.search(text)
    lead = text[: opening.start()] if opening else ""
    return "." in lead or "!" in lead
