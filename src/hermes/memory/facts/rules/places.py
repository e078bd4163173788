"""Whether a few words name a place, or an organisation someone works or studies at."""

import re

from hermes.memory.facts.rules.grammar import (
    points_elsewhere,
    words,
)

_PLACE_WORDS = re.compile(
    r"(?:the )?(?:[\w'’-]+)(?: (?:of|de|la|le|am|upon|on|and|the|[\w'’-]+)){0,4}(?:, [\w .'’-]+)?$"
)


_NOT_A_PLACE = re.compile(
    r"(?:(?:an?|my|our|your|his|her|their|this|that|these|those|it|fear|hope|peace|"
    r"front|charge|between|"
    r"general|case|order|fact|progress|constant|interesting|crisis|chaos|meetings?|"
    r"touch|sync|the (?:past|"
    r"moment|future|same|city|country|suburbs|dark|middle|process|office|codebase|"
    r"cloud|terminal|repo|"
    r"meantime|morning|evening|afternoon|end|wrong|right|zone)|"
    r"bed|pain|trouble|love|luck|time|here|there|home|work|production|prod|staging|"
    r"python|java|sales|tech|"
    r"finance|marketing|healthcare|it|hr|research|academia|education|engineering|design|consulting|"
    r"shifts|teams?|pairs|sprints)\b)",
    re.I,
)


def place(value: str) -> str:
    """The value as the name of a place, or empty."""
    value = re.sub(r"\s*[,(]\s*(?:but|and|so|which|where|though|if)\b.*$", "", value, flags=re.I)
    value = re.split(
        r"\s+(?:for|with|since|at|as|near|right|now|and|but|because|so|by|from|until|"
        r"who|these|most|"
        r"working|where|which|last|this|next|in|on|after|to|over|again|permanently|"
        r"full)\b|[;:(!]|\.(?:\s|$)|\s[-–—]\s",
        value,
        maxsplit=1,
    )[0]
    value = value.strip(" ,.!\"'")
    value = re.sub(
        r",\s*(?:and|but|i|we|my|so|actually|btw|by the way|too|now)\b.*$", "", value, flags=re.I
    )
    if points_elsewhere(value) or _NOT_A_PLACE.match(value) or not _PLACE_WORDS.match(value):
        return ""
    if words(value) > 5 or not any(char.isalpha() for char in value):
        return ""
    if value == value.lower():
        return value.title() if words(value) <= 2 else ""
    return value if any(word[:1].isupper() for word in value.split()) else ""


def organisation(value: str) -> str:
    """The value as the name of an employer or school, or empty."""
    value = re.split(
        r"\s+(?:as|for|in|since|where|and|but|on|doing|from|with|right|now|these|"
        r"until|which|who|here|if|when|"
        r"full|part|remotely|because|so|last|this|next|starting)\b|[,;:(!?]|\.\s|\s[-–—]\s",
        value,
        maxsplit=1,
    )[0].strip(" .\"'")
    if points_elsewhere(value) or words(value) > 5:
        return ""
    article = re.match(
        r"(?:an?|my|our|this|that|his|her|your|home|night|day|least|most|all|once|work|"
        r"first|last|it|scale|risk|noon|midnight|the (?:moment|office|"
        r"same|time|end|top|company|team))\b",
        value,
        re.I,
    )
    if article:
        return ""
    if re.search(r"\b[A-Z]|\d", value):
        return value
    typed_small = (
        words(value) <= 2 and value == value.lower() and not _COMMON_PLACE_OF_WORK.match(value)
    )
    return value.title() if typed_small else ""


_COMMON_PLACE_OF_WORK = re.compile(
    r"(?:the|an?|home|night|nights|noon|weekends?|times|school|university|college|uni|"
    r"hospitals?|large|small|big|"
    r"different|various|many|several|some|their|its|one|two|both|each|every|any|other|"
    r"another|government|myself|"
    r"nothing|something|free|years?|days?|hours?|them|him|me|you|us|money|fun|sure|"
    r"now|then|good|\w+ing)\b|.*\b(?:am|pm|o'clock)\b",
    re.I,
)
