"""How each embedding API words a request and its answer. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from hermes.net.client import is_loopback

Json = Mapping[str, object]


class Purpose(StrEnum):
    """What a vector is for: most models treat questions and what is stored apart."""

    QUERY = "query"
    PASSAGE = "document"


# What models were trained to see before a question and before what is stored.
PREFIXES = {
    "nomic-embed-text": ("search_query: ", "search_document: "),
    "embeddinggemma": ("task: search result | query: ", "title: none | text: "),
    "mxbai-embed-large": ("Represent this sentence for searching relevant passages: ", ""),
    "qwen3-embedding": (
        "Instruct: Given a question, retrieve passages that answer it\nQuery: ",
        "",
    ),
    "e5-": ("query: ", "passage: "),
}
# Services refuse an empty text, and a place must be kept for it.
EMPTY = "-"


@dataclass(frozen=True, slots=True)
class Dialect:
    """One API."""

    provider: str
    title: str
    base_url: str
    path: str
    usual_model: str
    key_name: str
    extras: Callable[[int | None, Purpose], dict[str, object]]
    parse: Callable[[Json], object]
    strip_suffix: str = ""

    def address(self, base_url: str) -> str:
        """The address to use: the person's, in whichever of its usual spellings, or the API's."""
        url = (base_url or self.base_url).strip().rstrip("/").removesuffix(self.strip_suffix)
        bare = url.partition("://")[2]
        return url + "/v1" if bare and "/" not in bare and not self.strip_suffix else url

    def needs_key(self, url: str) -> bool:
        return bool(self.key_name) and url == self.base_url and not is_loopback(url)

    def word(self, text: str, model: str, purpose: Purpose) -> str:
        """The text as the model was trained to see it."""
        name = model.lower()
        prefixes = next((both for part, both in PREFIXES.items() if part in name), ("", ""))
        prefix = prefixes[0] if purpose is Purpose.QUERY else prefixes[1]
        return prefix + (text if text.strip() else EMPTY)

    def render(
        self, texts: list[str], model: str, dimensions: int | None, purpose: Purpose
    ) -> Json:
        return {"model": model, "input": texts} | self.extras(dimensions, purpose)


def _openai_extras(dimensions: int | None, purpose: Purpose) -> dict[str, object]:
    extras: dict[str, object] = {"encoding_format": "float"}
    return extras | ({"dimensions": dimensions} if dimensions else {})


def _ollama_extras(dimensions: int | None, purpose: Purpose) -> dict[str, object]:
    extras: dict[str, object] = {"truncate": True}
    return extras | ({"dimensions": dimensions} if dimensions else {})


def _voyage_extras(dimensions: int | None, purpose: Purpose) -> dict[str, object]:
    extras: dict[str, object] = {"input_type": purpose.value, "truncation": True}
    return extras | ({"output_dimension": dimensions} if dimensions else {})


def _parse_numbered(body: Json) -> object:
    """Vectors in the order of their numbers, which need not be the order they come in."""
    rows = body.get("data")
    if not isinstance(rows, list):
        return None
    numbered: dict[int, object] = {}
    for place, row in enumerate(rows):
        index = row.get("index", place) if isinstance(row, dict) else None
        if not isinstance(index, int):
            return None
        numbered[index] = row.get("embedding")
    return [numbered.get(place) for place in range(len(rows))]


def _parse_listed(body: Json) -> object:
    return body.get("embeddings")


OPENAI = Dialect(
    provider="openai",
    title="OpenAI",
    base_url="https://api.openai.com/v1",
    path="/embeddings",
    usual_model="text-embedding-3-small",
    key_name="OPENAI_API_KEY",
    extras=_openai_extras,
    parse=_parse_numbered,
)
OLLAMA = Dialect(
    provider="ollama",
    title="Ollama",
    base_url="http://localhost:11434",
    path="/api/embed",
    usual_model="nomic-embed-text",
    key_name="",
    extras=_ollama_extras,
    parse=_parse_listed,
    strip_suffix="/v1",
)
VOYAGE = Dialect(
    provider="voyage",
    title="Voyage",
    base_url="https://api.voyageai.com/v1",
    path="/embeddings",
    usual_model="voyage-3.5",
    key_name="VOYAGE_API_KEY",
    extras=_voyage_extras,
    parse=_parse_numbered,
)
