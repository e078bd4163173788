"""The secrets that are told by the words around them: a header, a URL, `password=`, a PEM block.

Rows as in `formats`, but both anchors and patterns are in lower case and are searched in the
lower-cased text; the check sees the text as it was. Each pattern starts with its anchor, so that a
search is a string search until the anchor is met. The named group is what is replaced: the sentence
or the URL around a secret stays readable.
"""

import re
from collections.abc import Callable

from hermes.guard.formats import FORTY, Check, Format
from hermes.guard.plausibility import (
    is_basic_credential,
    is_card_number,
    is_chosen,
    is_chosen_anew,
    is_cookie,
    is_drawn,
    is_forty_of_base64,
    is_generated,
    is_given,
    is_iban,
    is_login,
    is_password,
    is_pin,
    is_seed_phrase,
    is_ssn,
)

Fit = Callable[[str, int, int], bool]

_IS = r"[\"'`]?\s{0,3}(?:=>|:=|={1,3}|[:：])\s{0,3}"
_OPEN = r"[\"'`]?"
_VALUE = (
    r"(?:\"(?P<double>[^\"\n]{4,400})\"|'(?P<single>[^'\n]{4,400})'"
    r"|`?(?P<bare>(?:[!#$%*+\-./0-9:=?@\\^_a-z~]|&(?!\w{1,40}=)){3,400}[!#$%*+\-/0-9=?@\\^_a-z~]))"
)
_STAGE = r"(?:[_-](?:prod|dev|test|staging|live|old|new|[0-9]{1,2}))?"
_SPOKEN = (
    r"(?: (?:for|of|to|to the|for the) [\w.-]{1,40})?"
    r" (?:is|was|ist|lautet|est|es|é|è|e'|är|er|jest|je|on)(?: now)?:? {1,2}"
    r"|\s?[是는은は]\s?"
)
_ASSIGNED = rf"(?:{_STAGE}{_IS}|{_SPOKEN}){_VALUE}"
_PEM_END = r"-----end [a-z0-9 ]{0,40}private key(?: block)?-----"
_UUID = r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"


def _row(
    name: str, core: str, rest: str, check: Check | None = None, fits: Fit | None = None
) -> Format:
    return Format(name, (core,), re.escape(core) + rest, check, fits)


def _owned(name: str, owner: str, shape: str) -> Format:
    """A key without a shape of its own, told by its owner's name before it."""
    told = rf"[\w .-]{{0,24}}(?:key|token|secret){_IS}{_OPEN}"
    return _row(name, owner, rf"{told}(?P<secret>{shape})(?![\w/+=-])")


def _header(core: str, rest: str) -> Format:
    return _row(
        "authorization-header", core, rf"{rest}(?P<secret>[\w+/=.~-]{{16,4000}})", is_generated
    )


def _preceded_by(words: str) -> Fit:
    before = re.compile(rf"(?:{words})\Z", re.ASCII | re.IGNORECASE)
    return lambda text, start, _end: before.search(text[max(0, start - 24) : start]) is not None


def _starts_name(text: str, start: int, _end: int) -> bool:
    """`pw` and `DB_PW`, but not the end of a word."""
    return start == 0 or not text[start - 1].isalnum()


def _opens(text: str, start: int, end: int) -> bool:
    """`WEATHER_KEY=…`, but not `cache_key=…`."""
    return start > 0 and text[start - 1].isalnum() and not _OF_LOOKUP(text, start, end)


def _is_small_p(text: str, start: int, end: int) -> bool:
    """With a capital, -P, it is a port."""
    return text.rfind(" -p", start, end) > text.rfind(" -P", start, end)


_KEY_OWNER = _preceded_by(
    r"(?:api|access|auth|account|encryption|signing|master|private|license|subscription"
    r"|admin|service|server|deploy|bot|root)[_ -]?"
)
_OF_LOOKUP = _preceded_by(  # a key by which something is found opens nothing
    r"(?:public|primary|foreign|cache|sort|partition|row|object|idempotency|index|host|dedup|group"
    r"|routing|storage|lookup|unique|natural|shard|hash|s3|range|translation|map|dict|hot|short)"
)
_CHANGED = _preceded_by(r"(?:set|chang(?:e|ed|ing)|updated?)(?: [\w.-]{1,12}){0,2} ")
_DATABASE_SCHEME = _preceded_by(
    r"(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|cockroachdb|clickhouse"
    r"|oracle|couchdb|neo4j|bolt|cassandra)(?:\+[a-z0-9]{1,12})?"
)

