"""Names in a text, found by how they are written: no model, no list of what is known."""

import re
from dataclasses import dataclass

from hermes.memory.entities.names import PARTICLES, TITLE
from hermes.memory.entities.plain import is_plain
from hermes.types import EntityKind

_PARTICLE = f"(?:{'|'.join(sorted(PARTICLES))})"
_CAPITALISED = re.compile(
    r"(?<![\w@#/.'’-])[^\W\d_a-z][\w'’&+-]*(?:[./][\w-]+)*"
    rf"(?:(?:\s(?:of|the|le|and the|for|{_PARTICLE}(?:\s{_PARTICLE})?)\s|\s|\s?&\s?)"
    r"(?:[^\W\d_a-z][\w'’+-]*(?:[./][\w-]+)*|\d[\w.]*(?=\s|$|[,;:!?)]))){0,5}"
)
_QUOTED = re.compile(r"(?<![\w'])['\"“‘«]([^'\"”’»\n]{2,60})['\"”’»](?!\w)")
_DOMAIN = re.compile(
    r"(?<![\w@.])(?:https?://)?((?:[a-z0-9-]+\.)+(?:com|io|dev|org|net|app|ai|co|"
    r"cloud|sh|eu|de|uk|fr|nl|gov|edu|me|info|tech|internal|local))\b(?![\w@])",
    re.I,
)
_HANDLE = re.compile(r"(?<![\w.@/])@[a-z0-9][\w-]{1,38}\b", re.I)
_TAG = re.compile(r"(?<![\w#&/])#[^\W\d_][\w-]{1,40}\b")
_CODE = re.compile(
    r"`([^`\n]{2,60})`|(?<![\w./-])([\w-]+\.(?:py|ts|tsx|js|go|rs|sql|md|json|ya?ml|toml|sh)\b|"
    r"[a-z][a-z0-9]*_\w+|[a-z]+[A-Z]\w*|[\w-]+/[\w-]+)(?![\w/])"
)
_TITLED = re.compile(
    rf"(?<![\w@#/.'’-]){TITLE}\s((?:{_PARTICLE}\s){{0,2}}[^\W\d_a-z][\w-]+"
    rf"(?:\s(?:{_PARTICLE}\s){{0,2}}[^\W\d_a-z][\w-]+){{0,2}})"
)
_MARKED = (
    (_TITLED, EntityKind.PERSON),
    (_DOMAIN, EntityKind.DOMAIN),
    (_HANDLE, EntityKind.HANDLE),
    (_TAG, EntityKind.TAG),
    (_CODE, EntityKind.CODE),
)
_SENTENCE_START = re.compile(r"(?:^|[.!?…:;]\s+|\n\s*[-*•]?\s*|[\"“(]\s*|\s[-–—]\s)$")
_SHOUT = frozenset(
    "OK LOL BTW FYI TODO ASAP IMO IMHO TBH WTF OMG AFAIK FWIW EOD ETA TLDR PS NB AM PM I A".split()
)
# "PostGIS for Atlas" is two names; only what exists for something bears the word in its own.
_CHOSEN_FOR = re.compile(
    r"\b(?!(?:Doctors|Teachers|Centre|Center|Institute|Ministry|Department|Society|Foundation|Council|"
    r"Office|Agency|Alliance|Association|School|Bank|Fund|Teach|Code|Campaign|Partnership|Academy|"
    r"Friends|Parents|Engineers|Habitat|Committee|Commission|Union|Network|Coalition)\b)"
    r"([\w.+#-]+) for (?=\S)"
)
_UNITS = frozenset("B KB MB GB TB PB KiB MiB GiB TiB Hz kHz MHz GHz KW MW GW Mbps Gbps".split())
_COUNTED = re.compile(r"\s\d[\d.]*$")
_MEASURE = re.compile(
    r"(?:[.,]\d[\d.,]*)?\s?(?:%|(?:km|m|cm|mm|kg|g|min(?:ute)?s?|s|secs?|seconds?|ms|h|hours?|hrs?|days?|"
    r"weeks?|months?|years?|[KMGT]i?B|percent|euros?|dollars?|times|points?)\b)"
)
_STARTERS = frozenset(
    "the a an i i'm i've i'd i'll we we're we've my our your you he she they it it's its this "
    "that these those what "
    "when where why how who which if so and but or also then now not no yes yeah ok okay well "
    "hi hey hello thanks "
    "thank please can could would should do does did is are was were am has have had will may "
    "might let let's in on "
    "at for from with by to of as about after before because since once while all any some "
    "one two there here just "
    "oh ah hmm sure great nice cool good morning actually sorry wait remember note user "
    "deadline project re fwd dear "
    "preferred primary favourite favorite main current currently always never every each both "
    "either today tomorrow "
    "yesterday monday tuesday wednesday thursday friday saturday sunday january february "
    "march april june july august "
    "september october november december jan feb mar apr jun jul aug sep sept oct nov dec mon "
    "tue wed thu fri sat sun "
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends "
    "update btw fyi first second third next last new old more most many much other another "
    "same such only very too "
    "don't doesn't didn't isn't aren't wasn't can't won't keep use make get go see try".split()
)
_IN_NAMES = frozenset("new old good first second third next last great main".split())


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as it stands in a text, and what kind of thing its writing suggests."""

    text: str
    start: int
    end: int
    kind: EntityKind = EntityKind.OTHER


def find_mentions(text: str) -> list[Mention]:
    """Names in order of appearance; what is marked as a name goes before what is capitalised."""
    found: list[Mention] = []
    left = text
    for pattern, kind in _MARKED:
        for mention in _marked(pattern, left, kind):
            found.append(mention)
            left = left[: mention.start] + " " * (mention.end - mention.start) + left[mention.end :]
    for mention in (*_quoted(left), *_capitalised(left)):
        if not any(mention.start < other.end and other.start < mention.end for other in found):
            found.append(mention)
    return sorted(found, key=lambda mention: mention.start)


def name_mentions(text: str) -> list[str]:
    """The names alone, each once."""
    return list(dict.fromkeys(mention.text for mention in find_mentions(text)))


def _marked(pattern: re.Pattern[str], text: str, kind: EntityKind) -> list[Mention]:
    found = []
    for match in pattern.finditer(text):
        group = next((index for index in range(1, pattern.groups + 1) if match.group(index)), 0)
        found.append(Mention(match.group(group), match.start(), match.end(), kind))
    return found


def _quoted(text: str) -> list[Mention]:
    return [
        Mention(match.group(1), match.start(), match.end())
        for match in _QUOTED.finditer(text)
        if match.group(1)[:1].isupper()
        and len(match.group(1).split()) <= 6
        and not match.group(1).endswith(("?", "!"))
    ]


def _capitalised(text: str) -> list[Mention]:
    found = []
    apart = _CHOSEN_FOR.sub(lambda chosen: f"{chosen[1]} \0\0\0 ", text)
    for match in _CAPITALISED.finditer(apart):
        if (mention := _name_of(match, text)) is not None:
            found.append(mention)
    return found


def _name_of(match: re.Match[str], text: str) -> Mention | None:
    words, start = match.group().split(" "), match.start()
    opens = _SENTENCE_START.search(text[max(0, start - 8) : start]) is not None
    while words and _is_starter(_bare(words[0]), opens=opens):
        start += len(words[0]) + 1
        words, opens = words[1:], False
    while words and (_bare(words[-1]) in _STARTERS or words[-1].lower() == "the"):
        words = words[:-1]
    written = " ".join(words)
    name = _without_count(re.sub(r"['’]s?$", "", written), text[start:])
    if not name or name in _SHOUT or name in _UNITS or name[0].isdigit():
        return None
    lone = opens and len(words) == 1 and name[1:] == name[1:].lower() and name[1:].isalpha()
    owns = written.endswith(("'s", "’s"))  # "Robert's wedding": plain words are off by now
    if lone and not owns and not re.search(rf"(?<=[a-z,] ){re.escape(name)}\b", text):
        return None
    return Mention(name, start, start + len(name))


def _without_count(name: str, written: str) -> str:
    """ "Atlas 1,912 km", "Jonas 35 minutes": the number counts something else, and is no name."""
    counted = _COUNTED.search(name)
    follows = written[len(name) :]
    return name[: counted.start()] if counted and _MEASURE.match(follows) else name


def _is_starter(word: str, *, opens: bool) -> bool:
    """A word that begins a sentence, not a name; only there do plain words have a capital."""
    return (word in _STARTERS and (opens or word not in _IN_NAMES)) or (opens and is_plain(word))


def _bare(word: str) -> str:
    return re.sub(r"['’]s$", "", word.lower()).strip("'’")
