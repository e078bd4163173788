"""The words around an assertion: greetings, corrections, requests to remember, hearsay."""

import re

_PAUSE = r"(?:\s*[,:!.…-]+\s*|\s+|$)"
_FILLER = re.compile(
    r"(?:ok(?:ay)?|so|well|oh|ah|aha|hey|hi|hiya|hello|yo|there|hermes|folks|all|team|"
    r"yeah|yep|yup|yes|"
    r"sure|right|cool|great|nice|perfect|awesome|thanks(?: a lot| so much)?|thank you|thx|ty|btw|"
    r"by the way|also|and|but|plus|because|since|anyway|anyways|um+|uh+|hm+|lol|haha|fwiw|tbh|imo|"
    r"honestly|to be honest|basically|just|fyi|for context|(?:some |"
    r"a bit of )?(?:background|context)|"
    r"(?:quick |small |tiny |important |status )?(?:update|note|heads[ -]up|intro|"
    r"question|reminder|"
    r"announcement|thing)(?: (?:for you|from me|on that|here))?(?=\s*[:,!—-])|one more thing|"
    r"another thing|side ?note|"
    r"for what it's worth|as you (?:may )?know|as i said|as (?:i )?mentioned|like i said|"
    r"just so you know|jsyk|so you know|important|ps|p\.s\.?|to be clear|in general|"
    r"generally|usually|"
    r"normally|personally|these days|nowadays|now|currently|at the moment|(?:good |"
    r"big |great )?news|"
    r"it turns out|turns out(?: that)?|the thing is|first(?: of all| off)?|second(?:ly)?|finally|"
    r"lastly|good (?:morning|afternoon|evening)|morning|(?:let me|to) introduce myself|"
    r"about me|a bit about me|speaking of which|on (?:that|another) note|"
    r"in case (?:it|that) (?:helps|matters)|"
    r"in fact|as of (?:today|now|this week)|starting today|good to know|mind you|obviously|"
    r"of course|then|whoa|wow|ugh|ooh|sweet|alright|fine|got it|understood|makes sense|true|agreed|"
    r"(?:i )?(?:keep forgetting|should|meant|need|have|want) (?:to )?(?:say|mention|add|tell you)"
    r"(?: you)?(?: that)?|as i (?:told you|said|mentioned|wrote)(?: (?:before|earlier|last \w+|"
    r"already))?|"
    r"you should know(?: that)?|given(?: that)?|not sure if (?:it|that) (?:matters|helps)|"
    r"since you asked|i forgot to (?:mention|say)(?: that)?|"
    r"(?:did i|have i) mention(?:ed)?(?: that)?|worth (?:mentioning|noting|knowing)(?: that)?|"
    r"i (?:can|wanted to) (?:tell you|mention|say|let you know)(?: that)?|"
    r"(?:just )?(?:letting you know|to let you know)(?: that)?|you know|"
    r"i'm (?:happy|glad|excited|pleased|sad) to (?:say|report|announce)(?: that)?)" + _PAUSE,
    re.I,
)
_CORRECTION = re.compile(
    r"(?:actually|nope?|nah|wait|hang on|hold on|(?:i'm )?sorry|apologies|correction|"
    r"(?:scratch|strike) (?:that|this|what i said)(?: last (?:bit|part|one))?|"
    r"(?:that was )?my (?:bad|mistake)|"
    r"oops|whoops|i misspoke|i (?:was|am) wrong|i got (?:that|it) wrong|i made a mistake|"
    r"(?:that's|that is) (?:wrong|incorrect|not right|outdated|no longer true|not true anymore)|"
    r"change of plans?|never ?mind(?: that)?|on second thoughts?|let me correct (?:that|myself)|"
    r"forget (?:that|what i said)(?: (?:about|earlier).{0,30}?)?|edit|"
    r"i take that back|i stand corrected|"
    r"small correction|quick correction|to correct myself|typo|i meant(?: to say)?(?: that)?)"
    + _PAUSE,
    re.I,
)
_EXPLICIT = re.compile(
    r"(?:(?:please |pls |also |just )?"
    r"(?:(?:(?:can|could|would|will) you (?:please |also )?|i (?:want|need) you to |"
    r"i'd like you to |"
    r"you should |make sure (?:to|you) |always )?"
    r"(?:remember|keep in mind|bear in mind|memori[sz]e|make a (?:mental )?note|"
    r"take (?:a )?note|note down|"
    r"jot down|save|store|write down|record|don't forget|do not forget|never forget|note)"
    r"(?: (?:this|it))?(?: (?:for (?:me|later|next time|future sessions?|the future)|"
    r"(?:to|in) (?:your )?memory))?"
    r"(?:\s*[:,-]\s*(?:that )?| that(?: down)?:? | of the fact that | (?=(?:i|i'm|my|"
    r"we|we're|our|the)\b)))"
    r"|for (?:the|future|your) (?:record|records|reference|memory)(?:\s*[:,]\s*|\s+|$)(?:that )?"
    r"|(?:add|commit|save|put) (?:this |that |it |the following )?(?:to|in|"
    r"into) (?:your )?(?:long-term )?"
    r"memory(?:\s*[:,-]\s*(?:that )?| that )"
    r"|(?:note to self|for next time|for later|important|pls save|please save)(?:\s*[:,-]\s*|$)"
    r"|i want you to know that )",
    re.I,
)
HEARSAY = re.compile(
    r"(?:according to (?:(?:my|our|the|their|this|his|her) )?[\w' -]{2,30}?,?\s+"
    r"(?=(?:the|my|our|we|it|i|[A-Z])\b)|"
    r"(?:(?:my|our|the|their) )?(?:\w+ )?(?:notes?|wiki|contract|docs?|documentation|"
    r"calendar|policy|"
    r"ticket|handbook|readme|invoice|website|site|e-?mail|invitation|invite|spreadsheet|sheet|"
    r"roadmap|spec|letter|ad|listing|table|page|board|form|receipt|label|"
    r"manual)\s+(?:says?|states?|claims?|lists?|has it|shows?|has)\s+"
    r"(?:that\s+)?(?=(?:the|my|our|we|it|i)\b|[A-Z]))",
    re.I,
)
LEAD_IN = re.compile(
    r"(?:(?:in (?:that|this) case|as of \w+(?: \w+)?|at (?:work|home|school|"
    r"the moment|my (?:job|company|work))|"
    r"these days|right now|this (?:week|month|year|summer|spring|autumn|fall|winter)|"
    r"last (?:week|month|year|summer|spring|autumn|fall|winter)|on (?:weekdays|weekends|\w+days)|"
    r"for (?:work|now|years|my job|recipes|code|reports|emails|meetings|dinner|"
    r"breakfast|\w+ projects)|"
    r"from (?:next |this )?\w+ on(?:wards?)?|since (?:\w+ )?\w+|so far|in (?:19|20)\d\d|"
    r"until recently|by now|"
    r"after (?:the|a|some|my) \w+(?: \w+)?|long story short|in short|either way|to be fair|"
    r"for the record|fun fact|with that|outside (?:of )?work|in my (?:free|spare) time|"
    r"anyway|anyways|yeah|as a (?:rule|matter of fact)|on (?:my|the) (?:side|team))[,:]?\s+)+",
    re.I,
)
AFTERTHOUGHT = re.compile(
    r"(?:please |pls |just )?(?:write|note|jot|mark) (?:that|this|it) down|"
    r"(?:please |pls )?(?:remember|note|save|keep|store) (?:that|this|"
    r"it)(?: (?:in mind|please|for (?:later|me|"
    r"next time|the future)))?|make a note(?: of (?:that|this|it))?|keep (?:that|this) in mind|"
    r"for the record|for (?:next time|future reference)|don't forget(?: (?:that|it))?|"
    r"please remember",
    re.I,
)


def strip_markers(text: str) -> tuple[str, bool, bool]:
    """The text without its markers, whether they correct, and whether they ask to remember."""
    correction = explicit = False
    for _ in range(6):
        if found := _EXPLICIT.match(text):
            explicit = True
        elif found := _CORRECTION.match(text):
            correction = True
        elif not (found := _FILLER.match(text)):
            break
        text = text[found.end() :]
    return text, correction, explicit