_BLOCKS = (
    _row(
        "private-key",
        "-----begin ",
        r"[a-z0-9 ]{0,40}private key(?: block)?-----"
        rf"(?:[^-]*+(?:-{{1,4}}(?!-)[^-]*+)*+{_PEM_END}|(?:(?:\\n|\s)*+[a-z0-9+/=]{{16,}}+)*+)",
    ),
    _row("putty-key", "private-lines:", r" [0-9]{1,3}(?P<secret>(?:\s++[a-z0-9+/=]{16,}+)++)"),
    _row("wireguard-key", "privatekey", r"\s?=\s?(?P<secret>[a-z0-9+/]{43}=)"),
    _row("wireguard-key", "presharedkey", r"\s?=\s?(?P<secret>[a-z0-9+/]{43}=)"),
)

_CLOUD = (
    _row("azure-storage-key", "accountkey=", r"(?P<secret>[a-z0-9+/]{86}==)"),
    _row("azure-sas-signature", "sig=", r"(?P<secret>[a-z0-9%+/]{40,200}={0,2})", is_generated),
    _row(
        "aws-secret-key",
        "secret",
        rf"[_ -]?(?:access[_ -]?)?key{_IS}{_OPEN}(?P<secret>[\w/+]{{40}})(?![\w/+=])",
        is_generated,
    ),
    _row("aws-secret-key", "secret", rf"[^\n]{{0,40}}?{FORTY}", is_forty_of_base64),
    Format(
        "aws-secret-key",
        ("secret",),
        rf"{FORTY}[^\n]{{1,24}}\bsecret",
        is_forty_of_base64,
    ),
    _owned("datadog-key", "datadog", r"[a-f0-9]{32}|[a-f0-9]{40}"),
    _owned("datadog-key", "dd_", r"[a-f0-9]{32}|[a-f0-9]{40}"),
    _owned("cloudflare-token", "cloudflare", r"[\w-]{37,40}"),
    _owned("cloudflare-token", "cf_", r"[\w-]{37,40}"),
    _owned("heroku-key", "heroku", _UUID),
    _owned("okta-token", "okta", r"00[\w-]{40}"),
    _row("okta-token", "ssws ", r" {0,2}(?P<secret>00[\w-]{40})(?![\w-])"),
)

_HEADERS = (
    _row(
        "basic-authorization",
        "authorization",
        rf"{_IS}{_OPEN}basic {{1,3}}(?P<secret>[a-z0-9+/]{{6,2000}}={{0,2}})",
        is_basic_credential,
    ),
    _header("authorization", rf"{_IS}{_OPEN}(?:(?:bearer|token|digest|apikey) {{1,3}})?"),
    _header("bearer ", r" {0,2}"),
    _header("x-api-key", rf"{_IS}{_OPEN}"),
    _header("x-auth-token", rf"{_IS}{_OPEN}"),
)

_ATTRIBUTE = r"(?:path|domain|expires|max-age|samesite|priority|version)="
_PAIR = rf"(?!{_ATTRIBUTE})[\w.!#$%&*+^|~-]{{1,100}}=[^\s;,\"'`\[]{{1,4096}}"
_PAIRS = rf"(?P<secret>{_PAIR}(?:; ?{_PAIR}){{0,60}})"
_COOKIES = (
    _row("cookie", "cookie", rf"s?(?:{_IS}| is:? ){_OPEN}{_PAIRS}", is_cookie),
    _row("cookie", "--cookie", rf"[ =]{_OPEN}{_PAIRS}", is_cookie),
)

_LOGIN = r"[^\s:/@\"'`<>\[]{0,100}:(?P<secret>[^\s/@\"'`<>]{1,200})@[\w.\[-]"
_DSN = (
    r"(?P<secret>[a-f0-9]{32}(?::[a-f0-9]{32})?)"
    r"@[\w.:-]{1,200}/(?:[\w.-]{1,60}/){0,4}[0-9]{1,20}\b"
)
_URLS = (
    _row("sentry-dsn", "://", _DSN),
    _row("database-url", "://", _LOGIN, is_given, _DATABASE_SCHEME),
    _row("url-password", "://", _LOGIN, is_given),
)

