"""Whose someone is, or where one holds a post, when only the sentences before it tell."""

import re
from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.referents import find_referent
from hermes.types import FactKind

_WHO_IS = re.compile(r"User's (?P<relation>[\w -]+) is (?P<name>[A-Z].*)$")
_MINE = re.compile(r"(?i)\b(?:my|our|i|we|mine|ours)\b")
_SOMEONE = re.compile(r"(?i)\b(?:she|he|her|his)\b")
_THEIR_POST = re.compile(r"User is (?:now )?(?:their|its) (?P<post>[\w -]{3,30})$")
_BODY = re.compile(
    r"(?i)\b(?:the|our|my|a) (?P<body>(?:[\w'’-]+ ){0,3}?(?:society|club|association|union|choir|"
    r"orchestra|band|school|charity|church|parish|board|committee|company|league|co-?op|trust|"
    r"foundation|guild|federation|council|theatre))\b"
)


def with_owner(candidate: Candidate, before: Sequence[str]) -> Candidate | None:
    """The candidate with whose it is; None where it is somebody's of whom nobody could tell."""
    return _of_whom(_of_body(candidate, before), before)


def _of_body(candidate: Candidate, before: Sequence[str]) -> Candidate:
    """ "it's for the allotment society, I'm their treasurer": whose."""
    post = _THEIR_POST.match(candidate.text)
    if post is None:
        return candidate
    named = [found["body"] for text in before for found in _BODY.finditer(text)]
    if not named:
        return candidate
    told = f"User is the {post['post']} of the {named[0]}"
    return replace(candidate, text=told, value=told.removeprefix("User is the "))


def _of_whom(candidate: Candidate, before: Sequence[str]) -> Candidate | None:
    """ "she talks to plants. fiancé is called Duarte": hers; None where nobody could tell whose."""
    told = _WHO_IS.match(candidate.text)
    if told is None or candidate.kind is not FactKind.RELATIONSHIP or _MINE.search(candidate.quote):
        return candidate
    spoken = _SOMEONE.findall(before[0])
    if not spoken or not candidate.quote.lower().startswith(told["relation"].lower()):
        return candidate
    owner = find_referent(spoken[-1].lower(), before)
    if not owner:
        return None
    text = f"{owner}'s {told['relation']} is {told['name']}"
    name = owner.split()[-1]
    who = name if name[:1].isupper() else owner.replace("User's", "user's")
    return replace(candidate, text=text, subject=who, attribute=told["relation"])
