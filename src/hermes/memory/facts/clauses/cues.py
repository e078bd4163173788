"""How a sentence is announced: as something to remember, a correction, a decision, or news."""

import re
from dataclasses import dataclass

from hermes.memory.facts.clauses.verbs import CLASSES

_PAUSE = r"(?:\s*[,:!.…—-]+\s*|\s+|$)"
_FILLER = re.compile(
    r"(?:just so you know|so you know|ok(?:ay)?|so|well|oh|ah|hey|hi|hello|hermes|folks|all|team|"
    r"yeah|yep|yes|sure|right|cool|great|"
    r"nice|perfect|thanks|thank you|thx|btw|by the way|also|and|but|plus|anyway|um+|uh+|hm+|lol|"
    r"haha|"
    r"fwiw|tbh|honestly|basically|just|one more thing|side ?note|just so you know|so you know|"
    r"to be clear|in general|personally|turns out|it turns out|the thing is|first of all|in fact|"
    r"good (?:morning|afternoon|evening)|morning|long story short|sooo+|"
    r"(?:i )?(?:forgot|meant|should|wanted) to (?:say|mention|tell you)(?: that)?|you should "
    r"know(?: that)?|"
    r"worth (?:mentioning|noting|knowing)(?: that)?|i want you to know(?: that)?|"
    r"(?:a |some )?(?:bit of )?(?:quick )?(?:context|background|intro|about me)|for context)"
    + _PAUSE,
    re.I,
)
_TOLD = re.compile(
    r"(?:(?:house|ground) rules(?: for you)?|reminder that|fyi|psa|note|heads[ -]?up|(?:quick |"
    r"status |small )?(?:update|recap|announcement|reminder)|"
    r"important|since (?:we keep asking|everyone asks|you asked)|for those who missed it|"
    r"(?:new year,? )?new rules?|note for [\w ]{2,30}|reminder that|right, since everyone asks|"
    r"just so it'?s on record|correction to my last mail|@here|@channel|@all)" + _PAUSE,
    re.I,
)
_OF_TALK = (  # what is said of the talk itself
    r"notes?|questions?|things?|facts?|info|details?|changes?|updates?|announcements?|reminders?|"
    r"news|story|rant|brain ?dump|request|favou?r|remarks?|points?|thoughts?|observations?"
)
_TURN = r"(?: (?:before|as|while|since|because|bc|in case|now that) [^:.;!?\n]{1,50})?"
_FRAMED = re.compile(
    rf"(?:(?:not|just|only|a|an|one|two|three|few|couple of|some|quick|small|short|little|tiny|"
    rf"minor|slight|first|last|final|another|random|other|important|good|bad|big)\s+)*"
    rf"(?:{_OF_TALK}){_TURN}(?:,? (?:just|but|rather))?\s*:\s+(?=\S)|"
    rf"(?:let me|i'll|i will|i'm (?:going to|just)|i (?:just )?(?:want|need|have) to|gonna) "
    rf"(?:just )?(?:ramble|rant|vent|explain|tell you|dump|dictate|share|confess|say)\b"
    rf"[^:.;!?\n]{{0,40}}:\s+|"
    rf"since you asked(?: \w+){{1,3}}:\s+",
    re.I,
)
_CORRECTION = re.compile(
    r"(?:actually|nope?(?=,)|no(?=,? (?:wait|hang on|hold on|sorry)\b)|nah|wait|hang on|hold on|"
    r"(?:(?:i'm )?sorry|apologies)(?! (?:for|about|if|to|that)\b)|"
    r"(?:\w+ ){0,2}correction(?: (?:on|to|after) [^:,]{1,40})?|"
    r"(?:scratch|strike) (?:that|this|what i said)|(?:that was )?my (?:bad|mistake)|oops|whoops|"
    r"i misspoke|i was wrong|i got (?:that|it) wrong|i made a mistake|i gave you the wrong \w+|"
    r"i (?:told|gave) you (?:it |that |this )?wrong|"
    r"wrong|"
    r"(?:that's|that is) (?:wrong|incorrect|not right|outdated)|change of plans?|never ?mind(?: "
    r"that)?|"
    r"on second thoughts?|(?:let me|to) correct (?:that|myself)|forget (?:that|what i said)|edit|"
    r"i take that back|i stand corrected|typo|i meant(?: to say)?(?: that)?|update)" + _PAUSE,
    re.I,
)
_EXPLICIT = re.compile(
    r"(?:(?:please |pls |also |just )?(?:(?:can|could|would|will) you (?:please )?|i (?:want|"
    r"need) you to |"
    r"make sure (?:to|you) |always )?(?:remember|keep in mind|bear in mind|memori[sz]e|"
    r"make a (?:mental )?note|take (?:a )?note|note down|jot down|save|store|write down|record|"
    r"don'?t forget|do not forget|never forget|note)"
    r"(?: (?:this|it))?(?: (?:for (?:me|later|next time|future sessions?|the future)|"
    r"(?:to|in) (?:your )?memory))?"
    r"(?:\s*[:,-]\s*(?:that )?| that(?: down)?:? | of the fact that | (?=(?:i|i'm|my|we|we're|"
    r"our|the)\b))"
    r"|for (?:the|future|your) (?:record|records|reference|memory)(?:\s*[:,]\s*|\s+|$)(?:that )?"
    r"|(?:add|commit|save|put) (?:this |that |it |the following )?(?:to|in|into) (?:your "
    r")?(?:long-term )?"
    r"memory(?:\s*[:,-]\s*(?:that )?| that )"
    r"|(?:note to self|for next time|for later|pls save|please save)(?: this)?(?:\s*[:,-]\s*|$))",
    re.I,
)
POLITE = re.compile(r"\W*(?:(?:please|pls|also|and),? )*(?:can|could|would|will) you\b", re.I)
_AFTERTHOUGHT = re.compile(
    r"(?:please |pls |just )?(?:write|note|jot|mark) (?:that|this|it) down|(?:please |pls )?"
    r"(?:remember|note|save|keep|store) (?:that|this|it|both)(?: (?:in mind|please|handy|for "
    r"(?:later|me|"
    r"next time|the future)))?$|make a note|keep (?:that|this) in mind|don'?t (?:let me )?forget"
    r"(?: (?:that|it))?$|please remember$|please add to|\(note to self\)",
    re.I,
)
# "…, remember that": all that stands before it is asked for.
_TAIL = re.compile(
    r"(?:\s*[,;:(–—-]+\s*|\s+)(?:and |so |but )?(?:please |pls |just |always )?"
    r"(?:(?:remember|memori[sz]e|note|save|store) (?:that|this|it)|keep (?:that|this|it) in mind|"
    r"(?:make|take) (?:a )?note(?: of (?:that|this|it))?|write (?:that|this|it) down|"
    r"(?:don'?t|do not) forget(?: (?:that|this|it))?|"
    r"(?<=please )remember|remember,? please)(?:,? (?:please|ok(?:ay)?|will you|for "
    r"(?:me|later|next time|the future)))?[\s.!)]*$",
    re.I,
)
HEARSAY = re.compile(
    r"(?:according to (?:(?:my|our|the|their|this) )?[\w' -]{2,30}?,?\s+(?=(?:the|my|our|we|it|i|"
    r"[A-Z])\b)|"
    r"(?:(?:my|our|the|their) )?(?:\w+ )?(?:notes?|wiki|contract|docs?|documentation|calendar|"
    r"policy|"
    r"ticket|handbook|readme|invoice|website|site|e-?mail|invitation|invite|spreadsheet|sheet|roadmap|"
    r"spec|letter|listing|table|board|manual)\s+(?:says?|states?|claims?|lists?|has it|shows?|"
    r"has(?! (?:to|been|an?|no)\b))\s+"
    r"(?:that\s+)?(?=(?:the|my|our|we|it|i)\b|[A-Z]))",
    re.I,
)
_FROM_NOW = re.compile(
    r"(?:from (?:now|here|today) on(?:wards?)?|in (?:the )?future|going forward|henceforth)"
    r"[,:]?\s+(?=(?:(?:please|pls|just|only|always|never|don'?t|do not),? )*"
    rf"(?:{'|'.join(CLASSES['order'].split())})\b(?! (?:is|are|was|will)\b))",
    re.I,
)
_SEAL = r"(?:that|it)(?:'?s| is) (?:all )?(?:settled|final|decided|official|agreed|certain|fixed)"
_DICTATED = re.compile(  # "add that 3.8 gets dropped in 3.0, that's decided": asserted all the same
    rf"(?i)(?:please |pls )?(?:add|mention|include|say|write|state|put in)(?: \w+){{0,2}} that "
    rf"(?=.*\b{_SEAL})"
)
_DECIDED = re.compile(
    r"\b(?:decided|decision|outcome|agreed|settled|vote|final answer|it'?s official|voted|no "
    r"discussion|"
    r"from now on|as of (?:today|now|this week|monday)|from (?:today|this \w+|next \w+)(?: "
    r"on(?:wards?)?)?|"
    r"going forward|as discussed|policy (?:changed|is)|anymore|any more|in the end|since last "
    r"(?:month|week)|"
    r"until (?:then|it is gone)|is forbidden|starting (?:today|monday|next))\b",
    re.I,
)
_SEALED = re.compile(
    rf"{_SEAL}|final(?: answer| decision)?\b|closing "
    r"this",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a sentence begins to say something, what its opening makes of it, and its end."""

    offset: int
    correction: bool = False
    explicit: bool = False
    told: bool = False
    hearsay: bool = False
    end: int | None = None


def read_opening(text: str) -> Opening:
    at, correction, explicit, told = 0, False, False, False
    for _ in range(7):
        rest = text[at:]
        if found := _EXPLICIT.match(rest):
            explicit = True
        elif found := _CORRECTION.match(rest):
            correction = True
        elif (
            found := _DICTATED.match(rest)
            or _FRAMED.match(rest)
            or _TOLD.match(rest)
            or _FROM_NOW.match(rest)
        ):
            told = True
        elif not (found := _FILLER.match(rest)):
            break
        if found.end() == 0:
            break
        at += found.end()
    if (told or explicit) and text[at : at + 5].lower() == "that ":
        at += 5
    hearsay = HEARSAY.match(text[at:])
    asked = _TAIL.search(text, at + 1)
    return Opening(
        at + (hearsay.end() if hearsay else 0),
        correction,
        explicit or bool(asked),
        told,
        bool(hearsay),
        asked.start() if asked else None,
    )


def is_verdict(sentence: str) -> bool:
    """A sentence that says only that something was decided: "team voted", "retro outcome"."""
    return (
        bool(re.search(r"\b(?:voted|outcome|decision|decided|agreed)\b", sentence, re.I))
        and len(sentence) < 40
    )


def is_decided(sentence: str, following: str) -> bool:
    """Announced as decided, by itself or by the next sentence."""
    return bool(_DECIDED.search(sentence) or _SEALED.match(following.strip()))


def is_asked_for(following: str) -> bool:
    """Whether the sentence behind one asks to remember it."""
    return bool(_AFTERTHOUGHT.match(following.strip(" .!")))


def has_afterthought(sentence: str) -> bool:
    """Whether a sentence asks, anywhere in it, to remember what it says."""
    return bool(_AFTERTHOUGHT.search(sentence))


def without_asking(told: str) -> str:
    """What an opening left when it was asked for twice: "…, note that, don't forget"."""
    return _TAIL.sub("", told)
