"""A value that does not fit its option, in plain words: the library's own speak of types."""

import difflib
import re

_INVALID = re.compile(r"Invalid value for '?(?P<name>.+?)'?: (?P<told>.*)", re.DOTALL)
_CHOICE = re.compile(r"(?:Value error, )?'(?P<given>.*)' is not one of (?P<choices>'.*')\.?")
_WORDS = (
    (re.compile(r"Input should be a valid integer\b.*", re.DOTALL), "must be a whole number"),
    (re.compile(r"Input should be a valid number\b.*", re.DOTALL), "must be a number"),
    (re.compile(r"Input should be greater than or equal to (\S+)"), r"must be \1 or more"),
    (re.compile(r"Input should be less than or equal to (\S+)"), r"must be \1 or less"),
    (re.compile(r"Input should be "), "must be "),
    (re.compile(r"Value error, "), ""),
)


def reword(message: str) -> str:
    """A complaint about an option, as one would say it; any other stays as it is."""
    found = _INVALID.fullmatch(message)
    if found is None:
        return message
    name = found["name"].replace("' / '", " / ")  # an option of two names, each quoted
    chosen = _CHOICE.fullmatch(found["told"])
    if chosen is not None:
        return f"{name}: {_wrong_choice(chosen['given'], chosen['choices'])}"
    told = found["told"]
    for pattern, words in _WORDS:
        told = pattern.sub(words, told)
    return f"{name} {told}" if told.startswith("must ") else f"{name}: {told}"


def _wrong_choice(given: str, choices: str) -> str:
    names = [name.strip(" '") for name in choices.split(",")]
    near = difflib.get_close_matches(given.lower(), names, n=1)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"{given!r} is not one of {', '.join(names)}{meant}"
