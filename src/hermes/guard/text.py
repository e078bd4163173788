"""Takes out of a text what a reader cannot see, so that what is kept is what was shown.

Invisible and direction-changing characters hide instructions from people and split words for
filters. Some of them are also spelling: Persian, Arabic, Indic and Mongolian letters need joiners,
South-East Asian scripts a zero-width space, emoji joiners and selectors. So a run of such
characters is judged by the visible characters around it, and one that spells something stays byte
for byte. The result can always be stored as UTF-8.
"""

import re
import unicodedata
from dataclasses import dataclass

_ZWSP, _ZWNJ, _ZWJ, _MVS = "\u200b", "\u200c", "\u200d", "\u180e"
_TEXT_STYLE, _EMOJI_STYLE, _KEYCAP = "\ufe0e", "\ufe0f", "\u20e3"

# Never spelling: controls, direction marks, soft hyphen, fillers, invisible operators, annotation
# and music controls, unassigned ignorables. A terminal's colour code goes as a whole.
_ALWAYS = (
    r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200e\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
# Spelling in the right place, a hiding place elsewhere: selectors, joiners, tag characters.
_SOMETIMES = r"\u180b-\u180f\u200b-\u200d\ufe00-\ufe0f\U000e0000-\U000e007f\U000e0100-\U000e01ef"

_ODD_ASCII = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_PERSIAN = r"[\u0620-\u064a\u066e-\u06d3]"
_ODD = re.compile(  # all of them, but for the everyday joiner between two Persian letters
    rf"[{_ALWAYS}{_SOMETIMES}\ud800-\udfff](?<!{_PERSIAN}\u200c(?={_PERSIAN}))"
)
_COLOUR = re.compile(r"\x1b\[[0-?]{0,32}[ -/]{0,8}[@-~]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_REMOVED = re.compile(rf"{_COLOUR.pattern}|[{_ALWAYS}]")
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd]")
_RUN = re.compile(rf"[{_SOMETIMES}]+")

_EMOJI = re.compile(
    r"[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf"
    r"\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_IDEOGRAPH = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3006\u3007]"
)
_HAS_VARIANTS = re.compile(  # operators, Myanmar, Phags-pa, East Asian punctuation
    r"[\u2200-\u22ff\u2a00-\u2aff\u1000-\u109f\ua840-\ua877\u3000-\u303f\uff00-\uff60]"
)
_JOINING = re.compile(  # Arabic to N'Ko, Indic, Tibetan, Myanmar, Khmer, Mongolian, Javanese, Adlam
    r"[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefe\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1b00-\u1bff"
    r"\ua840-\ua877\ua8e0-\ua8ff\ua980-\ua9df\uaae0-\uabff\U00010a00-\U00011fff"
    r"\U0001e900-\U0001e95f]"
)
_MONGOLIAN = re.compile(r"[\u1820-\u18aa]")
_SPACELESS = re.compile(  # Thai, Lao, Tibetan, Myanmar, Khmer, Tai, Javanese
    r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\ua980-\ua9df\uaa60-\uaadf]"
)
_BLACK_FLAG = "\U0001f3f4"


def _tagged(region: str) -> str:
    return "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"


_FLAG_TAGS = frozenset(map(_tagged, ("gbeng", "gbsct", "gbwls")))


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text as it may be kept, and how many characters were taken out or replaced."""

    text: str
    removed: int = 0


def clean(text: str) -> Cleaned:
    """The text without what cannot be seen; a second call changes nothing."""
    if text.isascii():
        is_plain = text.isprintable() or _ODD_ASCII.search(text) is None
    else:
        is_plain = _ODD.search(text) is None
    return Cleaned(text) if is_plain else _clean_odd(text)


def find_unreadable(text: str) -> str:
    """What shows that a text is bytes of something else, in words; nothing in one that is text.

    A terminal's colour codes and what hides between letters come along with honest text.
    """
    found = _NO_TEXT.search(_COLOUR.sub("", mend_surrogates(text)[0]))
    if found is None:
        return ""
    is_broken = found.group() == "\ufffd"
    return "bytes that are not UTF-8" if is_broken else f"the control character {found.group()!r}"


def _clean_odd(text: str) -> Cleaned:
    whole, replaced = mend_surrogates(text)
    seen = _REMOVED.sub("", whole)
    kept = _RUN.sub(_spelling, seen)
    return Cleaned(kept, replaced + len(whole) - len(kept))


def mend_surrogates(text: str) -> tuple[str, int]:
    """Pairs become the character they stand for; what is left alone becomes U+FFFD."""
    if _SURROGATE.search(text) is None:
        return text, 0
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.subn("\ufffd", joined)


def _spelling(run: re.Match[str]) -> str:
    """The part of an invisible run that its visible neighbours need."""
    before = run.string[run.start() - 1 : run.start()] if run.start() else ""
    after = run.string[run.end() : run.end() + 1]
    hidden = run.group()
    if before == _BLACK_FLAG and hidden in _FLAG_TAGS:
        return hidden
    selector = hidden[0] if _is_variant(before, hidden[0], after) else ""
    joiner = next((mark for mark in hidden if _is_join(before, mark, after)), "")
    return selector + joiner


def _is_variant(before: str, mark: str, after: str) -> bool:
    if not before:
        return False
    if mark in (_TEXT_STYLE, _EMOJI_STYLE):
        return after == _KEYCAP if before in "#*0123456789" else bool(_EMOJI.match(before))
    if "\ufe00" <= mark <= "\ufe02":
        return bool(_HAS_VARIANTS.match(before) or _IDEOGRAPH.match(before))
    if "\U000e0100" <= mark <= "\U000e01ef":
        return bool(_IDEOGRAPH.match(before))
    return mark in "\u180b\u180c\u180d\u180f" and bool(_MONGOLIAN.match(before))


def _is_join(before: str, mark: str, after: str) -> bool:
    if mark == _ZWNJ:
        return _needs_joiners(before) or _needs_joiners(after)
    if mark == _ZWJ:
        is_emoji = bool(_EMOJI.match(before) and _EMOJI.match(after))
        return is_emoji or _needs_joiners(before) or _needs_joiners(after)
    if mark == _ZWSP:
        return bool(_SPACELESS.match(before) and _SPACELESS.match(after))
    return mark == _MVS and bool(_MONGOLIAN.match(before) and _MONGOLIAN.match(after))


def _needs_joiners(letter: str) -> bool:
    return bool(_JOINING.match(letter)) and unicodedata.category(letter)[0] in "LM"
