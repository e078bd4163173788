"""Text as the search index sees it: the same for stored text and for questions, in any script.

The index splits on everything that is not a letter or a digit, folds case and accents, and stems
English. What it cannot do is done here, before it: scripts written without spaces are cut into
overlapping pairs, look-alike letters are unified, and names such as `c++` and every emoji get a
word of their own.
"""

import re
import unicodedata
from collections.abc import Sequence

from hermes.types import Role, ToolCall

# Scripts whose words are not set apart by spaces (Thai, Lao, Burmese, Khmer, kana, Han, and Hangul,
# whose particles cling to the word).
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003134f"
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_SYMBOL_NAME = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z])(\+\+|#)(?![A-Za-z0-9_])")
_SYMBOL_WORDS = {"++": "plusplus", "#": "sharp"}
# Begins the words by which a store narrows a search, so that no text can hold one.
SCOPE_MARK = "\ue000"
_NOT_TEXT = re.compile(f"[\x00\ud800-\udfff{SCOPE_MARK}]")
_EMOJI = re.compile(  # a flag is two letters; the tone of a skin says no more than its absence
    "[\U0001f1e6-\U0001f1ff]{2}|[\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b59"
    "\U0001f000-\U0001f3fa\U0001f400-\U0001faff]"
)
_TONE_OR_STYLE = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
_EMOJI_WORD = re.compile(r"emoji((?:[0-9a-f]{4,5})+)x")
ZWNJ = "\u200c"
_ZWNJ_WORD = re.compile(rf"\w+(?:{ZWNJ}\w+)+")


def _greek() -> dict[str, str]:
    """Greek letters with their accents off: the index folds Latin ones only."""
    letters = map(chr, (*range(0x0386, 0x03CF), *range(0x1F00, 0x1FFE)))
    plain = {letter: unicodedata.normalize("NFD", letter)[0] for letter in letters}
    return {letter: base for letter, base in plain.items() if letter != base}


FOLD = str.maketrans(
    {
        **_greek(),
        **dict(zip("łŁøØđĐıёЁς", "lLoOdDiеЕσ", strict=True)),
        **{"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"},
        "\u064a": "\u06cc",  # Arabic yeh as typed on Persian keyboards, and the other way round
        "\u0649": "\u06cc",
        "\u0643": "\u06a9",
        "\u0640": None,  # tatweel stretches a word, no more
        "\u200d": None,
        **{chr(mark): None for mark in range(0x064B, 0x0653)},  # vowel marks
    }
)
_QUOTED = re.compile(r'"([^"]*)"|(\S+)')
MAX_QUERY_WORDS = 64
MAX_INDEXED_TOOL_CHARS = 20_000


def indexed_part(role: Role, text: str, calls: Sequence[ToolCall] = ()) -> str:
    """What the index holds of a message: its text, and the names and arguments of its calls.

    Of a long tool result and of long calls it holds the beginning.
    """
    if calls:
        return f"{text}\n{render_calls(calls)[:MAX_INDEXED_TOOL_CHARS]}"
    if role is Role.TOOL and len(text) > MAX_INDEXED_TOOL_CHARS:
        return text[:MAX_INDEXED_TOOL_CHARS]
    return text


def render_calls(calls: Sequence[ToolCall]) -> str:
    """Calls as they are searched and shown: a line each, the name and the arguments."""
    return "\n".join([f"{call.name} {call.arguments}" for call in calls])


def index_form(text: str) -> str:
    """`text` ready for the index."""
    if "+" in text or "#" in text:
        text = _SYMBOL_NAME.sub(lambda m: m[1] + _SYMBOL_WORDS[m[2]], text)
    if text.isascii():
        return text.replace("\x00", " ") if "\x00" in text else text
    text = unicodedata.normalize("NFKC", _NOT_TEXT.sub(" ", text)).translate(FOLD)
    if ZWNJ in text:
        text = _unjoined(text)
    text = _EMOJI.sub(_emoji_word, _TONE_OR_STYLE.sub("", text))
    return _UNSPACED_RUN.sub(_pairs, text)


def _emoji_word(found: re.Match[str]) -> str:
    return f" emoji{''.join(f'{ord(char):x}' for char in found[0])}x "


def find_emoji(word: str) -> str | None:
    """The emoji that a word of a question stands for."""
    if not (named := _EMOJI_WORD.fullmatch(word)):
        return None
    codes = re.findall("1f1[0-9a-f]{2}", named[1]) if len(named[1]) > 5 else [named[1]]
    return "".join(chr(int(code, 16)) for code in codes)


def _unjoined(text: str) -> str:
    """A Persian prefix is written with the joiner, a space, or nothing: all find each other."""
    joined = [word.replace(ZWNJ, "") for word in _ZWNJ_WORD.findall(text)]
    return " ".join([text.replace(ZWNJ, " "), *joined])


def _pairs(run: re.Match[str]) -> str:
    chars = run[0]
    pairs = [chars[i : i + 2] for i in range(len(chars) - 1)]
    return f" {' '.join([*pairs, chars[-1]])} "


def parse_query(text: str, *, as_you_type: bool = False) -> list[str]:
    """The words and quoted phrases of a question, each once, in index form.

    Any string is a question. Only the first `MAX_QUERY_WORDS` count. A lone character of an
    unspaced script, and with `as_you_type` the last word, match beginnings: `word*`.
    """
    words: dict[str, None] = {}
    last = ""
    for match in _QUOTED.finditer(text):
        for word in _query_words(match[1] if match[1] is not None else match[2]):
            words.setdefault(word)
            last = word
        if len(words) >= MAX_QUERY_WORDS:
            break
    found = list(words)[:MAX_QUERY_WORDS]
    if as_you_type and text[-1:].isalnum() and not last.endswith("*"):
        found = [word + "*" if word == last else word for word in found]
    return found


def _query_words(piece: str) -> list[str]:
    formed = index_form(piece)
    lone = _UNSPACED_RUN.fullmatch(formed.strip())
    if lone and len(lone[0]) == 1:
        return [lone[0] + "*"]
    if _UNSPACED_RUN.search(formed):
        return _unspaced_words(formed)
    if _EMOJI.search(piece):
        return [word for word in formed.split() if any(map(str.isalnum, word))]
    formed = " ".join(formed.split())
    if not any(char.isalnum() for char in formed):
        return []
    if ZWNJ in piece:
        parts = " ".join(index_form(piece.replace(ZWNJ, " ")).split())
        return [parts, *formed[len(parts) :].split()]
    return [formed]


def _unspaced_words(formed: str) -> list[str]:
    """Pairs as words of their own: a long unspaced question should match in part, too.

    The trailing single character only closes a run in stored text; a question leaves it out.
    """
    words = formed.split()
    return [w for w in words if len(w) > 1 or not _UNSPACED_RUN.fullmatch(w)]
