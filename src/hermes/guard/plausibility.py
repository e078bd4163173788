"""Tells a secret from what merely stands where a secret could: a word, a placeholder, a path.

Pure checks over one candidate. They lean towards leaving honest text alone; formats that carry
their own unmistakable prefix do not need them.
"""

import base64
import binascii
import math
import re
from collections import Counter
from functools import cache
from importlib.resources import files

_PLACEHOLDER = re.compile(
    r"""[$%{<*\[(@~/\\]|\.{1,2}/|\w+\.\.\.|arn:|vault:|op:|ref:|secret/|projects/
    |(?:your|my|the|an?|some|insert|enter|example|sample|dummy|fake|change|replace)[\ _.-]
    |(?:change_?me|placeholder|null|none|nil|undefined|true|false|yes|no|required|optional|string
      |hidden|masked|redacted|todo|tbd|x{3,}|env|process\.env|os\.|self\.|config\.|settings\.)\b
    |(?:sha-?\d|md5|bcrypt|scrypt|argon2|pbkdf2|base64|base32|hex\d|utf-?\d|aes-?\d|rsa-?\d|oauth\d?
      |ed25519|hmac|jwt|pkcs\d)""",
    re.IGNORECASE | re.VERBOSE,
)
_ELSEWHERE = re.compile(r"://|…|\.\.\.|^[\w.+-]+@[\w-]+\.[\w.]+$|\*{3}|^(.)\1*$")
_IDENTIFIER = re.compile(r"[A-Za-z_]+(?:[._:/-][A-Za-z_]+)*|[a-z_]+(?:\.[a-z_]+[0-9]{0,3})+")
_WORDS_AND_NUMBERS = re.compile(r"(?:[A-Za-z]+|[0-9]{1,4})(?:[._:/-](?:[A-Za-z]+|[0-9]{1,4}))*")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\b|[0-9]{1,2}:[0-9]{2}\b|v?[0-9]+(?:\.[0-9]+)+$")
_NUMBERED_NAME = re.compile(r"[A-Za-z]?[a-z]+(?:-[a-z]+)*-?[0-9]{1,2}")
_SESSION = re.compile(r"sess|sid\b|token|auth|csrf|xsrf|jwt|login|remember", re.IGNORECASE)
_CHOSEN_OFTEN = frozenset(  # words, and yet no others are passwords so often
    "sunshine qwerty qwertyuiop asdfgh letmein iloveyou princess dragon monkey football baseball "
    "superman batman welcome shadow michael jennifer charlie whatever starwars pokemon hunter "
    "butterfly chocolate liverpool chelsea arsenal computer cheese pepper buster soccer".split()
)
_IBAN_LENGTHS = {
    **dict.fromkeys("no".split(), 15),
    **dict.fromkeys("be".split(), 16),
    **dict.fromkeys("dk fi nl".split(), 18),
    **dict.fromkeys("mk si".split(), 19),
    **dict.fromkeys("at ba ee lt lu".split(), 20),
    **dict.fromkeys("ch hr li lv".split(), 21),
    **dict.fromkeys("bg de gb ie me rs".split(), 22),
    **dict.fromkeys("ad cz es ro se sk".split(), 24),
    **dict.fromkeys("pt".split(), 25),
    **dict.fromkeys("is tr".split(), 26),
    **dict.fromkeys("fr gr it mc sm".split(), 27),
    **dict.fromkeys("al cy hu pl".split(), 28),
}
_HEX = frozenset("0123456789abcdef")
_SHORTEST_PHRASE = 12  # words
_SYMBOL = re.compile(r"[^A-Za-z0-9_.:/\s-]")


def entropy_bits(text: str) -> float:
    """Shannon entropy per character."""
    shares = [count / len(text) for count in Counter(text).values()]
    return -sum(share * math.log2(share) for share in shares)


def is_mixed(text: str) -> bool:
    """Letters and digits, in no obvious order: what a generator gives and a word does not."""
    has_digit = any(letter.isdigit() for letter in text)
    has_letter = any(letter.isalpha() for letter in text)
    return has_digit and has_letter and entropy_bits(text) >= 3.0


def is_password(value: str) -> bool:
    """Whether what follows `password=` looks chosen by a person or a generator."""
    if value.lower() in _CHOSEN_OFTEN:
        return True
    if len(value) < 6 or not value.isascii() or _is_elsewhere(value):
        return False
    if value.isdigit():
        return len(set(value)) > 1
    has_digit = any(letter.isdigit() for letter in value)
    return has_digit or bool(_SYMBOL.search(value.rstrip("!?")))


