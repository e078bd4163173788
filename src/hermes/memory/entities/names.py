"""When two spellings are the same name: case, width, accents of style and possessives aside."""

import re
import unicodedata
from functools import lru_cache

_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:'(?=[^\W\d_]{{2}})[^\W_]+)?|[+#]")
_POSSESSIVE = re.compile(r"['’]s?\b")

REMEMBERED = 1 << 15  # keys: every new statement is compared with all that is known of its subject

# What stands small between a name and a family name, or inside the name of a house.
PARTICLES = frozenset("van von der den de la las los da do dos das di del du ten ter zu".split())
TITLE = r"(?:(?:Dr|Prof|Mr|Mrs|Ms|dr|prof|mr|mrs|ms)\.?|Professor|Doctor)"
_LEADING_TITLE = re.compile(rf"{TITLE}\s(?=\S)")

# Short forms everybody uses; the second is the name that is kept.
_SAME = {
    "postgres": "postgresql",
    "pg": "postgresql",
    "k8s": "kubernetes",
    "js": "javascript",
    "ts": "typescript",
    "golang": "go",
    "nvim": "neovim",
    "vscode": "vs code",
    "visual studio code": "vs code",
    "mongo": "mongodb",
    "gh": "github",
    "amazon web services": "aws",
    "google cloud platform": "gcp",
    "google cloud": "gcp",
    "nextjs": "next js",
    "reactjs": "react",
    "vuejs": "vue",
    "vue js": "vue",
    "react js": "react",
    "node": "node js",
    "nodejs": "node js",
    "mac os": "macos",
    "osx": "macos",
    "os x": "macos",
    "nyc": "new york",
    "new york city": "new york",
    "sf": "san francisco",
}


def fold(text: str) -> str:
    """Compatibility forms and case folded away."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def tokens(text: str) -> list[tuple[str, int, int]]:
    """Words, with their offsets in the text; each CJK character is a word of its own.

    Offsets hold for the text as given: folding is done word by word.
    """
    return [(_folded_token(m.group()), m.start(), m.end()) for m in _TOKEN.finditer(text)]


def _folded_token(token: str) -> str:
    return fold(token).removesuffix("'s")


def without_title(name: str) -> str:
    """ "Amara Osei" of "Dr. Amara Osei"."""
    return _LEADING_TITLE.sub("", name, count=1) if _LEADING_TITLE.match(name) else name


@lru_cache(REMEMBERED)
def spelling_key(name: str) -> str:
    """The name as its folded words: `Fly.io` and `fly io` are one."""
    return " ".join(token for token, _, _ in tokens(_POSSESSIVE.sub("", name)))


@lru_cache(REMEMBERED)
def alias_key(name: str) -> str:
    """The spelling key, with well-known short forms resolved."""
    key = spelling_key(name)
    return _SAME.get(key, key)