FOREIGN_WORDS = (
    *("kennwort", "contraseña", "contrasena", "senha", "parola", "şifre", "пароль", "密码", "密碼"),
    *("wachtwoord", "hasło", "lösenord", "lösenordet", "adgangskode", "salasana", "heslo"),
    *("口令", "パスワード", "비밀번호", "رمز عبور", "گذرواژه", "پسورد", "كلمة المرور", "पासवर्ड"),
)
_OTHER_SCRIPT = tuple(word for word in FOREIGN_WORDS if not word.isascii())
_CLIENTS = ("mysql", "mariadb")
_ATTACHED = r"[a-z]{0,8} (?:[^\n|;&]{0,120}? )?-p(?!ort\b)(?P<secret>[^\s\"'`]{4,200})"
_NAMED_AFTER = (
    r"(?<![^\s\"'`(])(?P<secret>[^\s\"'`]{6,64})[\"'`]? (?:as|is) (?!not\b|no\b)"
    r"(?:(?:the|my|your|our|a|its) )?"
    r"(?:[\w.-]{1,24} ){0,2}pass(?:word|wort|phrase|code|wd)"
    r"(?= (?:for|of|on|to|at)\b|[.,;!?)]|\s*\Z)"
)
_SAID = r"(?P<secret>[^\s\"'`,;:()=]{6,64})(?=[\s.,;!?)]|\Z)"
_AMONG = rf"(?: [^\x00-\x7f]{{1,14}}){{1,3}}[:：]? {_SAID}"  # "my password" and then the value
_PIN = (
    r"(?:[- ]?(?:code|number|nummer))?(?: (?:for|of|to) [\w. -]{1,24}?)?"
    r"(?:\s?[:=]| (?:is|was|ist|lautet|est|es|é)(?: now)?:?)\s{0,2}"
    r"(?P<secret>[0-9]{4,8})(?![\w/-]|[.,:][0-9]| ?[%€$£])"
)
_PAIRED = rf"{_IS}[\w.@+-]{{1,60}} ?[/|:] ?(?P<secret>[^\s\"'`,;]{{6,64}})"  # "admin / …"
_PASSWORDS = (
    _row("password", "pass", rf"(?:{_IS}|{_SPOKEN}){_VALUE}", is_chosen, _starts_name),
    _row("pin", "pin", _PIN, is_pin, _starts_name),
    _row("pin", "passcode", _PIN, is_pin),
    *(_row("password", word, _AMONG, is_chosen_anew) for word in _OTHER_SCRIPT),
    _row("password", "pass", rf"(?:word|wd|phrase|code|wort|e){_ASSIGNED}", is_password),
    _row("password", "_pass", _ASSIGNED, is_password),
    _row("password", "pass", rf"(?:word|wd|phrase|code) to {_VALUE}", is_chosen_anew, _CHANGED),
    _row("password", "pass", rf"(?:word|wd|phrase|code) {_SAID}", is_chosen),
    Format("password", ("pass",), _NAMED_AFTER, is_chosen),
    *(_row("password", client, _ATTACHED, is_given, _is_small_p) for client in _CLIENTS),
    _row("password", "--pass", rf"(?:word|wd|phrase|code)?[ =]{_VALUE}", is_password),
    _row("password", "sshpass -p", rf" {{0,2}}{_VALUE}", is_password),
    _row("password", "-u ", r"[\w.@+-]{1,60}:(?P<secret>[^\s\"'`]{4,200})", is_password),
    _row("password", "pwd", _ASSIGNED, is_password),
    _row("password", "pw", _ASSIGNED, is_password, _starts_name),
    *(_row("password", word, _ASSIGNED, is_password) for word in FOREIGN_WORDS),
    _row("password", "hasło", rf" to {_VALUE}", is_chosen),
    *(_row("password", word, _PAIRED, is_chosen) for word in ("creds", "credentials", "login")),
)
_FLAGS = ("token", "secret", "api-key", "access-key", "auth-token", "access-token")
_SECRETS = (
    _row("secret", "secret", rf"(?:[_ -]?key)?{_ASSIGNED}", is_generated),
    _row("secret", "token", _ASSIGNED, is_generated),
    _row("secret", "key", _ASSIGNED, is_generated, _KEY_OWNER),
    _row("secret", "_key", rf"{_STAGE}{_IS}{_VALUE}", is_drawn, _opens),
    _row("secret", "client-key-data", rf"{_IS}{_OPEN}(?P<secret>[a-z0-9+/]{{40,}}+={{0,2}})"),
    _row("secret", '"auth"', r'\s?:\s?"(?P<secret>[a-z0-9+/]{12,2000}={0,2})"', is_login),
    _row("secret", "_auth", r"\s?=\s?(?P<secret>[a-z0-9+/]{12,2000}={0,2})", is_login),
    _row("secret", "x-amz-signature=", r"(?P<secret>[a-f0-9]{64})"),
    _row("secret", '"d"', r'\s?:\s?"(?P<secret>[\w-]{40,2000})"', is_drawn),
    *(_row("secret", f"--{word}", rf" {_VALUE}", is_generated) for word in _FLAGS),
)