def is_generated(value: str) -> bool:
    """Whether what follows `token=` looks like the output of a generator."""
    if (
        len(value) < 12
        or " " in value
        or _is_elsewhere(value)
        or _WORDS_AND_NUMBERS.fullmatch(value)
    ):
        return False
    return is_mixed(value) or (len(value) >= 20 and entropy_bits(value) >= 4.0)


def is_drawn(value: str) -> bool:
    """Whether a value is one run of letters and digits, long and in no order that words have."""
    plain = value.replace("_", "").replace("-", "")
    if len(plain) < 24 or not plain.isalnum() or not is_generated(value):
        return False
    return is_mixed(plain) and (entropy_bits(plain) >= 3.7 or _HEX.issuperset(plain))


def is_login(encoded: str) -> bool:
    """Whether `auth` holds a name and a password, encoded, or something drawn by lot."""
    return is_basic_credential(encoded) or is_drawn(encoded.rstrip("="))


def is_chosen(value: str) -> bool:
    """Whether a word that is only said to be a password is one: letters, and digits among them."""
    has_letter, has_digit = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    return has_letter and has_digit and is_password(value)


def is_chosen_anew(value: str) -> bool:
    """As above where the name of a machine could stand too: the password to server1."""
    return is_chosen(value) and not _NUMBERED_NAME.fullmatch(value)


def is_forty_of_base64(value: str) -> bool:
    """Whether forty letters look drawn by lot: capitals, small ones and digits, all in use."""
    small, large = sum(map(str.islower, value)), sum(map(str.isupper, value))
    has_digit = any(map(str.isdigit, value))
    return min(small, large) >= 5 and has_digit and entropy_bits(value) >= 4.2


def is_given(value: str) -> bool:
    """Whether a password in a URL or a header is one, and not a stand-in for one."""
    if _PLACEHOLDER.match(value) or _ELSEWHERE.search(value):
        return False
    return value.lower() not in {"password", "pass", "passwd", "pwd", "secret", "token"}


def is_basic_credential(encoded: str) -> bool:
    """Whether a Basic header decodes to `user:password`."""
    try:
        decoded = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except binascii.Error:
        return False
    return b":" in decoded


def is_card_number(text: str) -> bool:
    """Whether digits in groups are a number a card network could have given out."""
    digits = re.sub(r"[ .\u00a0-]", "", text)
    if len(digits) == 19 and text.isdigit():
        return False  # as likely a 64-bit identifier
    return _has_issuer(digits) and is_luhn(digits)


def is_iban(text: str) -> bool:
    """Whether a number of a bank account is right by its check digits."""
    plain = text.replace(" ", "")
    if plain[:2].islower() and _IBAN_LENGTHS.get(plain[:2]) != len(plain):
        return False
    turned = plain[4:] + plain[:4]
    return len(plain) >= 15 and int("".join(str(int(each, 36)) for each in turned)) % 97 == 1


def is_cookie(pairs: str) -> bool:
    """Whether one of `name=value; …` lets somebody in: named so, or drawn by lot."""
    return any(_lets_in(*pair.strip().split("=", 1)) for pair in pairs.split(";"))


def _lets_in(name: str, value: str) -> bool:
    if _SESSION.search(name):
        return len(value) >= 6 and not _is_elsewhere(value)
    return is_generated(value)


def is_ssn(text: str) -> bool:
    """Whether nine digits could be a number of the social security of the United States."""
    digits = re.sub(r"[ -]", "", text)
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def is_seed_phrase(text: str) -> bool:
    """Whether the words are those a wallet is made anew from (BIP-39, in English)."""
    words = re.findall(r"[a-z]+", text.lower())[:_SHORTEST_PHRASE]
    return len(words) == _SHORTEST_PHRASE and _seed_words().issuperset(words)


@cache
def _seed_words() -> frozenset[str]:
    return frozenset((files("hermes.guard") / "seed_words.txt").read_text("ascii").split())


def is_pin(digits: str) -> bool:
    """Whether digits were chosen, and are no stand-in such as 0000."""
    return len(set(digits)) > 1


def is_luhn(digits: str) -> bool:
    doubled = [sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(map(int, digits[::-2]))) % 10 == 0


def _has_issuer(digits: str) -> bool:
    match len(digits):
        case 16:
            return bool(re.match(r"4|5[1-5]|2[2-7]|6011|64[4-9]|65|62|35[2-8]", digits))
        case 15:
            return digits[:2] in ("34", "37")
        case 14:
            return bool(re.match(r"30[0-5]|36|38|39", digits))
    return len(digits) == 19 and digits.startswith("62")


def _is_elsewhere(value: str) -> bool:
    """A name, a path, a moment or a stand-in: the secret itself is somewhere else."""
    return bool(
        _PLACEHOLDER.match(value)
        or _ELSEWHERE.search(value)
        or _IDENTIFIER.fullmatch(value)
        or _MOMENT.match(value)
    )
