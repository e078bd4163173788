"""Which part of a message is the user speaking for themselves.

Code, logs, quoted mail, text handed over to be worked on, fiction and recalled memory are blanked
out, character for character, so that every offset still points into the message.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from hermes.memory.facts.clauses.quoted import find_quoted

LONGEST_PROSE = 100_000  # characters of a message that are looked at
MOST_OWN = 8_000  # characters of own words that are read: who writes more has pasted something

_BLOCKS = (
    re.compile(r"\[memory recalled.*?(?:\[end of recalled memory\]|\Z)", re.S | re.I),
    re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.S),
    re.compile(
        r"<(?P<own>(?:recalled|memory)[\w-]*)[^<>]{0,200}>.*?(?:</(?P=own)>|\Z)", re.S | re.I
    ),
    re.compile(r"<(?P<tag>[a-z][\w-]{1,40})(?:\s[^<>]{0,200})?>.*?</(?P=tag)>", re.S | re.I),
)

_LOG_LINE = re.compile(
    r"""\s*(?:
      [>|]                                                   # quoted mail, tables
    | \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d                       # 2026-01-05 09:00
    | \[?\d\d:\d\d:\d\d
    | [A-Z][a-z]{2}\ +\d{1,2}\ \d\d:\d\d:\d\d             # Mar 09 10:02:11
    | \[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE)\b
    | (?:User|Assistant|Human|AI|Bot|Customer|Agent|System|Q|A):\ 
    | Traceback\ \(|File\ "|at\ [\w.$<>]+\(|Caused\ by:|npm\ (?:ERR|WARN)
    | [\w.]*(?:Error|Exception|Warning):\ |(?:error|warning)(?:\[\w+\])?:\ 
    | //|/\*|\$\ |>>>\ |\#\ ?include|@@|\+\+\+|---\ |diff\ --git|commit\ [0-9a-f]{7}
    | (?:import|from|def|class|return|const|let|var|function|SELECT|INSERT|UPDATE|public|package)\ 
      .*[;{(=]
    )""",
    re.X,
)
_INDENTED = re.compile(r"(?: {4,}|\t)(?![-*•\d])")
_WORD = re.compile(r"\S+")
_SYMBOLS = frozenset("{}[]();=<>|\\/$&*_^~`")

_HANDED_OVER = re.compile(
    r"""\b(?:translate|proofread|rewrite|re-write|rephrase|reword|paraphrase|summari[sz]e|sum|edit|
        review|polish|improve|correct|shorten|expand|classify|analy[sz]e|parse|format|convert|
        explain|check|fix|here(?:'s|\ is|\ are)|this\ is)\b
        [^\n:.!?]{0,80}\b(?:(?:e-?)?mails?|messages?|texts?|paragraphs?|sentences?|drafts?|bios?|quotes?|
        letters?|posts?|essays?|transcripts?|notes?|logs?|output|reviews?|snippets?|abstracts?|
        following|below|this|these|summary|article|tweet|copy|resume|cv)\b
        [^\n:.!?]{0,60}[:\n]""",
    re.X | re.I,
)
_HANDED_PLAINLY = re.compile(
    r"\b(?:translate|proofread|rewrite|rephrase|reword|paraphrase|summari[sz]e|correct|shorten)"
    r"(?:\s+(?:this|that|it|into?|to|in|for me|please|\w+ish|\w+an|german|french)){0,4}\s*:",
    re.I,
)
# what is handed over is the user's own word all the same where it is to describe them
_OF_ONESELF = re.compile(
    r"(?i)[^\n]{0,60}\bmy (?:\w+ )?(?:bio|profile|about[- ]me)\b[^\n]*[:\n]\s*i(?:['’]?m| am)\b"
)
_WRITING = re.compile(
    r"\b(?:write|draft|compose|generate|create|make up|give me|prepare)\b[^\n.!?]{0,60}"
    r"\b(?:stor(?:y|ies)|poems?|e-?mails?|letters?|dialogues?|bios?|scripts?|"
    r"examples?|songs?|lyrics|"
    r"sentences|tweets?|posts?|personas?|user stor(?:y|ies)|sample|dummy|fake|test (?:data|users?)|"
    r"quotes?|messages?|jokes?|haiku|tagline|slogan|cover letter|essay|speech|toast)\b",
    re.I,
)
_MADE_UP = re.compile(
    r"\b(?:write|draft|compose|generate|create|make up|give me|prepare)\b[^\n.!?]{0,60}"
    r"\b(?:stor(?:y|ies)|poems?|dialogues?|scripts?|examples?|songs?|lyrics|sentences|personas?|"
    r"user stor(?:y|ies)|sample|dummy|fake|test (?:data|users?)|jokes?|haiku)\b",
    re.I,
)
_MAIL_HEAD = re.compile(
    r"^(?:subject|from|to|cc|sent)\s*:|^dear\s+(?!assistant|hermes|bot|ai\b)\w+", re.I | re.M
)
_FICTION = re.compile(
    r"\b(?:role-?play|pretend|hypothetical(?:ly)?|fictional|in (?:my|our) (?:\w+ )?(?:novel|"
    r"screenplay|(?:short )?story|tale|comic|fanfic|book|(?:d&d |rpg )?campaign)|"
    r"(?:main |my )character is|my protagonist|act as|"
    r"(?<!can )imagine (?:i|we|you|that(?![,!])|a|an|if)\b|"
    r"let'?s say|(?<!\bi )suppose|say i(?:'m| am)|in the (?:movie|book|film|novel|story|game)|"
    r"lorem ipsum|for example|user persona|test case|as an example)\b",
    re.I,
)
_SPEECH = re.compile(
    r"(?<!\w)[\"“]([^\"“”\n]{20,400})[\"”]|(?<![\w'])['‘]((?:[^'‘’\n]|\w['’]\w){20,600})['’](?!\w)"
)
# "I was born under the sea, sings the seal": told by whom the sentence names last.
_TOLD_BY = re.compile(
    r"[^.!?\n]{1,300}[,!?]\s+(?:says|said|sings|sang|asks|asked|replies|replied|answers|answered|"
    r"whispers|whispered|shouts|shouted|cries|cried|mutters|muttered|laughs|laughed|sighs|sighed)\s+"
    r"(?:(?:the|an?|my|our|his|her|their)\s+\w+|[A-Z]\w+)[^.!?\n]{0,80}"
)
_ROLE_PLAY = re.compile(
    r"\b(?:role-?play(?:ing)?|let's play|you(?:'re| are) (?:a|an|the|"
    r"my) (?:\w+ )?(?:dragon|wizard|pirate|knight|"
    r"detective|king|queen|goblin|vampire|ghost|robot|alien|elf|dwarf|orc|interviewer|"
    r"customer|villain|"
    r"innkeeper|bartender|captain|dungeon master|narrator|therapist)|i roll for|"
    r"dungeon master|in character|"
    r"pretend (?:you|that you|to be|i)|i'?ll be the|text adventure|improv scene|role play|"
    r"continue as me|you(?:'re| are) now (?:a|an|the|[A-Z])|i(?:'m| am) your creator|play a game|"
    r"(?:practi[sc]e|rehearse|simulate|act out|mock) [^.!?\n]{0,40}\b(?:interview|talk|negotiation|"
    r"conversation|scene|call|pitch|date|viva|exam)\b|imagine (?:that )?you(?:'re| are)|"
    r"you(?:'re| are) (?:hr|the hiring manager|my (?:boss|opponent|date))|"
    r"you(?:'re| are) the (?:investor|interviewer|customer|judge|patient|client|boss))\b",
    re.I,
)
_PLAY_OVER = re.compile(
    r"\b(?:out of character|ooc|ok(?:ay)?,? (?:enough|stop)|back to (?:work|reality|real)|"
    r"game over|stop playing|end of (?:the )?game|test over|ok(?:ay)? seriously|jokes aside)\b",
    re.I,
)


_OPENS = r"(?:(?<=\n)|(?<=[.!?;]\s)|\A)[ \t*_-]*"
_SPECIMEN = re.compile(  # "Example: my email is foo@bar.com", "sample input: …"
    rf"""{_OPENS}(?:(?:for|an?|one|some|the|my|our|this|here(?:'s|\ is))\s+)*
        (?:example|sample|template|placeholder|dummy|mock|fixture|
        test(?=\ (?:data|input|case|user)))s?
        (?:\s(?:text|input|output|data|users?|message|sentence|string|e-?mail|bio|profile|case|row|
        record|is|are|says|reads|with|for|of|\d+))*\s*:|
        {_OPENS}e\.?g\.?[,:]?\s""",
    re.X | re.I,
)
_ARGUED = re.compile(
    r"\bfor (?:the sake of (?:the )?(?:argument|discussion|example)|argument'?s sake|"
    r"(?:the|a|this) (?:short )?(?:story|tale|screenplay|scene|sketch|poem|comic|fanfic))\b",
    re.I,
)


_PLAYED = re.compile(  # "for the demo, my name is Jane Doe"
    rf"{_OPENS}for (?:the|this|our|my) (?:demo|test|example|exercise|game|quiz|tutorial|screenshot)"
    r"s?,? (?:my name|i live|i work|i(?:'m| am) (?:an? |(?-i:[A-Z])))",
    re.I,
)


_ENGLISH = frozenset(
    "the a an i we you my our is are was have has to of and for in on at it that this with not "
    "be do".split()
)
_FOREIGN = frozenset(
    "ich bin ist und der das nicht wir ein eine mit für auf im zu habe je suis est et le les des "
    "un une nous pas que pour avec mon ma dans el los las una es y de por con mi yo para que soy "
    "estoy il la di che non sono per ho een het ik ben niet van wij voor met o os uma eu não com "
    "em w z na nie się jest mam moja mój jestem że dla oraz też".split()
)
_MARKED = frozenset("ąćęłńśźżßøæåğışčřžěůťőű")
_OWN_WORDS = re.compile(
    r"\b(?:I|I'm|[Tt]he|[Aa]n|[Ww]e|[Yy]ou|[Mm]y|[Oo]ur|[Yy]our|is|are|was|have|has|of|and|for|at|it|"
    r"[Tt]hat|[Tt]his|with|not|likes?|loves?|am|i'm|uses?)\b"
)


def is_foreign(prose: str) -> bool:
    """Written in a language that the readers do not know."""
    if has_foreign_words(prose):
        return True
    words = re.findall(r"[^\W\d_]+", prose[:2_000].lower())
    foreign = sum(word in _FOREIGN for word in words)
    return foreign >= 2 and foreign > sum(word in _ENGLISH for word in words)


def has_foreign_words(text: str) -> bool:
    """ "pracuję w Brightwater": a word in letters that English has not, and none of English."""
    words = re.findall(r"[^\W\d_]+", text[:2_000])
    marked = any(word.islower() and _MARKED & set(word) for word in words)
    return marked and not _OWN_WORDS.search(text)


def opens_play(text: str) -> bool:
    """The message starts a game of roles, in which nobody speaks for themselves."""
    return bool(_ROLE_PLAY.search(text))


def asks_for_fiction(text: str) -> bool:
    """The message wants something made up; what follows may belong to it."""
    return bool(_WRITING.search(text) or _FICTION.search(text) or _ROLE_PLAY.search(text))


def closes_play(text: str) -> bool:
    return bool(_PLAY_OVER.search(text))


@lru_cache(4)  # several readers look at the same message, one after the other
def own_prose(text: str, *, with_drafts: bool = False) -> str:
    """The message with everything blanked that the user does not say of their own.

    What follows a wish for a letter or a speech belongs to it, or tells what it is to be about;
    `with_drafts` leaves it.
    """
    prose = text[:LONGEST_PROSE]
    for block in _BLOCKS:
        prose = block.sub(lambda found: _blank(found.group()), prose)
    quoted = list(find_quoted(prose))
    prose = _SPEECH.sub(_unsaid, prose)
    prose = _TOLD_BY.sub(lambda found: _blank(found.group()), prose)
    prose = "".join(map(_own_line, prose.splitlines(keepends=True)))
    prose = _without(_SPECIMEN, prose, _paragraph_end)
    for played in (_ARGUED, _PLAYED):
        prose = _without(played, prose, _sentence_end)
    for start, end in quoted:
        prose = prose[:start] + _blank(prose[start:end]) + prose[end:]
    writing = _MADE_UP if with_drafts else _WRITING
    for head in (_HANDED_OVER, _HANDED_PLAINLY, writing, _MAIL_HEAD, _FICTION):
        if (found := head.search(prose)) and not _OF_ONESELF.match(prose, found.start()):
            cut = _sentence_start(prose, found.start())
            prose = prose[:cut] + _blank(prose[cut:])
    return prose


def read_upto(text: str) -> int:
    """How far a message is read: reading takes longer than its length grows."""
    if len(text) <= MOST_OWN:
        return len(text)
    prose = own_prose(text, with_drafts=True)
    own = 0
    for word in _WORD.finditer(prose):
        own += len(word.group()) + 1
        if own > MOST_OWN:
            return _sentence_start(prose, word.start()) or word.start()
    return len(prose)


def _unsaid(found: re.Match[str]) -> str:
    """Someone's words in quotation marks, if they are more than a name or a title."""
    speech = found.group(1) or found.group(2)
    return _blank(found.group()) if len(speech.split()) >= 6 or ". " in speech else found.group()


def _own_line(line: str) -> str:
    foreign = _LOG_LINE.match(line) or _INDENTED.match(line) or _is_symbolic(line)
    return _blank(line) if foreign else line


def _is_symbolic(line: str) -> bool:
    """A line where one character in eight is punctuation of code."""
    return sum(char in _SYMBOLS for char in line) * 8 > len(line) > 8


def _without(pattern: re.Pattern[str], text: str, end_of: Callable[[str, int], int]) -> str:
    """The text with the sentences blanked in which the pattern stands, or all up to an end."""
    at = 0
    while found := pattern.search(text, at):
        start, at = _sentence_start(text, found.start()), end_of(text, found.end())
        text = text[:start] + _blank(text[start:at]) + text[at:]
    return text


def _paragraph_end(text: str, at: int) -> int:
    end = text.find("\n\n", at)
    return len(text) if end < 0 else end


def _sentence_end(text: str, at: int) -> int:
    found = re.compile(r"[.!?](?=\s)|\n").search(text, at)
    return found.end() if found else len(text)


def _sentence_start(text: str, at: int) -> int:
    ends = (text.rfind(mark, 0, at) for mark in (". ", "! ", "? ", "\n", "; "))
    return max(0, *(end + 1 for end in ends))


def _blank(text: str) -> str:
    return "".join("\n" if char == "\n" else " " for char in text)