_SSN = (
    r"(?:[ _-]?(?:number|num|no|nr|id)\b\.?)?\"?'?(?:\s?[:=#]{1,2}| (?:is|was):?)?\s{0,2}[\"'`]?"
    r"(?P<secret>[0-9]{3}([ -]?)[0-9]{2}\2[0-9]{4})(?![\w-]|[.,][0-9])"
)
_SEED_WORD = r"(?:[0-9]{1,2}[.):]? ?)?[a-z]{3,8}"
_SEED = (
    r"(?:[^\n]{0,70}?(?:[:=>\n–—-]|\b(?:is|are|was)\b))?\s{0,4}[\"'`\[(]{0,2}"
    rf"(?P<secret>{_SEED_WORD}(?:[\s,;|\"'-]{{1,6}}{_SEED_WORD}){{11,23}})(?![a-z])"
)
_PERSONAL = (
    _row("ssn", "ssn", _SSN, is_ssn, _starts_name),
    *(_row("ssn", f"social{sign}security", _SSN, is_ssn) for sign in (" ", "_", "-", "")),
    *(_row("seed-phrase", word, _SEED, is_seed_phrase) for word in ("seed", "mnemonic", "phrase")),
)

PHRASES = (
    *(*_BLOCKS, *_CLOUD, *_HEADERS, *_COOKIES, *_URLS, *_PASSWORDS, *_SECRETS),
    *_PERSONAL,
)

_COUNTED = re.compile(
    r"(?:order|invoice|tracking|parcel|ticket|imei|isbn|serial|ref(?:erence)?|\bid|bestellung)"
    r"(?: ?(?:number|no|nr|id|code))?\W{0,4}\Z",
    re.IGNORECASE,
)


def _is_uncounted(text: str, start: int, end: int) -> bool:
    """Bare digits after a word that says what they number (an order, a parcel) are no card."""
    before = text[max(0, start - 32) : start]
    return not (text[start:end].isdigit() and _COUNTED.search(before))


CARD = Format(
    "card-number",
    (),
    (
        r"(?<![\w.#/+])(?<!\w-)[2-6][0-9]{3}"
        r"(?:([ .\u00a0-]{0,2})[0-9]{4}\1[0-9]{4}\1[0-9]{4}(?:\1[0-9]{3})?"
        r"|([ .\u00a0-]{0,2})[0-9]{6}\2[0-9]{4,5})"
        r"(?![\w-]|[.,][0-9]|/(?!(?:0?[1-9]|1[0-2])/[0-9]{2}))"
    ),
    is_card_number,
    _is_uncounted,
)

IBAN = Format(
    "iban",
    (),
    (
        r"(?<![\w-])(?:[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?"
        r"|[a-z]{2}[0-9]{2}(?: ?[a-z]{4})?(?: ?[0-9]{4}){2,6}(?: ?[0-9]{1,3})?)(?![\w-])"
    ),
    is_iban,
)
