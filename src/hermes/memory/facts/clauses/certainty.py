"""How sure a reading is: what speaks against it, weighed, with one threshold for all readers.

A row of the table can fit words that were never meant so. What gives such readings away is the same
whichever row made them: a subject that nobody named, a value that points or is a mere fragment, a
verb that the fact turns on but the words lack, praise in place of a property. Chosen on chats that
no row was written for; what is doubted is left out, not kept with less confidence.
"""

import re
from collections.abc import Callable, Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.lexicon import NAMES, PETS, RELATIONS
from hermes.types import FactKind

THRESHOLD = 1.0

_POINTS = re.compile(
    r"\b(?:(?<!from )this(?! (?:year|month|quarter)\b)|those|these(?! days)|such|here|"
    r"like (?:you|that)|up to you|what(?:'s| is)|it's)\b"
    r"|\bit$|\bthat (?:day|one|time|way|moment)\b",
    re.I,
)
_HEDGED = re.compile(
    r"\b(?:up to you|who knows|not (?:final|fixed)|unclear|tbd|to be (?:confirmed|decided)|depends|"
    r"in talks|either way|whatever|i forget|if i remember|or something|or so|apparently|"
    r"seems?|looks? like)\b",
    re.I,
)
_PRAISE = re.compile(
    r"\b(?:amazing|awesome|great|good|bad|worse|worst|best|delicious|inspiring|tricky|rewarding|"
    r"worth|wonderful|lovely|beautiful|cool|nice|terrible|horrible|awful|ugly|perfect|incredible|"
    r"hilarious|weird|crazy|insane|a mess|a joke|a nightmare|a pain|a blast|true|joy|broken|fine|"
    r"unreal|down|slow|happier|tiny|free and light)\b",
    re.I,
)
_OPTIONS = re.compile(
    r"(?i)^(?:\w+: )?(?:user'?s? )?(?:team'?s? )?(?:our |my |the )?(?:candidates?|options?|"
    r"choices|ideas?|alternatives|questions?|problems?|issues?|errors?|results?|thoughts?|steps?|todos?|"
    r"favou?rite)\b(?! \w+ (?:is|are)\b)"
)
_UNNAMED_TASTE = re.compile(
    r"(?:love|loves|like|likes|enjoy|enjoying|loving|hate|hating)\b(?! \w+ing\b)"
)
_GERUND = re.compile(r"(?i)(?:and |but |so |also |just )?[a-z]{2,}ing\b")
_OWNING = re.compile(
    r"(?i)\b(?:own(?:s|ed)?|handl\w+|run(?:s|ning)?|leads?|leading|manag\w+|review\w*|approv\w+|"
    r"maintain\w*|coordinat\w+|chair\w*|tak(?:e|es|ing) over|took over|taken over|responsible|"
    r"in charge|looks? after|does|facilitat\w+|present\w*|moderat\w+|on call|oversees?|heads?)\b"
)
_CHEER = re.compile(
    r"(?i)\b(?:give up|keep (?:going|it up|at it|up)|stop dreaming|worry|forget|hesitate|smile|"
    r"buddy|good luck|be (?:shy|sad|afraid|silly)|remind us|my day|one step at a time)\b|"
    r"^no .* for me$|"
    r"^(?:are|is|was|were|have|has|do|does|did) (?:you|we|it|they|he|she|i)\b"
)
_MISREAD_PAST = re.compile(
    r"\b(?:heards|wores|saws|mets|tooks|gots|wents|boughts|founds|felts|kepts|lefts|losts|mades|"
    r"saids|sats|sents|spents|taughts|thoughts|tolds|wons|wrotes|dids|hads|drews|drives off|grews|"
    r"knews|rodes|rans|sangs|spokes|brokes|chose?s|ates|drunks|dranks|slepts|stoods|swams)\b"
)
_WENT = re.compile(r"(?i)\b(?:went|going|go|goes|gone)\b(?!(?: ahead)? (?:with|for|from|live|to))")
_BETWEEN_JOBS = re.compile(
    r"(?i)\b(?:in talks|in touch|interview\w*|applied|applying|a call|about to join|meeting)\b|"
    r"^(?:i'm|i am|im|we're|we are)(?: still| also)? with (?!the\b)"
)
_VISIT = re.compile(r"(?i)\b(?:have|has|had|need|needs|must|got) (?:to )?be (?:back )?(?:in|at)\b")
_SOMEONE = re.compile(
    r"(?i)(?:an?|some|the) (?:\w+ )?(?:friend|guy|girl|man|woman|person|someone)\b"
)
_TO_HERMES = "User wants Hermes to "
_EVADED = re.compile(r"(?i)(?:prefer )?not to (?:say|tell|think|know|talk|answer)\b")
_AIMED = re.compile(r"(?i)(?:always |never |not )?\w+ (?:that|it|this|those|these)\b")
_AT_WORK = frozenset(
    "colleague coworker boss manager teammate teacher supervisor client customer neighbour "
    "neighbor landlord mentor intern lead cto ceo pm".split()
)
_OF_NOW = re.compile(
    r"(?i)\bfor (?:this|that|the) (?:trip|task|one|week|weekend|time|demo|party)\b"
)
_DUTY = re.compile(
    r"(?i)\b(?:by|before|due|deadline|clos(?:es?|ing)|expires?|expiring|ends?|submit\w*|"
    r"submission|deliver\w*|ready|renew\w*|pay\w*|hand(?:ed)?[ -](?:in|over)|latest|cut-?off|"
    r"last day|ship\w*|launch\w*|release\w*|go(?:es|ing)? live|wants?|needs?|must|ha(?:s|ve) to|"
    r"freeze|cutover|target|eta|end of life|eol|stops?|switched off|turned? off|shut\w*|retir\w+|"
    r"finish\w*|done|out)\b"
)
_RUNS_OUT = re.compile(
    r"(?i)\b(?:contract|lease|licen[cs]e|subscription|warranty|visa|insurance|agreement|certs?|"
    r"certificate|permit|passport|guarantee|trial|funding|grant)\b.* (?:runs?|lasts?|holds?|is) "
)
_LASTS = re.compile(r"(?i)\buntil\b|\bclosed between\b")
_WEEKDAY = re.compile(
    r"(?i)\bstarts? (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?! the \d)"
)
ERRAND = re.compile(
    r"(?i)\b(?:decided|agreed) (?:to|that we) (?:just )?(?:meet|sleep|wait|postpone|leave|call|"
    r"order|get|take a|have a|grab|talk|chat|eat|skip|try|look|think|see|ask)\b"
)
_UNOWNED = re.compile(r"The [a-z]")
_SEEN_NOW = re.compile(r"(?i)(?:all )?(?:the|these|those) (?!\w+ of\b)|(?:seeing|watching) them\b")
_NO_TASTE = re.compile(r"(?i)^love and |\bcan (?:just |finally )?(?:enjoy|love|like)\b")
_NO_ROLE = re.compile(r"(?i)(?:'m|\bam|\bim) no \w+")
_SAYS_INSIDE = re.compile(r"(?i)\b(?:it|he|she|they) (?:says?|said)\b")
_COUNT = re.compile(r"(?i)\b(?:\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten)\b")
_PROPER = re.compile(r"[A-Z][\w.+#-]+|\w+[-./:_]\w+")
_NOT_THAT_NAME = re.compile(r"(?i)\bname (?:on|in|at|was|of)\b")
_THATS = re.compile(r"(?i)(?:that's|that is|there's) ")
_EMPLOYED_WITH = re.compile(r"(?i)(?:'m|\bam|\bare|'re|\bwork\w*|\bjobs?|\bbeen|\bemployed) with ")
_FAR_PRONOUN = re.compile(r"(?i)(?!(?-i:IT\b))\b(?:them|there|it)\b")
_OF_DEEDS = ("habit:", "medication", "role")
_TWO_VERBS = re.compile(
    r"User is \w+ing (?:\S+ )*?(?:needs?|helps?|makes?|made|is|are|can|have|has|was)\b"
)
_WISHED_DEED = re.compile(
    r"User wants (?:wait|show|go|do|stay|keep|talk|spend|take|make|not|just|die|eat|sleep|leave|"
    r"change|open|close|cancel|sell|buy|register|book|send|transfer)\b"
)
_NUMBERED = re.compile(r"(?i)(?:short|down|up|left) |\w* ?(?:one|two|three|four|five|six|\d+) ")
_GUESSED = re.compile(r"(?i)\bi (?:think|guess|believe|suppose) (?:my|our)\b|\b(?:lol|haha)\b")
_JOKE_ALLERGY = re.compile(
    r"(?i)\b(?:meetings?|mondays?|work|bullshit|bs|people|stupidity|excel|java\w*|php|tabs|jira)\b"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_SEEN_BEFORE = re.compile(r"(?i)(?:they|these|those|it (?:makes?|teach\w*|gives?|feels?))\b")
_EVERYTHING = re.compile(r"(?:Everything|Both|Somebody|Nobody)(?: here)? (?:is|are|runs|goes)\b")
_TAG_NAME = re.compile(r"([A-Z]\w+),")


def is_doubted(candidate: Candidate, at: int) -> bool:
    """Whether too much speaks against a candidate read from a message of this time."""
    return sum(weight for weight, doubt in _DOUBTS if doubt(candidate, at)) >= THRESHOLD


def doubts(candidate: Candidate, at: int) -> Iterator[str]:
    """The names of the doubts that apply."""
    for _, doubt in _DOUBTS:
        if doubt(candidate, at):
            yield doubt.__name__.removeprefix("_")


def _points_elsewhere(each: Candidate, _: int) -> bool:
    return bool(_POINTS.search(each.value) or _OF_NOW.search(each.text))


def _is_hedged(each: Candidate, _: int) -> bool:
    return bool(_HEDGED.search(each.quote))


def _is_fragment(each: Candidate, _: int) -> bool:
    """A decision for a bare number or a letter, or for something that begins with a count."""
    decided = each.kind is FactKind.DECISION
    return decided and (not _WORD.search(each.value) or each.text.startswith(_COUNTED))


_COUNTED = tuple(f"User's team decided: {digit}" for digit in "0123456789")


def _is_long(each: Candidate, _: int) -> bool:
    return len(each.value.split()) > 12


def _is_very_long(each: Candidate, _: int) -> bool:
    return len(each.value.split()) > 20


def _is_praise(each: Candidate, _: int) -> bool:
    described = {FactKind.ENVIRONMENT, FactKind.RELATIONSHIP, FactKind.IDENTITY, FactKind.OTHER}
    return each.kind in described and bool(_PRAISE.search(each.value))


def _is_others_taste(each: Candidate, _: int) -> bool:
    """What a colleague likes is theirs; what one's child likes is worth knowing."""
    if each.subject == USER or not each.attribute.startswith(("likes", "dislikes", "prefers")):
        return False
    words = f"{each.subject} {each.quote}".lower().replace("'s", "").split()
    return not any(word in RELATIONS and word not in _AT_WORK for word in words)


def _is_listed_option(each: Candidate, _: int) -> bool:
    kinds = {FactKind.ENVIRONMENT, FactKind.PREFERENCE}
    return each.kind in kinds and bool(_OPTIONS.match(each.text))


def _is_taste_of_none(each: Candidate, _: int) -> bool:
    return each.kind is FactKind.PREFERENCE and bool(_UNNAMED_TASTE.match(each.quote))


def _opens_with_gerund(each: Candidate, _: int) -> bool:
    """ "Juggling both can be tricky" has the act for its subject, not the user."""
    led = each.kind is FactKind.PREFERENCE and bool(_GERUND.match(each.quote))
    return led and "Hermes" not in each.text


def _owns_nothing(each: Candidate, _: int) -> bool:
    return each.attribute == "owns" and not (
        each.kind is not FactKind.RELATIONSHIP or _OWNING.search(each.quote)
    )


def _is_cheer(each: Candidate, _: int) -> bool:
    cheers = bool(_CHEER.search(each.quote) or _WISHED_DEED.match(each.text))
    return each.text.startswith("User wants") and cheers


def _is_misread(each: Candidate, _: int) -> bool:
    denied = each.attribute == "role" and bool(_NO_ROLE.search(each.quote))
    return denied or bool(_MISREAD_PAST.search(each.text)) or each.text.startswith("Let is ")


def _is_outing(each: Candidate, _: int) -> bool:
    made = each.kind is FactKind.DECISION and each.attribute.startswith("decision:")
    return made and " went " in each.text and bool(_WENT.search(each.quote))


def _is_no_employer(each: Candidate, _: int) -> bool:
    if each.attribute != "employer":
        return False
    beside = " with " in each.quote and not _EMPLOYED_WITH.search(each.quote)
    common = each.value.islower() and " " not in each.value  # "works at lab"
    some = re.search(rf"(?i)\b(?:at|for|with) an? {re.escape(each.value)}", each.quote)
    return bool(_BETWEEN_JOBS.search(each.quote) or some) or beside or common


def _is_visit(each: Candidate, _: int) -> bool:
    """ "I have to be in Malmö by the 20th" is no home."""
    return each.attribute == "location" and bool(_VISIT.search(each.quote))


def _is_no_wish(each: Candidate, _: int) -> bool:
    """ "I prefer not to say"; "use that for the header": what is wanted is not named."""
    if each.attribute != "prefers":
        return False
    return bool(_EVADED.match(each.value) or (_TO_HERMES in each.text and _AIMED.match(each.value)))


def _has_borrowed_subject(each: Candidate, _: int) -> bool:
    """ "Boss told us: office three days a week, starting June 15" is not about the boss."""
    first = each.text.split(" ", 1)[0]
    told = each.kind in {FactKind.DEADLINE, FactKind.EVENT} and not first.startswith("User")
    return told and bool(_GERUND.match(each.quote)) and first.lower() not in each.quote.lower()


def _is_no_policy(each: Candidate, _: int) -> bool:
    """ "a friend of mine works for Spotify": what someone does is no rule of ours."""
    return each.attribute.startswith("policy:") and bool(_SOMEONE.match(each.text))


def _is_past_due(each: Candidate, at: int) -> bool:
    due = each.kind is FactKind.DEADLINE and "(due " in each.text
    return due and each.valid_from is not None and each.valid_from < at - _DAY


_DAY = 86_400_000


def _is_no_duty(each: Candidate, _: int) -> bool:
    """A day by which nothing is owed: what starts, lasts or is closed has no deadline."""
    if each.kind is not FactKind.DEADLINE:
        return False
    if _LASTS.search(each.quote):
        return not _RUNS_OUT.search(each.quote)
    return bool(_WEEKDAY.search(each.quote)) and not _DUTY.search(each.quote)


def _is_errand(each: Candidate, _: int) -> bool:
    return each.kind is FactKind.DECISION and bool(ERRAND.search(each.quote))


def _is_unowned(each: Candidate, _: int) -> bool:
    """ "The bank …": of whom it is told, and for how long, nobody says."""
    return each.kind is FactKind.ENVIRONMENT and bool(_UNOWNED.match(each.text))


def _is_mere_count(each: Candidate, _: int) -> bool:
    spent = each.attribute.endswith((" need", " end", " start", " take", " last", " cost"))
    return spent and bool(_COUNT.search(each.value)) and not _PROPER.search(each.value)


def _is_other_name(each: Candidate, _: int) -> bool:
    if each.attribute not in NAMES or each.kind is not FactKind.IDENTITY:
        return False
    participle = each.value.lower() in each.quote and each.value.endswith(("ed", "ing", "ly"))
    elsewhere = bool(_NOT_THAT_NAME.search(each.quote) or _THATS.match(each.quote))
    return elsewhere or participle or each.value.count(" ") > 3


def _means_something_before(each: Candidate, _: int) -> bool:
    """ "I take them there": a habit of which only the chat knows the object."""
    told = each.attribute.startswith(_OF_DEEDS) and bool(_FAR_PRONOUN.search(each.value))
    return told and bool(_FAR_PRONOUN.search(each.quote))


def _has_two_verbs(each: Candidate, _: int) -> bool:
    return bool(_TWO_VERBS.match(each.text) and _GERUND.match(each.quote))


def _is_pet_as_tool(each: Candidate, _: int) -> bool:
    return each.kind is FactKind.DECISION and bool(PETS & set(each.value.lower().split()))


def _is_no_role(each: Candidate, _: int) -> bool:
    """ "short three nurses", "co-founders": nothing that one person is."""
    if each.attribute != "role" or not each.text.startswith(("User is ", "User's team is ")):
        return False
    plural = " " not in each.value and re.search(r"[^s]s$", each.value) is not None
    return plural or bool(_NUMBERED.match(each.value))


def _has_no_subject(each: Candidate, _: int) -> bool:
    """ "everything is on Railway": of what, nobody knows in three months."""
    unnamed = each.text.startswith(("It is ", "It's ", "That is "))
    return unnamed or bool(_EVERYTHING.match(each.text))


def _is_guessed_person(each: Candidate, _: int) -> bool:
    named = each.kind is FactKind.RELATIONSHIP
    return named and bool(_GUESSED.search(each.quote) or " and " in each.value)


def _is_nothing(each: Candidate, _: int) -> bool:
    return each.value.lower() in {"no change", "nothing", "next", "no", "yes", "none"}


def _quotes_another(each: Candidate, _: int) -> bool:
    """ "the contract I have here it says the licence ends": two sentences run together."""
    return bool(_SAYS_INSIDE.search(each.value))


def _is_no_taste(each: Candidate, _: int) -> bool:
    """ "I love all the yellow leaves", "Love and acceptance can be found"."""
    taste = each.attribute in {"likes", "dislikes"}
    return taste and bool(_SEEN_NOW.match(each.value) or _NO_TASTE.search(each.quote))


def _is_joke(each: Candidate, _: int) -> bool:
    return each.attribute == "allergy" and bool(_JOKE_ALLERGY.fullmatch(each.value))


def _is_place_of_things(each: Candidate, _: int) -> bool:
    placed = each.kind is FactKind.IDENTITY and each.attribute == "location"
    return placed and each.text.startswith("User's team's")


def _leans_on_they(each: Candidate, _: int) -> bool:
    return each.subject != USER and bool(_SEEN_BEFORE.match(each.quote))


def _is_no_relative(each: Candidate, _: int) -> bool:
    """ "Thankfully, my son" names nobody, "Max is my mother's cat" not the mother."""
    if each.kind is not FactKind.RELATIONSHIP or f"{each.value} is my" not in each.quote:
        return each.kind is FactKind.RELATIONSHIP and _is_adverb(each)
    return f"is my {each.attribute}'s" in each.quote


def _is_adverb(each: Candidate) -> bool:
    opening = _TAG_NAME.match(each.quote)
    return opening is not None and opening[1] == each.value and each.value.endswith("ly")


_DOUBTS: tuple[tuple[float, Callable[[Candidate, int], bool]], ...] = (
    (1.0, _points_elsewhere),
    (1.0, _is_hedged),
    (1.0, _is_fragment),
    (0.5, _is_long),
    (0.5, _is_very_long),
    (1.0, _is_praise),
    (1.0, _is_others_taste),
    (1.0, _is_listed_option),
    (1.0, _is_taste_of_none),
    (1.0, _opens_with_gerund),
    (1.0, _owns_nothing),
    (1.0, _is_cheer),
    (1.0, _is_misread),
    (1.0, _is_outing),
    (1.0, _is_no_employer),
    (1.0, _is_visit),
    (1.0, _has_borrowed_subject),
    (1.0, _is_no_policy),
    (1.0, _is_no_wish),
    (1.0, _is_past_due),
    (1.0, _is_no_duty),
    (1.0, _is_errand),
    (0.5, _is_unowned),
    (0.5, _is_mere_count),
    (1.0, _is_other_name),
    (1.0, _is_joke),
    (1.0, _quotes_another),
    (1.0, _is_no_taste),
    (1.0, _is_no_role),
    (1.0, _has_no_subject),
    (1.0, _is_guessed_person),
    (1.0, _is_nothing),
    (1.0, _means_something_before),
    (1.0, _has_two_verbs),
    (1.0, _is_pet_as_tool),
    (1.0, _is_place_of_things),
    (1.0, _leans_on_they),
    (1.0, _is_no_relative),
)
